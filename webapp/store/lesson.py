"""What the host has chosen for the class, and the journal of it. Functions take a connection."""

from typing import NamedTuple

import sqlalchemy as sa

from webapp.store.schema import journal, lesson

ABOUT = "lesson"
"""The subject of a transaction that changes any of it."""

_ONE = 1
_READ = sa.select(lesson.c.names_locked)
_LAST = sa.select(journal.c.at, journal.c.what).order_by(journal.c.id.desc())


class Lesson(NamedTuple):
    """What the host has chosen.

    :param names_locked: whether players keep the names that they have
    """

    names_locked: bool = False


class Line(NamedTuple):
    """What a host has done, and when, in seconds since 1970."""

    at: int
    what: str


def read(connection: sa.Connection) -> Lesson:
    """Return what the host has chosen."""
    row = connection.execute(_READ).first()
    return Lesson(*row) if row else Lesson()


def save(connection: sa.Connection, chosen: Lesson) -> None:
    """Store what the host has chosen, in a transaction."""
    connection.execute(sa.delete(lesson))
    connection.execute(sa.insert(lesson), {"id": _ONE, **chosen._asdict()})


def note(connection: sa.Connection, at: int, what: str) -> None:
    """Write a line of the journal, in a transaction."""
    connection.execute(sa.insert(journal), {"at": at, "what": what})


def last(connection: sa.Connection, most: int) -> list[Line]:
    """Return the last lines of the journal, the newest first."""
    return [Line(*row) for row in connection.execute(_LAST.limit(most))]
