"""The players who want to play: anyone, a player they ask, or a classmate with their code.

Functions take a connection.
"""

from collections.abc import Mapping
from typing import NamedTuple

import sqlalchemy as sa

from webapp.store import topics
from webapp.store.schema import findable
from webapp.store.sql import insertion, sql

ABOUT = "wishes"  # the lock of a transaction that begins a wish, or ends one with a game
BUSY_S = 5 * 60  # seconds until a player can ask again after a decline


class Wish(NamedTuple):
    """A player who wants to play, since a moment in seconds since 1970.

    :param asked: the only acceptable opponent
    :param code: what a classmate types to join
    :param mark: the player's own in the game with that code, ``"x"`` or ``"o"``
    :param game: the id of that game
    """

    player: str
    since: int
    asked: str | None = None
    code: str | None = None
    mark: str | None = None
    game: str | None = None

    @property
    def for_anyone(self) -> bool:
        return not (self.asked or self.code)


_WAITING = sql("SELECT * FROM wishes ORDER BY since, player")
_OF_PLAYER = sql("SELECT * FROM wishes WHERE player = :key")
_BY_CODE = sql("SELECT * FROM wishes WHERE code = :key")
_FOR_GAME = sql("SELECT * FROM wishes WHERE game = :key")
_INSERT = insertion("wishes", Wish._fields)
_OF_PLAYERS = sql("SELECT player, asked FROM wishes WHERE player IN :players")
_END = sql("DELETE FROM wishes WHERE player IN :players")
# After the clock is set back, no one stays busy for longer.
_DECLINED = sql("""
    SELECT asked, declined_at FROM declines
    WHERE player = :player AND declined_at BETWEEN :since AND :now
""")
_TIDY_DECLINES = sql("DELETE FROM declines WHERE declined_at < :since")
_DECLINE = insertion("declines", ("player", "asked", "declined_at"), key=("player", "asked"))
_FORGET = sql("DELETE FROM declines WHERE player = :player OR asked = :player")


def waiting(connection: sa.Connection) -> list[Wish]:
    return [Wish(**row._mapping) for row in connection.execute(_WAITING)]


def of(connection: sa.Connection, player: str) -> Wish | None:
    return _find(connection, _OF_PLAYER, player)


def by_code(connection: sa.Connection, code: str) -> Wish | None:
    return _find(connection, _BY_CODE, code)


def for_game(connection: sa.Connection, id_: str) -> Wish | None:
    return _find(connection, _FOR_GAME, id_)


def _find(connection: sa.Connection, statement: sa.TextClause, key: str) -> Wish | None:
    row = connection.execute(statement, {"key": key}).one_or_none() if findable(key) else None
    return Wish(**row._mapping) if row else None


def begin(connection: sa.Connection, wish: Wish) -> None:
    """Store the wish of a player without one; ``IntegrityError`` if another wish has the code."""
    connection.execute(_INSERT, wish._asdict())
    _note(connection, wish.player, wish.asked)


def end(connection: sa.Connection, *players: str) -> bool:
    """End players' wishes, in a transaction; return whether there were any."""
    wishes = connection.execute(_OF_PLAYERS, {"players": players}).all()
    if not wishes or not connection.execute(_END, {"players": players}).rowcount:
        return False
    for player, asked in wishes:
        _note(connection, player, asked)
    return True


def decline(connection: sa.Connection, player: str, asked: str, now: int) -> None:
    """Note that ``asked`` has declined, in a transaction about :data:`ABOUT`."""
    connection.execute(_TIDY_DECLINES, {"since": now - BUSY_S})
    connection.execute(_DECLINE, {"player": player, "asked": asked, "declined_at": now})


def declined(connection: sa.Connection, player: str, now: int) -> Mapping[str, int]:
    """Return the players who declined lately, with the moments in seconds since 1970."""
    values = {"player": player, "since": now - BUSY_S, "now": now}
    rows = connection.execute(_DECLINED, values)
    return {row.asked: row.declined_at for row in rows}


def forget(connection: sa.Connection, player: str) -> None:
    end(connection, player)
    connection.execute(_FORGET, {"player": player})


def _note(connection: sa.Connection, player: str, asked: str | None) -> None:
    """Note the pages that a wish changes: only the two players may see who is asked."""
    topics.note(connection, topics.calls(player), topics.calls(asked) if asked else topics.CLASS)
