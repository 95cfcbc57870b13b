"""The teacher's choices for the class. Functions take a connection."""

import sqlalchemy as sa

from webapp.classroom import Lesson, Wall
from webapp.store import topics
from webapp.store.sql import insertion, sql

ABOUT = "lesson"  # the lock of a transaction that changes any of it

# Beside what the wall shows.
_CHOSEN = ("names_locked", "paused_at", "asked_at", "address", "who_at", "places", "plan")
_READ = sql("SELECT * FROM lesson")
_SAVE = insertion(
    "lesson", ("id", *_CHOSEN, *(f"wall_{name}" for name in Wall._fields)), key=("id",)
)


def read(connection: sa.Connection) -> Lesson:
    row = connection.execute(_READ).first()
    if row is None:
        return Lesson()
    wall = Wall(**{name: getattr(row, f"wall_{name}") for name in Wall._fields})
    return Lesson(
        names_locked=bool(row.names_locked),
        wall=wall._replace(values=bool(wall.values)),
        paused_at=row.paused_at,
        asked_at=row.asked_at,
        address=row.address,
        who_at=row.who_at,
        places=row.places,
        plan=row.plan,
    )


def paused(connection: sa.Connection) -> str:
    """Say why no one can move; empty if they can."""
    return read(connection).paused


def save(connection: sa.Connection, chosen: Lesson) -> None:
    """Store the choices, in a transaction."""
    row = {f"wall_{name}": value for name, value in chosen.wall._asdict().items()}
    row |= {name: getattr(chosen, name) for name in _CHOSEN}
    connection.execute(_SAVE, {"id": 1, **row})
    topics.note(connection, topics.CLASS, topics.WALL)
