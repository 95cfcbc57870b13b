"""The players who want to play: anyone, one whom they ask, or the one who has their code.

Functions take a connection.
"""

from collections.abc import Mapping
from typing import NamedTuple

import sqlalchemy as sa

from webapp.store import topics
from webapp.store.schema import declines, findable, wishes

ABOUT = "wishes"
"""The subject of a transaction that begins a wish, or ends one in a game."""

BUSY_S = 5 * 60
"""For how many seconds after a decline a player cannot ask the same one again."""

_ALL = sa.select(wishes).order_by(wishes.c.since, wishes.c.player)
_END = (
    sa.delete(wishes)
    .where(wishes.c.player.in_(sa.bindparam("players", expanding=True)))
    .returning(wishes.c.player, wishes.c.asked)
)
_DECLINES = sa.select(declines.c.asked, declines.c.declined_at).where(
    declines.c.player == sa.bindparam("one"),
    # A clock that was set back keeps no one busy for longer.
    declines.c.declined_at.between(sa.bindparam("now") - BUSY_S, sa.bindparam("now")),
)
_OLD = sa.delete(declines).where(declines.c.declined_at < sa.bindparam("now") - BUSY_S)
_SAME = sa.delete(declines).where(
    declines.c.player == sa.bindparam("one"), declines.c.asked == sa.bindparam("other")
)


class Wish(NamedTuple):
    """A player who wants to play, and since when, in seconds since 1970.

    :param asked: the only one whom the player wants to play
    :param code: what a classmate types to join
    :param mark: the player's own in the game by that code, ``"x"`` or ``"o"``
    :param game: the id that this game will have
    """

    player: str
    since: int
    asked: str | None = None
    code: str | None = None
    mark: str | None = None
    game: str | None = None

    @property
    def for_anyone(self) -> bool:
        """Whether the player looks for any opponent."""
        return not (self.asked or self.code)


def waiting(connection: sa.Connection) -> list[Wish]:
    """Return all wishes, the oldest first."""
    return [Wish(*row) for row in connection.execute(_ALL)]


def find(connection: sa.Connection, **of: str) -> Wish | None:
    """Return the wish of a ``player``, with a ``code`` or for a ``game`` to come."""
    if not all(map(findable, of.values())):
        return None
    row = connection.execute(_ALL.filter_by(**of)).one_or_none()
    return Wish(*row) if row else None


def begin(connection: sa.Connection, wish: Wish) -> None:
    """Store the wish of a player who has none, in a transaction about :data:`ABOUT`.

    :raises sqlalchemy.exc.IntegrityError: if another one has its code
    """
    connection.execute(sa.insert(wishes), wish._asdict())
    _note(connection, wish.player, wish.asked)


def end(connection: sa.Connection, *players: str) -> bool:
    """End the wishes of players, in a transaction; return whether there were any."""
    ended = connection.execute(_END, {"players": players}).all()
    for player, asked in ended:
        _note(connection, player, asked)
    return bool(ended)


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


def _note(connection: sa.Connection, player: str, asked: str | None) -> None:
    """Note whose pages a wish changes: no one else may see who is asked."""
    topics.note(connection, topics.calls(player), topics.calls(asked) if asked else topics.CLASS)
