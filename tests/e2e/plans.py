"""Games planned with the real engines, so that a test can click through one whose end it knows."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Literal

from tests.e2e.server import SEED
from webapp.core.board import Mark, Outcome
from webapp.core.game import Game
from webapp.engines.registry import ENGINES

Level = Literal["easy", "medium", "hard"]
Result = Literal["won", "drawn", "lost"]


@dataclass(frozen=True)
class Plan:
    """A whole game against a level, as the seeded server will play it.

    :param mark: the person's
    :param moves: the cells of both sides, in order
    """

    level: Level
    mark: Mark
    moves: tuple[int, ...]

    @property
    def outcome(self) -> Outcome:
        outcome = Game(self.moves).outcome
        assert outcome is not None
        return outcome

    @property
    def result(self) -> Result:
        if self.outcome.winner is None:
            return "drawn"
        return "won" if self.outcome.winner is self.mark else "lost"

    @property
    def winning(self) -> tuple[int, ...]:
        return tuple(cell for line in self.outcome.lines for cell in line)

    @property
    def mine(self) -> tuple[int, ...]:
        return self.moves[0 if self.mark is Mark.X else 1 :: 2]

    def board(self, plies: int = 9) -> str:
        return str(Game(self.moves[:plies]).board)


@cache
def plan(level: Level, mark: Mark, result: Result, *, plies: int = 5) -> Plan:
    """Return a game with this end: the first with at most one line, and as many moves at least."""
    for moves in _games(level, mark, ()):
        found = Plan(level, mark, moves)
        if found.result == result and len(found.winning) <= 3 and len(moves) >= plies:
            return found
    raise AssertionError(f"with the seed {SEED!r} no such game against {level} exists")


def _games(level: Level, mark: Mark, moves: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield every game that a person can have with the seeded engine."""
    board = Game(moves).board
    if board.outcome:
        yield moves
    elif board.turn is mark:
        for cell in board.legal_moves:
            yield from _games(level, mark, (*moves, cell))
    else:
        choice = ENGINES[level].choose(board, Random(f"{SEED}:{moves}"))
        yield from _games(level, mark, (*moves, choice.cell))


# Those against Medium, with X, that most tests play.
WON = plan("medium", Mark.X, "won")
DRAWN = plan("medium", Mark.X, "drawn")
LOST = plan("medium", Mark.X, "lost")
