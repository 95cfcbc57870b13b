"""The teacher's sessions. Functions take a connection; moments are seconds since 1970."""

import sqlalchemy as sa

from webapp.store import topics
from webapp.store.sql import insertion, sql

ABOUT = "hosts"  # the lock of a transaction that changes any of it

_BEGAN_AT = sql("SELECT began_at FROM hosts WHERE id = :id")
_TIDY = sql("DELETE FROM hosts WHERE began_at NOT BETWEEN :oldest AND :now")
_INSERT = insertion("hosts", ("id", "began_at"))
_DELETE = sql("DELETE FROM hosts WHERE id = :id")


def begin(connection: sa.Connection, session: str, now: int, oldest: int) -> None:
    """Store a session, in a transaction, and delete those that began outside of these moments."""
    connection.execute(_TIDY, {"oldest": oldest, "now": now})
    connection.execute(_INSERT, {"id": session, "began_at": now})


def began_at(connection: sa.Connection, session: str) -> int | None:
    """When a session began; ``None`` if there is none."""
    moment: int | None = connection.scalar(_BEGAN_AT, {"id": session})
    return moment


def end(connection: sa.Connection, session: str) -> None:
    topics.note(connection, topics.DESK)
    connection.execute(_DELETE, {"id": session})
