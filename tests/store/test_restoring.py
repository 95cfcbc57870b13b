"""A copy takes the place of the present database, whatever became of that one."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tests.support.files import DAMAGE, PLAYERS, checkpoint, content, filled, names, spoil_table
from webapp.config import Settings
from webapp.store import Database, StoreError, copies
from webapp.store.database import SCHEMA_REVISION
from webapp.store.restoring import restore

NOW = datetime(2026, 11, 21, 9, 30, 15, tzinfo=UTC)
KEPT = "tictactoe-before-restore-2026-11-21-093015.db"
ASIDE = "tictactoe-damaged-2026-11-21-093015.db"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The present database."""
    return filled(tmp_path / "data", "Present")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of another one."""
    target = tmp_path / "copy.db"
    copies.copy(filled(tmp_path / "other", "Earlier"), target)
    return target


@pytest.fixture
def settings(file: Path) -> Settings:
    return Settings(data=file.parent)


def test_the_copys_content_is_there_and_the_present_one_is_kept(
    settings: Settings, file: Path, copy: Path
) -> None:
    before, inode = content(file), file.stat().st_ino
    done = restore(settings, copy, NOW)
    assert content(file) == content(copy)
    assert done.kept == file.with_name(KEPT)
    assert content(done.kept) == before
    assert file.stat().st_ino == inode, "running servers have this file open"
    assert {KEPT, file.name} <= names(file.parent) <= {KEPT, file.name, *beside(file)}


def beside(file: Path) -> set[str]:
    """What SQLite keeps beside a database in use."""
    return {f"{file.name}-wal", f"{file.name}-shm"}


def test_a_smaller_and_a_larger_copy_take_the_whole_place(
    settings: Settings, file: Path, copy: Path
) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("DELETE FROM players WHERE created_at = 1 AND id > '5'")
        connection.execute("DELETE FROM games")
        connection.commit()
        connection.execute("VACUUM")
    checkpoint(file)
    assert copy.stat().st_size < file.stat().st_size
    restore(settings, copy, NOW)
    checkpoint(file)
    assert file.stat().st_size == copy.stat().st_size
    assert content(file) == content(copy)
    restore(settings, file.with_name(KEPT), NOW)
    checkpoint(file)
    assert file.stat().st_size > copy.stat().st_size
    assert content(file) == content(file.with_name(KEPT))


def test_two_restores_in_one_second_keep_both(settings: Settings, file: Path, copy: Path) -> None:
    first = restore(settings, copy, NOW).kept
    second = restore(settings, copy, NOW).kept
    assert first is not None
    assert second is not None
    assert first != second
    assert content(first) != content(second) == content(copy)


def test_connections_that_are_open_go_on_with_the_restored_content(
    settings: Settings, file: Path, copy: Path
) -> None:
    database = Database(settings)
    count = sa.text("SELECT count(*) FROM players WHERE name LIKE 'Earlier%'")
    with database.read() as one, database.read() as other:
        assert one.scalar(count) == other.scalar(count) == 0
        restore(settings, copy, NOW)
        assert one.scalar(count) == other.scalar(count) == PLAYERS
        with database.write() as writer:
            writer.execute(sa.text("UPDATE players SET name = 'Ada' WHERE name = 'Earlier 1'"))
        assert one.scalar(count) == PLAYERS - 1
    database.close()
    assert copies.damage(file) == ""


def test_nothing_that_is_written_falls_between_the_kept_and_the_restored(
    settings: Settings, file: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied, refused = copies.copy, []

    def try_to_write(source: Path, target: Path) -> None:
        copied(source, target)
        with closing(sqlite3.connect(file, timeout=0)) as other:
            try:
                other.execute("UPDATE players SET name = 'lost' WHERE name = 'Present 1'")
            except sqlite3.OperationalError as error:
                refused.append(str(error))

    monkeypatch.setattr(copies, "copy", try_to_write)
    restore(settings, copy, NOW)
    assert refused == ["database is locked"]


def test_a_copy_of_an_earlier_schema_is_brought_up_to_date(
    settings: Settings, file: Path, copy: Path
) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        # What the migrations 0002 and 0003 add.
        connection.executescript(
            "DROP TABLE records; DROP INDEX ix_players_name_key; DROP INDEX ix_games_code;"
            "DROP INDEX ix_games_live; ALTER TABLE games DROP COLUMN given;"
            "ALTER TABLE games DROP COLUMN code; ALTER TABLE games DROP COLUMN ending;"
            "ALTER TABLE games DROP COLUMN rematch; ALTER TABLE players DROP COLUMN name;"
            "ALTER TABLE players DROP COLUMN name_key; ALTER TABLE players DROP COLUMN seen_at;"
            "UPDATE alembic_version SET version_num = '0001'"
        )
    before = copy.read_bytes()
    restore(settings, copy, NOW)
    assert copy.read_bytes() == before
    assert copies.check(file, SCHEMA_REVISION) == SCHEMA_REVISION
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT count(*) FROM players").fetchone() == (PLAYERS,)
        assert connection.execute("SELECT sum(given) FROM games").fetchone() == (0,)


@pytest.mark.parametrize("spoil", DAMAGE)
def test_a_damaged_database_is_moved_aside(
    settings: Settings, file: Path, copy: Path, spoil: Callable[[Path], None]
) -> None:
    spoil(file)
    damaged = file.read_bytes()
    done = restore(settings, copy, NOW)
    assert (done.kept, done.aside) == (None, file.with_name(ASIDE))
    assert done.aside is not None
    assert done.aside.read_bytes() == damaged
    assert content(file) == content(copy)


def test_a_log_that_was_left_behind_is_not_applied_to_the_copy(
    settings: Settings, file: Path, copy: Path
) -> None:
    with closing(sqlite3.connect(file)) as server:
        server.execute("UPDATE players SET name = 'from the log'")
        server.commit()
        left = {name: (file.parent / name).read_bytes() for name in beside(file)}
    file.unlink()
    for name, was in left.items():
        (file.parent / name).write_bytes(was)
    done = restore(settings, copy, NOW)
    assert (done.kept, done.aside) == (None, None)
    assert content(file) == content(copy)
    assert (file.parent / f"{ASIDE}-wal").exists()


def test_a_database_that_is_missing_is_there_again_for_its_folders_owner_only(
    settings: Settings, file: Path, copy: Path
) -> None:
    file.unlink()
    restore(settings, copy, NOW)
    assert content(file) == content(copy)
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.stat().st_uid == file.parent.stat().st_uid


def test_a_damaged_database_that_a_server_uses_stays(
    settings: Settings, file: Path, copy: Path
) -> None:
    # In another process, since a process's own locks are in its own way never.
    program = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]);"
        "c.execute('SELECT * FROM players').fetchone(); print('open', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, file],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as server:
        try:
            assert server.stdout is not None
            assert server.stdout.readline() == "open\n"
            spoil_table(file)
            with pytest.raises(StoreError, match="stop the server first"):
                restore(settings, copy, NOW)
            assert file.exists()
            assert not file.with_name(ASIDE).exists()
        finally:
            server.communicate("\n")
    restore(settings, copy, NOW)
    assert content(file) == content(copy)


def test_a_folder_that_a_killed_restore_left_is_cleared_away_later(
    settings: Settings, file: Path, copy: Path
) -> None:
    left, at_work = file.parent / ".restore-a", file.parent / ".restore-b"
    for folder in (left, at_work):
        folder.mkdir()
        (folder / "tictactoe.db").touch()
    os.utime(left, (1_700_000_000, 1_700_000_000))
    restore(settings, copy, NOW)
    assert not left.exists()
    assert at_work.exists()


# --- refusals change nothing ------------------------------------------------------------------


def no_copy(copy: Path, file: Path) -> Path:
    copy.write_text("no database" * 1000)
    return copy


def newer(copy: Path, file: Path) -> Path:
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    return copy


def damaged(copy: Path, file: Path) -> Path:
    spoil_table(copy)
    return copy


def itself(copy: Path, file: Path) -> Path:
    return file


def nothing(copy: Path, file: Path) -> Path:
    return copy.with_name("nothing.db")


@pytest.mark.parametrize("other", [no_copy, newer, damaged, itself, nothing])
def test_what_is_no_copy_changes_nothing(
    settings: Settings, file: Path, copy: Path, other: Callable[[Path, Path], Path]
) -> None:
    before = content(file)
    with pytest.raises(StoreError) as refused:
        restore(settings, other(copy, file), NOW)
    assert "\n" not in str(refused.value)
    assert content(file) == before
    assert names(file.parent) <= {file.name, *beside(file)}


def test_while_others_hold_the_database_nothing_is_changed(
    settings: Settings, file: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "PATIENCE", 0)
    before = content(file)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="in use by somebody else"):
            restore(settings, copy, NOW)
        other.execute("ROLLBACK")
    assert content(file) == before
    assert names(file.parent) <= {file.name, *beside(file)}


FULL = """
import resource, sys
from datetime import datetime
from pathlib import Path
from webapp.config import Settings
from webapp.store import StoreError
from webapp.store.restoring import restore
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), int(sys.argv[3])))
try:
    restore(Settings(data=Path(sys.argv[1])), Path(sys.argv[2]), datetime.now())
