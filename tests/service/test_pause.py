"""A pause of all games: no one moves, clocks stand still, and then go on from where they were."""

from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from tests.support.page import Page
from tests.support.people import Clock, Pair, challenge, code_of, played_out, player_of, sit_down
from tests.support.visitor import Site, Visitor
from webapp.analysis.puzzles import Kind
from webapp.classroom import ASKED, PAUSED
from webapp.core.board import Mark
from webapp.polls import FORGOTTEN_S, Life
from webapp.service import games, polls, teacher
from webapp.service.site import Site as Service
from webapp.service.tidying import DAY
from webapp.store import games as stored

AGAINST_HARD: Mapping[str, object] = {"opponent": "hard", "mark": "o"}
FIRST_MOVES: tuple[Mapping[str, object], ...] = (
    {"opponent": "hard", "mark": "x", "cell": 4}, {"opponent": "friend", "mark": "x", "cell": 4},
    AGAINST_HARD, {"moves": "40"}, {"moves": "40", "cell": 8, "opponent": "friend"},
    {"moves": "4", **AGAINST_HARD},
)  # fmt: skip


@pytest.fixture
def pair(alice: Visitor, bob: Visitor) -> Pair:
    """A game between two devices in which Alice has moved, and waits for Bob."""
    pair = sit_down(alice, bob)
    pair.play("0")
    return pair


def is_refused(answer: Page) -> bool:
    return (answer.status, answer.refusal) == (409, PAUSED)


def claims(who: Visitor, game: str) -> int:
    return who.try_to("claim", who.get(game)).status


def test_in_a_pause_no_game_changes(site: Site, host: Service, alice: Visitor, pair: Pair) -> None:
    against_hard = alice.start("hard", "x", cell=4)
    against_hard = alice.move(against_hard, against_hard.playable[0])
    at_one_device, live = alice.start("friend", "x", cell=4), pair.play("4")
    mine = [(alice, page) for page in (against_hard, at_one_device, live)]
    teacher.pause(host)
    before = site.dump()
    for who, page in (*mine, (pair.o, live)):
        shown = who.get(page.address)
        assert (shown.heading, shown.sentence) == ("Paused", PAUSED)
        for what, stale in product(("moves", "undo", "hint", "claim", "resign"), (False, True)):
            fields = {"cell": page.board.index("."), "version": page.version - stale}
            assert is_refused(who.try_to(what, shown, fields, fragment=stale)), what
    assert site.dump() == before
    teacher.pause(host, paused=False)
    for _, page in mine:
        assert "aused" not in alice.get(page.address).text
        assert alice.move(page, page.board.index(".")).version == page.version + 1


def test_in_a_pause_no_game_begins(site: Site, alice: Visitor, bob: Visitor, pair: Pair) -> None:
    host, going = site.service, alice.start("hard", "x", cell=4)
    over = played_out(alice, page=alice.start("easy", "o"))
    code = code_of(challenge(site.visitor()))
    teacher.pause(host)
    before = site.dump()
    starts = [{"key": number, **fields} for number, fields in enumerate(FIRST_MOVES)]
    for fields in starts:
        assert is_refused(alice.post("/games", fields)), fields
    for page in (going, over):
        assert is_refused(alice.try_to("again", page, AGAINST_HARD)), "the computer begins it"
    for address in ("/challenges", "/seeks", f"/join/{code}"):
        answer = bob.post(address, {"mark": "x", "give_up": 1})
        assert (answer.status, PAUSED in answer.text) == (409, True)
    assert site.dump() == before
    teacher.pause(host, paused=False)
    assert alice.act("again", over, **AGAINST_HARD).version == 1
    assert {alice.follow(alice.post("/games", fields)).version for fields in starts} == {1}
    assert bob.post("/challenges", {"mark": "x", "give_up": 1}).status == 303


def test_people_meet_in_a_pause(site: Site, host: Service, alice: Visitor, bob: Visitor) -> None:
    carol, dan, eve, finn = (site.visitor() for _ in range(4))
    over = sit_down(carol, dan)
    over.play("03142")
    teacher.pause(host)
    people = {sit_down(alice, bob).address: (alice, bob)}
    assert over.act(carol, "again").status == 303
    people[over.act(dan, "again").location] = carol, dan
    assert eve.post("/seeks").location == "/class"
    people[finn.post("/seeks").location] = eve, finn
    for paused, statuses in ((True, [409, 409]), (False, [303, 409])):
        teacher.pause(host, paused=paused)
        for game, two in people.items():
            answers = [who.try_to("moves", who.get(game), {"cell": 4}) for who in two]
            assert sorted(answer.status for answer in answers) == statuses


