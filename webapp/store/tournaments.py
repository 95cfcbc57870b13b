"""Rows of tournaments. Functions take a connection; moments are milliseconds since 1970."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa

from webapp.store import topics
from webapp.store.schema import GOING_ON, entrants, games, matches, tournaments
from webapp.tournament.event import (
    Entrant,
    Finished,
    Format,
    Match,
    Opening,
    State,
    Step,
    Tournament,
)

ABOUT = "tournament"
"""The subject of every transaction that changes any of it."""

_NOT_READ = ("number", "created_at")
_COLUMNS = [column for column in tournaments.c if column.name not in _NOT_READ]
_LATEST = sa.select(*_COLUMNS).order_by(tournaments.c.number.desc()).limit(1)
_ONE = sa.select(*_COLUMNS).where(tournaments.c.id == sa.bindparam("id"))
_RUNNING = _LATEST.where(tournaments.c.state == State.RUNNING.value)
_TOURNAMENT = sa.bindparam("tournament", type_=sa.String)
_ENTRANTS = sa.select(*(entrants.c[name] for name in Entrant._fields)).where(
    entrants.c.tournament == _TOURNAMENT
)
_ENTRANT = _ENTRANTS.where(entrants.c.player == sa.bindparam("player"))
_MATCHES = sa.select(matches).where(matches.c.tournament == _TOURNAMENT).order_by(matches.c.number)
_ACTIVE = _MATCHES.where(matches.c.step != Step.DONE.value)
_IN_TIME = sa.select(games.c.id).where(
    GOING_ON, games.c.tournament == _TOURNAMENT, games.c.deadline > sa.bindparam("missed")
)
_SHIFT = """
UPDATE tournaments SET ticked_at = ticked_at + :gap, ends_at = ends_at + :gap,
  round_over = round_over + :gap WHERE id = :id;
UPDATE entrants SET free_since = free_since + :gap WHERE tournament = :id;
UPDATE matches SET since = since + :gap WHERE tournament = :id;
UPDATE games SET deadline = deadline + :gap WHERE tournament = :id AND outcome = ''
"""
_IN_FULL = """
UPDATE games SET deadline = :now + 1000 * clock
  WHERE tournament = :id AND outcome = '' AND deadline < :now + 1000 * clock
