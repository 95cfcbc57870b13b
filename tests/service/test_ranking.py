"""The table that ranks the players: computed as games end, and as it would be from nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from itertools import combinations
from random import Random
from typing import TypeAlias

import pytest
import sqlalchemy as sa

from tests.support import races
from tests.support.tables import TURNED, Results, both, fitted, in_order, kendall, round_robin
from tests.support.visitor import Site
from webapp.analysis.ratings import TOLERANCE
from webapp.core.options import Options
from webapp.engines.registry import ENGINES
from webapp.service import ranking
from webapp.service.host import Host
from webapp.service.ranking import Ranking
from webapp.store import players, ratings, records
from webapp.store.ratings import Rated

CLASS = [f"pupil{number:02}" for number in range(30)]
"""The strongest first."""

Game: TypeAlias = tuple[str, ...]
"""Two players, or a player and an engine, and the result to the first of them."""


@pytest.fixture
def worker(site: Site) -> Ranking:
    """What ranks in the application."""
    found: Ranking = site.app.extensions["ranking"]
    return found


def play(site: Site, results: Results, *games: Game) -> None:
    """Count games, here and in the database."""
    for one, other, how in games:
        if other in ("easy", "medium", "hard"):
            results[one, other] = results.get((one, other), "") + how
            counted = [(one, other, how)]
        else:
            both(results, one, other, how)
            counted = sorted([(one, other, how), (other, one, how.translate(TURNED))])
        with site.database.write(one, other) as connection:
            for player, opponent, result in counted:
                records.record_result(connection, player, opponent, result)  # type: ignore[arg-type]


def rows(site: Site) -> dict[str, Rated]:
    with site.database.read() as connection:
        found = [*ratings.best(connection, 1000), *ratings.waiting(connection, 1000)]
    return {row.player: row for row in found}


def check(site: Site, results: Results) -> None:
    """The table is as a computation from nothing makes it, and no one is due."""
    with site.database.read() as connection:
        assert not ratings.any_due(connection)
    found, expected = rows(site), fitted(results)
    assert found.keys() == expected.keys()
    for player, one in expected.items():
        row = found[player]
        assert row.rating == pytest.approx(one.rating, abs=2 * TOLERANCE), player
        assert (row.games, row.met, row.shown is None) == (one.games, one.met, one.shown is None)
        assert row.shown is None or abs(row.shown - one.rating) < 0.51


def some_games(chance: Random, number: int, people: int = 10) -> list[Game]:
    """Games of a class, some with the computer."""
    some = list[Game]()
    for _ in range(number):
        one, other = chance.sample([*CLASS[:people], "easy", "hard"], 2)
        one, other = (other, one) if one in ("easy", "hard") else (one, other)
        if one not in ("easy", "hard"):
            some.append((one, other, chance.choice("wdl")))
    return some


# --- what it computes ---------------------------------------------------------------------------


def test_a_class_in_which_the_stronger_always_wins(site: Site, worker: Ranking) -> None:
    results: Results = {}
    games = round_robin(CLASS, Random(16))
    for first in range(0, len(games), 15):
        play(site, results, *games[first : first + 15])
        worker.catch_up()
    check(site, results)
    shown = {player: float(row.shown or 0) for player, row in rows(site).items()}
    assert kendall(CLASS, shown) == 1
    assert in_order(shown)[:3] == CLASS[:3]


@pytest.mark.parametrize("seed", range(3))
def test_game_by_game_it_is_the_table_that_all_games_make(
    site: Site, worker: Ranking, seed: int
) -> None:
    results: Results = {}
    for number, game in enumerate(some_games(Random(seed), 80)):
        play(site, results, game)
        worker.catch_up()
        if number % 20 == 0:
            check(site, results)
    check(site, results)


def test_after_one_game_only_those_are_read_whom_it_moves(
    site: Site, worker: Ranking, monkeypatch: pytest.MonkeyPatch
) -> None:
    results: Results = {}
    apart = [[f"{name}{number}" for number in range(6)] for name in ("one", "two")]
    for people in apart:
        play(site, results, *((*pair, "d") for pair in combinations(people, 2)))
    worker.catch_up()
    check(site, results)
    read = list[str]()
    known = ratings.results

    def counted(connection: sa.Connection, player: str) -> list[ratings.Result]:
        read.append(player)
        return known(connection, player)

    monkeypatch.setattr(ratings, "results", counted)
    play(site, results, ("one0", "one1", "w"))
    worker.catch_up()
    assert set(read) == set(apart[0])
    assert len(read) == len(apart[0])
    check(site, results)


def test_it_is_news_only_where_what_is_shown_has_changed(site: Site, worker: Ranking) -> None:
    lobby, results = site.app.extensions["lobby"], Results()
    play(site, results, ("a", "easy", "w"))
    before = lobby.counter()
    worker.catch_up()
    assert lobby.counter() == before + 1
    worker.catch_up()
    assert lobby.counter() == before + 1
    with site.database.write("a") as connection:
        ratings.mark(connection, "a")
    worker.catch_up()
    assert lobby.counter() == before + 1
    check(site, results)


def test_own_functions_and_rule_lists_are_no_opponents(site: Site, worker: Ranking) -> None:
    with site.database.write("a") as connection:
        for _ in range(20):
            records.record_result(connection, "a", "mine.py:first", "w")
            records.record_result(connection, "a", "rules:win", "w")
    worker.catch_up()
    assert rows(site) == {}


# --- meanwhile ----------------------------------------------------------------------------------


BEGUN = len(ENGINES) ** 2
"""How often the engines' ratings let others have a turn, before anything is read."""


