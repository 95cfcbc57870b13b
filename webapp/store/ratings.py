"""The table that ranks the players: who is due, what was computed, and who stands where.

A player is due as soon as a result changes what their rating follows from: the row then gets a
number that no row has had, and one transaction that writes a rating names the number from which it
was computed. Functions take a connection.
"""

import json
import secrets
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import sqlalchemy as sa

from webapp.store import topics
from webapp.store.schema import ranking, ratings, records

ABOUT = "ranking"
"""The subject of a transaction of the worker that ranks."""

FREE = 0
"""The holder where no worker ranks."""


class Rated(NamedTuple):
    """A player's row.

    :param rating: in points, not rounded
    :param shown: the rating in whole points; ``None`` where the player has no place yet
    :param games: how many games the player has finished
    :param met: with how many people
    :param changed: drawn at the last change
    """

    player: str
    rating: float
    shown: int | None
    games: int
    met: int
    changed: int


Result: TypeAlias = tuple[str, str, int]
"""What a player did against one opponent: which one, the last results, and how many there were."""

_COLUMNS = [ratings.c[name] for name in Rated._fields]
_PLAYER: sa.BindParameter[str] = sa.bindparam("player")
# Written out, since an index of some rows is found by what the statement says only.
_IS_DUE = sa.text("computed <> changed")
_ANY_DUE = sa.select(sa.literal(1)).select_from(ratings).where(_IS_DUE).limit(1)
_DUE = sa.select(*_COLUMNS).where(_IS_DUE).order_by(ratings.c.player)
_RESULTS = sa.select(
    records.c.opponent, records.c.recent, records.c.won + records.c.drawn + records.c.lost
).where(records.c.player == _PLAYER)
_AMONG = sa.select(*_COLUMNS).where(ratings.c.player.in_(sa.bindparam("players", expanding=True)))
_BEST = (
    sa.select(*_COLUMNS)
    .where(ratings.c.shown.is_not(None))
    .order_by(ratings.c.shown.desc(), ratings.c.games.desc(), ratings.c.player)
    .limit(sa.bindparam("most"))
)
_WAITING = (
    sa.select(*_COLUMNS)
    .where(ratings.c.shown.is_(None), ratings.c.games > 0)
    .order_by(ratings.c.games.desc(), ratings.c.player)
    .limit(sa.bindparam("most"))
)
_OF = sa.select(*_COLUMNS).where(ratings.c.player == _PLAYER)
_BEFORE = sa.select(sa.func.count()).where(ratings.c.shown > sa.bindparam("shown"))

_MARK = sa.text(
    "INSERT INTO ratings (player, rating, games, met, changed, computed) "
    "VALUES (:player, 1000, 0, 0, :changed, 0) "
    "ON CONFLICT (player) DO UPDATE SET changed = excluded.changed"
)
_MET = sa.select(records.c.opponent).where(records.c.player == _PLAYER)
_MARK_MET = (
    sa.update(ratings)
    .where(ratings.c.player.in_(sa.bindparam("players", expanding=True)))
    .values(changed=sa.bindparam("number"))
)
_NEW = {
    "sqlite": "SELECT key AS player, json_extract(value, '$[0]') AS rating, "
    "json_extract(value, '$[1]') AS shown, json_extract(value, '$[2]') AS games, "
    "json_extract(value, '$[3]') AS met, json_extract(value, '$[4]') AS changed "
    "FROM json_each(:rows)",
    "postgresql": "SELECT key AS player, CAST(value->>0 AS double precision) AS rating, "
    "CAST(value->>1 AS integer) AS shown, CAST(value->>2 AS integer) AS games, "
    "CAST(value->>3 AS integer) AS met, CAST(value->>4 AS bigint) AS changed "
    "FROM json_each(CAST(:rows AS json))",
}
_PUT = {
    dialect: sa.text(
        "UPDATE ratings SET rating = new.rating, shown = new.shown, games = new.games, "  # noqa: S608
        f"met = new.met, computed = new.changed FROM ({new}) AS new "
        "WHERE ratings.player = new.player AND ratings.changed = new.changed"
    )
    for dialect, new in _NEW.items()
}
_LOCK = sa.text(
    "SELECT player FROM ratings WHERE player IN "
    "(SELECT json_array_elements_text(CAST(:players AS json))) ORDER BY player FOR UPDATE"
)
_HOLDER = sa.select(ranking.c.holder)
_HOLD = sa.text(
    "INSERT INTO ranking (id, holder) VALUES (1, :mine) "
    "ON CONFLICT (id) DO UPDATE SET holder = :mine WHERE ranking.holder = :before"
)


