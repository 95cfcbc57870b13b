"""Several processes at one database."""

import pytest

from tests.support import races
from webapp.config import Settings
from webapp.store import Database, players
from webapp.store.database import SCHEMA_REVISION


def test_increments_from_several_processes_are_not_lost(
    race: races.Race, settings: Settings, database: Database
) -> None:
    race.run(races.count_up, settings, [25] * 4)
    with database.read() as connection:
        assert players.preferences(connection, "counter").opponent == "100"


def test_a_player_who_comes_several_times_at_once_is_stored_once(
    race: races.Race, settings: Settings, database: Database
) -> None:
    race.run(races.save_players, settings, [[f"player {n % 5}" for n in range(10)]] * 4)
    with database.read() as connection:
        assert len(players.idle_since(connection, 2)) == 5


@pytest.mark.parametrize("number", range(2))
def test_several_servers_may_start_with_an_empty_database_at_once(
    race: races.Race, settings: Settings, number: int
) -> None:
    assert race.run(races.prepare_the_database, settings, [None] * 4) == [True] * 4
    database = Database(settings)
    assert database.revision() == SCHEMA_REVISION
    database.close()
