"""PostgreSQL: how it is opened, and how transactions about the same thing come one by one.

Many processes on many machines share it. Statements stand for themselves, as they do with SQLite,
unless a transaction is begun.
"""

from __future__ import annotations

import hashlib
from contextlib import AbstractContextManager, nullcontext

import sqlalchemy as sa

from webapp.config import Settings

_PATIENCE = 5
"""For how many seconds one waits: for a connection, for another's lock, and for an answer."""

_POOL, _MORE = 4, 4
"""Connections that a worker keeps, and opens besides for as long as it needs them."""


def open_engine(settings: Settings) -> sa.Engine:
    """Make the pool of connections to the server that the settings name.

    :raises ModuleNotFoundError: if the extra ``postgres`` is not installed
    """
    return sa.create_engine(
        settings.url,
        isolation_level="AUTOCOMMIT",
        pool_size=_POOL,
        max_overflow=_MORE,
        pool_timeout=_PATIENCE,
        # A server that was restarted is noticed before a statement is lost on a dead connection.
        pool_pre_ping=True,
        connect_args={
            "connect_timeout": _PATIENCE,
            "application_name": "tictactoe",
            "options": (
                f"-c statement_timeout={_PATIENCE}s -c lock_timeout={_PATIENCE}s "
                f"-c idle_in_transaction_session_timeout={2 * _PATIENCE}s"
            ),
            # A peer that has vanished without a word is given up after as long.
            "keepalives_idle": _PATIENCE,
            "keepalives_interval": 1,
            "keepalives_count": _PATIENCE,
            "tcp_user_timeout": _PATIENCE * 1000,
        },
    )


class Turn:
    """Nobody waits for a turn: PostgreSQL knows itself who is about the same thing."""

    def take(self) -> AbstractContextManager[None]:
        """Go on at once."""
        return nullcontext()


def begin(connection: sa.Connection, about: tuple[str, ...], patient: bool) -> None:
    """Begin a write transaction, and hold the locks of what it is about until its end.

    They are taken in one order by all, so that no two wait for each other, and in one message.
    """
    locks = (f"SELECT pg_advisory_xact_lock({key})" for key in sorted(map(_key, set(about))))
    start = ("BEGIN", "SET LOCAL statement_timeout = 0") if patient else ("BEGIN",)
    connection.exec_driver_sql("; ".join((*start, *locks)))


def _key(about: str) -> int:
    """A lock's number, 64 bits with a sign; two things with the same one wait for each other."""
    return int.from_bytes(hashlib.sha256(about.encode()).digest()[:8], "big", signed=True)