"""
_PLAYING = (
    sa.select(entrants.c.tournament)
    .join(tournaments, tournaments.c.id == entrants.c.tournament)
    .where(
        entrants.c.player == sa.bindparam("player"),
        entrants.c.playing,
        tournaments.c.state == State.RUNNING.value,
    )
)
_JOINED = (
    _LATEST.join_from(tournaments, entrants, entrants.c.tournament == tournaments.c.id)
    .where(entrants.c.player == sa.bindparam("player"), entrants.c.playing)
    .where(tournaments.c.state != State.OVER.value)
)
_GONE: sa.BindParameter[str] = sa.bindparam("gone")
_STAND_IN: sa.BindParameter[str] = sa.bindparam("stand_in")
_FORGET_UNMET = sa.delete(entrants).where(
    entrants.c.player == _GONE,
    ~sa.exists().where(
        matches.c.tournament == entrants.c.tournament,
        sa.or_(matches.c.one == _GONE, matches.c.other == _GONE),
    ),
)
_ENTERED = sa.select(entrants.c.tournament).where(entrants.c.player == _GONE)
_REPLACE_IN_MATCHES = [
    sa.update(matches)
    .where(matches.c.tournament.in_(_ENTERED), matches.c[which] == _GONE)
    .values({which: _STAND_IN})
    for which in ("one", "other")
]
_REPLACE_ENTRANT = (
    sa.update(entrants).where(entrants.c.player == _GONE).values(player=_STAND_IN, playing=False)
)
_FINISHED = (
    sa.select(
        *(games.c[name] for name in ("id", "x_seat", "o_seat")),
        *(games.c[name] for name in ("outcome", "ending", "moves", "given")),
    )
    .where(games.c.tournament == _TOURNAMENT, games.c.outcome > "")
    .order_by(games.c.created_at, games.c.id)
)


def latest(connection: sa.Connection) -> Tournament | None:
    """Return the tournament that was made last, if there is one."""
    return _tournament(connection.execute(_LATEST).first())


def running(connection: sa.Connection) -> Tournament | None:
    """Return the tournament that is played, if there is one."""
    return _tournament(connection.execute(_RUNNING).first())


def find(connection: sa.Connection, id_: str) -> Tournament | None:
    """Return the tournament of this id, if there is one."""
    return _tournament(connection.execute(_ONE, {"id": id_}).first())


def plays(connection: sa.Connection, player: str) -> bool:
    """Tell whether a player is in the tournament that is played."""
    return connection.execute(_PLAYING, {"player": player}).first() is not None


def joined(connection: sa.Connection, player: str) -> Tournament | None:
    """Return the tournament that a player has joined and not left, until it is over."""
    return _tournament(connection.execute(_JOINED, {"player": player}).first())


def entrant(connection: sa.Connection, id_: str, player: str) -> Entrant | None:
    """Return a player of a tournament, who is or was in it; ``None`` for others."""
    row = connection.execute(_ENTRANT, {"tournament": id_, "player": player}).first()
    return Entrant._make(row) if row else None


def insert(connection: sa.Connection, made: Tournament, now: int) -> None:
    """Store a new tournament, in a transaction; ``now`` is in seconds since 1970."""
    number = connection.scalar(sa.select(sa.func.max(tournaments.c.number))) or 0
    row = {"id": made.id, "number": number + 1, "created_at": now, **_row(made)}
    connection.execute(sa.insert(tournaments), row)
    _note(connection, made.id)


def save(connection: sa.Connection, changed: Tournament, *, is_news: bool = True) -> None:
    """Store what has changed of a tournament, in a transaction."""
    statement = sa.update(tournaments).where(tournaments.c.id == changed.id)
    connection.execute(statement.values(**_row(changed)))
    if is_news:
        _note(connection, changed.id)


def shift(connection: sa.Connection, id_: str, gap: int) -> None:
    """Shift all moments of a tournament, in a transaction; its pages ask what time is left."""
    for statement in _SHIFT.split(";"):
        connection.execute(sa.text(statement), {"id": id_, "gap": gap})
    _note(connection, id_)
    topics.note(connection, topics.PAUSE)


def restart_clocks(connection: sa.Connection, id_: str, now: int) -> None:
    """Let all players to move have the time for a whole move at least, in a transaction."""
    connection.execute(sa.text(_IN_FULL), {"id": id_, "now": now})


def _note(connection: sa.Connection, id_: str) -> None:
    topics.note(connection, topics.CLASS, topics.tournament(id_))


# --- who is in it -------------------------------------------------------------------------------


def entered(connection: sa.Connection, id_: str) -> list[Entrant]:
    """Return everyone who is or was in a tournament."""
    rows = connection.execute(_ENTRANTS, {"tournament": id_})
    return sorted(Entrant._make(row) for row in rows)


def put(
    connection: sa.Connection, id_: str, changed: Iterable[Entrant], *, new: bool = False
) -> None:
    """Store entrants, in a transaction; it is news."""
    rows = [{"tournament": id_, **entrant._asdict()} for entrant in changed]
    _put(connection, entrants, "player", rows, new=new)
    topics.note(connection, *(topics.calls(row["player"]) for row in rows))


def replace(connection: sa.Connection, gone: str, stand_in: str) -> None:
    """Let what a player who goes has been in be a stand-in's, who plays no more.

    In a transaction about :data:`ABOUT`. Of a player without a match nothing is left.
    """
    parameters = {"gone": gone, "stand_in": stand_in}
    for statement in (_FORGET_UNMET, *_REPLACE_IN_MATCHES, _REPLACE_ENTRANT):
        connection.execute(statement, parameters)


# --- its matches --------------------------------------------------------------------------------


def of(connection: sa.Connection, id_: str) -> list[Match]:
    """Return the matches of a tournament in their order."""
    return [_match(row) for row in connection.execute(_MATCHES, {"tournament": id_})]


def active(connection: sa.Connection, id_: str) -> list[Match]:
    """Return the matches that are not done, in their order."""
    return [_match(row) for row in connection.execute(_ACTIVE, {"tournament": id_})]


def in_time(connection: sa.Connection, id_: str, missed: int) -> set[str]:
    """Return the ids of the games that go on, and whose deadline is later than that moment."""
    return set(connection.scalars(_IN_TIME, {"tournament": id_, "missed": missed}))


def put_matches(
    connection: sa.Connection, id_: str, changed: Iterable[Match], *, new: bool = False
) -> None:
    """Store matches, in a transaction; it is news."""
    rows = [{"tournament": id_, **_match_row(match)} for match in changed]
    _put(connection, matches, "number", rows, new=new)


def _put(
    connection: sa.Connection, table: sa.Table, key: str, rows: list[dict[str, Any]], *, new: bool
) -> None:
    """Store rows of a tournament's in one statement; ``key`` tells them apart."""
    if not rows:
        return
    here = table.c.tournament == rows[0]["tournament"], table.c[key] == sa.bindparam("here")
    statement = sa.insert(table) if new else sa.update(table).where(*here)
    connection.execute(statement, [row if new else {"here": row[key], **row} for row in rows])
    _note(connection, rows[0]["tournament"])


def finished(connection: sa.Connection, id_: str) -> list[Finished]:
    """Return the games of a tournament that are over, in the order in which they began."""
    return [Finished._make(row) for row in connection.execute(_FINISHED, {"tournament": id_})]


# --- rows ---------------------------------------------------------------------------------------


def _tournament(row: sa.Row[tuple[object, ...]] | None) -> Tournament | None:
    if row is None:
        return None
    found = row._asdict()
    kinds = {"format": Format, "opening": Opening, "state": State}
    return Tournament(**found | {name: kind(found[name]) for name, kind in kinds.items()})


def _row(tournament: Tournament) -> dict[str, object]:
    row = asdict(tournament)
    return row | {name: row[name].value for name in ("format", "opening", "state")}


def _match(row: sa.Row[tuple[object, ...]]) -> Match:
    found = row._asdict()
    games_ = tuple(filter(None, (found["first_game"], found["second_game"])))
    values = {name: found[name] for name in Match._fields if name in found}
    return Match(**values | {"step": Step(found["step"]), "games": games_})


def _match_row(match: Match) -> dict[str, object]:
    row = match._asdict() | {"step": match.step.value}
    first, second = (*row.pop("games"), None, None)[:2]
    return row | {"first_game": first, "second_game": second}
