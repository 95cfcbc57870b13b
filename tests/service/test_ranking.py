"""The table that ranks the players: as games end, and as it would be from nothing."""

from random import Random
from typing import TypeAlias

import pytest

from tests.service.conftest import on_both
from tests.support.tables import TURNED, Results, fitted
from tests.support.visitor import Site
from webapp.core.options import Options
from webapp.service import teacher
from webapp.service.ranking import Table
from webapp.store import players, records

CLASS = [f"pupil{number:02}" for number in range(15)]
Game: TypeAlias = tuple[str, ...]
"""Two players, or a player and an engine, and the result to the first of them."""


def play(site: Site, results: Results, *games: Game) -> None:
    for one, other, how in games:
        counted = [(one, other, how)]
        if person := other not in ("easy", "hard"):
            counted = sorted([*counted, (other, one, how.translate(TURNED))])
        with site.database.write(one, other) as connection:
            for player, opponent, result in counted:
                results[player, opponent] = results.get((player, opponent), "") + result
                players.save(connection, player, Options(), 1)
                records.record_result(connection, player, opponent, result, person=person)  # type: ignore[arg-type]


def read(site: Site) -> Table:
    with site.database.read() as connection:
        return site.service.ranking.table(connection)


def check(table: Table, results: Results) -> None:
    expected = fitted(results)
    assert table.keys() == expected.keys()
    for player, one in expected.items():
        place = table[player]
        assert (place.games, place.met, place.rating) == (one.games, one.met, one.shown)


def some_games(chance: Random, number: int, people: int = 10) -> list[Game]:
    pairs = (chance.sample([*CLASS[:people], "easy", "hard"], 2) for _ in range(number))
    pairs = (sorted(pair, key=lambda one: one in ("easy", "hard")) for pair in pairs)
    return [(*pair, chance.choice("wdl")) for pair in pairs if pair[0] in CLASS]


def test_game_by_game_it_is_the_table_that_all_games_make(site: Site) -> None:
    results: Results = {}
    for game in some_games(Random(0), 80):
        play(site, results, game)
        table = read(site)
    check(table, results)
    with site.database.write(CLASS[0]) as connection:
        for rival in ("mine.py:first", "rules:win") * 20:
            records.record_result(connection, CLASS[0], rival, "w")
    check(read(site), results)


@on_both
def test_each_change_is_seen_at_the_next_look_and_none_is_computed_without(site: Site) -> None:
    results: Results = {}

    def look() -> None:
        table = read(site)
        check(table, results)
        assert read(site) is table

    play(site, results, *some_games(Random(5), 120, 12))
    look()
    play(site, results, (CLASS[1], "easy", "w"))
    look()
    with site.database.write(CLASS[0]) as connection:
        players.forget(connection, CLASS[0])
    results = {pair: how for pair, how in results.items() if CLASS[0] not in pair}
    look()
    teacher.reset_standings(site.service)
    results = {}
    look()


def test_only_the_players_seen_last_are_ranked(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "RANKED", 12)
    results: Results = {}
    play(site, results, *some_games(Random(5), 120, 15))
    for pupil in CLASS[:12]:
        with site.database.write(pupil) as connection:
            players.touch(connection, [pupil], 2)
    check(read(site), {pair: how for pair, how in results.items() if not {*pair} & {*CLASS[12:]}})
