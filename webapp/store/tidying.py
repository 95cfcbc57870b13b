"""When a server last deleted idle data. Functions take a connection."""

import sqlalchemy as sa

from webapp.store.sql import insertion, sql

ABOUT = "tidying"  # the lock of a transaction that reads and writes it

_LOOKED_AT = sql("SELECT looked_at FROM tidying")
_NOTE = insertion("tidying", ("id", "looked_at"), key=("id",))


def looked_at(connection: sa.Connection) -> int:
    """The time of the last look, in seconds since 1970; 0 if there was none."""
    return connection.scalar(_LOOKED_AT) or 0


def note(connection: sa.Connection, now: int) -> None:
    connection.execute(_NOTE, {"id": 1, "looked_at": now})
