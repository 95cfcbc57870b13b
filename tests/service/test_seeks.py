"""Players who look for an opponent: who meets whom, when, and with which mark."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support import races
from tests.support.people import Clock
from tests.support.visitor import Site, Visitor
from webapp.core.board import Mark
from webapp.core.game import ABSENT_AFTER, Game
from webapp.live.presence import SETTLED_S
from webapp.service import games, lobby, players, seeks
from webapp.service.lobby import AlreadyPlaying
from webapp.service.seeks import SAME_AGAIN
from webapp.store import seeks as stored

ALICE, BOB, CAROL, DAN = (letter * 64 for letter in "abcd")
DRAWN = "048176253"


class Class:
    """The players, and what they do."""

    def __init__(self, site: Site) -> None:
        self.host, self.presence = site.service, site.service.live.presence

    def here(self, *players: str) -> None:
        """Let pages of these players ask."""
        for player in players:
            self.presence.asked(player, seldom=True)

    def game(self, game_id: str | None) -> Game:
        assert game_id
        return games.look(self.host, game_id, ALICE).game

    def play(self, game_id: str | None, moves: str = DRAWN) -> Game:
        for cell in map(int, moves):
            game = self.game(game_id)
            player = game.seat(game.turn or Mark.X)
            games.play(self.host, game.id, player or "", cell, game.version)
        return self.game(game_id)

    def looking(self) -> str:
        """The first letters of the players who look for an opponent, as the class sees them."""
        here = lobby.overview(self.host, DAN).here
        return "".join(sorted(one.player.id[0] for one in here if one.looking))


@pytest.fixture
def pupils(site: Site) -> Class:
    return Class(site)


def test_the_second_who_looks_plays_the_first_and_the_third_waits(pupils: Class) -> None:
    assert [seeks.seek(pupils.host, ALICE) for _ in range(3)] == [None] * 3
    seeks.pair_all(pupils.host)
    assert pupils.looking() == "a", "no one meets themselves"
    game = pupils.game(seeks.seek(pupils.host, BOB))
    assert game.players == {ALICE, BOB}
    assert (game.open, game.moves, game.code) == (False, (), None)
    assert seeks.seek(pupils.host, CAROL) is None
    assert pupils.looking() == "c"


def test_marks_are_drawn_by_lot_and_then_alternate(pupils: Class, clock: Clock) -> None:
    firsts = set()
    for number in range(20):
        one, other = (f"{number:02}{letter}".ljust(64, "0") for letter in "xy")
        seeks.seek(pupils.host, one)
        firsts.add(pupils.game(seeks.seek(pupils.host, other)).x_seat == one)
    assert firsts == {True, False}
    crosses = []
    for _ in range(4):
        pupils.here(ALICE, BOB)
        seeks.seek(pupils.host, ALICE)
        game_id = seeks.seek(pupils.host, BOB)
        if game_id is None:
            clock.goes_on(SAME_AGAIN)
            seeks.pair_all(pupils.host)
            game_id = lobby.begun(pupils.host, ALICE)
        crosses.append(pupils.play(game_id).x_seat)
        clock.goes_on(1)
    assert crosses in ([ALICE, BOB] * 2, [BOB, ALICE] * 2)


def test_two_who_have_just_played_each_other_wait_a_moment_for_someone_else(
    pupils: Class, clock: Clock
) -> None:
    pupils.here(ALICE, BOB, CAROL)
    seeks.seek(pupils.host, ALICE)
    pupils.play(seeks.seek(pupils.host, BOB))
    assert [seeks.seek(pupils.host, one) for one in (ALICE, BOB)] == [None, None]
    clock.goes_on(SAME_AGAIN - 1)
    seeks.pair_all(pupils.host)
    assert pupils.looking() == "ab"
    assert CAROL in pupils.game(seeks.seek(pupils.host, CAROL)).players
    one, other = (ALICE, BOB) if lobby.begun(pupils.host, ALICE) else (BOB, ALICE)
    pupils.play(lobby.begun(pupils.host, one))
    assert pupils.looking() == other[0]
    assert seeks.seek(pupils.host, one), "they have not just played each other any more"


def test_of_two_games_that_end_in_the_same_second_both_players_take_the_same_for_the_last(
    pupils: Class, clock: Clock
) -> None:
    seeks.seek(pupils.host, ALICE)
    first = pupils.play(seeks.seek(pupils.host, BOB))
    for one in (ALICE, BOB):
        game = games.again(pupils.host, first.id, one, {}).game
    assert pupils.play(game.id).changed_at == first.changed_at == int(clock())
    assert [seeks.seek(pupils.host, one) for one in (ALICE, BOB)] == [None, None]


def test_anyone_who_gives_a_game_up_has_just_played_its_opponent(
    pupils: Class, clock: Clock
) -> None:
    seeks.seek(pupils.host, ALICE)
    game = pupils.game(seeks.seek(pupils.host, BOB))
    clock.goes_on(ABSENT_AFTER)
    pupils.here(ALICE, BOB)
    assert seeks.seek(pupils.host, game.o_seat or "") is None, (
        "who need not wait for the other's move"
    )
    assert seeks.seek(pupils.host, game.x_seat or "", give_up=True) is None
    assert pupils.game(game.id).outcome
    clock.goes_on(SAME_AGAIN)
    seeks.pair_all(pupils.host)
    assert pupils.game(lobby.begun(pupils.host, ALICE)).x_seat == game.o_seat


def test_who_has_gone_is_paired_with_no_one(pupils: Class, clock: Clock) -> None:
    pupils.here(ALICE)
    seeks.seek(pupils.host, ALICE)
    clock.goes_on(1)  # a good-bye within the same second is of the page that she comes from
    pupils.presence.left(ALICE)
    clock.goes_on(3)
    assert seeks.seek(pupils.host, BOB) is None
    seeks.pair_all(pupils.host)
    assert pupils.looking() == "b"
    pupils.here(ALICE)
    assert pupils.looking() == "b", "the seek ended with the presence"


def test_after_a_start_no_seek_ends_before_all_pages_had_the_time_to_come_back(
    pupils: Class, clock: Clock
) -> None:
    seeks.seek(pupils.host, ALICE)
    clock.goes_on(60)
    pupils.presence._began = clock._steady()
    seeks.pair_all(pupils.host)
    assert seeks.seek(pupils.host, BOB) is None, "she is not known to be here"
    assert pupils.looking() == "ab"
    clock.goes_on(SETTLED_S)
    pupils.here(BOB)
    seeks.pair_all(pupils.host)
    assert pupils.looking() == "b"


def test_a_seek_ends_with_any_other_way_to_a_game(pupils: Class) -> None:
    def code(game_id: str) -> str:
        return pupils.game(game_id).code or ""

    seeks.seek(pupils.host, ALICE)
    challenge = lobby.challenge(pupils.host, ALICE, "x")
    assert pupils.looking() == ""
    assert seeks.seek(pupils.host, BOB) is None
    lobby.join(pupils.host, code(challenge), BOB)
    assert pupils.looking() == ""
    seeks.seek(pupils.host, CAROL)
    seeks.cancel(pupils.host, CAROL)
    assert seeks.seek(pupils.host, DAN) is None
    with pytest.raises(AlreadyPlaying):
        seeks.seek(pupils.host, ALICE)
    players.forget(pupils.host, DAN)
    assert pupils.looking() == ""
    assert seeks.seek(pupils.host, DAN) is None
    assert seeks.seek(pupils.host, ALICE, give_up=True)
    assert pupils.game(challenge).outcome
    rematch = pupils.play(lobby.begun(pupils.host, ALICE))
    games.again(pupils.host, rematch.id, ALICE, {})
    seeks.seek(pupils.host, ALICE)
    games.again(pupils.host, rematch.id, DAN, {})
    assert pupils.looking() == "", "a rematch ends it too"


def test_who_is_in_a_game_again_is_paired_with_no_one(pupils: Class, clock: Clock) -> None:
    seeks.seek(pupils.host, ALICE)
    game = pupils.play(seeks.seek(pupils.host, BOB), "4")
    x, o = game.x_seat or "", game.o_seat or ""
    clock.goes_on(ABSENT_AFTER)
    pupils.here(x)
    assert seeks.seek(pupils.host, x) is None
    pupils.play(game.id, "0")
    assert seeks.seek(pupils.host, CAROL) is None
    pupils.here(x, CAROL)
    seeks.pair_all(pupils.host)
    assert pupils.looking() == "c"
    pupils.play(game.id, "813")
    with pytest.raises(AlreadyPlaying):
        seeks.seek(pupils.host, o)


def test_sixty_who_press_at_once_are_in_thirty_games(
    race: races.Race, site: Site, times: Callable[[int, int], int]
) -> None:
    def cookie_of(one: Visitor) -> str:
        one.get("/")
        return one.cookie() or ""

    rounds = times(2, 100)
    several = [[site.visitor() for _ in range(60)] for _ in range(rounds)]
    posts: list[list[races.Post]] = [
        [(cookie_of(one), "/seeks", {}) for one in each] for each in several
    ]
    answered = race.post(site.settings, *posts)
    for answers in answered:
        assert {status for status, _ in answers} == {303}
        assert sum("/games/" in location for _, location in answers) == 30
    with site.database.read() as connection:
        assert stored.waiting(connection) == []
    seats = [seat for game in site.dump()["games"] for seat in game[3:5]]
    assert len(seats) == len({*seats}) == rounds * 60
    assert None not in seats
