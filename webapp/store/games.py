"""Reading and writing games. Every function takes an open connection."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from functools import cache, lru_cache
from typing import Any

import sqlalchemy as sa

from webapp.core.board import Mark
from webapp.core.game import Reason
from webapp.store.players import Preferences
from webapp.store.schema import games, players

FRIEND = "friend"
"""The opponent who sits at the same device: both marks are the player's, and nothing counts."""

CLASSMATE = "classmate"
"""The opponent at another device."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game as it is stored.

    :param x_seat: the player of X by SHA-256, ``None`` where an engine plays it or the seat is free
    :param o_seat: likewise of O; a friend game has the same player in both
    :param opponent: slug of the engine, :data:`FRIEND` or :data:`CLASSMATE`
    :param version: counts every change; a change names the version that it was made from
    :param moves: the cells played, in order
    :param given: how many of them were on the board when the game began
    :param reasons: one a move; ``None`` for a person's
    :param hint: the cell suggested for the next move, and why
    :param helped: whether there was a hint, an undo or a given move, so that it counts nowhere
    :param outcome: ``"x"``, ``"o"``, ``"draw"``, or ``""`` while the game goes on
    :param code: what a classmate types to join
    :param ending: ``"resign"``, ``"claim"`` or ``"left"`` where the game ended so, not on the board
    :param rematch: ``"x"`` or ``"o"``, who asks for one
    :param changed_at: when it last changed, in seconds since 1970
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
    given: int = 0
    code: str | None = None
    ending: str | None = None
    rematch: str | None = None
    changed_at: int = field(default=0, compare=False)

    @property
    def engine_mark(self) -> Mark | None:
        """The mark that an engine plays, if one does."""
        if self.opponent in (FRIEND, CLASSMATE):
            return None
        return Mark.X if self.x_seat is None else Mark.O if self.o_seat is None else None

    @property
    def open(self) -> bool:
        """Whether it waits for a classmate to take the free seat."""
        return self.opponent == CLASSMATE and None in (self.x_seat, self.o_seat)

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
    games.c.given,
    games.c.code,
    games.c.ending,
    games.c.rematch,
    games.c.updated_at,
)

# Statements stand here once, so that SQLAlchemy compiles each of them once.
_FOR_PLAYER = (
    sa.select(*_RECORD, players.c.opponent.label("preferred"), players.c.mark, players.c.last_mark)
    .select_from(games.outerjoin(players, players.c.id == sa.bindparam("player")))
    .where(games.c.id == sa.bindparam("id"))
)
_BY_START_KEY = sa.select(*_RECORD).where(games.c.start_key == sa.bindparam("start_key"))
_STAMP = sa.select(games.c.version, games.c.updated_at, games.c.opponent, games.c.next_id).where(
    games.c.id == sa.bindparam("id")
)
_BY_CODE = sa.select(*_RECORD).where(games.c.code == sa.bindparam("code"))
# Written out, since an index of some rows is found by what the statement says only.
_GOING_ON = sa.and_(
    games.c.opponent == sa.literal_column(f"'{CLASSMATE}'"),
    games.c.outcome == sa.literal_column("''"),
    games.c.updated_at >= sa.bindparam("since"),
)
_MINE_GOING_ON = [
    sa.select(games.c.id).where(
        seat == sa.bindparam("player"), games.c.outcome == "", games.c.opponent == CLASSMATE
    )
    for seat in (games.c.x_seat, games.c.o_seat)
]
_OPEN = sa.or_(games.c.x_seat.is_(None), games.c.o_seat.is_(None))
_LONGEST_OPEN = (
    sa.select(games.c.id)
    .where(_GOING_ON, _OPEN)
    .order_by(games.c.updated_at, games.c.id)
    .limit(sa.bindparam("most"))
)
_LAST_MOVED = (
    sa.select(games.c.id)
    .where(_GOING_ON, ~_OPEN)
    .order_by(games.c.updated_at.desc(), games.c.id)
    .limit(sa.bindparam("most"))
)
_LIVE = (
    sa.select(*_RECORD)
    .where(
        games.c.id.in_(
            sa.union(
                *_MINE_GOING_ON,
                *(sa.select(some.subquery().c.id) for some in (_LONGEST_OPEN, _LAST_MOVED)),
            )
        )
    )
    .order_by(games.c.created_at, games.c.id)
)
_UNFINISHED = sa.union_all(
    *(
        sa.select(*_RECORD).where(
            seat == sa.bindparam("player"),
            games.c.outcome == "",
            games.c.opponent == sa.bindparam("opponent"),
        )
        for seat in (games.c.x_seat, games.c.o_seat)
    )
)
_RECENT = sa.union(
    *(
        sa.select(*_RECORD).where(seat == sa.bindparam("player"), games.c.outcome > "")
        for seat in (games.c.x_seat, games.c.o_seat)
    )
).order_by(sa.desc("updated_at"))
_following = games.alias("following")
_LEADS_NOWHERE = sa.and_(
    games.c.next_id.is_not(None), ~sa.exists().where(_following.c.id == games.c.next_id)
)
_UNFOLLOW = (
    sa.update(games)
    .where(games.c.id == sa.bindparam("game"), _LEADS_NOWHERE)
    .values(next_id=None, rematch=None)
)
_GIVEN_UP = sa.and_(games.c.outcome == "", games.c.updated_at < sa.bindparam("before"))
_DELETE_GIVEN_UP = sa.delete(games).where(games.c.id == sa.bindparam("game"), _GIVEN_UP)
_INSERT = sa.insert(games)
_SET_NEXT = (
    sa.update(games)
    .where(games.c.id == sa.bindparam("game"), games.c.next_id.is_(None))
    .values(next_id=sa.bindparam("following"))
)
_WAITING = (
    sa.union(
        *(
            sa.select(*_RECORD).where(
                seat == sa.bindparam("player"),
                games.c.outcome == "",
                sa.or_(games.c.moves != "", games.c.opponent == CLASSMATE),
                games.c.next_id.is_(None),
            )
            for seat in (games.c.x_seat, games.c.o_seat)
        )
    )
    .order_by(sa.desc("updated_at"))
    .limit(sa.bindparam("most"))
)
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
    if not _findable(game_id):
        return None
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


def stamp(connection: sa.Connection, game_id: str) -> tuple[int, int, str, str | None] | None:
    """Return what tells whether a game has news: version, time of change, opponent, next game."""
    if not _findable(game_id):
        return None
    row = connection.execute(_STAMP, {"id": game_id}).one_or_none()
    return tuple(row) if row else None


def by_code(connection: sa.Connection, code: str) -> GameRecord | None:
    """Return the game that a classmate joins with this code, if there is one."""
    if not _findable(code):
        return None
    row = connection.execute(_BY_CODE, {"code": code}).one_or_none()
    return _record(row) if row else None


def live(connection: sa.Connection, player: str, since: int, most: int) -> list[GameRecord]:
    """Return challenges and unfinished games between classmates, in the order they were opened.

    That order stays, whoever moves. The player's own are always among them; of the others those
    changed since then, and at most so many of each kind: the challenges that wait longest, and the
    games with the last moves.
    """
    parameters = {"player": player, "since": since, "most": most}
    return [_record(row) for row in connection.execute(_LIVE, parameters)]


def unfinished(connection: sa.Connection, player: str, opponent: str) -> list[GameRecord]:
    """Return the player's unfinished games against one opponent."""
    parameters = {"player": player, "opponent": opponent}
    return [_record(row) for row in connection.execute(_UNFINISHED, parameters)]


