"""What the teacher has chosen for the class. Functions take a connection."""

import sqlalchemy as sa

from webapp.classroom import Lesson, Wall
from webapp.store import topics
from webapp.store.schema import lesson

ABOUT = "lesson"
"""The subject of a transaction that changes any of it."""

_ONE = 1
_CHOSEN = ("names_locked", "paused_at", "asked_at", "address")  # beside what the wall shows
_READ = sa.select(lesson)
_PAUSED_AT = sa.select(sa.func.coalesce(lesson.c.paused_at, lesson.c.asked_at)).where(
    lesson.c.id == _ONE
)
PAUSED_AT = _PAUSED_AT.scalar_subquery()
ASKED_AT = sa.select(lesson.c.asked_at).where(lesson.c.id == _ONE).scalar_subquery()
"""Parts of other statements: since when the games are paused, and since when for a question."""


def read(connection: sa.Connection) -> Lesson:
    """Return what the teacher has chosen."""
    row = connection.execute(_READ).mappings().first()
    if row is None:
        return Lesson()
    wall = Wall(**{name: row[f"wall_{name}"] for name in Wall._fields})
    return Lesson(wall=wall, **{name: row[name] for name in _CHOSEN})


def paused_at(connection: sa.Connection) -> int | None:
    """Return since when the games are paused, in seconds since 1970, if they are."""
    found: int | None = connection.scalar(_PAUSED_AT)
    return found


def paused(connection: sa.Connection) -> str:
    """Say why no one can move; empty while the games go on."""
    return read(connection).paused


def save(connection: sa.Connection, chosen: Lesson) -> None:
    """Store what the teacher has chosen, in a transaction; it is news."""
    row = {f"wall_{name}": value for name, value in chosen.wall._asdict().items()}
    row |= {name: getattr(chosen, name) for name in _CHOSEN}
    connection.execute(sa.delete(lesson))
    connection.execute(sa.insert(lesson), {"id": _ONE, **row})
    topics.note(connection, topics.CLASS, topics.WALL)
