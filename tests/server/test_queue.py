"""Whose request goes next, moves before pages and then who has asked least, and who is refused."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
import sqlalchemy as sa

from tests.support.asgi import at_once, call
from tests.support.patience import PATIENCE, until
from tests.support.people import sign_in
from tests.support.visitor import Site, open_site
from webapp import server
from webapp.server import FREE, Front, queue
from webapp.server.bridge import Answer
from webapp.server.queue import MOVES, NEWCOMERS, PLAYER, Lane, Place, Queue, Senders
from webapp.web.limits import _KEPT, WINDOW

SCHOOL, ELSEWHERE = "198.51.100.7/32", "203.0.113.9/32"
PUPILS, MINUTES = 60, 3
NOW = 1_000_000.0


@pytest.fixture
def senders() -> Senders:
    senders = Senders()
    for player in ("anna", "ben"):
        senders.answered(player, NOW, "game", moved=None)
    return senders


def place(senders: Senders, player: str | None, game: str = "", now: float = NOW) -> Place:
    found = senders.ask(player, SCHOOL, now, game=game)
    assert found is not None
    return found


def taken(queue: Queue[str]) -> str:
    return "".join(queue.take() for _ in range(len(queue)))


def test_moves_go_first_then_every_fifth_page_and_without_room_the_last_page_goes() -> None:
    queue = Queue[str](room=99)
    for number in range(8):
        queue.put("p", Place(is_move=False, at=0))
        queue.put("m", Place(is_move=True, at=number))
    assert taken(queue) == "mmmmpmmmmppppppp"
    for is_move in (True, False):
        for who, at in zip("abcde", (5, 3, 9, 3, 1), strict=True):
            queue.put(who, Place(is_move, at))
        assert taken(queue) == "ebdac"
    queue = Queue[str](room=2)
    waiting = ("m", True, 9), ("p", False, 1), ("q", False, 2), ("n", True, 5), ("o", True, 7)
    gone = [queue.put(who, Place(is_move, at)) for who, is_move, at in waiting]
    assert gone == [None, None, "q", "p", "m"]
    assert taken(queue) == "no"


def test_who_has_asked_least_in_ten_seconds_has_the_earliest_place(senders: Senders) -> None:
    for player, times in (("anna", 50), ("ben", 20)):
        senders.answered(player, NOW, "", moved=True)
        for _ in range(times):
            place(senders, player)
    calm, busy, flood = (place(senders, player) for player in (None, "ben", "anna"))
    assert calm < busy < flood
    later = NOW + 5 * WINDOW
    assert place(senders, None, now=later) > flood, "the flood is answered in the end"
    assert place(senders, "anna", now=later).at - later < WINDOW, "and forgiven"


def test_two_moves_a_second_go_first_where_their_player_is_seated(senders: Senders) -> None:
    asked = ("anna", "game"), ("anna", "other"), ("cem", "game"), (None, "game")
    found = [place(senders, player, game).is_move for player, game in asked]
    assert found == [True, False, False, False]
    assert all(place(senders, "anna", "game", NOW + n / 2).is_move for n in range(1, 600))
    fast = [place(senders, "ben", "game").is_move for _ in range(MOVES + 1)]
    assert fast == [True] * MOVES + [False]
    assert 2 * WINDOW <= MOVES < 3 * WINDOW


def test_a_refused_move_counts_as_five_requests(senders: Senders) -> None:
    senders.answered("anna", NOW, "", moved=True)
    for _ in range(MOVES // 5 + 1):
        assert place(senders, "anna", "game").is_move
        senders.answered("anna", NOW, "", moved=False)
    assert not place(senders, "anna", "game").is_move
    assert place(senders, "anna") > place(senders, "ben"), "and her pages come later"


def test_cookies_that_have_never_moved_share_the_count_of_their_address(senders: Senders) -> None:
    for number in range(200):
        senders.answered(f"invented {number}", NOW, "", moved=None)
        place(senders, f"invented {number}")
    senders.answered("anna", NOW, "", moved=True)
    elsewhere = senders.ask("cem", ELSEWHERE, NOW)
    assert place(senders, "anna") == elsewhere == Place(is_move=False, at=NOW)
    assert place(senders, "ben").at > NOW + WINDOW


def test_no_more_is_remembered_than_needed_those_away_longest_least(senders: Senders) -> None:
    for number in range(_KEPT + 10):
        for player in ("ben", f"player {number}"):
            senders.answered(player, NOW, "game", moved=True)
    assert [senders.knows(player) for player in ("ben", "anna", "player 0")] == [True, False, False]
    assert len(senders._seats) == len(senders._moved) == _KEPT


def asks(senders: Senders, player: object, path: str = "/", at: float = NOW, **how: Any) -> bool:
    """Ask for a path, which is answered unless it is refused; tell whether it was."""
    game, named = "game" * path.endswith("/moves"), None if player is None else str(player)
    free, address = path.startswith(FREE), how.get("address", SCHOOL)
    if senders.ask(named, address, at, game=game, free=free) is None:
        return False
    if named:
        senders.answered(named, at, "game", moved=True if game else None)
    return True


def test_a_flood_is_refused_until_it_pauses_and_no_one_else_feels_it(senders: Senders) -> None:
    for number in range(PUPILS):
        assert asks(senders, number)
    found = [asks(senders, "anna") for _ in range(2 * PLAYER)]
    assert found == [True] * PLAYER + [False] * PLAYER
    assert asks(senders, "anna", at=NOW + 1), "what was refused does not count"
    newcomers = [asks(senders, None) for _ in range(NEWCOMERS)]
    invented = [asks(senders, f"invented {number}") for number in range(NEWCOMERS)]
    assert (newcomers[0], newcomers[-1], any(invented)) == (True, False, False)
    assert all(asks(senders, number) for number in ("ben", *range(PUPILS)))
    assert asks(senders, None, address=ELSEWHERE)
    assert all(asks(senders, None, path) for path in ("/static/app.css", "/healthz"))
    assert all(asks(senders, "anna", at=NOW + 6 * WINDOW) for _ in range(PLAYER - 2))


def pupil(number: int) -> Iterator[tuple[float, str, int | None]]:
    """What the browser of a pupil asks for in a lesson, and when, in seconds.

    All come within five seconds, play quickly and look about; every seventh clicks without end.
    """
    now = number * 5 / PUPILS
    yield now, "/class", None
    yield from ((now + 0.2, "/static/app.css", number) for _ in range(9))
    for path in ("/class", "/events", "/class", "/class", "/seeks"):
        now += 0.4
        yield now, path, number
    while now < 60 * MINUTES:
        yield from ((now, path, number) for path in ("/games/game", "/events", "/calls", "/again"))
        for _ in range(4):
            yield now + 0.5, "/games/game", number  # the other one's move
            yield now + 1, "/calls", number
            now += 1.5
            yield now, "/games/game/moves", number
        if number % 3 == 0:
            for page in ("/class", "/you", "/review/game", "/lab", "/learn"):
                now += 1
                yield now, page, number
        if number % 7 == 0:
            for _ in range(100):
                now += 0.1
                yield now, "/games/game/moves", number


def test_a_class_of_sixty_behind_one_address_is_never_refused() -> None:
    senders, asked = Senders(), [each for number in range(PUPILS) for each in pupil(number)]
    asked.sort(key=lambda each: each[0])
    refused = [each for each in asked if not asks(senders, each[2], each[1], NOW + each[0])]
    assert len(asked) > PUPILS * 60 * MINUTES
    assert refused == []


def in_lane(
    answer: Callable[[Any], Any], places: tuple[float, ...], threads: int, **lane: Any
) -> list[Any]:
    async def main() -> list[Any]:
        made = Lane(answer, lane.pop("room", 99), threads, **lane)
        asked = (made.answer(Place(is_move=False, at=at), {"at": at}, alone=False) for at in places)
        return await asyncio.gather(*asked, return_exceptions=True)

    return asyncio.run(main())


@pytest.mark.parametrize("threads", [0, 1])
def test_an_earlier_place_is_next_and_without_room_the_last_is_refused(threads: int) -> None:
    turns = list[float]()

    def answer(environ: Any) -> float:
        turns.append(environ["at"])
        return -float(environ["at"])

    answers = in_lane(answer, (5, 3, 9, 1, 7, 2, 8), threads, room=4)
    assert answers == [-5, -3, None, -1, None, -2, None]
    assert turns == [1, 2, 3, 5]


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_what_goes_wrong_with_one_request_holds_no_other_up(threads: int) -> None:
    answers = in_lane(lambda environ: 1 / environ["at"], (0, 1, 0, 2), threads)
    assert [type(one) for one in answers] == [ZeroDivisionError, float, ZeroDivisionError, float]


def test_as_many_requests_are_answered_at_a_time_as_there_are_threads() -> None:
    meet = threading.Barrier(3, timeout=PATIENCE)
    assert sorted(in_lane(lambda _: meet.wait(), (1, 2, 3), threads=3)) == [0, 1, 2]


def test_a_slow_lane_rests_as_long_as_each_request_took(monkeypatch: pytest.MonkeyPatch) -> None:
    now, rests = [0.0], list[float]()
    clock = SimpleNamespace(monotonic=lambda: now[0], sleep=rests.append)
    monkeypatch.setattr(queue, "time", clock)

    def answer(environ: Any) -> None:
        now[0] += environ["at"]

    in_lane(answer, (1, 2, 4), threads=1, rests=True)
    until(lambda: rests == [1, 2, 4])


@at_once
async def test_a_request_that_is_alone_has_its_turn_at_once() -> None:
    lane = Lane(lambda environ: Answer(environ["n"], [], b""), room=0)
    asked = lane.answer(Place(is_move=False, at=0), {"n": 200}, alone=True)
    with pytest.raises(StopIteration, match="200"):
        asked.send(None)


ANNA, BEN = ([(b"cookie", b"player=" + name * 43)] for name in (b"a", b"b"))
START = b"opponent=easy&mark=x&cell=4"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with open_site(tmp_path, limits="on") as site:
        yield site


@at_once
async def test_a_server_learns_from_its_answers_who_is_seated_and_who_has_moved(site: Site) -> None:
    front = Front(site.app)
    path = (await call(front, "POST", "/games", START, headers=ANNA)).location
    page, _ = [await call(front, "GET", path, headers=who) for who in (ANNA, BEN)]
    assert [game for _, game in front._senders._seats] == [path.rpartition("/")[2]]
    for who, status, count in ((BEN, 403, 0), (ANNA, 409, 0), (ANNA, 303, 1)):
        form = b"cell=%d&version=%d" % (page.playable[0], status != 409)
        answer = await call(front, "POST", f"{path}/moves", form, headers=who)
        assert (answer.status, len(front._senders._moved)) == (status, count)


@at_once
async def test_a_move_goes_before_all_pages(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    front, turns = Front(site.app), list[str]()
    lane, answer = front._lanes["quick"], front._answer

    def noted(environ: Any) -> Answer:
        turns.append(environ["PATH_INFO"])
        return answer(environ)

    path = (await call(front, "POST", "/games", START, headers=ANNA)).location
    page = await call(front, "GET", path, headers=ANNA)
    monkeypatch.setattr(lane, "_answer", noted)
    form = b"cell=%d&version=1" % page.playable[0]
    move = call(front, "POST", f"{path}/moves", form, headers=ANNA)
    await asyncio.gather(*(call(front, "GET", "/class") for _ in range(5)), move)
    assert turns == [f"{path}/moves", *["/class"] * 5]


@at_once
async def test_a_flood_is_told_and_a_key_opens(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "NEWCOMERS", 0)
    front, key = Front(site.app), site.service.key.ensure().encode()
    for language, says in ((b"en", "Try again in a few seconds"), (b"de", "in ein paar Sekunden")):
        answer = await call(front, "GET", "/class", headers=[(b"accept-language", language)])
        assert (answer.status, says in answer.text) == (429, True), answer.text
    for form, status in ((b"key=wrong", 429), (b"key=" + key, 303)):
        assert (await call(front, "POST", "/host", form)).status == status


def test_a_full_slow_lane_says_so_and_moves_go(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        front = Front(site.app)
        inside, leave, answer = threading.Event(), threading.Event(), front._answer

        def waits(environ: Any) -> Answer:
            inside.set()
            leave.wait(PATIENCE)
            return answer(environ)

        monkeypatch.setattr(front._lanes["slow"], "_answer", waits)
        teacher = sign_in(site, site.service.key.ensure())
        assert teacher.post("/host/wall", {"tournament": "menace"}).status == 303
        # The wall computes what MENACE has learnt, as no other path of its beginning does.
        first = asyncio.create_task(call(front, "GET", "/class/board"))
        await asyncio.to_thread(inside.wait, PATIENCE)
        second = asyncio.create_task(call(front, "GET", "/review/40281"))
        await asyncio.sleep(0.01)
        third = await call(front, "GET", "/lab/rules")
        assert "Try again in a few seconds" in third.text
        assert (await call(front, "POST", "/games", START)).status == 303
        assert not first.done()
        leave.set()
        statuses = [(await one).status for one in (first, second)]
        assert sorted([*statuses, third.status]) == [200, 200, 429]

    monkeypatch.setattr(server, "SLOW_ROOM", 1)
    asyncio.run(main())


FAULT, REFUSED = ValueError("a fault"), sa.exc.OperationalError("BEGIN", None, OSError("away"))


class Enough(BaseException):
    """Ends what otherwise goes on for ever."""


def test_faults_are_told(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    work = Mock(__qualname__="tick", side_effect=[FAULT, REFUSED, FAULT, None, FAULT, Enough])
    monkeypatch.setattr(server, "_SETTLED", 0)
    with pytest.raises(Enough):
        server._again(work, Mock(), 0, Event())
    assert work.call_count == 6
    assert [record.args for record in caplog.records] == [("tick",)] * 2
    assert all(record.exc_info and record.exc_info[1] is FAULT for record in caplog.records)
