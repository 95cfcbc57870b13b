"""Runs of puzzles. Functions take a connection."""

from typing import NamedTuple

import sqlalchemy as sa

from webapp.store.sql import insertion, sql

MISTAKES = 3
"""How many end a run."""


class Run(NamedTuple):
    """A player's present or last run.

    :param seed: draws the puzzles
    :param best: the most that the player has ever solved in a run
    """

    seed: int
    right: int = 0
    wrong: int = 0
    best: int = 0

    @property
    def over(self) -> bool:
        """Whether there were as many mistakes as end it."""
        return self.wrong >= MISTAKES


_OF = sql("SELECT * FROM runs WHERE player = :player")
_PUT = insertion("runs", ("player", *Run._fields), key=("player",))
_FORGET = sql("DELETE FROM runs WHERE player = :player")


def of(connection: sa.Connection, player: str) -> Run | None:
    """Return the player's run, if there was ever one."""
    row = connection.execute(_OF, {"player": player}).one_or_none()
    return Run(row.seed, row.right, row.wrong, row.best) if row else None


def save(connection: sa.Connection, player: str, run: Run) -> None:
    """Store how a run stands, in a transaction about its player."""
    connection.execute(_PUT, {"player": player, **run._asdict()})


def forget(connection: sa.Connection, player: str) -> None:
    """Delete a player's run, in a transaction."""
    connection.execute(_FORGET, {"player": player})
