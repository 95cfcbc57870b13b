"""What seems idle is marked, and deleted only if it still seems so after a day of running.

The time of day alone is not trusted: a clock that runs ahead would delete everything at once, and
it could not be restored. Functions take a connection.
"""

from collections.abc import Iterable
from typing import Literal

import sqlalchemy as sa

from webapp.store.schema import games, idle, players, running

Kind = Literal["player", "game"]

RUNNING = "running"
"""The subject of a transaction that counts for how long servers have run."""

_BEFORE: sa.BindParameter[int] = sa.bindparam("before")
_KIND: sa.BindParameter[str] = sa.bindparam("kind")
_SEEMS: dict[Kind, sa.Select[tuple[str]]] = {
    "player": sa.select(players.c.id).where(players.c.seen_at < _BEFORE),
    "game": sa.select(games.c.id).where(games.c.outcome == "", games.c.updated_at < _BEFORE),
}
_MARKED = sa.select(idle.c.id).where(idle.c.kind == _KIND)


def ran(connection: sa.Connection) -> int:
    """Return for how many seconds servers have run with this database, in all."""
    return connection.scalar(sa.select(running.c.seconds)) or 0


def count(connection: sa.Connection, more: int) -> None:
    """Add seconds for which a server has run; in a transaction about :data:`RUNNING`."""
    counted = sa.update(running).values(seconds=running.c.seconds + more)
    if connection.execute(counted).rowcount == 0:
        connection.execute(sa.insert(running), {"id": 1, "seconds": more})


def seeming(connection: sa.Connection, kind: Kind, before: int) -> list[str]:
    """Return what seems idle since then, in seconds since 1970, and is not marked."""
    new = _SEEMS[kind].except_(_MARKED)
    return list(connection.scalars(new, {"before": before, "kind": kind}))


def mark(connection: sa.Connection, kind: Kind, some: Iterable[str], now: int) -> None:
    """Mark what seems idle, in a transaction about :data:`RUNNING`.

    :param now: for how many seconds servers have run
    """
    if rows := [{"kind": kind, "id": one, "marked_at": now} for one in some]:
        connection.execute(sa.insert(idle), rows)


def lift(connection: sa.Connection, kind: Kind, before: int) -> None:
    """Remove the marks of what no longer seems idle, or is gone."""
    gone = sa.delete(idle).where(idle.c.kind == _KIND, idle.c.id.not_in(_SEEMS[kind]))
    connection.execute(gone, {"before": before, "kind": kind})


def due(connection: sa.Connection, kind: Kind, since: int) -> list[str]:
    """Return what was marked when servers had run for at most so many seconds."""
    found = _MARKED.where(idle.c.marked_at <= since)
    return list(connection.scalars(found, {"kind": kind}))
