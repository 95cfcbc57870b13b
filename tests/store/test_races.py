"""Several processes at one database."""

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.support import races
from webapp.config import Settings
from webapp.store import Database, players, prepare
from webapp.store.database import SCHEMA_REVISION


def test_increments_from_several_processes_are_not_lost(race: races.Race, tmp_path: Path) -> None:
    prepare(Settings(data=tmp_path))
    race.run(races.count_up, tmp_path, [25] * 4)
    database = Database(Settings(data=tmp_path))
    with database.read() as connection:
        assert players.preferences(connection, "counter").opponent == "100"
    database.close()


def test_a_player_who_comes_several_times_at_once_is_stored_once(
    race: races.Race, tmp_path: Path
) -> None:
    prepare(Settings(data=tmp_path))
    race.run(races.save_players, tmp_path, [[f"player {n % 5}" for n in range(10)]] * 4)
    with closing(sqlite3.connect(tmp_path / "tictactoe.db")) as connection:
        assert connection.execute("SELECT count(*) FROM players").fetchone() == (5,)


def test_several_servers_may_start_in_an_empty_folder_at_once(
    race: races.Race, tmp_path: Path
) -> None:
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert race.run(races.prepare_the_database, folder, [None] * 4) == [True] * 4
        database = Database(Settings(data=folder))
        assert database.revision() == SCHEMA_REVISION
        database.close()
