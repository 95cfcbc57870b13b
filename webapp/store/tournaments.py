"""Tournaments. Functions take a connection; moments are milliseconds since 1970."""

from collections.abc import Collection
from dataclasses import asdict, fields
from typing import Any

import sqlalchemy as sa

from webapp.store import topics
from webapp.store.sql import insertion, sql
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

ABOUT = "tournament"  # the lock of every transaction that changes any of it

_LATEST = sql("SELECT * FROM tournaments ORDER BY number DESC LIMIT 1")
_RUNNING = sql("SELECT * FROM tournaments WHERE state = 'running' ORDER BY number DESC LIMIT 1")
_FIND = sql("SELECT * FROM tournaments WHERE id = :id")
_PLAYS = sql("""
    SELECT 1 FROM entrants JOIN tournaments ON tournaments.id = entrants.tournament
    WHERE player = :player AND playing AND state = 'running'
""")
_JOINED = sql("""
    SELECT tournaments.* FROM tournaments JOIN entrants ON entrants.tournament = tournaments.id
    WHERE player = :player AND playing AND state <> 'over' ORDER BY number DESC LIMIT 1
""")
_LAST = sql("SELECT max(number) FROM tournaments")
_PUT = insertion(
    "tournaments", (*(field.name for field in fields(Tournament)), "number", "created_at")
)
_UPDATE = sql("""
    UPDATE tournaments SET state = :state, ticked_at = :ticked_at, ends_at = :ends_at,
        round = :round, round_over = :round_over, late = :late
    WHERE id = :id
""")
_SHIFT = (
    sql("""
        UPDATE tournaments SET ticked_at = ticked_at + :gap, ends_at = ends_at + :gap,
            round_over = round_over + :gap
        WHERE id = :id
    """),
    sql("UPDATE entrants SET free_since = free_since + :gap WHERE tournament = :id"),
    sql("UPDATE matches SET since = since + :gap WHERE tournament = :id"),
    sql("UPDATE games SET deadline = deadline + :gap WHERE tournament = :id AND outcome = ''"),
)
_RESTART_CLOCKS = sql("""
    UPDATE games SET deadline = :now + 1000 * clock
    WHERE tournament = :id AND outcome = '' AND deadline < :now + 1000 * clock
""")

_ENTRANTS = sql("SELECT * FROM entrants WHERE tournament = :id")
_ENTRANT = sql("SELECT * FROM entrants WHERE tournament = :id AND player = :player")
_PUT_ENTRANT = insertion("entrants", ("tournament", *Entrant._fields), key=("tournament", "player"))
_FORGET_UNMET = sql("""
    DELETE FROM entrants WHERE player = :gone AND NOT EXISTS (
        SELECT 1 FROM matches
        WHERE matches.tournament = entrants.tournament AND (one = :gone OR other = :gone)
    )
""")
_REPLACE = (
    sql("""
        UPDATE matches SET one = :stand_in
        WHERE one = :gone AND tournament IN (SELECT tournament FROM entrants WHERE player = :gone)
    """),
    sql("""
        UPDATE matches SET other = :stand_in
        WHERE other = :gone AND tournament IN (SELECT tournament FROM entrants WHERE player = :gone)
    """),
    sql("UPDATE entrants SET player = :stand_in, playing = :playing WHERE player = :gone"),
)

_MATCHES = sql("SELECT * FROM matches WHERE tournament = :id ORDER BY number")
_ACTIVE = sql("SELECT * FROM matches WHERE tournament = :id AND step <> 4 ORDER BY number")
_PUT_MATCH = insertion(
    "matches",
    ("tournament", *Match._fields[:-1], "first_game", "second_game"),
    key=("tournament", "number"),
)
_IN_TIME = sql("""
    SELECT id FROM games WHERE kind = 'two devices' AND outcome = ''
        AND tournament = :id AND deadline > :missed
""")
_FINISHED = sql("""
    SELECT id, x_seat, o_seat, outcome, ending, moves, given FROM games
    WHERE tournament = :id AND outcome > '' ORDER BY created_at, id
""")


def latest(connection: sa.Connection) -> Tournament | None:
    return _tournament(connection.execute(_LATEST).first())


def running(connection: sa.Connection) -> Tournament | None:
    return _tournament(connection.execute(_RUNNING).first())


def find(connection: sa.Connection, id_: str) -> Tournament | None:
    return _tournament(connection.execute(_FIND, {"id": id_}).first())


def plays(connection: sa.Connection, player: str) -> bool:
    return connection.execute(_PLAYS, {"player": player}).first() is not None


def joined(connection: sa.Connection, player: str) -> Tournament | None:
    """Return the tournament that a player is in, unless it is over."""
    return _tournament(connection.execute(_JOINED, {"player": player}).first())


