"""Questions to the class, and what was answered. Functions take a connection."""

import secrets
from collections.abc import Collection, Iterable, Iterator

import sqlalchemy as sa

from webapp.core.board import Mark
from webapp.polls import SEEN_S, Answer, Life, Poll, Round
from webapp.store import topics
from webapp.store.schema import findable
from webapp.store.sql import insertion, sql

ABOUT = "polls"
"""The subject of every transaction that changes a poll or a round, or takes an answer."""

KEPT_FOR = 90 * 24 * 60 * 60
"""For how many seconds a poll is kept."""

_GOING = sql("""
    SELECT * FROM polls WHERE life IN ('open', 'closed', 'revealed') ORDER BY number
""")
_FIND = sql("SELECT * FROM polls WHERE id = :id")
_OF_ROUND = sql("SELECT * FROM polls WHERE round = :id ORDER BY number")
_LAST = sql("SELECT max(number) FROM polls")
_INSERT = insertion("polls", Poll._fields)
_UPDATE = sql("""
    UPDATE polls SET life = :life, since = :since, counts_until = :counts_until WHERE id = :id
""")

_FIND_ROUND = sql("SELECT * FROM rounds WHERE id = :id")
_ENDED = sql("""
    SELECT rounds.id, max(polls.since) AS ended_at FROM rounds JOIN polls ON polls.round = rounds.id
    WHERE rounds.over AND rounds.engine IS NULL
    GROUP BY rounds.id HAVING max(polls.since) >= :since ORDER BY ended_at
""")
_INSERT_ROUND = insertion("rounds", Round._fields)
_END_ROUND = sql("UPDATE rounds SET over = :over WHERE id = :id")

_COUNTED = sql("""
    SELECT answers.poll, answers.player, answers.cell FROM answers
    JOIN polls ON polls.id = answers.poll LEFT JOIN players ON players.id = answers.player
    WHERE answers.poll IN :polls
        AND (polls.counts_until IS NULL OR players.created_at <= polls.counts_until)
""")
_OWN = sql("SELECT poll, cell FROM answers WHERE player = :player AND poll IN :polls")
_PLAYERS = sql("""
    SELECT count(*) FROM players
    WHERE (name IS NOT NULL AND seen_at >= :seen_since OR id IN :present) AND id NOT IN :teachers
        AND id NOT IN (SELECT player FROM tickets WHERE waits)
        AND created_at <= coalesce(:counts_until, created_at)
""")
_PUT = insertion("answers", Answer._fields, key=("poll", "player"))
_FORGET = sql("DELETE FROM answers WHERE player = :player")
_TAKE_BACK = (
    sql(
        "DELETE FROM answers WHERE poll IN (SELECT id FROM polls WHERE id = :id OR round = :round)"
    ),
    sql("DELETE FROM polls WHERE id = :id OR round = :round"),
    sql("DELETE FROM rounds WHERE id = :round"),
)
_TIDY = (
    sql("DELETE FROM answers WHERE poll IN (SELECT id FROM polls WHERE since < :oldest)"),
    sql("DELETE FROM polls WHERE since < :oldest"),
    sql("DELETE FROM rounds WHERE id NOT IN (SELECT round FROM polls WHERE round IS NOT NULL)"),
)


def new_id() -> str:
    """Return the id of a poll or a round to come."""
    return secrets.token_urlsafe(16)


def going(connection: sa.Connection) -> Poll | None:
    """Return the poll that the class is to look at, if there is one."""
    return next(_polls(connection, _GOING), None)


def find(connection: sa.Connection, id_: str) -> Poll | None:
    """Return the poll of this id, if there is one."""
    return next(_polls(connection, _FIND, id_), None) if findable(id_) else None


def of_round(connection: sa.Connection, id_: str) -> list[Poll]:
    """Return the polls of a round in their order."""
    return list(_polls(connection, _OF_ROUND, id_))


def _polls(connection: sa.Connection, statement: sa.TextClause, id_: str = "") -> Iterator[Poll]:
    for row in connection.execute(statement, {"id": id_}):
        yield Poll(**{**row._mapping, "life": Life(row.life)})


