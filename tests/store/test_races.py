"""Several processes at one database of PostgreSQL; with SQLite there is one."""

from pathlib import Path

import pytest

from tests.support import races
from tests.support.postgres import Cluster
from webapp.config import Settings
from webapp.store import Database, players
from webapp.store.revisions import SCHEMA_REVISION


@pytest.fixture
def settings(tmp_path: Path, postgres: Cluster) -> Settings:
    return Settings(data=tmp_path, database_url=postgres.database())


def test_increments_from_several_processes_are_not_lost(
    race: races.Race, settings: Settings, database: Database
) -> None:
    race.run(races.count_up, settings, [25] * 4)
    with database.read() as connection:
        assert players.find(connection, "counter")[0].opponent == "100"


def test_several_servers_may_start_with_an_empty_database_at_once(
    race: races.Race, settings: Settings
) -> None:
    assert race.run(races.prepare_the_database, settings, [None] * 4) == [True] * 4
    database = Database(settings)
    assert database.revision() == SCHEMA_REVISION
    database.close()
