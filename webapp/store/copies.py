"""Copies of an SQLite database: making, checking, finding and restoring them.

A backup in a single step sees one moment of the database and blocks no writer; with several steps,
each write of another process would restart it.
"""

import filecmp
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from itertools import count
from pathlib import Path

import sqlalchemy as sa

from webapp.store import lock, revisions, sqlite
from webapp.store.errors import StoreError

PATIENCE = 30  # seconds that a copy waits for other programs' locks


def copy(source: Path, target: Path, *, overwrite: bool = False) -> None:
    """Copy a database, which may be in use, completely or not at all.

    :raises StoreError: if it is missing or unusable, or the target exists or cannot be written
    """
    if target.is_dir():
        raise StoreError(f"{target} is a folder; name a file in it.")
    if _same(source, target):
        raise StoreError(f"{target} is the database itself; name another file.")
    if target.exists() and not overwrite:
        raise StoreError(f"There is a file {target} already; name another one, or add --yes.")
    with _copied(source, target, owner=source) as (new, _):
        new.replace(target)


def keep(file: Path) -> Path:
    """Copy a file of an earlier schema before it is changed, and return the copy.

    An identical copy is reused, so that an upgrade that keeps failing does not fill the disk.

    :raises StoreError: if it cannot be copied
    """
    with _copied(file, file, owner=file) as (new, revision):
        names = _names(file, f"schema-{revision}")
        target = next(
            name for name in names if not name.exists() or filecmp.cmp(new, name, shallow=False)
        )
        return new.replace(target)


def restore(file: Path, copy: Path, now: datetime) -> Path | None:
    """Replace a database with a copy; return where the old one is kept, if there was one.

    A copy of an earlier schema stays as it is; the next start upgrades it.

    :param now: for the name of the old one
    :raises StoreError: if the copy cannot be used or a server runs; then nothing has changed
    """
    if _same(file, copy):
        raise StoreError(f"{copy} is the database itself; name a copy of it.")
    owner = file if file.exists() else file.parent
    query = sqlite.untouched(copy)
    with lock.hold(file), _copied(copy, file, owner, query) as (new, _):
        names = _names(file, now.strftime("before-restore-%Y-%m-%d-%H%M%S"))
        kept = next(name for name in names if not name.exists())
        sqlite.checkpoint(file)
        # The log too: it must not be applied to another file.
        for end in ("", "-wal", "-shm", "-journal"):
            if (old := file.with_name(f"{file.name}{end}")).exists():
                old.rename(f"{kept}{end}")
        new.replace(file)
        return kept if kept.exists() else None


def check(file: Path, name: Path | None = None) -> str:
    """Check that a file can be the database, and return the revision of its schema.

    :param name: its name in a message, if not its own
    :raises StoreError: if it is missing, damaged, not of this program, or of a newer version
    """
    name = name or file
    if not file.is_file():
        raise StoreError(f"There is no file {name}.")
    engine = sa.create_engine(
        "sqlite://",
        creator=lambda: sqlite.connect(file, sqlite.untouched(file)),
        poolclass=sa.NullPool,
    )
    try:
        with engine.connect() as connection:
            answer = str(connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar())
            if answer != "ok":
                raise StoreError(f"{name} is damaged ({answer.splitlines()[-1]}).")
            return revisions.check(name, revisions.read(connection))
    except sa.exc.DBAPIError as error:
        raise StoreError(f"{name} cannot be used: {error.orig}.") from error


def latest(file: Path) -> Path | None:
    """Return the newest usable copy beside a database."""
    others = {other for other in file.parent.glob(f"[!.]*{file.suffix}") if other != file}
    for other in sorted(others, key=os.path.getmtime, reverse=True):
        with suppress(StoreError):
            check(other)
            return other
    return None


def damage(file: Path) -> str:
    """Return what is wrong with an SQLite file; a full check of 16 MB takes half a second."""
    try:
        with closing(sqlite.connect(file, "mode=ro")) as copy:
            answer = str(copy.execute("PRAGMA integrity_check(1)").fetchone()[0])
    except sqlite3.OperationalError:
        return ""  # locked, or not ours to open: other checks report that
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if answer == "ok" else answer.splitlines()[-1]


def _same(file: Path, other: Path) -> bool:
    return file.exists() and other.exists() and file.samefile(other)


def _names(file: Path, what: str) -> Iterator[Path]:
    """Yield names beside a database for a copy of it."""
    for number in count(1):
        again = f"-{number}" if number > 1 else ""
        yield file.with_name(f"{file.stem}-{what}{again}{file.suffix}")


@contextmanager
def _copied(
    source: Path, target: Path, owner: Path, query: str = "mode=rw"
) -> Iterator[tuple[Path, str]]:
    """Yield a checked copy beside the target, to be renamed, and its revision; else it is deleted.

    :raises StoreError: if the source cannot be used, is locked for too long, or the disk is full
    """
    if not source.is_file():
        raise StoreError(f"There is no file {source}.")
    end = time.monotonic() + PATIENCE

    def step(status: int, _remaining: int, _total: int) -> None:
        if status not in (sqlite3.SQLITE_OK, sqlite3.SQLITE_DONE) and time.monotonic() > end:
            raise StoreError(f"The database {source} is in use by another program; try again.")

    try:
        with tempfile.TemporaryDirectory(prefix=".copy-", dir=target.parent) as folder:
            new = Path(folder) / "copy.db"
            new.touch(0o600)
            with (
                closing(sqlite.connect(source, query, timeout=0)) as old,
                closing(sqlite3.connect(new)) as copied,
            ):
                old.backup(copied, progress=step)
                # One file that opens anywhere, even on a read-only disk.
                copied.execute("PRAGMA journal_mode=DELETE")
            revision = check(new, source)
            lock.give(new, owner)
            yield new, revision
    except (OSError, sqlite3.Error) as error:
        why = getattr(error, "strerror", None) or error
        raise StoreError(f"{source} cannot be copied to {target}: {why}.") from error
