"""When servers last looked for what has been idle for too long. Functions take a connection."""

import sqlalchemy as sa

from webapp.store.schema import tidying

ABOUT = "tidying"
"""The subject of a transaction that reads and writes it."""


def looked_at(connection: sa.Connection) -> int:
    """Return the time of the last look, in seconds since 1970; 0 if there was none."""
    return connection.scalar(sa.select(tidying.c.looked_at)) or 0


def note(connection: sa.Connection, now: int) -> None:
    """Note a look, in a transaction about :data:`ABOUT`."""
    connection.execute(sa.delete(tidying))
    connection.execute(sa.insert(tidying), {"id": 1, "looked_at": now})