def insert(connection: sa.Connection, new: Iterable[Poll]) -> None:
    """Store new polls, numbered in their order, in a transaction."""
    last = connection.scalar(_LAST) or 0
    for number, poll in enumerate(new, last + 1):
        connection.execute(_INSERT, _row(poll._replace(number=number)))
    topics.note(connection, topics.POLLS)


def save(connection: sa.Connection, changed: Poll) -> None:
    """Store what has become of a poll, in a transaction."""
    connection.execute(_UPDATE, _row(changed))
    topics.note(connection, topics.POLLS)


def take_back(connection: sa.Connection, poll: Poll) -> None:
    """Delete a poll with its round and all answers, in a transaction."""
    for statement in _TAKE_BACK:
        connection.execute(statement, {"id": poll.id, "round": poll.round})
    topics.note(connection, topics.POLLS)


def _row(poll: Poll) -> dict[str, object]:
    return poll._asdict() | {"life": poll.life.value}


# --- rounds -------------------------------------------------------------------------------------


def find_round(connection: sa.Connection, id_: str) -> Round | None:
    """Return the round of this id, if there is one."""
    row = connection.execute(_FIND_ROUND, {"id": id_}).one_or_none() if findable(id_) else None
    if row is None:
        return None
    mark = Mark(row.mark.upper()) if row.mark else None
    return Round(**{**row._mapping, "mark": mark, "over": bool(row.over)})


def ended(connection: sa.Connection, since: int) -> list[tuple[str, int]]:
    """Return the ids of quizzes that have ended since then, and when they did, in their order."""
    return [(row.id, row.ended_at) for row in connection.execute(_ENDED, {"since": since})]


def insert_round(connection: sa.Connection, new: Round) -> None:
    """Store a new round, in a transaction."""
    connection.execute(_INSERT_ROUND, new._asdict() | {"mark": new.mark and new.mark.slug})


def end_round(connection: sa.Connection, id_: str) -> None:
    """Store that a round is over, in a transaction."""
    connection.execute(_END_ROUND, {"id": id_, "over": True})
    topics.note(connection, topics.POLLS)


# --- answers ------------------------------------------------------------------------------------


def answered(connection: sa.Connection, ids: Iterable[str]) -> list[Answer]:
    """Return what was answered to polls, as far as it counts."""
    return [Answer(*row) for row in connection.execute(_COUNTED, {"polls": sorted(ids)})]


def own(connection: sa.Connection, ids: Iterable[str], player: str) -> dict[str, int]:
    """Return which cells a player has answered to polls, whether it counts or not."""
    rows = connection.execute(_OWN, {"polls": sorted(ids), "player": player})
    return {row.poll: row.cell for row in rows}


def number(
    connection: sa.Connection,
    poll: Poll,
    here: Collection[str],
    teachers: Collection[str],
    given: Collection[Answer],
) -> int:
    """Return how many players count.

    Players count who are here, have answered, or were seen not long ago, as a locked phone was.
    """
    values = {
        "seen_since": poll.since - SEEN_S,
        "present": [*here, *(answer.player for answer in given)],
        "teachers": [*teachers],
        "counts_until": poll.counts_until,
    }
    return int(connection.execute(_PLAYERS, values).scalar_one())


def put(connection: sa.Connection, answer: Answer) -> None:
    """Store an answer in the place of an earlier one, in a transaction."""
    connection.execute(_PUT, answer._asdict())
    topics.note(connection, topics.ANSWERS)


def forget(connection: sa.Connection, player: str) -> None:
    """Delete what a player has answered, in a transaction."""
    connection.execute(_FORGET, {"player": player})
    topics.note(connection, topics.ANSWERS)


def tidy(connection: sa.Connection, now: int) -> None:
    """Delete polls older than :data:`KEPT_FOR`, with their rounds and answers."""
    for delete in _TIDY:
        connection.execute(delete, {"oldest": now - KEPT_FOR})
