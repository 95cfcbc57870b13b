"""Records: what each player did against each opponent. Functions take a connection."""

from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import Any

import sqlalchemy as sa

from webapp.core.game import Result, Score
from webapp.core.record import Record
from webapp.store import topics
from webapp.store.schema import players, records

RANKED = 250
"""Among how many players ratings are computed: those who have begun a game last."""

_COLUMNS = [field.name for field in fields(Record)]
_OF = sa.select(records).where(records.c.player == sa.bindparam("player"))
_ONE = _OF.where(records.c.opponent == sa.bindparam("opponent"))
_PUT = sa.text(
    f"INSERT INTO records ({', '.join(_COLUMNS)}) VALUES (:{', :'.join(_COLUMNS)}) "  # noqa: S608
    "ON CONFLICT (player, opponent) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in _COLUMNS[2:])
)
_LAST_SEEN = (
    sa.select(players.c.id)
    .order_by(players.c.seen_at.desc(), players.c.id)
    .limit(sa.bindparam("ranked"))
)
_RESULTS = sa.select(
    records.c.player,
    records.c.opponent,
    records.c.person,
    records.c.recent,
    records.c.won + records.c.drawn + records.c.lost,
).where(
    records.c.recent > "",
    records.c.player.in_(_LAST_SEEN),
    sa.or_(sa.not_(records.c.person), records.c.opponent.in_(_LAST_SEEN)),
)
_RESET = sa.update(records).values(
    recent="",
    **dict.fromkeys(("won", "drawn", "lost", "run"), 0),
    earlier=sa.case(
        (records.c.won > 0, "w"),
        (sa.and_(records.c.drawn > 0, records.c.earlier == ""), "d"),
        else_=records.c.earlier,
    ),
)


def record_result(
    connection: sa.Connection, player: str, opponent: str, result: Result, *, person: bool = False
) -> None:
    """Count a finished game of a player.

    To be called in a transaction about the game's players, and for these in the order of their ids.

    :param person: whether the opponent is a player
    """
    before = against(connection, player, opponent) or Record(player, opponent, person=person)
    connection.execute(_PUT, asdict(before.after(result)))
    topics.note(connection, topics.CLASS, topics.RESULTS)


def against(connection: sa.Connection, player: str, opponent: str) -> Record | None:
    """Return a player's record against one opponent, if there is one."""
    row = connection.execute(_ONE, {"player": player, "opponent": opponent}).one_or_none()
    return Record(**row._mapping) if row else None


def score(connection: sa.Connection, player: str, opponent: str) -> Score:
    """Return a player's score against one opponent."""
    known = against(connection, player, opponent)
    return Score(known.won, known.drawn, known.lost) if known else Score()


def of(connection: sa.Connection, player: str) -> list[Record]:
    """Return the records of one player."""
    return [Record(**row._mapping) for row in connection.execute(_OF, {"player": player})]


def results(connection: sa.Connection) -> Iterable[Any]:
    """Return all that the ratings follow from, as :func:`webapp.analysis.ratings.table` has it."""
    return connection.execute(_RESULTS, {"ranked": RANKED})


def reset(connection: sa.Connection) -> None:
    """Forget all results, in a transaction; the best one against each opponent and runs stay."""
    if connection.dialect.name == "postgresql":
        # Games that end meanwhile wait for it before they read, or it for them.
        connection.exec_driver_sql("LOCK TABLE records IN ACCESS EXCLUSIVE MODE")
    connection.execute(_RESET)
    topics.note(connection, topics.CLASS, topics.RESULTS)
