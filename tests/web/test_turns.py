"""Who is answered when, and who is refused: the sender who has asked least goes next."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask

from tests.support.patience import PATIENCE, until
from tests.support.people import player_of
from tests.support.visitor import Site, Visitor, open_site
from webapp.analysis.menace import Life
from webapp.config import Settings
from webapp.service import menace
from webapp.store import topics
from webapp.web import identity, turns
from webapp.web.limits import NEW, Stored
from webapp.web.order import FIRST, NEWCOMERS, PLAYER, Place
from webapp.web.turns import Lane, Turns

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

SCHOOL, ELSEWHERE = "198.51.100.7/32", "203.0.113.9/32"
PUPILS, MINUTES = 60, 3


class Clock:
    """A clock that only a test moves, so that it takes no time."""

    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_an_earlier_place_has_the_next_turn_and_the_last_is_refused_where_there_is_no_room() -> (
    None
):
    lane, answered, refused = Lane(1, room=4), list[float](), list[float]()

    def ask(place: float) -> None:
        if lane.enter(Place(is_move=False, at=place)):
            answered.append(place)
            lane.leave()
        else:
            refused.append(place)

    with ThreadPoolExecutor() as aside:
        assert lane.enter(FIRST)
        for number, place in enumerate((5, 3, 9, 1, 7, 2, 8), 1):
            aside.submit(ask, place)
            there = min(number, 4), max(0, number - 4)
            until(lambda there=there: (len(lane._waiting), len(refused)) == there)  # type: ignore[misc]
        lane.leave()
    assert (answered, sorted(refused)) == ([1, 2, 3, 5], [7, 8, 9])
    assert lane._free == 1


# --- the application ------------------------------------------------------------------------------


class Lesson:
    """A worker whose pages cost nothing, on a clock of its own."""

    def __init__(self, clock: Clock) -> None:
        app = Flask(__name__)
        app.config["MAX_CONTENT_LENGTH"] = 1
        app.wsgi_app = self._answer  # type: ignore[method-assign,assignment]
        self._turns = Turns(app, Settings(), clock)
        self._stored = Stored(self._turns)

    def _answer(self, environ: WSGIEnvironment, start: StartResponse) -> list[bytes]:
        player, begins = identity.named_by(environ), environ["REQUEST_METHOD"] == "POST"
        begins &= environ["PATH_INFO"].endswith(("/seeks", "/games", "/again"))
        refused = turns._REFUSED in environ
        refused |= begins and not self._stored.may(NEW, player, SCHOOL)
        if player and not refused:
            self._turns.answered(player, seat="game", moved=None)
        start("429" if refused else "200", [])
        return []

    def ask(self, what: str, player: int | None = None, address: str = SCHOOL) -> str:
        """Ask for something such as ``GET /class``; return the status."""
        (method, path), found = what.split(), list[str]()
        environ: WSGIEnvironment = {
            "REQUEST_METHOD": method, "PATH_INFO": path, "wsgi.url_scheme": "http",
            "REMOTE_ADDR": address.partition("/")[0], identity.ID: "",
        }  # fmt: skip
        if player is not None:
            environ["HTTP_COOKIE"] = f"player={player:043}"

        def start(status: str, *_more: Any) -> Callable[[bytes], object]:
            found.append(status)
            return bytes

        self._turns(environ, start)
        return found[0]


@pytest.fixture
def lesson(clock: Clock) -> Lesson:
    return Lesson(clock)


def pupil(number: int) -> Iterator[tuple[float, str, int | None]]:
    """What the browser of a pupil asks for in a lesson, and when, in seconds.

    All scan the code on the wall within five seconds, look for an opponent, play one game after the
    other without thinking for long, and look about. Every seventh clicks for a while as fast as can
    be.
    """
    now = number * 5 / PUPILS
    yield now, "GET /class", None
    for _ in range(9):  # style sheets, scripts, drawings
        yield now + 0.2, "GET /static/app.css", number
    for _ in range(3):  # what the class looks like changes all the time
        now += 0.5
        yield now, "GET /class", number
    yield now, "POST /seeks", number
    while now < 60 * MINUTES:
        yield now, "GET /games/game", number
        for _ in range(4):
            yield now + 0.5, "GET /games/game", number  # the other one's move
            yield now + 1, "GET /calls", number
            now += 1.5
            yield now, "POST /games/game/moves", number
        yield now, f"POST {'/games' if number % 2 else '/games/game/again'}", number
        if number % 3 == 0:
            for page in ("/class", "/you", "/review/game", "/lab", "/learn"):
                now += 1
                yield now, f"GET {page}", number
        if number % 7 == 0:
            for _ in range(100):
                now += 0.1
                yield now, "POST /games/game/moves", number


def test_a_class_of_sixty_behind_one_address_is_never_refused(lesson: Lesson, clock: Clock) -> None:
    """All of it at one worker, which is harder than at two."""
    asked = sorted(
        (each for number in range(PUPILS) for each in pupil(number)), key=lambda each: each[0]
    )
    start, refused = clock.now, list[str]()
    for at, what, player in asked:
        clock.now = start + at
        if lesson.ask(what, player) != "200":
            refused.append(f"{what} at {at}")
    assert len(asked) > PUPILS * 60 * MINUTES
    assert refused == []


def test_beside_every_flood_a_class_is_not_refused(lesson: Lesson) -> None:
    """A flood from the class's own address, without cookies, with invented ones and with one."""
    for known in range(PUPILS + 1):
        assert lesson.ask("GET /join", known) == "200"
    floods = [None] * NEWCOMERS, range(10_000, 10_000 + NEWCOMERS), [PUPILS] * 2 * PLAYER
    for flood in floods:
        answers = [lesson.ask("GET /no-such-page", one) for one in flood]
        answers += [lesson.ask("POST /games", one) for one in flood]
        assert answers[-1] == "429"
        assert {lesson.ask("GET /class", known) for known in range(PUPILS)} == {"200"}
        assert {lesson.ask("POST /games", known) for known in range(PUPILS)} == {"200"}
    assert lesson.ask("GET /class") == "429", "a newcomer, who may be one of the flood"
    assert lesson.ask("GET /class", None, ELSEWHERE) == "200"
    assert {lesson.ask("GET /static/app.css"), lesson.ask("GET /healthz")} == {"200"}


