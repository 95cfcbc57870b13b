"""The connection to SQLite, its transactions, and bringing a schema up to date."""

import os
import re
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.config import Config
from alembic.script import ScriptDirectory

import webapp.store
from webapp.config import Settings
from webapp.store import Database, StoreError, players, prepare, schema
from webapp.store.database import SCHEMA_REVISION
from webapp.store.players import Preferences
from webapp.store.sqlite import Turn, checkpoint

MIGRATIONS = Path(webapp.store.__file__).parent / "migrations"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """SQLite only: this is about its files."""
    return Settings(data=tmp_path)


def file_of(settings: Settings) -> Path:
    return settings.data / "tictactoe.db"


# --- how it is opened ---------------------------------------------------------------------------


def pragma(database: Database, name: str) -> Any:
    with database.read() as connection:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar()


def test_the_journal_is_a_write_ahead_log(database: Database, settings: Settings) -> None:
    assert pragma(database, "journal_mode") == "wal"
    with database.write() as connection:
        players.save(connection, "a", Preferences(), 1)
    assert file_of(settings).with_name("tictactoe.db-wal").exists()


@pytest.mark.parametrize("synchronous,number", [("FULL", 2), ("NORMAL", 1)])
def test_what_survives_a_power_cut_is_a_setting(
    tmp_path: Path, synchronous: Any, number: int
) -> None:
    settings = Settings(data=tmp_path, synchronous=synchronous)
    prepare(settings)
    database = Database(settings)
    assert pragma(database, "synchronous") == number
    database.close()


def test_a_power_cut_loses_nothing_by_default(database: Database) -> None:
    assert pragma(database, "synchronous") == 2


def test_who_meets_a_lock_waits_for_it(database: Database) -> None:
    assert pragma(database, "busy_timeout") == 5000


def test_every_connection_of_the_pool_is_set_up(database: Database) -> None:
    with database.read(), database.read() as second, database.read() as third:
        for connection in (second, third):
            assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar() == 5000
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2


def test_the_write_lock_is_taken_at_the_start(database: Database, settings: Settings) -> None:
    with (
        database.write(),
        closing(sqlite3.connect(file_of(settings), timeout=0)) as other,
        pytest.raises(sqlite3.OperationalError, match="locked"),
    ):
        other.execute("BEGIN IMMEDIATE")


def test_readers_are_not_kept_waiting_by_a_writer(database: Database) -> None:
    with database.write() as writer:
        players.save(writer, "a", Preferences("hard"), 1)
        with database.read() as reader:
            assert players.preferences(reader, "a") == Preferences()
    with database.read() as reader:
        assert players.preferences(reader, "a") == Preferences("hard")


def test_after_reading_no_lock_is_left(database: Database, settings: Settings) -> None:
    with database.read() as connection:
        players.preferences(connection, "a")
        with closing(sqlite3.connect(file_of(settings), timeout=0)) as other:
            other.execute("BEGIN IMMEDIATE")
            other.execute("COMMIT")


def test_a_statement_outside_a_transaction_stands_for_itself(
    database: Database, settings: Settings
) -> None:
    with database.read() as connection:
        players.save(connection, "a", Preferences(), 1)
        with closing(sqlite3.connect(file_of(settings))) as other:
            assert other.execute("SELECT count(*) FROM players").fetchone() == (1,)


