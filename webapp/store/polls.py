"""Questions to the class, and what was answered. Functions take a connection."""

import secrets
from collections.abc import Collection, Iterable, Iterator, Sequence

import sqlalchemy as sa

from webapp.core.board import Mark
from webapp.polls import SEEN_S, Answer, Life, Poll, Round
from webapp.store import topics
from webapp.store.schema import answers, findable, players, polls, rounds

ABOUT = "polls"
"""The subject of every transaction that changes a poll or a round, or takes an answer."""

KEPT_FOR = 90 * 24 * 60 * 60
"""For how many seconds a poll is kept."""

_POLLS = sa.select(*(polls.c[name] for name in Poll._fields)).order_by(polls.c.number)
_ONE = _POLLS.where(polls.c.id == sa.bindparam("id"))
_ALIVE = (Life.OPEN.value, Life.CLOSED.value, Life.REVEALED.value)
_GOING = _POLLS.where(polls.c.life.in_(_ALIVE))
_OF_ROUND = _POLLS.where(polls.c.round == sa.bindparam("round"))
_ROUND = sa.select(rounds).where(rounds.c.id == sa.bindparam("id"))
_GIVEN = sa.select(answers).where(answers.c.poll.in_(sa.bindparam("polls", expanding=True)))
_OWN = _GIVEN.where(answers.c.player == sa.bindparam("player"))
_COUNTED = (
    _GIVEN.join(polls, polls.c.id == answers.c.poll)
    .outerjoin(players, players.c.id == answers.c.player)
    .where(sa.or_(polls.c.counts_until.is_(None), players.c.created_at <= polls.c.counts_until))
)


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
    topics.note(connection, topics.POLLS)


def save(connection: sa.Connection, changed: Poll) -> None:
    """Store what has become of a poll, in a transaction; it is news."""
    row = {name: _row(changed)[name] for name in ("life", "since", "counts_until")}
    connection.execute(sa.update(polls).where(polls.c.id == changed.id).values(row))
    topics.note(connection, topics.POLLS)


def _row(poll: Poll) -> dict[str, object]:
    return poll._asdict() | {"life": poll.life.value}


# --- rounds -------------------------------------------------------------------------------------


def find_round(connection: sa.Connection, id_: str) -> Round | None:
    """Return the round of this id, if there is one."""
    row = connection.execute(_ROUND, {"id": id_}).one_or_none() if findable(id_) else None
    if row is None:
        return None
    mark = Mark(row.mark.upper()) if row.mark else None
    return Round(row.id, row.seconds, row.engine, mark, row.over)


def ended(connection: sa.Connection, since: int) -> list[tuple[str, int]]:
    """Return the ids of quizzes that have ended since then, and when they did, in their order."""
    at = sa.func.max(polls.c.since)
    found = sa.select(rounds.c.id, at).join(polls, polls.c.round == rounds.c.id)
    quizzes = rounds.c.over, rounds.c.engine.is_(None)
    statement = found.where(*quizzes).group_by(rounds.c.id).having(at >= since).order_by(at)
    return [(id_, int(ended_at)) for id_, ended_at in connection.execute(statement)]


def insert_round(connection: sa.Connection, made: Round) -> None:
    """Store a new round, in a transaction."""
    row = made._asdict() | {"mark": made.mark and made.mark.slug}
    connection.execute(sa.insert(rounds), row)


def end_round(connection: sa.Connection, id_: str) -> None:
    """Store that a round is over, in a transaction; it is news."""
    connection.execute(sa.update(rounds).where(rounds.c.id == id_).values(over=True))
    topics.note(connection, topics.POLLS)


# --- answers ------------------------------------------------------------------------------------


def answered(connection: sa.Connection, ids: Iterable[str]) -> list[Answer]:
    """Return what was answered to polls, as far as it counts."""
    return [Answer(*row) for row in connection.execute(_COUNTED, {"polls": sorted(ids)})]


def own(connection: sa.Connection, ids: Iterable[str], player: str) -> dict[str, int]:
    """Return which cells a player has answered to polls, whether it counts or not."""
    rows = connection.execute(_OWN, {"polls": sorted(ids), "player": player})
    return {row.poll: row.cell for row in rows}


def numbers(
    connection: sa.Connection,
    poll: Poll,
    here: Collection[str],
    teachers: Collection[str],
    given: Collection[Answer],
) -> tuple[int, int]:
    """Return how many players count, and how many answers do not.

    Players count who are here, have answered, or were seen not long ago, as a locked phone was.
    """
    seen = sa.and_(players.c.name.is_not(None), players.c.seen_at >= poll.since - SEEN_S)
    came = sa.or_(seen, players.c.id.in_({*here, *(one.player for one in given)}))
    came = sa.and_(came, players.c.id.not_in(teachers))
    if poll.counts_until is not None:
        came = sa.and_(came, players.c.created_at <= poll.counts_until)
    counted = connection.scalar(sa.select(sa.func.count()).select_from(players).where(came)) or 0
    of_it = sa.select(sa.func.count()).select_from(answers).where(answers.c.poll == poll.id)
    return counted, (connection.scalar(of_it) or 0) - len(given)


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
