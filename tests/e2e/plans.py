"""Games planned with the real engines, so that a test can click through one whose end it knows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Literal

from tests.e2e.server import SEED
from webapp.core.board import Board, Mark, Outcome
from webapp.core.game import Game, Reason
from webapp.engines.registry import ENGINES

Level = Literal["easy", "medium", "hard"]
Result = Literal["won", "drawn", "lost"]


@dataclass(frozen=True)
class Plan:
    """A whole game against a level, as the seeded server will play it.

    :param mark: the person's
    :param moves: the cells of both sides, in order
    :param reasons: why the engine made each of its moves; ``None`` for a person's
    """

    level: Level
    mark: Mark
    moves: tuple[int, ...]
    reasons: tuple[Reason | None, ...]

    @property
    def outcome(self) -> Outcome:
        """How it ends."""
        outcome = Game(self.moves).outcome
        assert outcome is not None
        return outcome

    @property
    def result(self) -> Result:
        """How it ends for the person."""
        if self.outcome.winner is None:
            return "drawn"
        return "won" if self.outcome.winner is self.mark else "lost"

    @property
    def mine(self) -> tuple[int, ...]:
        """The cells that the person plays."""
        return self.moves[0 if self.mark is Mark.X else 1 :: 2]

    def board(self, plies: int) -> str:
        """The board after so many moves, as nine characters."""
        return str(Game(self.moves[:plies]).board)


def plan(level: Level, mark: Mark, result: Result, *, plies: int = 0) -> Plan:
    """Return a game with this end: the first there is with at most one line, and long enough.

    :param plies: how many moves it must have at least
    """
    for found in _plans(level, mark):
        if (
            found.result == result
            and len(found.outcome.lines) <= 1
            and len(found.moves) >= max(plies, 5)
        ):
            return found
    raise AssertionError(f"with the seed {SEED!r} no such game against {level} exists")


@cache
def _plans(level: Level, mark: Mark) -> tuple[Plan, ...]:
    return tuple(
        Plan(level, mark, moves, reasons) for moves, reasons in _games(level, mark, (), ())
    )


def _games(
    level: Level, mark: Mark, moves: tuple[int, ...], reasons: tuple[Reason | None, ...]
) -> Iterator[tuple[tuple[int, ...], tuple[Reason | None, ...]]]:
    """Yield every game that a person can have with the seeded engine."""
    board: Board = Game(moves).board
    if board.outcome:
        yield moves, reasons
    elif board.turn is mark:
        for cell in board.legal_moves:
            yield from _games(level, mark, (*moves, cell), (*reasons, None))
    else:
        choice = ENGINES[level].choose(board, Random(f"{SEED}:{moves}"))
        yield from _games(level, mark, (*moves, choice.cell), (*reasons, choice.reason))