def entrant(connection: sa.Connection, id_: str, player: str) -> Entrant | None:
    row = connection.execute(_ENTRANT, {"id": id_, "player": player}).first()
    return _entrant(row) if row else None


def insert(connection: sa.Connection, new: Tournament, now: int) -> None:
    """Store a new tournament, in a transaction; ``now`` is in seconds."""
    number = 1 + (connection.scalar(_LAST) or 0)
    connection.execute(_PUT, {**_row(new), "number": number, "created_at": now})
    _note(connection, new.id)


def save(connection: sa.Connection, changed: Tournament, *, is_news: bool = True) -> None:
    connection.execute(_UPDATE, _row(changed))
    if is_news:
        _note(connection, changed.id)


def shift(connection: sa.Connection, id_: str, gap: int) -> None:
    """Shift all moments of a tournament, in a transaction; its pages ask for the time left."""
    for statement in _SHIFT:
        connection.execute(statement, {"id": id_, "gap": gap})
    _note(connection, id_)
    topics.note(connection, topics.PAUSE)


def restart_clocks(connection: sa.Connection, id_: str, now: int) -> None:
    """Give everyone to move the time for a whole move, in a transaction."""
    connection.execute(_RESTART_CLOCKS, {"id": id_, "now": now})


def _note(connection: sa.Connection, id_: str) -> None:
    topics.note(connection, topics.CLASS, topics.tournament(id_))


# --- who is in it -------------------------------------------------------------------------------


def entered(connection: sa.Connection, id_: str) -> list[Entrant]:
    return sorted(map(_entrant, connection.execute(_ENTRANTS, {"id": id_})))


def put(connection: sa.Connection, id_: str, changed: Collection[Entrant]) -> None:
    if changed:
        rows = [{"tournament": id_, **entrant._asdict()} for entrant in changed]
        connection.execute(_PUT_ENTRANT, rows)
        _note(connection, id_)
        topics.note(connection, *(topics.calls(entrant.player) for entrant in changed))


def replace(connection: sa.Connection, gone: str, stand_in: str) -> None:
    """Replace a player by a stand-in who plays no more; without matches, by nothing."""
    values = {"gone": gone, "stand_in": stand_in, "playing": False}
    for statement in (_FORGET_UNMET, *_REPLACE):
        connection.execute(statement, values)


# --- its matches --------------------------------------------------------------------------------


def of(connection: sa.Connection, id_: str) -> list[Match]:
    return [*map(_match, connection.execute(_MATCHES, {"id": id_}))]


def active(connection: sa.Connection, id_: str) -> list[Match]:
    return [*map(_match, connection.execute(_ACTIVE, {"id": id_}))]


def in_time(connection: sa.Connection, id_: str, missed: int) -> set[str]:
    """Return the games in progress with a deadline after that moment."""
    return set(connection.scalars(_IN_TIME, {"id": id_, "missed": missed}))


def put_matches(connection: sa.Connection, id_: str, changed: Collection[Match]) -> None:
    if changed:
        rows = [{"tournament": id_, **_match_row(match)} for match in changed]
        connection.execute(_PUT_MATCH, rows)
        _note(connection, id_)


def finished(connection: sa.Connection, id_: str) -> list[Finished]:
    return [Finished._make(row) for row in connection.execute(_FINISHED, {"id": id_})]


# --- rows ---------------------------------------------------------------------------------------


def _tournament(row: sa.Row[Any] | None) -> Tournament | None:
    if row is None:
        return None
    values = {field.name: getattr(row, field.name) for field in fields(Tournament)}
    kinds = {"format": Format(row.format), "opening": Opening(row.opening)}
    return Tournament(**values | kinds | {"state": State(row.state), "late": bool(row.late)})


def _row(tournament: Tournament) -> dict[str, object]:
    row = asdict(tournament)
    return row | {name: row[name].value for name in ("format", "opening", "state")}


def _entrant(row: sa.Row[Any]) -> Entrant:
    values = {name: getattr(row, name) for name in Entrant._fields}
    return Entrant(**values | {"playing": bool(row.playing), "barred": bool(row.barred)})


def _match(row: sa.Row[Any]) -> Match:
    values = {name: getattr(row, name) for name in Match._fields[:-1]}
    games = tuple(filter(None, (row.first_game, row.second_game)))
    return Match(**values | {"step": Step(row.step), "games": games})


def _match_row(match: Match) -> dict[str, object]:
    row = match._asdict() | {"step": match.step.value}
    first, second = (*row.pop("games"), None, None)[:2]
    return row | {"first_game": first, "second_game": second}
