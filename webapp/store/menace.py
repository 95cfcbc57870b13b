"""The games that MENACE has learnt from, in their order. Functions take a connection."""

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
    """

    number: int
    at: int
    player: str | None
    rival: str | None
    games: tuple[tuple[int, ...], ...]


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
    """Return the lessons after one of them; all of them after 0."""
    later = sa.select(menace).where(menace.c.number > number).order_by(menace.c.number)
    return map(_lesson, connection.execute(later))


def last(connection: sa.Connection, most: int) -> list[Lesson]:
    """Return the last games of people that it has learnt from, the newest first."""
    newest = sa.select(menace).where(menace.c.rival.is_(None)).order_by(menace.c.number.desc())
    return [*map(_lesson, connection.execute(newest.limit(most)))]


def take_back(connection: sa.Connection, player: str | None = None) -> int:
    """Delete the lessons of a player, or all; return how many there were."""
    gone = sa.delete(menace) if player is None else sa.delete(menace).where(_of(player))
    topics.note(connection, topics.MENACE, topics.UNLEARNT)
    return connection.execute(gone).rowcount


def forget(connection: sa.Connection, player: str) -> None:
    """Delete a player from the lessons, which stay, in a transaction."""
    if connection.execute(sa.update(menace).where(_of(player)).values(player=None)).rowcount:
        topics.note(connection, topics.MENACE)


def _of(player: str) -> sa.ColumnElement[bool]:
    return menace.c.player == player


def _lesson(row: sa.Row[Any]) -> Lesson:
    games = tuple(map(moves_of, row.games.split()))
    return Lesson(row.number, row.at, row.player, row.rival, games)
