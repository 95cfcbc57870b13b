"""The players who look for an opponent. Functions take a connection."""

from typing import NamedTuple

import sqlalchemy as sa

from webapp.store import topics
from webapp.store.schema import seeks

ABOUT = "seeks"
"""The subject of a transaction that begins a seek or ends one in a game."""

_ALL = sa.select(seeks).order_by(seeks.c.since, seeks.c.player)
_INSERT = sa.insert(seeks)
_DELETE = sa.delete(seeks).where(seeks.c.player == sa.bindparam("one"))


class Seek(NamedTuple):
    """A player who looks for an opponent, and since when, in seconds since 1970."""

    player: str
    since: int


def waiting(connection: sa.Connection) -> list[Seek]:
    """Return all who look for an opponent, those who wait for longest first."""
    return [Seek(*row) for row in connection.execute(_ALL)]


def begin(connection: sa.Connection, seek: Seek) -> None:
    """Let a player look who does not yet, in a transaction about :data:`ABOUT`."""
    connection.execute(_INSERT, seek._asdict())
    topics.note(connection, topics.CLASS)


def end(connection: sa.Connection, player: str) -> bool:
    """Let a player look for no one any more, in a transaction; return whether they did."""
    if not connection.execute(_DELETE, {"one": player}).rowcount:
        return False
    topics.note(connection, topics.CLASS, topics.seek(player))
    return True
