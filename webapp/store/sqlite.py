"""SQLite: its connections and transactions.

The driver begins no transaction: it would do so late, as a reader, and lose others' updates.
"""

import os
import re
import secrets
import sqlite3
import sys
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
_NUMBER_AT = 60  # offset of the file's number, SQLite's `user_version`
_LOG_HEADER = 32  # bytes of a log before its first change
_BEHIND = 1.5  # seconds that a second thread waits behind a waiting thread


class Replaced(sqlite3.OperationalError):
    """Another file was moved or copied over the database; nothing is written to it.

    SQLite would apply the old file's log to it and destroy it.

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


def number(file: Path) -> int:
    """Return the number in the file itself: each start draws a new one, and copies have 0."""
    with closing(_open(file, "mode=ro&immutable=1")) as opened:
        return int(opened.execute("PRAGMA user_version").fetchone()[0])


def is_foreign(file: Path) -> bool:
    """Whether the log beside a file belongs to another one; SQLite does not check that."""
    log, noted = Path(f"{file}-wal"), lock.noted(file)
    with suppress(OSError, sqlite3.Error):  # other checks find that
        return noted is not None and log.stat().st_size > 0 and number(file) != noted
    return False


def begin_log(connection: sa.Connection, file: Path) -> None:
    """Give the file a new number and switch to a write-ahead log, so that readers need not wait.

    Number and note change durably and without a log, one after the other, so that a log that is
    needed always matches. If another program has the file open, the number stays.
    """
    connection.exec_driver_sql("PRAGMA synchronous=EXTRA")
    with suppress(sa.exc.OperationalError):
        connection.exec_driver_sql("PRAGMA journal_mode=DELETE")
        connection.exec_driver_sql(f"PRAGMA user_version={1 + secrets.randbelow(2**31 - 1)}")
    lock.note(file, number(file))
    connection.exec_driver_sql("PRAGMA journal_mode=WAL")


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


class _Watch:
    """Notices when another file is moved or copied over the first one."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._opened: int | None = None
        self._first: tuple[object, bytes] | None = None

    def is_replaced(self) -> bool:
        """Whether the name means another file now, or the file has another number."""
        number = b""
        if sys.platform != "win32":
            if self._opened is None:
                self._opened = os.open(self._file, os.O_RDONLY)
            number = os.pread(self._opened, 4, _NUMBER_AT).ljust(4, b"\0")
        seen = identity(self._file), number
        self._first = self._first or seen
        return seen != self._first

    def cut_log(self) -> None:
        """Truncate the log so that it cannot be applied to a file copied over its own.

        Only while a connection is open, so that no other process can have started and changed it.
        """
        if self._first and identity(self._file) == self._first[0]:
            with suppress(OSError):
                os.truncate(f"{self._file}-wal", _LOG_HEADER)

    def close(self) -> None:
        """Close the file, after SQLite has: closing a file drops its process's locks."""
        if self._opened is not None:
            os.close(self._opened)
            self._opened = None


def open_engine(settings: Settings) -> sa.Engine:
    """Create the connection pool; it raises :class:`Replaced` once the name means another file."""
    file = file_of(settings)
    watch = _Watch(file)
    only_reading = set[sqlite3.Connection]()

    def create() -> sqlite3.Connection:
        # The pool gives a connection to one thread at a time.
        made = connect(file, isolation_level=None, timeout=BUSY, check_same_thread=False)
        if watch.is_replaced():
            made.close()  # before a statement, so that it has touched nothing
            raise Replaced(Replaced.sentence)
        made.execute(f"PRAGMA synchronous={settings.synchronous}")
        if lock.noted(file) not in (None, number(file)):
            made.execute("PRAGMA query_only=1")  # its log would be taken for another file's
        # A process's connections share its open files: while one is read-only, all are.
        if only_reading or locked(file):
            only_reading.add(made)
        return made

    engine = sa.create_engine(settings.url, creator=create)

    @sa.event.listens_for(engine, "checkout")
    def check(connection: sqlite3.Connection, _record: Any, _user: Any) -> None:
        # Writes to a removed or replaced file would succeed and be lost.
        if watch.is_replaced():
            watch.cut_log()
            raise sa.exc.DisconnectionError("the file has been replaced")
        if connection in only_reading and not locked(file):
            engine.pool.dispose()
            raise sa.exc.DisconnectionError("the file can be written to now")

    @sa.event.listens_for(engine, "engine_disposed")
    def unwatch(_engine: sa.Engine) -> None:
        watch.close()

    @sa.event.listens_for(engine, "close")
    def forget(connection: sqlite3.Connection, _record: Any) -> None:
        only_reading.discard(connection)

    return engine


def connect(file: Path, query: str = "mode=rw", **options: Any) -> sqlite3.Connection:
    """Open an existing file: a new, empty one would hide that the file is gone.

    :param query: SQLite's URI options; ``options`` are the driver's
    :raises sqlite3.OperationalError: if the file is missing
    :raises Replaced: if the log beside it belongs to another file
    """
    if is_foreign(file):
        raise Replaced(Replaced.sentence)
    return _open(file, query, **options)


def _open(file: Path, query: str, **options: Any) -> sqlite3.Connection:
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
