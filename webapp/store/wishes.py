"""The players who want to play: anyone, a player they ask, or a classmate with their code.

Functions take a connection.
"""

from collections.abc import Mapping
from typing import NamedTuple

import sqlalchemy as sa

from webapp.store import topics
from webapp.store.schema import findable
from webapp.store.sql import insertion, sql

ABOUT = "wishes"
"""The subject of a transaction that begins a wish, or ends one in a game."""

BUSY_S = 5 * 60
"""For how many seconds after a decline a player cannot ask the same one again."""


class Wish(NamedTuple):
    """A player who wants to play, and since when, in seconds since 1970.

    :param asked: the only player to play
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


_WAITING = sql("SELECT * FROM wishes ORDER BY since, player")
_OF_PLAYER = sql("SELECT * FROM wishes WHERE player = :key")
_BY_CODE = sql("SELECT * FROM wishes WHERE code = :key")
_FOR_GAME = sql("SELECT * FROM wishes WHERE game = :key")
_INSERT = insertion("wishes", Wish._fields)
_OF_PLAYERS = sql("SELECT player, asked FROM wishes WHERE player IN :players")
_END = sql("DELETE FROM wishes WHERE player IN :players")
# A clock that was set back keeps no one busy for longer.
_DECLINED = sql("""
    SELECT asked, declined_at FROM declines
    WHERE player = :player AND declined_at BETWEEN :since AND :now
""")
_TIDY_DECLINES = sql("DELETE FROM declines WHERE declined_at < :since")
_DECLINE = insertion("declines", ("player", "asked", "declined_at"), key=("player", "asked"))
_FORGET = sql("DELETE FROM declines WHERE player = :player OR asked = :player")


def waiting(connection: sa.Connection) -> list[Wish]:
    """Return all wishes, the oldest first."""
    return [Wish(**row._mapping) for row in connection.execute(_WAITING)]


def of(connection: sa.Connection, player: str) -> Wish | None:
    """Return the wish of a player, if there is one."""
    return _find(connection, _OF_PLAYER, player)


def by_code(connection: sa.Connection, code: str) -> Wish | None:
    """Return the wish with a code, if there is one."""
    return _find(connection, _BY_CODE, code)


def for_game(connection: sa.Connection, id_: str) -> Wish | None:
    """Return the wish for a game to come, if there is one."""
    return _find(connection, _FOR_GAME, id_)


def _find(connection: sa.Connection, statement: sa.TextClause, key: str) -> Wish | None:
    row = connection.execute(statement, {"key": key}).one_or_none() if findable(key) else None
    return Wish(**row._mapping) if row else None


def begin(connection: sa.Connection, wish: Wish) -> None:
    """Store the wish of a player who has none, in a transaction about :data:`ABOUT`.

    :raises sqlalchemy.exc.IntegrityError: if another one has its code
    """
    connection.execute(_INSERT, wish._asdict())
    _note(connection, wish.player, wish.asked)


def end(connection: sa.Connection, *players: str) -> bool:
    """End the wishes of players, in a transaction; return whether there were any."""
    wishes = connection.execute(_OF_PLAYERS, {"players": players}).all()
    if not wishes or not connection.execute(_END, {"players": players}).rowcount:
        return False
    for player, asked in wishes:
        _note(connection, player, asked)
    return True


def decline(connection: sa.Connection, player: str, asked: str, now: int) -> None:
    """Note that the one asked has declined, in a transaction about :data:`ABOUT`."""
    connection.execute(_TIDY_DECLINES, {"since": now - BUSY_S})
    connection.execute(_DECLINE, {"player": player, "asked": asked, "declined_at": now})


def declined(connection: sa.Connection, player: str, now: int) -> Mapping[str, int]:
    """Return who has declined to play with a player lately, and when, in seconds since 1970."""
    values = {"player": player, "since": now - BUSY_S, "now": now}
    rows = connection.execute(_DECLINED, values)
    return {row.asked: row.declined_at for row in rows}


def forget(connection: sa.Connection, player: str) -> None:
    """Delete what is known of a player, in a transaction."""
    end(connection, player)
    connection.execute(_FORGET, {"player": player})


def _note(connection: sa.Connection, player: str, asked: str | None) -> None:
    """Note whose pages a wish changes: no one else may see who is asked."""
    topics.note(connection, topics.calls(player), topics.calls(asked) if asked else topics.CLASS)
