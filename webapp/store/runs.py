"""Runs of puzzles, and exercises done. Functions take a connection."""

from typing import NamedTuple

import sqlalchemy as sa

from webapp.store.sql import insertion, sql

MISTAKES = 3  # mistakes that end a run


class Run(NamedTuple):
    """A player's latest run, the most ever solved in one, and a bit for each exercise done."""

    seed: int
    right: int = 0
    wrong: int = 0
    best: int = 0
    exercises: int = 0

    @property
    def over(self) -> bool:
        return self.wrong >= MISTAKES


_OF = sql('SELECT seed, "right", wrong, best, exercises FROM runs WHERE player = :player')
_PUT = insertion("runs", ("player", *Run._fields), key=("player",))
_FORGET = sql("DELETE FROM runs WHERE player = :player")


def of(connection: sa.Connection, player: str) -> Run | None:
    row = connection.execute(_OF, {"player": player}).one_or_none()
    return Run._make(row) if row else None


def save(connection: sa.Connection, player: str, run: Run) -> None:
    connection.execute(_PUT, {"player": player, **run._asdict()})


def forget(connection: sa.Connection, player: str) -> None:
    connection.execute(_FORGET, {"player": player})
