"""Who is signed in as the host, and which addresses have sent wrong keys.

Functions take a connection; moments are seconds since 1970.
"""

from typing import NamedTuple

import sqlalchemy as sa

from webapp.store.schema import hosts, tries

ABOUT = "hosts"
"""The subject of a transaction that changes any of it."""

_BEGAN = sa.select(hosts.c.began_at).where(hosts.c.id == sa.bindparam("id"))
_TRIES = sa.select(tries.c.since, tries.c.number).where(tries.c.line == sa.bindparam("line"))


class Tries(NamedTuple):
    """How many wrong keys have come, and since when."""

    since: int
    number: int


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
    connection.execute(sa.delete(hosts).where(hosts.c.id == session))


def tried(connection: sa.Connection, line: str) -> Tries | None:
    """Return how often a line has sent wrong keys, if it has."""
    row = connection.execute(_TRIES, {"line": line}).first()
    return Tries(*row) if row else None


def note(connection: sa.Connection, line: str, found: Tries, now: int, oldest: int) -> None:
    """Note how often it has, in a transaction; what did not begin between the moments is gone."""
    old = sa.or_(tries.c.line == line, ~tries.c.since.between(oldest, now))
    connection.execute(sa.delete(tries).where(old))
    connection.execute(sa.insert(tries), {"line": line, **found._asdict()})


def uncount(connection: sa.Connection, line: str) -> None:
    """Take back one try of a line, in a transaction: it was the key."""
    less = sa.update(tries).where(tries.c.line == line).values(number=tries.c.number - 1)
    connection.execute(less)
