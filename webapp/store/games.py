"""Reading and writing games. Every function takes an open connection."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from typing import Any

import sqlalchemy as sa

from webapp.core.board import Mark
from webapp.engines.base import Reason
from webapp.store.players import Preferences
from webapp.store.schema import games, players


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game as it is stored.

    :param x_seat: the player of X by SHA-256, ``None`` where an engine plays it
    :param o_seat: likewise of O; a friend game has the same player in both
    :param opponent: slug of the engine, or ``friend``
    :param version: counts every change; a change names the version that it was made from
    :param moves: the cells played, in order
    :param reasons: one a move; ``None`` for a person's
    :param hint: the cell suggested for the next move, and why
    :param helped: whether there was a hint or an undo, so that the game counts nowhere
    :param outcome: ``"x"``, ``"o"``, ``"draw"``, or ``""`` while the game goes on
    """

    id: str
    x_seat: str | None
    o_seat: str | None
    opponent: str
    version: int
    moves: tuple[int, ...] = ()
    reasons: tuple[Reason | None, ...] = ()
    hint: tuple[int, Reason] | None = None
    helped: bool = False
    outcome: str = ""
    next_id: str | None = None

    def marks_of(self, player: str) -> frozenset[Mark]:
        """The marks that this player moves: none for a watcher, both for two friends."""
        seats = {Mark.X: self.x_seat, Mark.O: self.o_seat}
        return frozenset(mark for mark, seat in seats.items() if seat == player)


@dataclass(frozen=True, slots=True)
class Score:
    """A player's finished games against one opponent, without those that had help."""

    won: int
    drawn: int
    lost: int


_RECORD = (
    games.c.id,
    games.c.x_seat,
    games.c.o_seat,
    games.c.opponent,
    games.c.moves,
    games.c.reasons,
    games.c.hint,
    games.c.helped,
    games.c.outcome,
    games.c.version,
    games.c.next_id,
)

# Statements stand here once, so that SQLAlchemy compiles each of them once.
_FOR_PLAYER = (
    sa.select(*_RECORD, players.c.opponent.label("preferred"), players.c.mark, players.c.last_mark)
    .select_from(games.outerjoin(players, players.c.id == sa.bindparam("player")))
    .where(games.c.id == sa.bindparam("id"))
)
_BY_START_KEY = sa.select(*_RECORD).where(games.c.start_key == sa.bindparam("start_key"))
_INSERT = sa.insert(games)
_SET_NEXT = (
    sa.update(games)
    .where(games.c.id == sa.bindparam("game"), games.c.next_id.is_(None))
    .values(next_id=sa.bindparam("following"))
)
_WAITING = sa.union_all(
    *(
        sa.select(games.c.id, games.c.opponent, games.c.created_at).where(
            seat == sa.bindparam("player"),
            games.c.outcome == "",
            games.c.moves != "",
            games.c.next_id.is_(None),
        )
        for seat in (games.c.x_seat, games.c.o_seat)
    )
).order_by(sa.desc("created_at"))
_SCORE = sa.union_all(
    *(
        sa.select(sa.literal(mark).label("mark"), games.c.outcome, sa.func.count())
        .where(
            seat == sa.bindparam("player"),
            # Finished. A list of outcomes would be expanded anew at each execution.
            games.c.outcome > "",
            games.c.opponent == sa.bindparam("opponent"),
            games.c.helped.is_(False),
        )
        .group_by(games.c.outcome)
        for mark, seat in (("x", games.c.x_seat), ("o", games.c.o_seat))
    )
)


def for_player(
    connection: sa.Connection, game_id: str, player: str
) -> tuple[GameRecord, Preferences] | None:
    """Return the game of this id, if there is one, and what this player chose for the next."""
    row = connection.execute(_FOR_PLAYER, {"id": game_id, "player": player}).one_or_none()
    if row is None:
        return None
    known = row.preferred is not None
    preferred = Preferences(row.preferred, row.mark, row.last_mark) if known else Preferences()
    return _record(row), preferred


