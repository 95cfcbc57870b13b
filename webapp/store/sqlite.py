"""SQLite: its connections and transactions.

The driver begins no transaction: it would do so late, as a reader, and lose others' updates.
"""

import os
import re
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path, PurePath
from typing import Any

import sqlalchemy as sa

from webapp.config import Settings
from webapp.core.messages import N_
from webapp.store import lock

BUSY = 5  # seconds that a statement waits for another program's lock
_BEHIND = 1.5  # seconds that a second thread waits behind a waiting thread


class Replaced(sqlite3.OperationalError):
    """Another file was moved over the database; nothing is written to it.

    :ivar sentence: for pages and commands
    """

    sentence = N_(
        "The database's file was replaced by another one. "
        "Stop the server and start it again to use the new file."
    )


def identity(file: Path) -> tuple[int, int] | None:
    """Return what changes when a file is replaced; ``None`` without a file."""
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def alone(settings: Settings) -> ExitStack:
    """Be the only process that uses the file, until the result is closed; else ``StoreError``."""
    held, file = ExitStack(), file_of(settings)
    if not settings.postgres and file.parent.is_dir():  # a missing one is reported elsewhere
        held.enter_context(lock.hold(file))
    return held


def check_unused(settings: Settings) -> None:
    """Raise ``StoreError`` if a server uses the file of the settings."""
    if not settings.postgres and lock.lock_of(file_of(settings)).exists():
        alone(settings).close()


def open_engine(settings: Settings) -> sa.Engine:
    """Create the connection pool; it raises :class:`Replaced` once the name means another file."""
    file = file_of(settings)
    first: tuple[int, int] | None = None

    def is_replaced() -> bool:
        nonlocal first
        first = first or identity(file)
        return identity(file) != first

    def create() -> sqlite3.Connection:
        # The pool gives a connection to one thread at a time.
        made = connect(file, isolation_level=None, timeout=BUSY, check_same_thread=False)
        if is_replaced():
            made.close()  # before a statement, so that it has touched nothing
            raise Replaced(Replaced.sentence)
        made.execute(f"PRAGMA synchronous={settings.synchronous}")
        return made

    engine = sa.create_engine(settings.url, creator=create)

    @sa.event.listens_for(engine, "checkout")
    def check(_connection: sqlite3.Connection, _record: Any, _user: Any) -> None:
        # Writes to a removed or replaced file would succeed and be lost.
        if is_replaced():
            if file.exists():
                with suppress(OSError):  # the log must not be applied to another file
                    os.truncate(f"{file}-wal", 0)
            raise sa.exc.DisconnectionError("the file has been replaced")

    return engine


def connect(file: Path, query: str = "mode=rw", **options: Any) -> sqlite3.Connection:
    """Open an existing file: a new, empty one would hide that the file is gone.

    :param query: SQLite's URI options; ``options`` are the driver's
    :raises sqlite3.OperationalError: if the file is missing
    """
    address = f"{_uri(file.absolute())}?{query}"
    opened: sqlite3.Connection = sqlite3.connect(address, uri=True, **options)
    return opened


def locked(file: Path) -> Path | None:
    """Return the read-only file of a database, if any; SQLite would open it anyway."""
    for end in ("", "-wal", "-shm"):
        if (part := Path(f"{file}{end}")).exists() and not os.access(part, os.W_OK):
            return part
    return None


def untouched(file: Path) -> str:
    """URI options to read a file without leaving anything beside it, unless it is in use."""
    return "mode=rw" if Path(f"{file}-wal").exists() else "mode=ro&immutable=1"


def _uri(file: PurePath) -> str:
    """Return a path as SQLite's URI, without a host: a network folder is a path.

    >>> from pathlib import PureWindowsPath
    >>> _uri(PureWindowsPath("C:/my games/100%.db")), _uri(PureWindowsPath("//school/games/a.db"))
    ('file:///C:/my%20games/100%25.db', 'file:////school/games/a.db')
    """
    return re.sub("^file://(?!/)", "file:////", file.as_uri())


def checkpoint(file: Path) -> None:
    """Move the log into the file, which then is the whole database; the last user does this."""
    with suppress(sqlite3.Error), closing(connect(file, timeout=0)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@contextmanager
def turn(writing: threading.Lock) -> Iterator[None]:
    """Write until the end of the block, one thread at a time: only one waits for the file.

    Another program may lock it for long. If all threads waited, none could read.

    :raises sqlalchemy.exc.TimeoutError: if another thread has been waiting for some time
    """
    if not writing.acquire(timeout=_BEHIND):
        raise sa.exc.TimeoutError("the file has been locked for some time")
    try:
        yield
    finally:
        writing.release()


def begin(connection: sa.Connection, _about: tuple[str, ...], _patient: bool) -> None:
    """Begin a write transaction; there is only one at a time."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def file_of(settings: Settings) -> Path:
    return Path(sa.make_url(settings.url).database or "").absolute()
