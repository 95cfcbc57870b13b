"""Copies of an SQLite database: making them, checking them, finding them.

A copy is made in one step of SQLite's backup, which sees one moment of the database and keeps no
writer waiting. In several steps each write of another process begins it anew: of a file of 54 MB
under 180 writes a second one step took 0.09 s, ``VACUUM INTO`` 0.14 s, and steps never ended.
"""

from __future__ import annotations

import filecmp
import glob
import os
import re
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from webapp.store import sqlite
from webapp.store.errors import StoreError

PATIENCE = 30
"""For how many seconds a copy waits for those who hold the database."""

_LEFT = 60 * 60
"""After how many seconds nobody is still at work on an unfinished copy."""

_OURS = {"alembic_version", "players", "games"}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def copy(source: Path, target: Path, *, newest: str | None = None, overwrite: bool = False) -> None:
    """Copy a database that may be in use, whole or not at all.

    :param newest: the newest revision that this program knows, where only what it can restore is
        worth a copy
    :raises StoreError: if there is no such database, it is damaged or not worth it, the target is
        there already or cannot be written
    """
    if not source.is_file():
        raise StoreError(f"There is no database {source}.")
    if target.is_dir():
        raise StoreError(f"{target} is a folder; name a file in it.")
    if target.exists() and target.samefile(source):
        raise StoreError(f"{target} is the database itself; name another file.")
    if target.exists() and not overwrite:
        raise StoreError(f"There is a file {target} already; name another one, or add --yes.")
    with _part(target) as part:
        found = _fill(part, source, target)
        if newest is not None:
            _check_ours(source, found, newest)
        _publish(part, target)


def keep(file: Path, revision: str) -> Path | None:
    """Copy a file of an earlier schema before it is changed, and return the copy.

    A copy that is there already stays as it is. One with the same content will do, so that an
    upgrade that fails again and again does not fill the disk.

    :return: ``None`` where another process has changed the schema meanwhile
    :raises StoreError: if there can be no copy
    """
    with _part(file) as part:
        found = _fill(part, file, file.with_name(f"{file.stem}-schema-{revision}{file.suffix}"))
        if found.revision != revision:
            return None
        for number in count(1):
            again = f"-{number}" if number > 1 else ""
            target = file.with_name(f"{file.stem}-schema-{revision}{again}{file.suffix}")
            if not target.exists():
                _publish(part, target)
                return target
            if filecmp.cmp(part, target, shallow=False):
                return target
    raise AssertionError("there are numbers enough")


def check(file: Path, newest: str) -> str:
    """Check that a file can take the database's place, and return the revision of its schema.

    :param newest: the newest revision that this program knows
    :raises StoreError: if it is not there, damaged, not of this program, or of a newer one
    """
    if not file.is_file():
        raise StoreError(f"There is no file {file}.")
    try:
        found = _look(file, "integrity_check(1)")
    except sqlite3.Error as error:
        raise StoreError(f"{file} cannot be used as a copy: {error}.") from error
    if found.faults:
        raise StoreError(f"{file} is damaged itself ({found.faults}); take another copy.")
    return _check_ours(file, found, newest)


def latest(file: Path, newest: str) -> Path | None:
    """Return the newest copy beside a database that can take its place, if there is one."""
    others = [
        other
        for other in file.parent.glob(f"*{file.suffix}")
        if other != file and not other.name.startswith(".") and "-damaged-" not in other.name
    ]
    for other in sorted(others, key=_changed, reverse=True):
        with suppress(StoreError):
            check(other, newest)
            return other
    return None


def damage(file: Path, *, whole: bool = True) -> str:
    """Return what is wrong with an SQLite file; ``""`` for nothing.

    :param whole: read all of it; otherwise look at its length and its first pages only
    """
    look = "PRAGMA quick_check(1)" if whole else "SELECT 'ok', count(*) FROM sqlite_master"
    try:
        with closing(sqlite.connect(file, "mode=ro")) as found:
            answer = found.execute(look).fetchone()[0]
    except sqlite3.OperationalError:
        return ""  # locked, or not to be opened by us: that is for others to say
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if answer == "ok" else str(answer).splitlines()[-1]


def open_copy(file: Path) -> sqlite3.Connection:
    """Open a database to read it, and leave no trace beside it where nobody else uses it."""
    alone = not file.with_name(f"{file.name}-wal").exists()
    return sqlite.connect(file, "mode=ro&immutable=1" if alone else "mode=rw")


