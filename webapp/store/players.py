"""Reading and writing players. Every function takes an open connection."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import sqlalchemy as sa

from webapp.store.schema import players


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a player last chose, for the next game; the defaults are a newcomer's.

    :param opponent: slug of an engine, or ``friend``
    :param mark: ``"x"``, ``"o"`` or ``"alternate"``
    :param last_mark: the mark of the player's last game with an engine, ``"x"`` or ``"o"``
    """

    opponent: str = "medium"
    mark: str = "x"
    last_mark: str | None = None


_BY_ID = sa.select(players.c.opponent, players.c.mark, players.c.last_mark).where(
    players.c.id == sa.bindparam("player")
)
_UPDATE = (
    sa.update(players)
    .where(players.c.id == sa.bindparam("player"))
    .values(
        opponent=sa.bindparam("opponent"),
        mark=sa.bindparam("mark"),
        last_mark=sa.bindparam("last_mark"),
    )
)
_INSERT = sa.insert(players)


def preferences(connection: sa.Connection, player: str) -> Preferences:
    """Return what the player last chose; the defaults for one who is not known yet."""
    row = connection.execute(_BY_ID, {"player": player}).one_or_none()
    return Preferences(row.opponent, row.mark, row.last_mark) if row else Preferences()


def save(connection: sa.Connection, player: str, preferred: Preferences, now: int) -> None:
    """Store what the player chose, and the player where not known yet.

    To be called inside a write transaction: it looks first and inserts after.
    """
    values = asdict(preferred)
    if connection.execute(_UPDATE, {"player": player, **values}).rowcount == 0:
        connection.execute(_INSERT, {"id": player, **values, "created_at": now})
