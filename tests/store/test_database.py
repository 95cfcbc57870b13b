import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.support.files import another_programs, insert_player, players, refusal
from webapp.config import Settings
from webapp.store import Database, prepare, schema
from webapp.store.sqlite import checkpoint


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path)


@pytest.fixture
def file(settings: Settings) -> Path:
    return settings.data / "tictactoe.db"


def test_every_connection_of_the_pool_is_set_up(tmp_path: Path) -> None:
    for given, number in ({}, 2), ({"synchronous": "NORMAL"}, 1):
        expected = {"journal_mode": "wal", "synchronous": number, "busy_timeout": 5000}
        settings = Settings(data=tmp_path, **given)  # type: ignore[arg-type]
        prepare(settings)
        database = Database(settings)
        with database.read() as first, database.read() as second, database.write() as third:
            for connection in (first, second, third):
                for name, value in expected.items():
                    assert connection.exec_driver_sql(f"PRAGMA {name}").scalar() == value
        database.close()


def test_a_writer_has_the_lock_at_once_and_no_reader_waits(database: Database, file: Path) -> None:
    other = sqlite3.connect(file, timeout=0)
    with closing(other), database.write() as writer, database.read() as reader:
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        insert_player(writer, "a")
        assert players(reader) == []
    with database.read() as reader:
        assert players(reader) == ["a"]


def test_a_statement_outside_a_transaction_leaves_no_lock(database: Database, file: Path) -> None:
    with database.read() as connection:
        insert_player(connection, "a")
        assert players(connection) == ["a"]
        with closing(sqlite3.connect(file, timeout=0)) as other:
            assert other.execute("SELECT count(*) FROM players").fetchone() == (1,)
            other.execute("BEGIN IMMEDIATE")


@pytest.mark.parametrize("folder", ["with space", "100%41 ünïcode", "a'b", "q?mode=rwc#f"])
def test_in_any_folder_a_file_that_has_gone_is_not_made_again(tmp_path: Path, folder: str) -> None:
    settings = Settings(data=tmp_path / folder)
    settings.data.mkdir()
    file, aside = settings.data / "tictactoe.db", tmp_path / "aside.db"
    prepare(settings)
    database = Database(settings)
    with database.write() as connection:
        insert_player(connection, "a")
    prepare(settings)  # again, which changes nothing
    checkpoint(file)
    file.rename(aside)
    for _ in range(2):
        with pytest.raises(sa.exc.OperationalError, match="unable to open"), database.write():
            pass
        assert not file.exists()
    aside.rename(file)
    with database.read() as connection:
        assert players(connection) == ["a"]
    database.close()


@pytest.mark.parametrize("make, says", [
    (another_programs, "is not a database of this program"), (Path.mkdir, "cannot be used"),
    (lambda file: file.parent.rmdir(), "cannot be made"),
])  # fmt: skip
def test_what_cannot_be_used_is_refused_in_a_sentence_and_left_alone(
    settings: Settings, file: Path, make: Callable[[Path], object], says: str
) -> None:
    make(file)
    before = file.read_bytes() if file.is_file() else None
    sentence = refusal(lambda: prepare(settings))
    assert says in sentence
    assert str(file) in sentence
    assert (file.read_bytes() if file.is_file() else None) == before


def test_a_file_that_cannot_be_written_to_stops_a_start(
    settings: Settings, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(settings)
    for end in ("", "-wal", "-shm"):
        locked = file.with_name(f"{file.name}{end}")
        locked.touch()
        monkeypatch.setattr(os, "access", lambda path, mode, locked=locked: path != locked)
        assert f"{locked} cannot be written to" in refusal(lambda: prepare(settings))


def test_all_or_no_tables(settings: Settings, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "versions", schema.players)  # which is there by then
    assert "already exists" in refusal(lambda: prepare(settings))
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == []


@pytest.mark.parametrize("empty", [False, True])
def test_where_none_is_to_be_made_none_is(settings: Settings, file: Path, *, empty: bool) -> None:
    if empty:
        file.touch()
    assert "There is no database" in refusal(lambda: prepare(settings, create=False))
    assert [file.stat().st_size for file in settings.data.iterdir()] == [0] * empty


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_nobody_else_may_read_a_new_database(database: Database, settings: Settings) -> None:
    with database.write() as connection:
        insert_player(connection, "a")
        modes = {file.name: file.stat().st_mode & 0o777 for file in settings.data.iterdir()}
    assert modes == {f"tictactoe.{end}": 0o600 for end in ("db", "db-wal", "db-shm")}
