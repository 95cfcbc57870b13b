"""The use cases, below the pages."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from tests.support import rules
from tests.support.visitor import Site
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES, Catalogue
from webapp.service import clock
from webapp.service.games import Games
from webapp.service.refusals import Conflict, NotYourGame, Unacceptable, UnknownGame
from webapp.service.setup import Wish
from webapp.service.visits import Seat, Visit, Visits
from webapp.store import Database

ALICE, BOB = "a" * 64, "b" * 64
AS_IT_WAS = Wish()


class Clock:
    """A clock that stands still until it is told otherwise."""

    def __init__(self) -> None:
        self.now = 1e9

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def database(site: Site) -> Database:
    """An empty database, ready to use."""
    return site.database


@pytest.fixture
def games(database: Database) -> Games:
    """The games over that database."""
    return games_over(database, seed="tests")


def games_over(
    database: Database,
    engines: Mapping[str, Engine] = ENGINES,
    seed: str | None = None,
    now: Callable[[], float] = time.time,
) -> Games:
    catalogue = Catalogue(engines)
    return Games(Visits(database, catalogue, clock.Clock(now)), catalogue, seed)


def start(games: Games, opponent: str, mark: str = "x", cell: int | None = None) -> Visit:
    return games.start(ALICE, Wish(opponent, mark), cell, None)


def play(games: Games, visit: Visit, cell: int) -> Visit:
    seat = games.visits.seat(visit.record.id, ALICE)
    return games.play(seat, cell, visit.record.version, AS_IT_WAS)


# --- versions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["play", "undo", "hint"])
@pytest.mark.parametrize("second", ["play", "undo", "hint"])
def test_of_two_changes_from_the_same_version_one_is_stored(
    games: Games, first: str, second: str
) -> None:
    visit = start(games, "hard", cell=4)
    # Both have looked before either changes: the check alone would let both pass.
    seats = [games.visits.seat(visit.record.id, ALICE) for _ in range(2)]
    free = rules.free(rules.after(visit.record.moves))

    def do(what: str, number: int) -> Visit:
        if what == "play":
            return games.play(seats[number], free[number], 1, AS_IT_WAS)
        return getattr(games, what)(seats[number], 1, AS_IT_WAS)  # type: ignore[no-any-return]

    changed = do(first, 0)
    with pytest.raises(Conflict):
        do(second, 1)
    assert games.visit(visit.record.id, ALICE, AS_IT_WAS).record == changed.record


def test_what_a_refused_change_wished_for_is_not_remembered(games: Games) -> None:
    visit = start(games, "hard", cell=4)
    seats = [games.visits.seat(visit.record.id, ALICE) for _ in range(2)]
    games.hint(seats[0], 1, AS_IT_WAS)
    with pytest.raises(Conflict):
        games.hint(seats[1], 1, Wish("easy", "o"))
    preferred = games.front(ALICE, AS_IT_WAS).preferred
    assert (preferred.opponent, preferred.mark) == ("hard", "x")


def test_every_change_adds_one_to_the_version(games: Games) -> None:
    visit = start(games, "friend")
    assert visit.record.version == 1
    for number, cell in enumerate((4, 0, 8, 2), 2):
        visit = play(games, visit, cell)
        assert visit.record.version == number
    seat = games.visits.seat(visit.record.id, ALICE)
    assert games.undo(seat, 5, AS_IT_WAS).record.version == 6


# --- who may ------------------------------------------------------------------------------------


def test_only_its_player_may_change_a_game(games: Games) -> None:
    visit = start(games, "hard", cell=4)
    with pytest.raises(NotYourGame):
        games.visits.seat(visit.record.id, BOB)
    with pytest.raises(UnknownGame):
        games.visits.seat("nothing", ALICE)
    with pytest.raises(UnknownGame):
        games.visit("nothing", ALICE, AS_IT_WAS)
    assert games.visit(visit.record.id, BOB, AS_IT_WAS).marks == frozenset()


def test_every_refusal_is_a_sentence_short_enough_to_be_said(games: Games) -> None:
    sentences = []
    visit = start(games, "hard", cell=4)
    taken = start(games, "friend", cell=4)
    over = start(games, "friend", cell=0)
    for cell in (3, 1, 4, 2):
        over = play(games, over, cell)

    def seat(of: Visit) -> Seat:
        return games.visits.seat(of.record.id, ALICE)

    for refused in (
        lambda: games.visits.seat(visit.record.id, BOB),
        lambda: games.visits.seat("nothing", BOB),
        lambda: start(games, "hard", "o", cell=4),
        lambda: games.play(seat(visit), 0, 7, AS_IT_WAS),
        lambda: games.play(seat(taken), 4, 1, AS_IT_WAS),
        lambda: games.play(seat(over), 8, over.record.version, AS_IT_WAS),
        lambda: games.undo(seat(over), over.record.version, AS_IT_WAS),
        lambda: games.undo(seat(start(games, "easy")), 1, AS_IT_WAS),
        lambda: games.hint(seat(taken), 1, AS_IT_WAS),
        lambda: games.hint(seat(over), over.record.version, AS_IT_WAS),
    ):
        with pytest.raises((Conflict, NotYourGame, Unacceptable, UnknownGame)) as refusal:
            refused()
        sentences.append(str(refusal.value))
    for sentence in sentences:
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert len(sentence.split()) <= 15


# --- chance -------------------------------------------------------------------------------------


def replies(games: Games) -> list[tuple[int, ...]]:
    return [start(games, "easy", cell=cell).record.moves for cell in range(9)]


def test_the_same_seed_answers_the_same_position_alike(database: Database) -> None:
    assert replies(games_over(database, seed="a")) == replies(games_over(database, seed="a"))
    assert replies(games_over(database, seed="a")) != replies(games_over(database, seed="b"))


def test_without_a_seed_every_free_cell_is_played_now_and_then(database: Database) -> None:
    games = games_over(database)
    seen = {start(games, "easy", cell=4).record.moves[1] for _ in range(200)}
    assert seen == set(range(9)) - {4}


# --- what waits, what is remembered -------------------------------------------------------------


def test_the_newest_unfinished_game_waits(database: Database) -> None:
    hours = Clock()
    games = games_over(database, now=hours)
    for opponent in ("easy", "friend", "hard"):
        hours.now += 3600
        newest = start(games, opponent, cell=4)
    (found,) = games.front(ALICE, AS_IT_WAS).unfinished
    assert (found.record.id, found.turn, found.lost_by_another) == (newest.record.id, True, False)
    assert games.front(BOB, AS_IT_WAS).unfinished == ()


def test_the_game_that_a_new_one_would_lose_waits_before_the_newest(database: Database) -> None:
    hours = Clock()
    games = games_over(database, now=hours)
    first = start(games, "hard", cell=4)
    seat = games.visits.seat(first.record.id, ALICE)
    free = next(iter(rules.free(rules.after(first.record.moves))))
    lost = games.play(seat, free, first.record.version, AS_IT_WAS)
    hours.now += 3600
    newest = start(games, "easy", cell=4)
    assert waiting(games, "hard") == (lost.record.id, True)
    assert waiting(games, "easy") == (newest.record.id, False)


def waiting(games: Games, opponent: str) -> tuple[str, bool]:
    (found,) = games.front(ALICE, Wish(opponent)).unfinished
    return found.record.id, found.lost_by_another


def test_an_opponent_whom_this_server_no_longer_offers_is_replaced(database: Database) -> None:
    more = games_over(
        database, {**ENGINES, "gone": replace(ENGINES["hard"], slug="gone", name="Gone")}
    )
    visit = start(more, "gone", cell=4)
    fewer = games_over(database)
    assert fewer.front(ALICE, AS_IT_WAS).preferred.opponent == "medium"
    seen = fewer.visit(visit.record.id, ALICE, AS_IT_WAS)
    assert seen.record == visit.record
    following = fewer.again(fewer.visits.seat(visit.record.id, ALICE), AS_IT_WAS)
    assert following.record.opponent == "medium"


def test_looking_with_a_wish_remembers_nothing(games: Games) -> None:
    assert games.front(ALICE, Wish("hard", "o")).record.opponent == "hard"
    assert games.front(ALICE, AS_IT_WAS).record.opponent == "medium"
    visit = start(games, "easy")
    assert games.visit(visit.record.id, ALICE, Wish("hard", "o")).record.opponent == "hard"
    assert games.visit(visit.record.id, ALICE, AS_IT_WAS).record == visit.record
