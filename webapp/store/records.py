"""Records and scores: what each player did against each opponent. Functions take a connection."""

from collections.abc import Iterator
from dataclasses import astuple, fields

import sqlalchemy as sa

from webapp.core.game import Result, Score
from webapp.core.record import Record
from webapp.store import news
from webapp.store.schema import records, scores

_COLUMNS = [field.name for field in fields(Record)]
_OF = sa.select(records).where(records.c.player == sa.bindparam("player"))
_ONE = _OF.where(records.c.opponent == sa.bindparam("opponent"))
_SCORE = sa.select(scores.c.won, scores.c.drawn, scores.c.lost).where(
    scores.c.player == sa.bindparam("player"), scores.c.opponent == sa.bindparam("opponent")
)
_AT_A_TIME = 5_000
_NEXT = (
    sa.select(
        records.c.player,
        records.c.opponent,
        records.c.recent,
        records.c.won + records.c.drawn + records.c.lost,
    )
    .where(
        sa.tuple_(records.c.player, records.c.opponent)
        > sa.tuple_(sa.bindparam("player"), sa.bindparam("opponent"))
    )
    .order_by(records.c.player, records.c.opponent)
    .limit(_AT_A_TIME)
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
    """Count a finished game of a player; to be called in a transaction about its players."""
    row = connection.execute(_ONE, {"player": player, "opponent": opponent}).one_or_none()
    before = Record(*row) if row else Record(player, opponent)
    after = dict(zip(_COLUMNS, astuple(before.after(result)), strict=True))
    connection.execute(_PUT, after)
    counted = {"won": result == "w", "drawn": result == "d", "lost": result == "l"}
    numbers = {name: int(value) for name, value in counted.items()}
    connection.execute(_COUNT, {"player": player, "opponent": opponent, **numbers})


def score(connection: sa.Connection, player: str, opponent: str) -> Score:
    """Return a player's score against one opponent."""
    row = connection.execute(_SCORE, {"player": player, "opponent": opponent}).one_or_none()
    return Score(*row) if row else Score()


def of(connection: sa.Connection, player: str) -> list[Record]:
    """Return the records of one player."""
    return [Record(*row) for row in connection.execute(_OF, {"player": player})]


def everything(connection: sa.Connection) -> Iterator[tuple[str, str, str, int]]:
    """Go through what the standings need of all players: player, opponent, last results, games.

    A part at a time, as PostgreSQL's driver holds all that a statement finds.
    """
    # Each player is in many records, and the database writes the name out each time.
    known: dict[str, str] = {}
    player = opponent = ""
    while some := connection.execute(_NEXT, {"player": player, "opponent": opponent}).all():
        for player, opponent, recent, games in some:
            yield (
                known.setdefault(player, player),
                known.setdefault(opponent, opponent),
                known.setdefault(recent, recent),
                games,
            )


def reset(connection: sa.Connection) -> None:
    """Forget all records, in a transaction; games and scores stay."""
    if connection.dialect.name == "postgresql":
        # Games that end meanwhile wait for it before they read, or it for them.
        connection.exec_driver_sql("LOCK TABLE records IN ACCESS EXCLUSIVE MODE")
    connection.execute(sa.delete(records))
    news.note(connection)
