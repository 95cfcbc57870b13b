"""Who is signed in as the teacher. Functions take a connection; moments are seconds since 1970."""

import sqlalchemy as sa

from webapp.store import topics
from webapp.store.schema import hosts

ABOUT = "hosts"
"""The subject of a transaction that changes any of it."""

_BEGAN = sa.select(hosts.c.began_at).where(hosts.c.id == sa.bindparam("id"))


def begin(connection: sa.Connection, session: str, now: int, oldest: int) -> None:
    """Keep a session, in a transaction; those that did not begin between the moments are gone."""
    connection.execute(sa.delete(hosts).where(~hosts.c.began_at.between(oldest, now)))
    connection.execute(sa.insert(hosts), {"id": session, "began_at": now})


def began_at(connection: sa.Connection, session: str) -> int | None:
    """Return when a session began; ``None`` if there is none."""
    found: int | None = connection.scalar(_BEGAN, {"id": session})
    return found


def end(connection: sa.Connection, session: str) -> None:
    """Delete a session."""
    topics.note(connection, topics.DESK)
    connection.execute(sa.delete(hosts).where(hosts.c.id == session))
