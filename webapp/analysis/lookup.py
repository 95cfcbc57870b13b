"""An engine asked once for every position it meets, in the whole numbers that analysis counts in.

Positions are packed as ``x | o << 9`` (see :mod:`webapp.core.board`). May import ``core`` and
``engines``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import lcm

from webapp.core.board import FULL, LINES_IN, Board, Mark
from webapp.engines.base import Engine

_OVER = tuple(bool(lines) for lines in LINES_IN)


@dataclass(frozen=True, slots=True)
class Moves:
    """Where an engine goes from a position: the positions after, with whole-number weights.

    :param after: pairs of packed position and weight
    :param total: the sum of the weights
    """

    after: tuple[tuple[int, int], ...]
    total: int


class Lookup:
    """What an engine does in each position, asked when first needed and then remembered."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._moves: dict[int, Moves] = {}

    def moves(self, packed: int) -> Moves:
        """Return where the engine goes from a position that is not over."""
        found = self._moves.get(packed)
        if found is None:
            found = self._moves[packed] = self._ask(packed)
        return found

    def _ask(self, packed: int) -> Moves:
        board = unpack(packed)
        shift = 0 if board.turn is Mark.X else 9
        choices = self.engine.choices(board)
        total = lcm(*{choice.probability.denominator for choice in choices})
        weights: dict[int, int] = {}
        for choice in choices:
            after, chance = packed | 1 << choice.cell + shift, choice.probability
            weight = chance.numerator * (total // chance.denominator)
            weights[after] = weights.get(after, 0) + weight
        return Moves(tuple(weights.items()), total)


@lru_cache(maxsize=256)
def lookup(engine: Engine) -> Lookup:
    """Return the memory of this engine's choices that every analysis in the process shares."""
    return Lookup(engine)


def pack(board: Board) -> int:
    """Return the packed position of a board."""
    return board.x | board.o << 9


def unpack(packed: int) -> Board:
    """Return the board of a packed position."""
    return Board(packed & FULL, packed >> 9)


def result(packed: int) -> int | None:
    """Return how a position ended: +1 X won, -1 O won, 0 a draw, ``None`` not over."""
    x, o = packed & FULL, packed >> 9
    if _OVER[x]:
        return 1
    if _OVER[o]:
        return -1
    return 0 if x | o == FULL else None
