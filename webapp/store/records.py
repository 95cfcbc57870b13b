"""Records: what each player did against each opponent. Functions take a connection."""

from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import Any

import sqlalchemy as sa

from webapp.core.game import Result, Score
from webapp.core.record import Record
from webapp.store import topics
from webapp.store.sql import insertion, sql

RANKED = 250  # players with ratings: those who began a game last

_OF = sql("SELECT * FROM records WHERE player = :player")
_AGAINST = sql("SELECT * FROM records WHERE player = :player AND opponent = :opponent")
_PUT = insertion("records", [field.name for field in fields(Record)], key=("player", "opponent"))
_RESULTS = sql("""
    WITH ranked AS (SELECT id FROM players ORDER BY seen_at DESC, id LIMIT :ranked)
    SELECT player, opponent, person, recent, won + drawn + lost FROM records
    WHERE recent > '' AND player IN (SELECT id FROM ranked)
        AND (NOT person OR opponent IN (SELECT id FROM ranked))
""")
_RESET = sql("""
    UPDATE records SET recent = '', won = 0, drawn = 0, lost = 0, run = 0, earlier = CASE
        WHEN won > 0 THEN 'w' WHEN drawn > 0 AND earlier = '' THEN 'd' ELSE earlier END
""")


def record_result(
    connection: sa.Connection, player: str, opponent: str, result: Result, *, person: bool = False
) -> None:
    """Count a finished game of a player.

    Call it in a transaction about both players, and for the players in the order of their ids.

    :param person: whether the opponent is a player
    """
    before = against(connection, player, opponent) or Record(player, opponent, person=person)
    connection.execute(_PUT, asdict(before.after(result)))
    topics.note(connection, topics.CLASS, topics.RESULTS)


def against(connection: sa.Connection, player: str, opponent: str) -> Record | None:
    row = connection.execute(_AGAINST, {"player": player, "opponent": opponent}).one_or_none()
    return _record(row) if row else None


def score(connection: sa.Connection, player: str, opponent: str) -> Score:
    known = against(connection, player, opponent)
    return Score(known.won, known.drawn, known.lost) if known else Score()


def of(connection: sa.Connection, player: str) -> list[Record]:
    return [_record(row) for row in connection.execute(_OF, {"player": player})]


def _record(row: sa.Row[Any]) -> Record:
    return Record(**{**row._mapping, "person": bool(row.person)})


def results(connection: sa.Connection) -> Iterable[Any]:
    """Return the rows for :func:`webapp.analysis.ratings.table`."""
    return connection.execute(_RESULTS, {"ranked": RANKED})


def reset(connection: sa.Connection) -> None:
    """Forget all results, in a transaction, except the best against each opponent and best runs."""
    if connection.dialect.name == "postgresql":
        # A game that ends meanwhile reads its record before or after this.
        connection.exec_driver_sql("LOCK TABLE records IN ACCESS EXCLUSIVE MODE")
    connection.execute(_RESET)
    topics.note(connection, topics.CLASS, topics.RESULTS)