def test_threads_share_a_database(database: Database) -> None:
    def save(number: int) -> None:
        with database.write() as connection:
            players.save(connection, f"player {number}", Preferences(), 1)

    threads = [threading.Thread(target=save, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.read() as connection:
        assert connection.scalar(sa.text("SELECT count(*) FROM players")) == 12


# --- the schema ---------------------------------------------------------------------------------


def test_a_new_folder_gets_the_newest_schema(settings: Settings) -> None:
    prepare(settings)
    database = Database(settings)
    assert database.revision() == SCHEMA_REVISION
    database.close()


def test_the_newest_schema_is_the_newest_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    script = ScriptDirectory.from_config(config)
    assert script.get_heads() == [SCHEMA_REVISION]
    files = sorted(file.stem for file in (MIGRATIONS / "versions").glob("*.py"))
    assert [name.split("_")[0] for name in files] == sorted(
        revision.revision for revision in script.walk_revisions()
    )
    assert files[-1].startswith(f"{SCHEMA_REVISION}_")


def test_migrations_compare_by_their_names() -> None:
    # `prepare` tells a newer schema by comparing texts.
    for file in (MIGRATIONS / "versions").glob("*.py"):
        assert re.fullmatch(r"\d{4}_\w+", file.stem)


def test_preparing_again_changes_nothing(settings: Settings) -> None:
    prepare(settings)
    database = Database(settings)
    with database.write() as connection:
        players.save(connection, "a", Preferences("hard"), 1)
    database.close()
    prepare(settings)
    database = Database(settings)
    with database.read() as connection:
        assert players.preferences(connection, "a") == Preferences("hard")
    database.close()


@pytest.mark.parametrize("folder", ["with space", "100%", "ünïcode", "a'b", "q?x=1#f"])
def test_the_folder_may_have_any_name(tmp_path: Path, folder: str) -> None:
    settings = Settings(data=tmp_path / folder)
    settings.data.mkdir()
    prepare(settings)
    assert file_of(settings).exists()


# --- databases that cannot be used --------------------------------------------------------------


def check_refused(settings: Settings, *words: str) -> None:
    """The refusal is one sentence that names what is wrong."""
    with pytest.raises(StoreError) as refusal:
        prepare(settings)
    sentence = str(refusal.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    for word in words:
        assert word in sentence


def test_a_newer_schema_is_refused_and_left_alone(settings: Settings) -> None:
    prepare(settings)
    with closing(sqlite3.connect(file_of(settings))) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    before = file_of(settings).read_bytes()
    check_refused(settings, "newer version", "9999", SCHEMA_REVISION)
    assert file_of(settings).read_bytes() == before


@pytest.mark.parametrize("content", [b"this is no database" * 100, b"SQLite format 3\x00" * 100])
def test_a_file_that_is_no_database_is_refused_and_left_alone(
    settings: Settings, content: bytes
) -> None:
    file_of(settings).write_bytes(content)
    check_refused(settings, str(file_of(settings)))
    assert file_of(settings).read_bytes() == content


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    check_refused(Settings(data=tmp_path / "nothing"), str(tmp_path / "nothing"))


def test_a_folder_in_the_place_of_the_file_is_refused(settings: Settings) -> None:
    file_of(settings).mkdir()
    check_refused(settings, str(file_of(settings)))


def test_tables_that_cannot_all_be_made_leave_nothing(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "versions", schema.players)  # which is there by then
    check_refused(settings, "already exists")
    with closing(sqlite3.connect(file_of(settings))) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == []


def test_a_file_of_another_program_is_refused_and_left_alone(settings: Settings) -> None:
    with closing(sqlite3.connect(file_of(settings))) as connection:
        connection.execute("CREATE TABLE games (id TEXT)")
    before = file_of(settings).read_bytes()
    check_refused(settings, str(file_of(settings)), "no database of this program")
    assert file_of(settings).read_bytes() == before


@pytest.mark.parametrize("empty", [False, True])
def test_where_none_is_to_be_made_none_is(settings: Settings, *, empty: bool) -> None:
    if empty:
        file_of(settings).touch()
    with pytest.raises(StoreError, match=r"no database .*tictactoe\.db|is no database"):
        prepare(settings, create=False)
    assert [file.stat().st_size for file in settings.data.iterdir()] == [0] * empty


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_nobody_else_may_read_a_new_database(database: Database, settings: Settings) -> None:
    with database.write() as connection:
        players.save(connection, "a", Preferences(), 1)
        modes = {file.name: file.stat().st_mode & 0o777 for file in settings.data.iterdir()}
    assert modes == {f"tictactoe.db{end}": 0o600 for end in ("", "-wal", "-shm")}


# --- a file that goes away ----------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["games", "with space", "100%41", "ünïcode", "q?mode=rwc#f"])
def test_a_file_that_has_gone_is_not_made_anew(tmp_path: Path, folder: str) -> None:
    settings = Settings(data=tmp_path / folder)
    settings.data.mkdir()
    prepare(settings)
    database = Database(settings)
    aside = tmp_path / "aside.db"
    with database.write() as connection:
        players.save(connection, "a", Preferences("hard"), 1)
    checkpoint(file_of(settings))
    file_of(settings).rename(aside)
    for _ in range(2):
        with pytest.raises(sa.exc.OperationalError, match="unable to open"), database.write():
            pass
        assert not file_of(settings).exists()
    aside.rename(file_of(settings))
    with database.read() as connection:
        assert players.preferences(connection, "a") == Preferences("hard")
    database.close()


def test_what_the_log_holds_is_brought_into_the_file(
    database: Database, settings: Settings
) -> None:
    file = file_of(settings)
    with database.write() as connection:
        players.save(connection, "ada", Preferences(), 1)
    assert b"ada" not in file.read_bytes()
    checkpoint(file)
    assert b"ada" in file.read_bytes()
    with database.write():
        checkpoint(file)  # somebody holds it, and that is no error
    checkpoint(file.with_name("nothing.db"))
    assert not file.with_name("nothing.db").exists()


# --- whose turn it is ---------------------------------------------------------------------------


class Watched:
    """A lock that notes how long those who come are ready to wait for it."""

    def __init__(self) -> None:
        self.waits: list[float] = []

    def acquire(self, timeout: float) -> bool:
        self.waits.append(timeout)
        return True

    def release(self) -> None:
        pass


def test_one_waits_for_a_turn_as_long_as_another_has_not_waited_yet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr("webapp.store.sqlite.time.monotonic", lambda: now)
    turn, lock = Turn(), Watched()
    monkeypatch.setattr(turn, "_lock", lock)
    with turn.take():
        now += 1
        with turn.take():
            pass
    now += 1000
    with turn.take():  # after whom nobody has waited, however long ago that was
        now += 10
        with turn.take():
            pass
    assert lock.waits == [1.5, 0.5, 1.5, 0]
