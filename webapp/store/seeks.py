"""The players who look for an opponent, or ask one for a game. Functions take a connection."""

from collections.abc import Mapping
from typing import NamedTuple

import sqlalchemy as sa

from webapp.store import topics
from webapp.store.schema import declines, seeks

ABOUT = "seeks"
"""The subject of a transaction that begins a seek or ends one in a game."""

BUSY_S = 5 * 60
"""For how many seconds after a decline a player cannot ask the same one again."""

_ALL = sa.select(seeks).order_by(seeks.c.since, seeks.c.player)
_INSERT = sa.insert(seeks)
_OF = seeks.c.player.in_(sa.bindparam("players", expanding=True))
_ASKED = sa.select(seeks.c.player, seeks.c.asked).where(_OF)
_DELETE = sa.delete(seeks).where(_OF)
_DECLINES = sa.select(declines.c.asked, declines.c.declined_at).where(
    declines.c.player == sa.bindparam("one"),
    # A clock that was set back keeps no one busy for longer.
    declines.c.declined_at.between(sa.bindparam("now") - BUSY_S, sa.bindparam("now")),
)
_OLD = sa.delete(declines).where(declines.c.declined_at < sa.bindparam("now") - BUSY_S)
_SAME = sa.delete(declines).where(
    declines.c.player == sa.bindparam("one"), declines.c.asked == sa.bindparam("other")
)


class Seek(NamedTuple):
    """A player who looks for an opponent, and since when, in seconds since 1970.

    :param asked: the only one whom the player wants to play; ``None`` for anyone
    """

    player: str
    since: int
    asked: str | None = None


def waiting(connection: sa.Connection) -> list[Seek]:
    """Return all who look for an opponent, those who wait for longest first."""
    return [Seek(*row) for row in connection.execute(_ALL)]


def begin(connection: sa.Connection, seek: Seek) -> None:
    """Let a player look who does not yet, in a transaction about :data:`ABOUT`."""
    connection.execute(_INSERT, seek._asdict())
    # No one else may see who is asked.
    topics.note(connection, topics.calls(seek.asked) if seek.asked else topics.CLASS)


def end(connection: sa.Connection, *players: str) -> bool:
    """Let players look for no one any more, in a transaction; return whether any did."""
    found = connection.execute(_ASKED, {"players": players}).all()
    if not found or not connection.execute(_DELETE, {"players": players}).rowcount:
        return False
    for player, asked in found:
        topics.note(connection, topics.calls(asked) if asked else topics.CLASS, topics.seek(player))
    return True


def decline(connection: sa.Connection, player: str, asked: str, now: int) -> None:
    """Note that the one asked has declined, in a transaction about :data:`ABOUT`."""
    connection.execute(_OLD, {"now": now})
    connection.execute(_SAME, {"one": player, "other": asked})
    connection.execute(sa.insert(declines), {"player": player, "asked": asked, "declined_at": now})


def declined(connection: sa.Connection, player: str, now: int) -> Mapping[str, int]:
    """Return who has declined to play with a player lately, and when, in seconds since 1970."""
    rows = connection.execute(_DECLINES, {"one": player, "now": now})
    return {row.asked: row.declined_at for row in rows}


def forget(connection: sa.Connection, player: str) -> None:
    """Delete what is known of a player, in a transaction."""
    end(connection, player)
    about = sa.or_(declines.c.player == player, declines.c.asked == player)
    connection.execute(sa.delete(declines).where(about))