def patiently(seconds: float, name: object) -> Callable[[int, int, int], None]:
    """What a backup calls after each step: it gives up where others hold a database for long."""
    end = time.monotonic() + seconds

    def step(status: int, _remaining: int, _total: int) -> None:
        if status in _BUSY and time.monotonic() > end:
            raise StoreError(f"The database {name} is in use by somebody else; try again.")

    return step


def like(source: Path, file: Path) -> None:
    """Give a file to whom another one belongs, where we may; root acts for the one who serves."""
    if os.name == "posix":
        with suppress(OSError):
            owner = source.stat()
            os.chown(file, owner.st_uid, owner.st_gid)


def sweep(folder: Path, pattern: str) -> None:
    """Remove what a program left behind that was killed while it made a copy."""
    for left in folder.glob(pattern):
        with suppress(OSError):
            if left.stat().st_mtime > time.time() - _LEFT:
                continue
            if left.is_dir():
                shutil.rmtree(left, ignore_errors=True)
            else:
                left.unlink()


def flush(file: Path) -> None:
    """Force a file and its name to the disk."""
    with file.open("rb+") as opened:
        os.fsync(opened.fileno())
    if os.name == "posix":
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            with suppress(OSError):  # some network folders cannot
                os.fsync(folder)
        finally:
            os.close(folder)


# --- the steps --------------------------------------------------------------------------------


@contextmanager
def _part(target: Path) -> Iterator[Path]:
    """A new file beside the target that nobody else may read; gone in the end if not renamed."""
    sweep(target.parent, f".{glob.escape(target.name)}-*.part*")
    try:
        handle, name = tempfile.mkstemp(".part", f".{target.name}-", target.parent)
    except OSError as error:
        raise StoreError(f"There can be no copy in {target.parent}: {error.strerror}.") from error
    os.close(handle)
    part = Path(name)
    try:
        yield part
    finally:
        for end in ("", "-journal", "-wal", "-shm"):
            part.with_name(f"{part.name}{end}").unlink(missing_ok=True)


def _fill(part: Path, source: Path, target: Path) -> _Content:
    """Copy a database into an empty file, and check that the copy is whole."""
    try:
        with (
            # `mode=rw` clears away what reading a write-ahead log leaves. Who finds it locked
            # asks again, as long as the backup's own patience lasts.
            closing(sqlite.connect(source, timeout=0)) as old,
            closing(sqlite3.connect(part)) as new,
        ):
            old.backup(new, progress=patiently(PATIENCE, source))
            # One file that opens anywhere, on a disk that cannot be written too.
            new.execute("PRAGMA journal_mode=DELETE")
        found = _look(part)
    except sqlite3.Error as error:
        # Not every error of the driver carries SQLite's own number.
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in _DAMAGED:
            raise StoreError(f"The database {source} is damaged: {error}.") from error
        raise StoreError(f"{source} cannot be copied to {target}: {error}.") from error
    if found.faults:
        raise StoreError(
            f"The database {source} is damaged ({found.faults}), and so is any copy of it."
        )
    like(source, part)
    return found


def _publish(part: Path, target: Path) -> None:
    """Give a finished copy its name."""
    try:
        flush(part)
        part.replace(target)
        flush(target)
    except OSError as error:
        raise StoreError(f"The copy {target} cannot be written: {error.strerror}.") from error


@dataclass(frozen=True, slots=True)
class _Content:
    """What a file holds.

    :param revision: of the schema, if there is any
    :param faults: what is wrong with it; ``""`` for nothing
    """

    tables: set[str]
    revision: str | None
    faults: str


def _look(file: Path, check: str = "quick_check(1)") -> _Content:
    """Read a database through, and return what it holds."""
    with closing(open_copy(file)) as connection:
        answer = str(connection.execute(f"PRAGMA {check}").fetchone()[0])
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        tables = {str(name) for (name,) in names}
        revision = None
        if "alembic_version" in tables:
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
            revision = row and str(row[0])
    return _Content(tables, revision, "" if answer == "ok" else answer.splitlines()[-1])


def _check_ours(file: Path, found: _Content, newest: str) -> str:
    """Check that what a file holds is a class that this program can use; return the revision.

    :raises StoreError: if it is not
    """
    revision = found.revision
    if not found.tables >= _OURS or revision is None or not re.fullmatch(r"\d{4}", revision):
        raise StoreError(f"{file} is no database of this program.")
    if revision > newest:
        raise StoreError(
            f"{file} was made by a newer version of this program (schema {revision}, this one "
            f"knows {newest}); install that version."
        )
    return revision


def _changed(file: Path) -> float:
    """When a file was last changed; one that has just gone is the oldest."""
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0
