"""The games that MENACE has learnt from, and what came of them. Functions take a connection."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import sqlalchemy as sa

from webapp.core.game import digits, moves_of
from webapp.store import topics
from webapp.store.schema import menace


class Lesson(NamedTuple):
    """A game that MENACE has learnt from, or a row of games that trained it.

    :param number: from 1, in their order
    :param at: in seconds since 1970
    :param player: whose game it was; ``None`` in training, and where the player has left
    :param rival: the slug of the engine that it was trained against
    :param games: the moves of each
    :param life: what all up to this one came to, as :meth:`Life.stored` writes it, where it is kept
    """

    number: int
    at: int
    player: str | None
    rival: str | None
    games: tuple[tuple[int, ...], ...]
    life: str | None = None


def add(
    connection: sa.Connection,
    games: Iterable[tuple[int, ...]],
    now: int,
    *,
    player: str | None = None,
    rival: str | None = None,
) -> None:
    """Note games in a transaction; parameters as in :class:`Lesson`."""
    if connection.dialect.name == "postgresql":
        # Two that end at the same moment take one number after the other.
        connection.exec_driver_sql("LOCK TABLE menace IN SHARE ROW EXCLUSIVE MODE")
    last = connection.scalar(sa.select(sa.func.max(menace.c.number))) or 0
    lesson = Lesson(last + 1, now, player, rival, ())._asdict()
    written = lesson | {"games": " ".join(map(digits, games))}
    connection.execute(sa.insert(menace), written)
    topics.note(connection, topics.MENACE)


def after(connection: sa.Connection, number: int) -> Iterator[Lesson]:
    """Return the lessons after one of them; all after 0."""
    later = sa.select(menace).where(menace.c.number > number).order_by(menace.c.number)
    return map(_lesson, connection.execute(later).all())


def last(connection: sa.Connection, most: int) -> list[Lesson]:
    """Return the last games of people that it has learnt from, the newest first."""
    newest = sa.select(menace).where(menace.c.rival.is_(None)).order_by(menace.c.number.desc())
    return [*map(_lesson, connection.execute(newest.limit(most)))]


def keep(connection: sa.Connection, lesson: Lesson) -> None:
    """Store the life of a lesson in place of earlier ones, in a transaction, unless it is gone."""
    connection.execute(sa.update(menace).where(menace.c.life.is_not(None)).values(life=None))
    games = " ".join(map(digits, lesson.games))
    same = menace.c.number == lesson.number, menace.c.games == games
    connection.execute(sa.update(menace).where(*same).values(life=lesson.life))


def kept(connection: sa.Connection) -> Lesson | None:
    """Return the lesson whose life is stored."""
    newest = sa.select(menace).where(menace.c.life.is_not(None)).order_by(menace.c.number.desc())
    row = connection.execute(newest.limit(1)).first()
    return _lesson(row) if row else None


def clear(connection: sa.Connection) -> None:
    """Delete all lessons, and what came of them."""
    connection.execute(sa.delete(menace))
    topics.note(connection, topics.MENACE, topics.AFRESH)


def forget(connection: sa.Connection, player: str) -> None:
    """Delete a player from the lessons, which stay, in a transaction."""
    theirs = sa.update(menace).where(menace.c.player == player)
    if connection.execute(theirs.values(player=None)).rowcount:
        topics.note(connection, topics.MENACE)


def _lesson(row: sa.Row[Any]) -> Lesson:
    games = tuple(map(moves_of, row.games.split()))
    return Lesson(row.number, row.at, row.player, row.rival, games, row.life)