@pytest.mark.parametrize(
    "site, seconds, hours", [("sqlite", 300, -1), ("postgres", 100 * DAY, 1)], indirect=["site"]
)
def test_clocks_and_absences_stand_still_and_a_clock_that_is_set_meanwhile_does_no_harm(
    host: Service, clock: Clock, alice: Visitor, pair: Pair, *, seconds: int, hours: int
) -> None:
    game = pair.address

    def check(*, away: bool, paused: bool = False) -> None:
        for viewer in (player_of(alice), "w" * 64):
            pov = games.look(host, game[7:], viewer)
            shown = pov.game.version, pov.phase, pov.away, bool(pov.paused)
            assert shown == (2, 0, away, paused)

    clock.goes_on(50)
    check(away=True)
    teacher.pause(host)
    clock.is_set(hours * 3600)
    for passed in (0, seconds):
        clock.goes_on(passed)
        check(away=False, paused=True)
        assert claims(alice, game) == 409
    assert alice.post("/seeks").location == game, "it keeps its players"
    teacher.pause(host, paused=False)
    check(away=True)
    for passed, status in ((9, 409), (1, 303)):
        clock.goes_on(passed)
        assert claims(alice, game) == status


def test_clocks_wait_for_a_pause(clock: Clock, host: Service, alice: Visitor, bob: Visitor) -> None:
    teacher.pause(host)
    clock.goes_on(200)
    game = sit_down(alice, bob).address
    clock.goes_on(100)
    teacher.pause(host, paused=False)
    for seconds, status in ((59, 409), (1, 303)):
        clock.goes_on(seconds)
        assert claims(bob, game) == status


@pytest.mark.parametrize("order", ["apAP", "apPA", "paAP", "paPA"])
def test_games_that_wait_for_two_reasons_are_set_on_once_by_all_of_the_time(
    host: Service, clock: Clock, alice: Visitor, pair: Pair, order: str
) -> None:
    """A question is asked and closed (a, A); the games are paused and go on (p, P)."""
    for step, seconds in zip(order, (50, 30, 30, 30), strict=True):
        clock.goes_on(seconds)
        assert (alice.get(pair.address).heading == "Paused") is (step != order[0])
        if step == "a":
            asked = polls.ask(host, "0")
        elif step == "A":
            polls.advance(host, asked, Life.CLOSED)
        else:
            teacher.pause(host, paused=step == "p")
    for seconds, status in ((9, 409), (1, 303)):
        clock.goes_on(seconds)
        assert claims(alice, pair.address) == status


def test_games_wait_while_the_class_is_asked(host: Service, clock: Clock, pair: Pair) -> None:
    def waits() -> bool:
        return games.look(host, pair.address[7:], player_of(pair.x)).paused == ASKED

    for seconds in (0, 15):
        asked = polls.ask(host, "0", seconds=seconds)
        for passed, still in (((seconds or FORGOTTEN_S) - 1, True), (1, False)):
            clock.goes_on(passed)
            polls.tick(host)
            assert waits() is still, "they go on though no one looks"
        polls.advance(host, asked, Life.DONE)
    polls.start_quiz(host, 5, [Kind.WIN], 0)
    while poll := polls.going(host):
        assert waits()
        polls.advance(host, poll.id, Life.DONE if poll.life is Life.REVEALED else Life.REVEALED)
    assert not waits()
    polls.end(host, polls.start_vote(host, "easy", Mark.X, 0))
    assert not waits()


def test_a_move_during_a_question_leads_to_it(host: Service, bob: Visitor, pair: Pair) -> None:
    address = f"/questions/{polls.ask(host, '0', seconds=30)}"
    shown = bob.get(pair.address)
    assert (shown.heading, shown.sentence, shown.links["Answer"]) == ("Paused", ASKED, address)
    refused = bob.try_to("moves", shown, {"cell": "8"}, fragment=True)
    assert (refused.status, refused.refusal) == (409, ASKED)
    assert bob.try_to("moves", shown, {"cell": "8"}).location == address
    assert bob.post(f"{address}/answer", {"cell": "4"}).status == 303
    assert bob.try_to("moves", shown, {"cell": "8"}).status == 409
    assert bob.get(pair.address).board == shown.board


def test_a_pause_is_in_time(site: Site, alice: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    page, find = alice.start("hard", "x", cell=4), stored.find
    before = site.dump()

    def paused(*about: Any) -> stored.Found | None:
        here = find(*about)
        teacher.pause(site.service)
        return here

    monkeypatch.setattr(stored, "find", paused)
    for what in ("moves", "undo", "hint"):
        answer = alice.try_to(what, page, {"cell": page.playable[0]})
        assert (answer.status, answer.refusal) == (409, PAUSED)
        teacher.pause(site.service, paused=False)
        assert site.dump() == before
