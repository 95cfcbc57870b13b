"""Putting a copy in the place of the present SQLite database, while a server may be using it."""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from webapp.config import Settings
from webapp.store import copies, sqlite
from webapp.store.database import SCHEMA_REVISION, Database, prepare
from webapp.store.errors import StoreError

_LOCKS = 0x40000000, 512
"""Where every connection to an SQLite file holds a lock: from which byte on, and how many."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What became of the database that was there before.

    :param kept: a copy of it, beside the restored one
    :param aside: where it was moved to, since it was damaged
    """

    file: Path
    kept: Path | None = None
    aside: Path | None = None


def restore(settings: Settings, copy: Path, now: datetime) -> Restored:
    """Put a copy's content in the place of the present one; programs that use it go on with that.

    A file that is damaged or missing is replaced instead; nobody can be using that one.

    :param now: what the present one, kept beside the restored one, is named by
    :raises StoreError: if the copy is no good or the database is in use for too long; nothing is
        changed then
    """
    file = sqlite.file_of(settings).absolute()
    if copy.exists() and file.exists() and copy.samefile(file):
        raise StoreError(f"{copy} is the database itself; name a copy of it.")
    copies.check(copy, SCHEMA_REVISION)
    copies.sweep(file.parent, ".restore-*")
    try:
        with tempfile.TemporaryDirectory(prefix=".restore-", dir=file.parent) as folder:
            ready = _brought_up_to_date(copy, Path(folder))
            moment = now.strftime("%Y-%m-%d-%H%M%S")
            if _is_whole(file):
                return _put_into(settings, ready, _free(file, f"before-restore-{moment}"))
            return _replace(file, ready, _free(file, f"damaged-{moment}"))
    except sqlite3.Error as error:
        raise StoreError(f"{copy} cannot be put in place: {error}; nothing is changed.") from error
    except OSError as error:
        raise StoreError(
            f"{copy} cannot be put in place in {file.parent}: {error.strerror}."
        ) from error


def _brought_up_to_date(copy: Path, folder: Path) -> Path:
    """Copy the copy into a folder, with the newest schema."""
    settings = Settings(data=folder)
    ready = sqlite.file_of(settings)
    with closing(copies.open_copy(copy)) as old, closing(sqlite3.connect(ready)) as new:
        old.backup(new, progress=copies.patiently(copies.PATIENCE, copy))
    prepare(settings)
    return ready


def _is_whole(file: Path) -> bool:
    return file.is_file() and file.stat().st_size > 0 and not copies.damage(file)


def _free(file: Path, what: str) -> Path:
    """A name beside the database that no file has yet."""
    target, number = file.with_name(f"{file.stem}-{what}{file.suffix}"), 1
    while target.exists():
        number += 1
        target = file.with_name(f"{file.stem}-{what}-{number}{file.suffix}")
    return target


def _put_into(settings: Settings, ready: Path, kept: Path) -> Restored:
    """Overwrite the content of a sound database in one transaction, and keep it as it was."""
    file = sqlite.file_of(settings).absolute()
    database = Database(settings)
    try:
        # Without it nobody could read the present content while the new one is being written.
        database.write_ahead()
    finally:
        database.close()
    try:
        with (
            closing(sqlite3.connect(ready)) as source,
            closing(sqlite.connect(file, timeout=0)) as present,
        ):
            # In steps of which the first is not the last: what it calls between keeps the present.
            (pages,) = source.execute("PRAGMA page_count").fetchone()
            source.backup(present, pages=pages // 2, progress=_keeping(file, kept), sleep=0.05)
    except (StoreError, sqlite3.Error):
        kept.unlink(missing_ok=True)  # of what is still there
        raise
    return Restored(file, kept=kept)


def _keeping(file: Path, kept: Path) -> Callable[[int, int, int], None]:
    """What the backup calls after each step: copy the present content after the first.

    From then on the backup holds the lock of writers, so nothing that is answered can fall between
    the content that is kept and the one that replaces it.
    """
    wait = copies.patiently(copies.PATIENCE, file)

    def step(status: int, remaining: int, total: int) -> None:
        wait(status, remaining, total)
        if status == sqlite3.SQLITE_OK and not kept.exists():
            copies.copy(file, kept)

    return step


def _replace(file: Path, ready: Path, aside: Path) -> Restored:
    """Put a file in the place of one that is damaged or missing."""
    was_there = file.exists()
    if was_there:
        if _in_use(file):
            raise StoreError(
                f"The database {file} is damaged and a server is using it; stop the server first."
            )
        copies.like(file, ready)
        ready.chmod(file.stat().st_mode & 0o666)
    else:
        copies.like(file.parent, ready)
        ready.chmod(0o600)
    copies.flush(ready)
    # A log that was left behind must not be applied to another file.
    for end in ("", "-wal", "-shm", "-journal"):
        old = file.with_name(f"{file.name}{end}")
        if old.exists():
            old.replace(aside.with_name(f"{aside.name}{end}"))
    ready.replace(file)
    copies.flush(file)
    return Restored(file, aside=aside if was_there else None)


def _in_use(file: Path) -> bool:
    """Tell whether a program has a database open that cannot be asked itself."""
    if sys.platform == "win32":
        return False  # there a file in use cannot be moved anyway
    import fcntl  # noqa: PLC0415 - not on Windows

    start, length = _LOCKS
    with file.open("r+b") as opened:
        try:
            fcntl.lockf(opened, fcntl.LOCK_EX | fcntl.LOCK_NB, length, start, os.SEEK_SET)
        except OSError:
            return True
    return False
