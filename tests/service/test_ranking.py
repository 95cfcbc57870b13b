"""The table that ranks the players: as games end, and as it would be from nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from random import Random
from threading import Event
from typing import TypeAlias

import pytest
import sqlalchemy as sa

from tests.support.patience import PATIENCE, until
from tests.support.tables import TURNED, Results, both, fitted
from tests.support.visitor import Site
from webapp.analysis.ratings import TOLERANCE
from webapp.service import ranking
from webapp.service import teacher as acts
from webapp.service.ranking import Ranking, Table
from webapp.service.site import Site as Service
from webapp.store import players, records, topics

CLASS = [f"pupil{number:02}" for number in range(30)]
"""The strongest first."""

Game: TypeAlias = tuple[str, ...]
"""Two players, or a player and an engine, and the result to the first of them."""


@pytest.fixture
def there(site: Site) -> Iterator[Ranking]:
    """The ranking of this process, and nothing else that is computed."""
    worker = Ranking(site.database, site.service.live)
    yield worker
    until(lambda: not worker._apart.locked())


def play(site: Site, results: Results, *games: Game) -> None:
    """Count games, here and in the database."""
    for one, other, how in games:
        if person := other not in ("easy", "medium", "hard"):
            both(results, one, other, how)
            counted = sorted([(one, other, how), (other, one, how.translate(TURNED))])
        else:
            results[one, other] = results.get((one, other), "") + how
            counted = [(one, other, how)]
        with site.database.write(one, other) as connection:
            for player, opponent, result in counted:
                records.record_result(connection, player, opponent, result, person=person)  # type: ignore[arg-type]


def read(worker: Ranking) -> Table:
    """The table as a page of this worker shows it."""
    with worker._database.read() as connection:
        return worker.table(connection)


def check(table: Table, results: Results) -> None:
    """The table is as a computation from nothing makes it."""
    expected = fitted(results)
    assert table.age == 0
    assert table.places.keys() == table.rated.keys() == expected.keys()
    for player, one in expected.items():
        rated, place = table.rated[player], table.places[player]
        assert rated.rating == pytest.approx(one.rating, abs=2 * TOLERANCE), player
        assert (place.games, place.rating is None) == (one.games, one.shown is None)
        assert place.rating is None or abs(place.rating - one.rating) < 0.51


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


@pytest.mark.parametrize("seed", range(3))
def test_game_by_game_it_is_the_table_that_all_games_make(
    site: Site, there: Ranking, seed: int
) -> None:
    results: Results = {}
    for game in some_games(Random(seed), 80):
        play(site, results, game)
        table = read(there)
    check(table, results)


def test_own_functions_and_rule_lists_are_no_opponents(site: Site, there: Ranking) -> None:
    with site.database.write("a") as connection:
        for _ in range(20):
            records.record_result(connection, "a", "mine.py:first", "w")
            records.record_result(connection, "a", "rules:win", "w")
    assert read(there).places == {}


# --- what the next page sees ----------------------------------------------------------------------


def without_a_player(site: Site, results: Results) -> Results:
    with site.database.write(CLASS[0]) as connection:
        players.forget(connection, CLASS[0])
    return {pair: how for pair, how in results.items() if CLASS[0] not in pair}


def reset(site: Site, _results: Results) -> Results:
    host: Service = site.service
    acts.reset_standings(host)
    return {}


def one_more(site: Site, results: Results) -> Results:
    play(site, results, (CLASS[1], "easy", "w"))
    return results


@pytest.mark.parametrize("change", [one_more, without_a_player, reset])
def test_each_change_of_a_result_is_seen_at_the_next_look_and_nothing_is_computed_without(
    site: Site, there: Ranking, change: Callable[[Site, Results], Results]
) -> None:
    results: Results = {}
    play(site, results, *some_games(Random(5), 120, 12))
    before = read(there)
    check(before, results)
    assert read(there) is before
    results = change(site, results)
    check(read(there), results)
    # As many games as were there before make no number that was there before.
    while sum(map(len, results.values())) < sum(one.games for one in before.rated.values()):
        play(site, results, (CLASS[1], "hard", "d"))
    check(read(there), results)


# --- where there are many results -----------------------------------------------------------------


def test_many_results_are_ranked_aside_while_the_last_table_is_shown_with_its_age(
    site: Site, there: Ranking, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on, results = Event(), Results()
    monkeypatch.setattr(ranking, "AT_ONCE", 20)
    monkeypatch.setattr(ranking._Pace, "__call__", lambda _: goes_on.wait(PATIENCE))
    play(site, results, *some_games(Random(5), 15, 5))
    before = read(there)
    check(before, results)
    play(site, results, *some_games(Random(6), 60, 12))
    for _ in range(2):
        shown = read(there)
        assert (shown.places, shown.results) == (before.places, before.results)
        assert 0 < shown.age < PATIENCE
    with site.database.read() as connection:
        check(there.table(connection, whole=True), results)  # as the host downloads it
    play(site, results, (CLASS[0], CLASS[1], "w"))
    page = there._topics.watch(topics.CLASS)
    goes_on.set()
    until(lambda: not there._topics.is_current(page), "pages that wait are not told")
    until(lambda: read(there).age == 0)
    check(read(there), results)


def test_a_worker_without_a_table_shows_none_while_it_ranks(
    site: Site, there: Ranking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranking, "AT_ONCE", 0)
    results: Results = {}
    play(site, results, *some_games(Random(5), 15, 5))
    table = read(there)
    assert (table.places, table.age) == ({}, float("inf"))
    until(lambda: read(there).age == 0)
    check(read(there), results)


def test_what_fails_aside_begins_again_at_the_next_look(
    site: Site, there: Ranking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranking, "AT_ONCE", 0)
    failed = list[Event]()

    def fails() -> None:
        failed.append(Event())
        if len(failed) == 1:
            raise sa.exc.OperationalError("", {}, Exception())

    monkeypatch.setattr(ranking._Pace, "__call__", lambda _: fails())
    results: Results = {}
    play(site, results, *some_games(Random(5), 15, 5))
    until(lambda: read(there).age == 0)
    check(read(there), results)


def test_it_works_for_a_twentieth_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    slept = list[float]()
    monkeypatch.setattr(time, "sleep", slept.append)
    pace, start = ranking._Pace(), time.thread_time()
    while time.thread_time() < start + 0.2:
        pace()
    assert sum(slept) >= 18 * 0.2


def test_places_say_how_they_have_changed_since_the_lesson_began(
    site: Site, there: Ranking, monkeypatch: pytest.MonkeyPatch
) -> None:
    def changes() -> list[int]:
        places = read(there).places
        return [one.risen for one in there.since_the_lesson_began([places["a"], places["b"]])]

    results: Results = {}
    play(site, results, *[("a", "easy", "w")] * 10, *[("b", "easy", "l")] * 10)
    assert changes() == [0, 0]
    play(site, results, *[("b", "easy", "w")] * 5, *[("a", "easy", "l")] * 5)
    assert changes() == [-1, 1]
    monkeypatch.setattr(ranking, "_BREAK_S", 0.0)
    assert changes() == [0, 0]