except StoreError as error:
    sys.exit(str(error))
"""


@pytest.mark.parametrize("share", [0, 0.5, 0.9, 1.005])
def test_a_restore_that_finds_no_room_changes_nothing(file: Path, copy: Path, share: float) -> None:
    before = content(file)
    # With the last there is room for both copies, and not for the log of the change itself.
    room = int(copy.stat().st_size * share)
    done = subprocess.run(
        [sys.executable, "-c", FULL, file.parent, copy, str(room)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1, done.stderr
    assert content(file) == before
    assert copies.damage(file) == ""
    assert names(file.parent) <= {file.name, *beside(file)}


@pytest.mark.parametrize("kind", [StoreError("no room"), sqlite3.OperationalError("disk is full")])
def test_without_room_to_keep_the_present_one_nothing_is_changed(
    settings: Settings, file: Path, copy: Path, monkeypatch: pytest.MonkeyPatch, kind: Exception
) -> None:
    def no_room(*arguments: Any) -> None:
        raise kind

    before = content(file)
    monkeypatch.setattr(copies, "copy", no_room)
    with pytest.raises(StoreError):
        restore(settings, copy, NOW)
    assert content(file) == before
    assert copies.damage(file) == ""
    assert names(file.parent) <= {file.name, *beside(file)}
