"""SQLite: how it is opened, and what a transaction begins with.

Its driver is kept from opening transactions of its own: it would begin them late, as readers, and
lose updates from several processes.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from webapp.config import Settings

BUSY = 5
"""For how many seconds one waits for another's lock."""

_PASSING = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
"""Errors that a second try may not meet."""

_BEHIND = 1.5
"""For how many seconds of these a second one of the same process waits as well."""


def open_engine(settings: Settings) -> sa.Engine:
    """Make the pool of connections to the file that the settings name."""
    file = file_of(settings).absolute()
    engine = sa.create_engine(settings.url, connect_args={"isolation_level": None, "timeout": BUSY})
    synchronous = settings.synchronous

    @sa.event.listens_for(engine, "connect")
    def configure(connection: sqlite3.Connection, record: Any) -> None:
        connection.execute(f"PRAGMA synchronous={synchronous}")
        connection.execute(f"PRAGMA busy_timeout={BUSY * 1000}")
        record.info["file"] = _identity(file)

    @sa.event.listens_for(engine, "checkout")
    def check(_connection: sqlite3.Connection, record: Any, _user: Any) -> None:
        # A file that was removed or replaced can be written on, and nobody will ever read that.
        if record.info["file"] != _identity(file):
            raise sa.exc.DisconnectionError("the file is another one by now")

    return engine


class Turn:
    """Lets the threads of one process write one by one, so that only one waits for the file.

    Another program may hold it for long. Were all threads to wait, nobody could read meanwhile:
    so whoever comes while one has been waiting for a time is told at once.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._since = 0.0

    @contextmanager
    def take(self) -> Iterator[None]:
        """Be the one who writes, until the end of the block.

        :raises sqlalchemy.exc.TimeoutError: if another one has been waiting for too long already
        """
        patience = max(0.0, self._since + _BEHIND - time.monotonic())
        if not self._lock.acquire(timeout=patience):
            raise sa.exc.TimeoutError("the file has been locked for some time")
        try:
            self._since = time.monotonic()
            yield
        finally:
            self._lock.release()


def begin(connection: sa.Connection, _about: tuple[str, ...], _patient: bool) -> None:
    """Begin a write transaction; there is one at a time, whatever it is about."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def in_use(error: sa.exc.DBAPIError) -> bool:
    """Tell whether a statement failed only because others were using the file at that moment."""
    return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in _PASSING


def file_of(settings: Settings) -> Path:
    """Return the file that the games are kept in."""
    return Path(sa.make_url(settings.url).database or "")


def _identity(file: Path) -> tuple[int, int] | None:
    """What tells a file from another one of the same name; ``None`` where there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
