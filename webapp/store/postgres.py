"""PostgreSQL: its connections, and locks that run transactions about the same thing one by one.

Outside of a transaction, each statement commits by itself, as with SQLite.
"""

import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from webapp.config import Settings
from webapp.store.topics import Change

if TYPE_CHECKING:
    import psycopg

_PATIENCE = 5  # seconds to wait for a connection, for another's lock, or for an answer
CHANNEL = "tictactoe"  # the channel on which processes tell each other what has changed
ME = secrets.token_urlsafe(6)  # this process's name there
_CHANGES_A_MESSAGE = 50  # keeps a message below 8,000 bytes
_POOL, _MORE = 8, 2  # connections that are kept, and those opened temporarily


def open_engine(settings: Settings) -> sa.Engine:
    """Create the connection pool for the settings.

    :raises ModuleNotFoundError: if the extra ``postgres`` is not installed
    :raises ValueError, sqlalchemy.exc.ArgumentError: if the address cannot be read
    """
    if "@" in (sa.make_url(settings.url).host or ""):
        raise ValueError  # the end of a password with an unescaped @
    return sa.create_engine(
        settings.url,
        isolation_level="AUTOCOMMIT",
        pool_size=_POOL,
        max_overflow=_MORE,
        pool_timeout=_PATIENCE,
        pool_pre_ping=True,  # a connection that the server has closed is replaced
        connect_args={
            "connect_timeout": _PATIENCE,
            "application_name": "tictactoe",
            "options": (
                f"-c statement_timeout={_PATIENCE}s -c lock_timeout={_PATIENCE}s "
                f"-c idle_in_transaction_session_timeout={2 * _PATIENCE}s"
            ),
            # Gives up a peer that has vanished silently.
            "keepalives_idle": _PATIENCE,
            "keepalives_interval": 1,
            "keepalives_count": _PATIENCE,
            "tcp_user_timeout": _PATIENCE * 1000,
        },
    )


class Channel:
    """Messages between the processes that share a database."""

    def __init__(self, engine: sa.Engine) -> None:
        self._connection = engine.connect()
        self._connection.detach()  # it does not return to the pool
        self._driver: psycopg.Connection = self._connection.connection.dbapi_connection  # type: ignore[assignment]

    def tell(self, messages: Iterable[Mapping[str, Any]]) -> None:
        """Send messages to all listeners, this process included."""
        # LISTEN again each time: a pooler in between may have given us another connection.
        statements = [f"LISTEN {CHANNEL}", *map(telling, messages)]
        self._connection.exec_driver_sql("; ".join(statements))

    def hear(self, for_s: float) -> Iterator[dict[str, Any]]:
        """Yield messages as they come, for so many seconds."""
        try:
            for told in self._driver.notifies(timeout=for_s):
                yield json.loads(told.payload)
        except self._connection.dialect.loaded_dbapi.Error as error:
            raise sa.exc.OperationalError("LISTEN", None, error) from error

    def close(self) -> None:
        self._connection.close()


def telling(message: Mapping[str, Any]) -> str:
    """Return the statement that sends a message, at the commit if in a transaction.

    Values are the program's own ids, digests and numbers, which need no escaping.
    """
    written = json.dumps({"from": ME, **message}, separators=(",", ":"))
    return f"SELECT pg_notify('{CHANNEL}', '{written}')"


def begin(connection: sa.Connection, about: tuple[str, ...], patient: bool) -> None:
    """Begin a write transaction with these locks, in one message.

    All transactions take locks in the same order, so that they cannot deadlock.
    """
    waits = ("statement_timeout", "lock_timeout") if patient else ()
    changed = [f"SET LOCAL {wait} = 0" for wait in waits]
    connection.exec_driver_sql("; ".join(("BEGIN", *changed, *_locks(about))))


def hold(connection: sa.Connection, about: tuple[str, ...]) -> None:
    connection.exec_driver_sql("; ".join(_locks(about)))


def tell(connection: sa.Connection, changed: Sequence[Change]) -> None:
    """Publish a transaction's changes and commit it in one message; without changes, do neither."""
    told = [
        telling({"changes": changed[at : at + _CHANGES_A_MESSAGE]})
        for at in range(0, len(changed), _CHANGES_A_MESSAGE)
    ]
    if told:
        connection.exec_driver_sql("; ".join((*told, "COMMIT")))


def _locks(about: tuple[str, ...]) -> list[str]:
    return [f"SELECT pg_advisory_xact_lock({key})" for key in sorted(map(_key, set(about)))]


def _key(about: str) -> int:
    """A lock's number: 64 signed bits; a collision only makes two transactions wait."""
    return int.from_bytes(hashlib.sha256(about.encode()).digest()[:8], "big", signed=True)
