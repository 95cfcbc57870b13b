"""Questions to the class, and what was answered. Functions take a connection."""

import secrets
from collections.abc import Iterable, Iterator, Sequence

import sqlalchemy as sa

from webapp.core.board import Mark
from webapp.polls import Answer, Form, Life, Poll, Round
from webapp.store import topics
from webapp.store.schema import answers, findable, polls, rounds

ABOUT = "polls"
"""The subject of every transaction that changes a poll or a round, or takes an answer."""

KEPT_FOR = 90 * 24 * 60 * 60
"""For how many seconds a poll is kept."""

_POLLS = sa.select(*(polls.c[name] for name in Poll._fields)).order_by(polls.c.number)
_ONE = _POLLS.where(polls.c.id == sa.bindparam("id"))
_ALIVE = (Life.OPEN.value, Life.CLOSED.value, Life.REVEALED.value)
_GOING = _POLLS.outerjoin(rounds, rounds.c.id == polls.c.round).where(
    polls.c.life.in_(_ALIVE),
    sa.or_(rounds.c.form.is_(None), rounds.c.form != Form.HOME.value),
)
_OF_ROUND = _POLLS.where(polls.c.round == sa.bindparam("round"))
_ROUND = sa.select(rounds).where(rounds.c.id == sa.bindparam("id"))
_ANSWERS = sa.select(answers).where(answers.c.poll.in_(sa.bindparam("polls", expanding=True)))


def new_id() -> str:
    """Return the id of a poll or a round to come."""
    return secrets.token_urlsafe(16)


def going(connection: sa.Connection) -> Poll | None:
    """Return the poll that the class is to look at, if there is one."""
    return next(_polls(connection, _GOING), None)


def find(connection: sa.Connection, id_: str) -> Poll | None:
    """Return the poll of this id, if there is one."""
    return next(_polls(connection, _ONE, id=id_), None) if findable(id_) else None


def of_round(connection: sa.Connection, id_: str) -> list[Poll]:
    """Return the polls of a round in their order."""
    return list(_polls(connection, _OF_ROUND, round=id_))


def _polls(connection: sa.Connection, statement: sa.Executable, **values: object) -> Iterator[Poll]:
    for row in connection.execute(statement, values):
        found = Poll(*row)
        yield found._replace(life=Life(found.life))


def insert(connection: sa.Connection, made: Sequence[Poll]) -> None:
    """Store new polls, numbered in their order, in a transaction."""
    last = connection.scalar(sa.select(sa.func.max(polls.c.number))) or 0
    for number, poll in enumerate(made, last + 1):
        connection.execute(sa.insert(polls), _row(poll) | {"number": number})
    _note(connection)


def save(connection: sa.Connection, changed: Poll) -> None:
    """Store what has become of a poll, in a transaction; it is news."""
    row = {"life": changed.life.value, "since": changed.since}
    connection.execute(sa.update(polls).where(polls.c.id == changed.id).values(row))
    _note(connection)


def _row(poll: Poll) -> dict[str, object]:
    return poll._asdict() | {"life": poll.life.value}


def _note(connection: sa.Connection) -> None:
    topics.note(connection, topics.POLLS)


# --- rounds -------------------------------------------------------------------------------------


def find_round(connection: sa.Connection, id_: str) -> Round | None:
    """Return the round of this id, if there is one."""
    row = connection.execute(_ROUND, {"id": id_}).one_or_none() if findable(id_) else None
    if row is None:
        return None
    mark = Mark(row.mark.upper()) if row.mark else None
    return Round(row.id, Form(row.form), row.seconds, row.engine, mark, row.over)


def homework(connection: sa.Connection) -> list[str]:
    """Return the ids of quizzes that are open to answer at home."""
    open_ = rounds.c.form == Form.HOME.value, ~rounds.c.over
    return list(connection.scalars(sa.select(rounds.c.id).where(*open_).order_by(rounds.c.id)))


def insert_round(connection: sa.Connection, made: Round) -> None:
    """Store a new round, in a transaction."""
    row = made._asdict() | {"form": made.form.value, "mark": made.mark and made.mark.slug}
    connection.execute(sa.insert(rounds), row)


def end_round(connection: sa.Connection, id_: str) -> None:
    """Store that a round is over, in a transaction; it is news."""
    connection.execute(sa.update(rounds).where(rounds.c.id == id_).values(over=True))
    _note(connection)


# --- answers ------------------------------------------------------------------------------------


def answered(connection: sa.Connection, ids: Iterable[str]) -> list[Answer]:
    """Return what was answered to polls."""
    return [Answer(*row) for row in connection.execute(_ANSWERS, {"polls": sorted(ids)})]


def put(connection: sa.Connection, answer: Answer) -> None:
    """Store an answer in the place of an earlier one, in a transaction; the teacher hears of it."""
    here = answers.c.poll == answer.poll, answers.c.player == answer.player
    if not connection.execute(sa.update(answers).where(*here).values(cell=answer.cell)).rowcount:
        connection.execute(sa.insert(answers), answer._asdict())
    topics.note(connection, topics.ANSWERS)


def forget(connection: sa.Connection, player: str) -> None:
    """Delete what a player has answered, in a transaction."""
    connection.execute(sa.delete(answers).where(answers.c.player == player))
    topics.note(connection, topics.ANSWERS)


def tidy(connection: sa.Connection, now: int) -> None:
    """Delete polls older than :data:`KEPT_FOR`, with their rounds and answers."""
    old = sa.select(polls.c.id).where(polls.c.since < now - KEPT_FOR)
    connection.execute(sa.delete(answers).where(answers.c.poll.in_(old)))
    connection.execute(sa.delete(polls).where(polls.c.since < now - KEPT_FOR))
    left = sa.select(polls.c.round).where(polls.c.round.is_not(None))
    connection.execute(sa.delete(rounds).where(rounds.c.id.not_in(left)))
