"""Records and scores: what each player did against each opponent. Functions take a connection."""

from dataclasses import astuple, fields

import sqlalchemy as sa

from webapp.core.game import Result, Score
from webapp.core.record import Record
from webapp.store import ratings
from webapp.store.schema import records, scores

_COLUMNS = [field.name for field in fields(Record)]
_OF = sa.select(records).where(records.c.player == sa.bindparam("player"))
_ONE = _OF.where(records.c.opponent == sa.bindparam("opponent"))
_SCORE = sa.select(scores.c.won, scores.c.drawn, scores.c.lost).where(
    scores.c.player == sa.bindparam("player"), scores.c.opponent == sa.bindparam("opponent")
)


def _upsert(table: str, changing: list[str], change: str) -> sa.TextClause:
    """Write a row of a player and an opponent; both databases spell it alike."""
    names = ["player", "opponent", *changing]
    return sa.text(
        f"INSERT INTO {table} ({', '.join(names)}) VALUES (:{', :'.join(names)}) "  # noqa: S608
        f"ON CONFLICT (player, opponent) DO UPDATE SET "
        + ", ".join(change.format(name=name, table=table) for name in changing)
    )


_PUT = _upsert("records", _COLUMNS[2:], "{name} = excluded.{name}")
_COUNT = _upsert(
    "scores", [column.name for column in scores.c][2:], "{name} = {table}.{name} + excluded.{name}"
)


def record_result(connection: sa.Connection, player: str, opponent: str, result: Result) -> None:
    """Count a finished game of a player, who is then due to be ranked.

    To be called in a transaction about the game's players, and for these in the order of their ids.
    """
    row = connection.execute(_ONE, {"player": player, "opponent": opponent}).one_or_none()
    before = Record(*row) if row else Record(player, opponent)
    after = dict(zip(_COLUMNS, astuple(before.after(result)), strict=True))
    connection.execute(_PUT, after)
    counted = {"won": result == "w", "drawn": result == "d", "lost": result == "l"}
    numbers = {name: int(value) for name, value in counted.items()}
    connection.execute(_COUNT, {"player": player, "opponent": opponent, **numbers})
    ratings.mark(connection, player)


def score(connection: sa.Connection, player: str, opponent: str) -> Score:
    """Return a player's score against one opponent."""
    row = connection.execute(_SCORE, {"player": player, "opponent": opponent}).one_or_none()
    return Score(*row) if row else Score()


def of(connection: sa.Connection, player: str) -> list[Record]:
    """Return the records of one player."""
    return [Record(*row) for row in connection.execute(_OF, {"player": player})]