def number() -> int:
    """Return a number that was never drawn before, for all that is likely."""
    return 1 + secrets.randbits(53)


# --- who is due ---------------------------------------------------------------------------------


def mark(connection: sa.Connection, player: str) -> None:
    """Note that a result of a player has changed; in a transaction, by the order of the ids."""
    connection.execute(_MARK, {"player": player, "changed": number()})


def forget(connection: sa.Connection, player: str) -> None:
    """Delete a player's row, and mark all whom they have met, before their records go."""
    # The records first, as where results are counted, and before the rows are held.
    met = connection.scalars(_MET, {"player": player}).all()
    _lock(connection, {player, *met})
    connection.execute(_MARK_MET, {"players": met, "number": number()})
    connection.execute(sa.delete(ratings).where(ratings.c.player == player))


def any_due(connection: sa.Connection) -> bool:
    """Tell whether anyone is due."""
    return connection.scalar(_ANY_DUE) is not None


def due(connection: sa.Connection) -> list[Rated]:
    """Return the rows that are due."""
    return [Rated._make(row) for row in connection.execute(_DUE)]


def results(connection: sa.Connection, player: str) -> list[Result]:
    """Return what a player did against each opponent."""
    rows = connection.execute(_RESULTS, {"player": player}).all()
    return [(opponent, recent, games) for opponent, recent, games in rows]


def among(connection: sa.Connection, some: Sequence[str]) -> list[Rated]:
    """Return the rows of those of these opponents who are players."""
    return [Rated._make(row) for row in connection.execute(_AMONG, {"players": some})]


# --- the worker that ranks ----------------------------------------------------------------------


def holder(connection: sa.Connection) -> int:
    """Return the number that the worker which ranks has drawn last."""
    return connection.scalar(_HOLDER) or FREE


def hold(connection: sa.Connection, before: int, mine: int) -> bool:
    """Take the place of the worker that ranks, keep it, or leave it.

    :param before: who must have it until now
    :return: whether that was so
    """
    return connection.execute(_HOLD, {"mine": mine, "before": before}).rowcount == 1


def put(connection: sa.Connection, some: Iterable[Rated]) -> None:
    """Write what was computed, except of players of whom a result has changed meanwhile."""
    by_player = {row.player: row[1:] for row in some}
    _lock(connection, by_player)
    rows = json.dumps(by_player, separators=(",", ":"))
    connection.execute(_PUT[connection.dialect.name], {"rows": rows})


def _lock(connection: sa.Connection, players: Iterable[str]) -> None:
    """Hold rows in the order of their ids, as all do: else two could wait for each other."""
    if connection.dialect.name == "postgresql":
        connection.execute(_LOCK, {"players": json.dumps(list(players))})


# --- who stands where ---------------------------------------------------------------------------


def best(connection: sa.Connection, most: int) -> list[Rated]:
    """Return the players with the best places."""
    return [Rated._make(row) for row in connection.execute(_BEST, {"most": most})]


def waiting(connection: sa.Connection, most: int) -> list[Rated]:
    """Return players without a place, those with the most games first."""
    return [Rated._make(row) for row in connection.execute(_WAITING, {"most": most})]


def of(connection: sa.Connection, player: str) -> Rated | None:
    """Return a player's row, if there is one."""
    row = connection.execute(_OF, {"player": player}).one_or_none()
    return Rated._make(row) if row else None


def place(connection: sa.Connection, shown: int) -> int:
    """Return the place of a rating: one more than the number of those that are better."""
    return 1 + (connection.scalar(_BEFORE, {"shown": shown}) or 0)


def reset(connection: sa.Connection) -> None:
    """Forget all records and ratings, in a transaction; games and scores stay."""
    if connection.dialect.name == "postgresql":
        # Games that end meanwhile wait for it before they read, or it for them.
        connection.exec_driver_sql("LOCK TABLE records, ratings IN ACCESS EXCLUSIVE MODE")
    connection.execute(sa.delete(records))
    connection.execute(sa.delete(ratings))
    topics.note(connection, topics.CLASS)