def once(does: Callable[[], object], after: int = 30) -> Callable[[], None]:
    """Does it in the middle of a computation, and once."""
    left = [BEGUN + after]

    def rest() -> None:
        left[0] -= 1
        if left[0] == 0:
            does()

    return rest


@pytest.fixture
def begun(site: Site, worker: Ranking) -> Results:
    """A class of twelve that has been ranked, and of whom some are due again."""
    results: Results = {}
    play(site, results, *some_games(Random(5), 120, 12))
    worker.catch_up()
    play(site, results, *some_games(Random(6), 20, 12))
    return results


def test_results_that_come_during_a_computation_are_not_lost(
    site: Site, worker: Ranking, begun: Results
) -> None:
    for after in range(1, 60, 6):
        games = some_games(Random(after), 14, 14)
        worker.catch_up(once(partial(play, site, begun, *games[:6]), after))
        assert due(site), "they came in the middle"
        worker.catch_up()
        check(site, begun)
        play(site, begun, *games[6:])


def test_one_worker_computes_at_a_time(site: Site, worker: Ranking, begun: Results) -> None:
    other = Ranking(site.database)
    before = rows(site)

    def look() -> None:
        other.catch_up()
        assert rows(site) == before

    worker.catch_up(once(look))
    assert rows(site) != before
    check(site, begun)


def test_a_worker_that_is_not_heard_of_is_replaced_and_then_writes_nothing(
    site: Site, worker: Ranking, begun: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Ranking(site.database)

    def take_over() -> None:
        other.catch_up()
        assert any(row.changed for row in due(site)), "not before it has been silent for long"
        monkeypatch.setattr(ranking, "_LOST", 0.0)
        other.catch_up()
        play(site, begun, ("late", CLASS[0], "w"))
        other.catch_up()

    worker.catch_up(once(take_over))
    check(site, begun)


def test_one_that_goes_on_for_long_is_heard_of(
    site: Site, worker: Ranking, begun: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranking, "_RENEWED", 0.0)
    monkeypatch.setattr(ranking, "_LOST", 0.5)
    other, heard = Ranking(site.database), set[int]()

    def look() -> None:
        other.catch_up()
        with site.database.read() as connection:
            heard.add(ratings.holder(connection))
        time.sleep(0.005)

    worker.catch_up(look)
    assert len(heard) > 100
    check(site, begun)


def test_a_worker_that_dies_in_the_middle_leaves_all_to_the_next(
    site: Site, worker: Ranking, begun: Results
) -> None:
    def die() -> None:
        raise ZeroDivisionError

    before = rows(site), due(site)
    with pytest.raises(ZeroDivisionError):
        worker.catch_up(once(die))
    assert (rows(site), due(site)) == before
    Ranking(site.database).catch_up()
    check(site, begun)


def test_a_player_who_goes_in_the_middle_is_gone(
    site: Site, worker: Ranking, begun: Results
) -> None:
    gone = CLASS[0]

    def forget() -> None:
        with site.database.write(gone) as connection:
            players.forget(connection, gone)

    with site.database.write(gone) as connection:
        players.save(connection, gone, Options(), 1)
    worker.catch_up(once(forget))
    worker.catch_up()
    check(site, {pair: how for pair, how in begun.items() if gone not in pair})


def test_a_reset_in_the_middle_empties_the_table(
    site: Site, worker: Ranking, begun: Results
) -> None:
    host: Host = site.app.extensions["host"]
    afterwards: Results = {}

    def reset() -> None:
        host.reset_standings()
        play(site, afterwards, (CLASS[0], CLASS[1], "w"), (CLASS[0], "easy", "l"))

    worker.catch_up(once(reset))
    assert all(row.games == 0 for row in due(site)), "nothing from before has come back"
    worker.catch_up()
    check(site, afterwards)


def due(site: Site) -> list[Rated]:
    with site.database.read() as connection:
        return ratings.due(connection)


def test_games_end_in_four_processes_while_all_of_them_rank(race: races.Race, site: Site) -> None:
    results: Results = {}
    chance = Random(11)
    # No two processes play the same pair, so that the order of its games is known.
    tasks: list[list[Game]] = [[] for _ in range(races.PROCESSES)]
    for number, (one, other) in enumerate(combinations(CLASS[:9], 2)):
        for _ in range(4):
            game = (one, other, chance.choice("wdl"))
            both(results, *game)
            tasks[number % races.PROCESSES].append(game)
    race.run(races.play_and_rank, site.settings, tasks)
    Ranking(site.database).catch_up()
    check(site, results)


# --- its share ----------------------------------------------------------------------------------


def test_it_works_for_a_twentieth_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    slept = list[float]()
    monkeypatch.setattr(time, "sleep", slept.append)
    pace, start = ranking._Pace(lambda: False), time.thread_time()
    while time.thread_time() < start + 0.2:
        pace()
    assert sum(slept) >= 18 * 0.2