def test_a_server_learns_from_its_answers_who_is_seated_and_who_has_moved(
    site: Site, alice: Visitor, bob: Visitor
) -> None:
    page = alice.start("easy", "x", cell=4)
    game = page.address.rpartition("/")[2]
    for who in (alice, bob):
        who.get(page.address)
    senders, players = site.app.extensions["turns"]._senders, [*map(player_of, (alice, bob))]
    assert [(player, game) in senders._seats for player in players] == [True, False]
    assert bob.try_to("moves", page, {"cell": page.playable[0]}).status == 403
    assert alice.move(page, page.playable[0]).status == 200
    assert [player in senders._moved for player in players] == [True, False]


@pytest.mark.parametrize("address", ["/menace", "/class/board"])
@pytest.mark.parametrize("slow", ["curve", "learn"])
def test_while_menace_is_computed_moves_are_answered_also_its_own(
    own_site: Site, teacher: Visitor, monkeypatch: pytest.MonkeyPatch, slow: str, address: str
) -> None:
    alice, inside, leave = own_site.visitor(), threading.Event(), threading.Event()
    page = alice.start("menace", "o")
    teacher.post("/host/wall", {"tournament": "menace"})
    menace.train(own_site.service, "hard", 1, "7")
    own_site.service.live.topics.publish((topics.AFRESH,))
    original = getattr(Life, slow)

    def waits(*about: Any) -> object:
        inside.set()
        leave.wait(PATIENCE)
        return original(*about)

    monkeypatch.setattr(Life, slow, waits)
    with ThreadPoolExecutor() as aside:
        shown = aside.submit(own_site.visitor().get, address)
        assert inside.wait(PATIENCE)
        moved = alice.move(page, page.playable[0]).status
        assert (moved, shown.done()) == (200, False)
        leave.set()
        assert shown.result().status == 200


def test_a_full_lane_of_slow_pages_says_so_and_moves_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "SLOW_ROOM", 0)
    with open_site(tmp_path, limits="on") as site, ExitStack() as held:
        alice = site.visitor()
        inside, leave = threading.Event(), threading.Event()
        page = alice.start("easy", "x", cell=4)

        def slow_visitor() -> int:
            return site.visitor().get("/lab").status

        aside = held.enter_context(ThreadPoolExecutor())
        render = site.app.jinja_env.get_template("lab/lab.html")
        original = render.root_render_func

        def waits(context: object) -> object:
            inside.set()
            leave.wait(PATIENCE)
            return original(context)  # type: ignore[arg-type]

        monkeypatch.setattr(render, "root_render_func", waits)
        first = aside.submit(slow_visitor)
        assert inside.wait(PATIENCE)
        refused = alice.get("/lab/rules")
        assert refused.status == 429
        assert "Try again in a few seconds." in refused.text
        assert alice.move(page, page.playable[0]).status == 200
        leave.set()
        assert first.result() == 200
        assert alice.get("/lab/rules").status == 200
