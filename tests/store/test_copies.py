"""Copies of an SQLite database: whole or not there at all, and never over a better one."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

import webapp.store
from tests.support.files import (
    DAMAGE,
    checkpoint,
    content,
    cut_off,
    filled,
    names,
    spoil_header,
    spoil_index,
    spoil_table,
)
from webapp.config import Settings
from webapp.store import StoreError, copies, prepare
from webapp.store.database import SCHEMA_REVISION, Database

MIGRATIONS = Path(webapp.store.__file__).parent / "migrations"
PATIENCE = 30
SMALL = 16

linux = pytest.mark.skipif(sys.platform != "linux", reason="a file system in memory")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database with some hundred players."""
    return filled(tmp_path / "data")


# --- making one -------------------------------------------------------------------------------


def test_a_copy_holds_everything_in_one_file(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    copies.copy(file, target)
    assert content(target) == content(file)
    assert names(tmp_path) == {"data", "copy.db"}
    with closing(sqlite3.connect(target)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_nobody_else_may_read_a_copy(file: Path, tmp_path: Path) -> None:
    copies.copy(file, tmp_path / "copy.db")
    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600


@linux
def test_a_copy_on_another_file_system_holds_everything(file: Path) -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        target = Path(folder) / "copy.db"
        assert target.parent.stat().st_dev != file.stat().st_dev
        copies.copy(file, target)
        assert content(target) == content(file)


def test_what_is_written_and_not_yet_in_the_file_is_copied_too(file: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(file)) as server:
        server.execute("UPDATE players SET name = 'Ada' WHERE id = ?", (f"{7:064x}",))
        server.commit()
        assert b"Ada" not in file.read_bytes()
        copies.copy(file, tmp_path / "copy.db")
    assert b"Ada" in (tmp_path / "copy.db").read_bytes()


def write(file: Path, started: Any, stop: Any) -> None:
    """In another process: keep two rows in step, one transaction after the other."""
    with closing(sqlite3.connect(file, isolation_level=None, timeout=PATIENCE)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        number = 0
        while not stop.is_set():
            number += 1
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("UPDATE players SET created_at = ?", (number,))
            connection.execute("UPDATE games SET created_at = ?", (number,))
            connection.execute("COMMIT")
            started.set()


def test_a_copy_made_while_another_process_writes_is_one_moment(
    file: Path, tmp_path: Path, times: Callable[[int, int], int]
) -> None:
    context = multiprocessing.get_context("spawn")
    started, stop = context.Event(), context.Event()
    writer = context.Process(target=write, args=(file, started, stop))
    writer.start()
    try:
        assert started.wait(PATIENCE)
        seen = set()
        for _ in range(times(10, 200)):
            copies.copy(file, tmp_path / "copy.db", overwrite=True)
            with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
                found = copy.execute(
                    "SELECT created_at FROM players UNION SELECT created_at FROM games"
                ).fetchall()
            assert len(found) == 1
            seen.add(found[0])
        assert len(seen) > 1, "nobody wrote meanwhile"
    finally:
        stop.set()
        writer.join(PATIENCE)
    assert writer.exitcode == 0


def test_what_a_killed_program_left_is_cleared_away_later(file: Path, tmp_path: Path) -> None:
    left = [tmp_path / f".copy.db-a{end}" for end in (".part", ".part-journal")]
    at_work, another = tmp_path / ".copy.db-b.part", tmp_path / ".other.db-c.part"
    for unfinished in (*left, at_work, another):
        unfinished.touch()
    for unfinished in (*left, another):
        os.utime(unfinished, (1_700_000_000, 1_700_000_000))
    copies.copy(file, tmp_path / "copy.db")
    assert names(tmp_path) == {"data", "copy.db", at_work.name, another.name}


def test_a_file_that_is_there_is_not_overwritten_unasked(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    target.write_text("precious")
    with pytest.raises(StoreError, match="already"):
        copies.copy(file, target)
    assert target.read_text() == "precious"
    copies.copy(file, target, overwrite=True)
    assert content(target) == content(file)


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_database_is_not_copied_over_itself(file: Path, overwrite: bool) -> None:
    before = content(file)
    with pytest.raises(StoreError, match="is the database itself"):
        copies.copy(file, file.parent / "." / file.name, overwrite=overwrite)
    assert content(file) == before


@pytest.mark.parametrize(
    "target, why", [("data", "is a folder"), ("nowhere/copy.db", "There can be no copy in")]
)
def test_a_target_that_cannot_be_is_one_sentence(
    file: Path, tmp_path: Path, target: str, why: str
) -> None:
    with pytest.raises(StoreError, match=why):
        copies.copy(file, tmp_path / target)


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="There is no database"):
        copies.copy(tmp_path / "none.db", tmp_path / "copy.db")
    assert names(tmp_path) == set()


def test_a_damaged_database_is_not_copied_over_a_good_copy(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    copies.copy(file, target)
    before = target.read_bytes()
    spoil_index(file)
    with pytest.raises(StoreError, match="is damaged"):
        copies.copy(file, target, overwrite=True)
    assert target.read_bytes() == before
    assert names(tmp_path) == {"data", "copy.db"}


@pytest.mark.parametrize("made", ["nothing", "another program's", "a newer version's"])
def test_what_could_not_be_restored_is_not_copied_over_a_good_copy(
    file: Path, tmp_path: Path, made: str
) -> None:
    target = tmp_path / "copy.db"
    copies.copy(file, target)
    before = target.read_bytes()
    if made != "a newer version's":
        file.unlink()
    with closing(sqlite3.connect(file)) as connection:
        if made == "another program's":
            connection.execute("CREATE TABLE games (id TEXT)")
        elif made == "a newer version's":
            connection.execute("UPDATE alembic_version SET version_num = '9999'")
            connection.commit()
    with pytest.raises(StoreError, match=r"no database of this|newer version") as refused:
        copies.copy(file, target, newest=SCHEMA_REVISION, overwrite=True)
    assert str(refused.value).startswith(str(file))
    assert target.read_bytes() == before
    assert names(tmp_path) == {"data", "copy.db"}


FULL = """
import resource, sys
from pathlib import Path
from webapp.store import StoreError, copies
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), int(sys.argv[3])))
try:
    copies.copy(Path(sys.argv[1]), Path(sys.argv[2]), overwrite=True)
except StoreError as error:
    sys.exit(str(error))
"""


@pytest.mark.parametrize("room", [0, 40_000])
def test_a_copy_that_finds_no_room_leaves_the_older_one(
    file: Path, tmp_path: Path, room: int
) -> None:
    target = tmp_path / "copy.db"
    target.write_text("precious")
    checkpoint(file)
    done = subprocess.run(
        [sys.executable, "-c", FULL, file, target, str(room)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1
    assert "cannot be copied to" in done.stderr
    assert done.stderr.count("\n") == 1
    assert target.read_text() == "precious"
    assert names(tmp_path) == {"data", "copy.db"}
    assert copies.damage(file) == ""


def test_a_copy_belongs_to_whom_the_database_belongs(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[tuple[str, int, int]] = []
    monkeypatch.setattr(
        os, "chown", lambda path, user, group: given.append((Path(path).suffix, user, group))
    )
    copies.copy(file, tmp_path / "copy.db")
    assert given == [(".part", file.stat().st_uid, file.stat().st_gid)]


def test_a_full_disk_is_called_so(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Small(sqlite3.Connection):
        """A connection to a file that may have a few pages only."""

        def __init__(self, *arguments: Any, **more: Any) -> None:
            super().__init__(*arguments, **more)
            if ".part" in str(arguments[0]):
                self.execute(f"PRAGMA max_page_count={SMALL}")

    connect = sqlite3.connect

    def small(*arguments: Any, **more: Any) -> sqlite3.Connection:
        return connect(*arguments, factory=Small, **more)

    monkeypatch.setattr(sqlite3, "connect", small)
    with pytest.raises(StoreError, match="full"):
        copies.copy(file, tmp_path / "copy.db")
    assert names(tmp_path) == {"data"}


def test_a_database_that_others_hold_for_long_is_one_sentence(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "PATIENCE", 0)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode=DELETE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="in use by somebody else"):
            copies.copy(file, tmp_path / "copy.db")
    assert names(tmp_path) == {"data"}


# --- the one that is kept before an upgrade ---------------------------------------------------


@pytest.fixture
def old(tmp_path: Path) -> Settings:
    """A database of an earlier schema."""
    settings = Settings(data=tmp_path)
    (tmp_path / "tictactoe.db").touch()
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    database = Database(settings)
    with database.write() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0002")
        connection.exec_driver_sql(
            "INSERT INTO players (id, opponent, mark, created_at) VALUES ('alice', 'hard', 'x', 1)"
        )
    database.close()
    return settings


def test_an_upgrade_tells_where_the_copy_is(old: Settings) -> None:
    before = content(old.data / "tictactoe.db")
    done = prepare(old)
    assert (done.before, done.changed) == ("0002", True)
    assert done.copy == old.data / "tictactoe-schema-0002.db"
    assert content(done.copy) == before
    assert content(old.data / "tictactoe.db") != before
    again = prepare(old)
    assert (again.before, again.changed, again.copy) == (SCHEMA_REVISION, False, None)


def test_an_upgrade_leaves_older_copies_as_they_are(old: Settings) -> None:
    older = old.data / "tictactoe-schema-0002.db"
    older.write_text("precious")
    done = prepare(old)
    assert done.copy == old.data / "tictactoe-schema-0002-2.db"
    assert older.read_text() == "precious"


def test_an_upgrade_that_fails_again_and_again_keeps_one_copy(
    old: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(database: Database) -> None:
        raise RuntimeError("this migration is no good")

    monkeypatch.setattr("webapp.store.database._migrate", fail)
    for _ in range(3):
        with pytest.raises(RuntimeError):
            prepare(old)
    assert [name for name in names(old.data) if "schema" in name] == ["tictactoe-schema-0002.db"]


def test_what_another_process_has_upgraded_meanwhile_is_not_kept_as_the_older(
    old: Settings,
) -> None:
    prepare(old)
    kept = old.data / "tictactoe-schema-0002.db"
    kept.unlink()
    assert copies.keep(old.data / "tictactoe.db", "0002") is None
    assert not kept.exists()


def test_without_room_for_the_copy_there_is_no_upgrade(
    old: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = content(old.data / "tictactoe.db")

    def no_room(file: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(copies, "flush", no_room)
    with pytest.raises(StoreError, match="No space left"):
        prepare(old)
    assert content(old.data / "tictactoe.db") == before
    assert not [name for name in names(old.data) if "schema" in name or "part" in name]


def test_an_upgrade_that_finds_the_disk_full_is_one_sentence(
    old: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = old.data / "tictactoe.db"
    before = content(file)
    configure = Database.write

    @contextmanager
    def without_room(database: Database, *about: str, patient: bool = False) -> Iterator[Any]:
        with database.read() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
        with configure(database, *about, patient=patient) as connection:
            yield connection

    monkeypatch.setattr(Database, "write", without_room)
    with pytest.raises(StoreError, match=r"cannot be used: database or disk is full\.$"):
        prepare(old)
    assert content(file) == before
    assert [name for name in names(old.data) if "schema" in name] == ["tictactoe-schema-0002.db"]


def test_a_file_that_cannot_be_written_is_said_at_once(
    old: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(old.data / "tictactoe.db")) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")

    @sa.event.listens_for(sa.Engine, "connect")
    def read_only(connection: sqlite3.Connection, _record: Any) -> None:
        connection.execute("PRAGMA query_only=ON")

    try:
        with pytest.raises(StoreError, match="readonly database"):
            prepare(old)
    finally:
        sa.event.remove(sa.Engine, "connect", read_only)


# --- damage -----------------------------------------------------------------------------------


@pytest.mark.parametrize("spoil", DAMAGE)
def test_damage_is_found(file: Path, spoil: Callable[[Path], None]) -> None:
    assert copies.damage(file) == ""
    spoil(file)
    assert copies.damage(file) != ""


@pytest.mark.parametrize("spoil", [cut_off, spoil_header])
def test_in_a_large_file_a_lost_beginning_or_end_is_found(
    file: Path, spoil: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.store.database._QUICK", 1000)
    prepare(Settings(data=file.parent))
    spoil(file)
    with pytest.raises(StoreError, match="is damaged"):
        prepare(Settings(data=file.parent))


@pytest.mark.parametrize("spoil", DAMAGE)
def test_a_damaged_database_is_refused_with_the_command_and_the_newest_copy(
    file: Path, spoil: Callable[[Path], None]
) -> None:
    older, newer = (file.with_name(f"monday{file.suffix}"), file.with_name(f"tuesday{file.suffix}"))
    for at, copy in enumerate((older, newer)):
        copies.copy(file, copy)
        os.utime(copy, (1_700_000_000 + at, 1_700_000_000 + at))
    # Newer than both, and no use.
    file.with_name("tictactoe-damaged-x.db").write_bytes(newer.read_bytes())
    file.with_name("nonsense.db").write_text("no database")
    spoil(file)
    with pytest.raises(StoreError) as refused:
        prepare(Settings(data=file.parent))
    sentence = str(refused.value)
    assert sentence.startswith(f"The database {file} is damaged (")
    assert sentence.endswith(f"tictactoe restore --data {file.parent} {newer}.")
    assert "\n" not in sentence


def test_a_damaged_database_without_a_copy_is_refused_with_the_command(file: Path) -> None:
    spoil_table(file)
    with pytest.raises(StoreError, match="there is none beside it") as refused:
        prepare(Settings(data=file.parent))
    assert str(refused.value).endswith("FILE.")


# --- whether a file is a copy -----------------------------------------------------------------


def test_a_copy_tells_its_schema_and_nothing_is_left_beside_it(file: Path, tmp_path: Path) -> None:
    checkpoint(file)
    raw = tmp_path / "raw.db"
    raw.write_bytes(file.read_bytes())
    assert copies.check(raw, SCHEMA_REVISION) == SCHEMA_REVISION
    assert names(tmp_path) == {"data", "raw.db"}


def test_a_file_that_is_no_copy_is_one_sentence(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"

    def why() -> str:
        with pytest.raises(StoreError) as refused:
            copies.check(copy, SCHEMA_REVISION)
        assert "\n" not in str(refused.value)
        return str(refused.value)

    assert "There is no file" in why()
    copy.write_text("no database, but a text that is long enough to be one" * 100)
    assert "cannot be used as a copy" in why()
    copy.write_bytes(b"")
    assert "no database of this program" in why()
    copy.unlink()
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("CREATE TABLE games (id TEXT)")
    assert "no database of this program" in why()
    copies.copy(file, copy, overwrite=True)
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    assert "newer version" in why()
    copies.copy(file, copy, overwrite=True)
    spoil_index(copy)
    assert "is damaged itself" in why()
