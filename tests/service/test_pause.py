"""A pause of all games: no one moves, clocks stand still, and then go on from where they were."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product

import pytest

from tests.support.page import Page
from tests.support.people import (
    Clock,
    challenge,
    code_of,
    played_out,
    player_of,
    sit_down,
)
from tests.support.visitor import Site, Visitor
from webapp.service import games
from webapp.service import teacher as acts
from webapp.service.pov import Stamp
from webapp.service.site import Site as Service
from webapp.service.teacher import DAY

PAUSED = "Your teacher has paused the games."
AGAINST_HARD: Mapping[str, object] = {"opponent": "hard", "mark": "o"}
FIRST_MOVES: tuple[Mapping[str, object], ...] = (
    {"opponent": "hard", "mark": "x", "cell": 4},
    {"opponent": "friend", "mark": "x", "cell": 4},
    AGAINST_HARD,
    {"moves": "40"},
    {"moves": "40", "cell": 8, "opponent": "friend"},
    {"moves": "4", **AGAINST_HARD},
)


def against_hard(alice: Visitor, _bob: Visitor) -> Page:
    page = alice.start("hard", "x", cell=4)
    return alice.move(page, page.playable[0])


def at_one_device(alice: Visitor, _bob: Visitor) -> Page:
    return alice.start("friend", "x", cell=4)


def at_two_devices(alice: Visitor, bob: Visitor) -> Page:
    return sit_down(alice, bob).play("04")


KINDS = (against_hard, at_one_device, at_two_devices)
Begins = Callable[[Visitor, Visitor], Page]


def is_refused(answer: Page) -> bool:
    return (answer.status, answer.refusal) == (409, PAUSED)


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize("begin", KINDS)
def test_in_a_pause_no_game_changes(
    site: Site, host: Service, alice: Visitor, bob: Visitor, begin: Begins
) -> None:
    page = begin(alice, bob)
    players = (alice, bob) if begin is at_two_devices else (alice,)
    acts.pause(host)
    before = site.dump()
    for who in players:
        shown = who.get(page.address)
        assert (shown.heading, shown.sentence) == ("Paused", PAUSED)
        for what in ("moves", "undo", "hint", "claim", "resign"):
            for version, fragment in product((page.version, page.version - 1), (False, True)):
                fields = {"cell": page.board.index("."), "version": version}
                assert is_refused(who.try_to(what, shown, fields, fragment=fragment)), what
    assert site.dump() == before
    acts.resume(host)
    assert alice.get(page.address).text.count("aused") == 0
    assert alice.move(page, page.board.index(".")).version == page.version + 1


def test_in_a_pause_no_game_begins_with_a_move_and_none_is_left_for_it(
    site: Site, host: Service, alice: Visitor
) -> None:
    going = against_hard(alice, alice)
    over = played_out(alice, page=alice.start("easy", "o"))
    acts.pause(host)
    before = site.dump()
    for number, fields in enumerate(FIRST_MOVES):
        assert is_refused(alice.post("/games", {"key": number, **fields})), fields
    for page in (going, over):
        assert is_refused(alice.try_to("again", page, AGAINST_HARD)), "the computer begins it"
    assert site.dump() == before
    acts.resume(host)
    assert alice.act("again", over, **AGAINST_HARD).version == 1
    for number, fields in enumerate(FIRST_MOVES):
        assert alice.follow(alice.post("/games", {"key": number, **fields})).version == 1


def test_in_a_pause_no_game_is_given_up_for_another(
    site: Site, host: Service, alice: Visitor, bob: Visitor
) -> None:
    at_two_devices(alice, bob)
    addresses = ("/challenges", "/seeks", f"/join/{code_of(challenge(site.visitor()))}")
    acts.pause(host)
    before = site.dump()
    for address in addresses:
        answer = alice.post(address, {"mark": "x", "give_up": 1})
        assert answer.status == 409
        assert PAUSED in answer.text
    assert site.dump() == before
    acts.resume(host)
    assert alice.post(addresses[0], {"mark": "x", "give_up": 1}).status == 303


# --- what goes on ---------------------------------------------------------------------------------


def test_in_a_pause_people_find_each_other_but_do_not_move(
    site: Site, host: Service, alice: Visitor, bob: Visitor
) -> None:
    carol, dan, eve, finn = (site.visitor() for _ in range(4))
    over = sit_down(carol, dan)
    over.play("03142")
    acts.pause(host)
    games = [sit_down(alice, bob).address]
    assert over.act(carol, "again").status == 303
    games.append(over.act(dan, "again").location)
    assert eve.post("/seeks").location == "/class"
    games.append(finn.post("/seeks").location)
    people = {games[0]: (alice, bob), games[1]: (carol, dan), games[2]: (eve, finn)}
    for game, two in people.items():
        answers = [who.try_to("moves", who.get(game), {"cell": 4}) for who in two]
        assert [is_refused(answer) for answer in answers] == [True, True]
    acts.resume(host)
    for game, two in people.items():
        answers = [who.try_to("moves", who.get(game), {"cell": 4}) for who in two]
        assert sorted(answer.status for answer in answers) == [303, 409]


# --- clocks ---------------------------------------------------------------------------------------


def claims(who: Visitor, game: str) -> int:
    return who.try_to("claim", who.get(game)).status


@pytest.mark.parametrize("seconds, hours", [(0, 0), (300, -1), (300, 1), (100 * DAY, 0)])
def test_clocks_and_absences_stand_still_and_a_clock_that_is_set_meanwhile_does_no_harm(
    *,
    site: Site,
    clock: Clock,
    host: Service,
    alice: Visitor,
    bob: Visitor,
    seconds: int,
    hours: int,
) -> None:
    game = sit_down(alice, bob).play("0").address

    def stamps() -> set[Stamp]:
        """What the pages of Alice and of a watcher show."""
        viewers = (player_of(alice), "w" * 64)
        return {games.look(host, game.removeprefix("/games/"), viewer).stamp for viewer in viewers}

    clock.goes_on(50)
    assert stamps() == {Stamp(3, 0, away=True)}
    acts.pause(host)
    clock.is_set(hours * 3600)
    for passed in (0, seconds):
        clock.goes_on(passed)
        assert stamps() == {Stamp(3, 0, away=False, paused=True)}
        assert "away" not in alice.get(game).document.text
        assert claims(alice, game) == 409
    assert alice.post("/seeks").location == game, "it keeps its players"
    acts.resume(host)
    assert stamps() == {Stamp(3, 0, away=True)}
    clock.goes_on(9)
    assert claims(alice, game) == 409
    clock.goes_on(1)
    assert claims(alice, game) == 303


def test_the_clock_of_a_game_that_begins_in_a_pause_begins_after_it(
    clock: Clock, host: Service, alice: Visitor, bob: Visitor
) -> None:
    acts.pause(host)
    clock.goes_on(200)
    game = sit_down(alice, bob).address
    clock.goes_on(100)
    acts.resume(host)
    clock.goes_on(59)
    assert claims(bob, game) == 409
    clock.goes_on(1)
    assert claims(bob, game) == 303
