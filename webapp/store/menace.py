"""The games that MENACE has learnt from, and what came of them. Functions take a connection."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import sqlalchemy as sa

from webapp.core.game import digits, moves_of
from webapp.store import topics
from webapp.store.sql import insertion, sql


class Lesson(NamedTuple):
    """A game that MENACE has learnt from, or a series of training games.

    :param number: from 1, in order
    :param at: in seconds since 1970
    :param player: whose game it was; ``None`` in training, and if the player has left
    :param rival: the slug of the engine that trained it
    :param games: the moves of each
    :param life: what MENACE came to by then, as :meth:`Life.stored` writes it, if kept
    """

    number: int
    at: int
    player: str | None
    rival: str | None
    games: tuple[tuple[int, ...], ...]
    life: str | None = None


_LAST = sql("SELECT max(number) FROM menace")
_INSERT = insertion("menace", Lesson._fields)
_AFTER = sql("SELECT * FROM menace WHERE number > :number ORDER BY number")
_OF_PEOPLE = sql("""
    SELECT * FROM menace WHERE rival IS NULL ORDER BY number DESC LIMIT :most
""")
_FORGET_LIFE = sql("UPDATE menace SET life = NULL WHERE life IS NOT NULL")
_KEEP_LIFE = sql("UPDATE menace SET life = :life WHERE number = :number AND games = :games")
_KEPT = sql("SELECT * FROM menace WHERE life IS NOT NULL ORDER BY number DESC LIMIT 1")
_CLEAR = sql("DELETE FROM menace")
_FORGET = sql("UPDATE menace SET player = NULL WHERE player = :player")


def add(
    connection: sa.Connection,
    games: Iterable[tuple[int, ...]],
    now: int,
    *,
    player: str | None = None,
    rival: str | None = None,
) -> None:
    """Store games in a transaction; parameters as in :class:`Lesson`."""
    if connection.dialect.name == "postgresql":
        # Games that end at the same moment get different numbers.
        connection.exec_driver_sql("LOCK TABLE menace IN SHARE ROW EXCLUSIVE MODE")
    number = 1 + (connection.scalar(_LAST) or 0)
    lesson = Lesson(number=number, at=now, player=player, rival=rival, games=tuple(games))
    connection.execute(_INSERT, _row(lesson))
    topics.note(connection, topics.MENACE)


def after(connection: sa.Connection, number: int) -> list[Lesson]:
    """Return the lessons after this number; 0 for all."""
    return [*map(_lesson, connection.execute(_AFTER, {"number": number}))]


def last(connection: sa.Connection, most: int) -> list[Lesson]:
    """Return the latest lessons from players' games, the newest first."""
    return [*map(_lesson, connection.execute(_OF_PEOPLE, {"most": most}))]


def keep(connection: sa.Connection, lesson: Lesson) -> None:
    """Store the life of a lesson instead of earlier ones, in a transaction, if it still exists."""
    connection.execute(_FORGET_LIFE)
    connection.execute(_KEEP_LIFE, _row(lesson))


def kept(connection: sa.Connection) -> Lesson | None:
    row = connection.execute(_KEPT).first()
    return _lesson(row) if row else None


def clear(connection: sa.Connection) -> None:
    connection.execute(_CLEAR)
    topics.note(connection, topics.MENACE, topics.AFRESH)


def forget(connection: sa.Connection, player: str) -> None:
    """Remove a player's id from the lessons, in a transaction."""
    if connection.execute(_FORGET, {"player": player}).rowcount:
        topics.note(connection, topics.MENACE)


def _row(lesson: Lesson) -> dict[str, object]:
    return lesson._asdict() | {"games": " ".join(map(digits, lesson.games))}


def _lesson(row: sa.Row[Any]) -> Lesson:
    return Lesson(**{**row._mapping, "games": tuple(map(moves_of, row.games.split()))})
