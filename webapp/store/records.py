"""What everybody did against everybody, kept as games finish. Every function takes a connection.

A standing needs the last five games against each opponent. Counted from the games it would cost
more the more there are; kept here it costs one row a finished game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import sqlalchemy as sa

from webapp.analysis.standings import LAST_GAMES
from webapp.store.schema import records

Result = Literal["w", "d", "l"]


@dataclass(frozen=True, slots=True)
class Record:
    """A player's games against one opponent.

    :param opponent: slug of an engine, or a player
    :param recent: the last five results in order, the newest last: ``"wwdlw"``
    :param run: how many games were won in a row, up to now
    """

    player: str
    opponent: str
    recent: str = ""
    won: int = 0
    drawn: int = 0
    lost: int = 0
    run: int = 0
    best_run: int = 0

    @property
    def games(self) -> int:
        """How many there were."""
        return self.won + self.drawn + self.lost

    def after(self, result: Result) -> Record:
        """Return the record with one more game."""
        run = self.run + 1 if result == "w" else 0
        return replace(
            self,
            recent=(self.recent + result)[-LAST_GAMES:],
            won=self.won + (result == "w"),
            drawn=self.drawn + (result == "d"),
            lost=self.lost + (result == "l"),
            run=run,
            best_run=max(self.best_run, run),
        )


_COLUMNS = tuple(records.c)
_ONE = sa.select(*_COLUMNS).where(
    records.c.player == sa.bindparam("player"), records.c.opponent == sa.bindparam("opponent")
)
_OF = sa.select(*_COLUMNS).where(records.c.player == sa.bindparam("player"))
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
_INSERT = sa.insert(records)
_CHANGING = ("recent", "won", "drawn", "lost", "run", "best_run")
_UPDATE = (
    sa.update(records)
    .where(
        records.c.player == sa.bindparam("of_player"),
        records.c.opponent == sa.bindparam("against"),
    )
    .values({name: sa.bindparam(name) for name in _CHANGING})
)


def add(connection: sa.Connection, player: str, opponent: str, result: Result) -> None:
    """Count a finished game of a player; to be called inside a write transaction."""
    before = one(connection, player, opponent)
    if before.games:
        values = _changing(before.after(result))
        values |= {"of_player": player, "against": opponent}
        if connection.execute(_UPDATE, values).rowcount == 1:
            return
    # There was none, or the host has reset the standings since the look.
    first = Record(player, opponent).after(result)
    connection.execute(_INSERT, {"player": player, "opponent": opponent, **_changing(first)})


def _changing(record: Record) -> dict[str, str | int]:
    return {name: getattr(record, name) for name in _CHANGING}


def one(connection: sa.Connection, player: str, opponent: str) -> Record:
    """Return a player's record against one opponent; an empty one where there is none."""
    row = connection.execute(_ONE, {"player": player, "opponent": opponent}).one_or_none()
    return Record(*row) if row else Record(player, opponent)


def of(connection: sa.Connection, player: str) -> list[Record]:
    """Return the records of one player."""
    return [Record(*row) for row in connection.execute(_OF, {"player": player})]


def everything(connection: sa.Connection) -> Iterator[tuple[str, str, str, int]]:
    """Go through what the standings need of all players: player, opponent, last results, games.

    A part at a time, as PostgreSQL's driver holds all that a statement finds.
    """
    # Everybody stands in many records, and the database writes the name out anew each time.
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
    """Forget all records, in a transaction; the games stay."""
    if connection.dialect.name == "postgresql":
        # Games that end meanwhile wait for it, or it for them: row by row they might both.
        connection.exec_driver_sql("LOCK TABLE records IN SHARE ROW EXCLUSIVE MODE")
    connection.execute(sa.delete(records))