def by_start_key(connection: sa.Connection, start_key: str) -> GameRecord | None:
    """Return the game that was started with this key, if there is one."""
    row = connection.execute(_BY_START_KEY, {"start_key": start_key}).one_or_none()
    return _record(row) if row else None


def insert(connection: sa.Connection, record: GameRecord, start_key: str | None, now: int) -> None:
    """Store a new game.

    :raises sqlalchemy.exc.IntegrityError: if a game was started with the same key
    """
    connection.execute(
        _INSERT,
        {
            "id": record.id,
            **_columns(record),
            "start_key": start_key,
            "next_id": record.next_id,
            "created_at": now,
            "updated_at": now,
        },
    )


def replace(connection: sa.Connection, before: GameRecord, after: GameRecord, now: int) -> bool:
    """Store a changed game if it still has the version that the change was made from.

    This one conditional statement decides every race: of a hundred moves at once, one is stored.

    :return: whether it had, and the change is stored
    """
    old, new = _columns(before), _columns(after)
    changed = {column: value for column, value in new.items() if value != old[column]}
    result = connection.execute(
        _update(frozenset(changed)),
        {**changed, "updated_at": now, "game": before.id, "from_version": before.version},
    )
    return result.rowcount == 1


@cache
def _update(columns: frozenset[str]) -> sa.Update:
    """Write these columns and no others: a column that is set costs the upkeep of its indexes."""
    return (
        sa.update(games)
        .where(games.c.id == sa.bindparam("game"), games.c.version == sa.bindparam("from_version"))
        .values({name: sa.bindparam(name) for name in sorted({*columns, "updated_at"})})
    )


def set_next(connection: sa.Connection, game_id: str, following: str) -> bool:
    """Note which game followed this one, unless one already has; return whether it did."""
    result = connection.execute(_SET_NEXT, {"game": game_id, "following": following})
    return result.rowcount == 1


def waiting(connection: sa.Connection, player: str) -> tuple[str, str] | None:
    """Return id and opponent of the player's newest unfinished game with a move in it.

    A game that another one followed does not wait: it was left on purpose.
    """
    row = connection.execute(_WAITING, {"player": player}).first()
    return (row.id, row.opponent) if row else None


def score(connection: sa.Connection, player: str, opponent: str) -> Score:
    """Count the player's finished games against this opponent that had no help."""
    counts = {"won": 0, "drawn": 0, "lost": 0}
    for mark, outcome, games_played in connection.execute(
        _SCORE, {"player": player, "opponent": opponent}
    ):
        kind = "drawn" if outcome == "draw" else "won" if outcome == mark else "lost"
        counts[kind] += games_played
    return Score(**counts)


def _columns(record: GameRecord) -> dict[str, Any]:
    """The columns that change in the course of a game."""
    return {
        "x_seat": record.x_seat,
        "o_seat": record.o_seat,
        "opponent": record.opponent,
        "moves": "".join(map(str, record.moves)),
        "reasons": _dumped(record.reasons),
        "hint": record.hint and _dump([record.hint[0], asdict(record.hint[1])]),
        "helped": record.helped,
        "outcome": record.outcome,
        "version": record.version,
    }


def _record(row: Any) -> GameRecord:
    hint = row.hint and json.loads(row.hint)
    return GameRecord(
        id=row.id,
        x_seat=row.x_seat,
        o_seat=row.o_seat,
        opponent=row.opponent,
        moves=tuple(map(int, row.moves)),
        reasons=_loaded(row.reasons),
        hint=(hint[0], _reason(hint[1])) if hint else None,
        helped=row.helped,
        outcome=row.outcome,
        version=row.version,
        next_id=row.next_id,
    )


# Few games differ in their reasons, so both ways are remembered.
@lru_cache(maxsize=4096)
def _dumped(reasons: tuple[Reason | None, ...]) -> str:
    return _dump([reason and asdict(reason) for reason in reasons])


@lru_cache(maxsize=4096)
def _loaded(reasons: str) -> tuple[Reason | None, ...]:
    return tuple(reason and _reason(reason) for reason in json.loads(reasons))


def _dump(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _reason(stored: dict[str, Any]) -> Reason:
    return Reason(stored["rule"], tuple((a, b, c) for a, b, c in stored["lines"]))
