"""SQLite: how it is opened, and what a transaction begins with.

Its driver is kept from opening transactions of its own: it would begin them late, as readers, and
lose updates from several processes.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from webapp.config import Settings

BUSY = 5
"""For how many seconds one waits for another's lock."""

_PASSING = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
"""Errors that a second try may not meet."""


def open_engine(settings: Settings) -> sa.Engine:
    """Make the pool of connections to the file that the settings name."""
    engine = sa.create_engine(settings.url, connect_args={"isolation_level": None, "timeout": BUSY})
    synchronous = settings.synchronous

    @sa.event.listens_for(engine, "connect")
    def configure(connection: sqlite3.Connection, _record: Any) -> None:
        connection.execute(f"PRAGMA synchronous={synchronous}")
        connection.execute(f"PRAGMA busy_timeout={BUSY * 1000}")

    return engine


def begin(connection: sa.Connection, _about: tuple[str, ...], _patient: bool) -> None:
    """Begin a write transaction; there is one at a time, whatever it is about."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def in_use(error: sa.exc.DBAPIError) -> bool:
    """Tell whether a statement failed only because others were using the file at that moment."""
    return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in _PASSING


def file_of(settings: Settings) -> Path:
    """Return the file that the games are kept in."""
    return Path(sa.make_url(settings.url).database or "")
