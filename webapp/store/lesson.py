"""What the teacher has chosen for the class, and the journal of it. Functions take a connection."""

import sqlalchemy as sa

from webapp.classroom import Act, Entry, Lesson, Wall
from webapp.store import topics
from webapp.store.schema import journal, lesson

ABOUT = "lesson"
"""The subject of a transaction that changes any of it."""

KEPT_FOR = 7 * 24 * 60 * 60
"""For how many seconds a line of the journal is kept."""

_ONE = 1
_READ = sa.select(lesson)
_LAST = sa.select(journal.c.at, journal.c.act, journal.c.name, journal.c.new).order_by(
    journal.c.id.desc()
)
_PAUSED_AT = sa.select(lesson.c.paused_at).where(lesson.c.id == _ONE)
PAUSED_AT = _PAUSED_AT.scalar_subquery()
"""A part of other statements: since when the games are paused."""


def read(connection: sa.Connection) -> Lesson:
    """Return what the teacher has chosen."""
    row = connection.execute(_READ).mappings().first()
    if row is None:
        return Lesson()
    wall = Wall(**{name: row[f"wall_{name}"] for name in Wall._fields})
    return Lesson(row["names_locked"], row["paused_at"], wall)


def paused_at(connection: sa.Connection) -> int | None:
    """Return since when the games are paused, in seconds since 1970, if they are."""
    found: int | None = connection.scalar(_PAUSED_AT)
    return found


def save(connection: sa.Connection, chosen: Lesson) -> None:
    """Store what the teacher has chosen, in a transaction; it is news."""
    row = {f"wall_{name}": value for name, value in chosen.wall._asdict().items()}
    row |= {"names_locked": chosen.names_locked, "paused_at": chosen.paused_at}
    connection.execute(sa.delete(lesson))
    connection.execute(sa.insert(lesson), {"id": _ONE, **row})
    topics.note(connection, topics.CLASS, topics.WALL)


def note(connection: sa.Connection, entry: Entry, player: str | None = None) -> None:
    """Write a line of the journal, in a transaction.

    :param player: whom it is about, if they may have their name deleted from it
    """
    row = entry._asdict() | {"act": entry.act.value, "player": player}
    connection.execute(sa.insert(journal), row)


def tidy(connection: sa.Connection, now: int) -> None:
    """Delete the lines of the journal that are older than :data:`KEPT_FOR`."""
    connection.execute(sa.delete(journal).where(journal.c.at < now - KEPT_FOR))


def forget(connection: sa.Connection, player: str) -> None:
    """Delete a player's names from the journal, in a transaction; its lines stay."""
    about = sa.update(journal).where(journal.c.player == player)
    connection.execute(about.values(player=None, name=None, new=None))


def last(connection: sa.Connection, most: int) -> list[Entry]:
    """Return the last lines of the journal, the newest first."""
    rows = connection.execute(_LAST.limit(most))
    return [Entry(at=row.at, act=Act(row.act), name=row.name, new=row.new) for row in rows]