def recent(connection: sa.Connection, player: str, most: int) -> list[GameRecord]:
    """Return the player's finished games, the newest first."""
    statement = _RECENT.limit(most)
    return [_record(row) for row in connection.execute(statement, {"player": player})]


def delete(connection: sa.Connection, game_id: str, version: int) -> bool:
    """Delete a game if it still has this version; return whether it had."""
    statement = sa.delete(games).where(games.c.id == game_id, games.c.version == version)
    return connection.execute(statement).rowcount == 1


def delete_unfinished(connection: sa.Connection, before: int) -> int:
    """Delete the unfinished games that have not changed since then; return how many.

    One after the other, to be called outside a transaction: a change of many games at once would
    keep all who play waiting with SQLite, and with PostgreSQL might wait for one who waits for it.
    """
    given_up = sa.select(games.c.id).where(_GIVEN_UP)
    gone = 0
    for game in connection.scalars(given_up, {"before": before}).all():
        gone += connection.execute(_DELETE_GIVEN_UP, {"game": game, "before": before}).rowcount
    return gone


def unfollow(connection: sa.Connection) -> None:
    """Let games whose next one is gone be followed anew; outside a transaction, one by one."""
    for game in connection.scalars(sa.select(games.c.id).where(_LEADS_NOWHERE)).all():
        connection.execute(_UNFOLLOW, {"game": game})


def insert(connection: sa.Connection, record: GameRecord, start_key: str | None, now: int) -> None:
    """Store a new game.

    :raises sqlalchemy.exc.IntegrityError: if a game was started with the same key
    """
    connection.execute(_INSERT, row_of(record, start_key, now))


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


def waiting(connection: sa.Connection, player: str, most: int) -> list[GameRecord]:
    """Return the player's games that can be gone on with, the last changed first.

    They have a move in them, or are between two people. A game that another one followed does not
    wait: it was left on purpose.
    """
    parameters = {"player": player, "most": most}
    return [_record(row) for row in connection.execute(_WAITING, parameters)]


def score(connection: sa.Connection, player: str, opponent: str) -> Score:
    """Count the player's finished games against this opponent that had no help."""
    counts = {"won": 0, "drawn": 0, "lost": 0}
    for mark, outcome, games_played in connection.execute(
        _SCORE, {"player": player, "opponent": opponent}
    ):
        kind = "drawn" if outcome == "draw" else "won" if outcome == mark else "lost"
        counts[kind] += games_played
    return Score(**counts)


def _findable(text: str) -> bool:
    """Tell whether something typed can be an id or a code; PostgreSQL refuses some characters."""
    return text.isascii() and text.isprintable()


def row_of(record: GameRecord, start_key: str | None, now: int) -> dict[str, Any]:
    """Return a new game as a row of the table, by column."""
    return {
        "id": record.id,
        **_columns(record),
        "start_key": start_key,
        "next_id": record.next_id,
        "given": record.given,
        "created_at": now,
        "updated_at": now,
    }


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
        "code": record.code,
        "ending": record.ending,
        "rematch": record.rematch,
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
        given=row.given,
        code=row.code,
        ending=row.ending,
        rematch=row.rematch,
        changed_at=row.updated_at,
    )


# Few games differ in their reasons, so both ways are remembered.
@lru_cache(maxsize=1024)
def _dumped(reasons: tuple[Reason | None, ...]) -> str:
    return _dump([reason and asdict(reason) for reason in reasons])


@lru_cache(maxsize=1024)
def _loaded(reasons: str) -> tuple[Reason | None, ...]:
    return tuple(reason and _reason(reason) for reason in json.loads(reasons))


def _dump(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _reason(stored: dict[str, Any]) -> Reason:
    return Reason(stored["rule"], tuple((a, b, c) for a, b, c in stored["lines"]))
