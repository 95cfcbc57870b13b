"""An engine's choices as a table: asked once for each position, with integer weights.

May import ``core`` and ``engines``.
"""

from functools import cache, lru_cache
from math import lcm
from typing import NamedTuple

from webapp.core.board import CELLS_IN, FULL, LINES_IN, unpacked
from webapp.core.solver import evaluate
from webapp.core.symmetry import fold, image, unfolding
from webapp.engines.base import Engine, EngineFault


class MoveDistribution(NamedTuple):
    """An engine's next positions, packed, with integer weights; empty if it gives no answer."""

    after: tuple[tuple[int, int], ...]
    total: int


class TabularPolicy:
    """The moves of an engine, cached by position."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._moves: dict[int, MoveDistribution] = {}

    def moves(self, packed: int) -> MoveDistribution:
        """Return the engine's moves in an unfinished position."""
        moves = self._moves.get(packed)
        if moves is None:
            canonical = fold(packed) if self._engine.symmetric else packed
            if canonical == packed:
                moves = self._ask(packed)
            else:
                moves, number = self.moves(canonical), unfolding(packed)
                after = tuple([(image(after, number), weight) for after, weight in moves.after])
                moves = MoveDistribution(after, moves.total)
            self._moves[packed] = moves
        return moves

    def may_follow(self, packed: int) -> list[int]:
        return [after for after, _ in self.moves(packed).after]

    def _ask(self, packed: int) -> MoveDistribution:
        try:
            choices = self._engine.choices(unpacked(packed))
        except EngineFault:
            return MoveDistribution((), 1)
        shift = _shift(packed)
        if len(choices) == 1:
            return MoveDistribution(((packed | 1 << choices[0].cell + shift, 1),), 1)
        total = lcm(*{choice.probability.denominator for choice in choices})
        weights: dict[int, int] = {}
        for choice in choices:
            after, chance = packed | 1 << choice.cell + shift, choice.probability
            weight = chance.numerator * (total // chance.denominator)
            weights[after] = weights.get(after, 0) + weight
        return MoveDistribution(tuple(weights.items()), total)


@lru_cache(128)  # visitors may ask for any list of rules, and each takes up to 0.2 MiB
def policy_of(engine: Engine) -> TabularPolicy:
    """Return the table of an engine, shared by every analysis in the process."""
    return TabularPolicy(engine)


def may_follow(packed: int) -> list[int]:
    """Return the positions after a move to each free cell, in cell order."""
    shift = _shift(packed)
    return [packed | 1 << cell + shift for cell in CELLS_IN[FULL & ~(packed | packed >> 9)]]


def cell_played(before: int, after: int) -> int:
    """Return the cell in which two positions differ."""
    return ((before ^ after).bit_length() - 1) % 9


def _shift(packed: int) -> int:
    # O is to move after an odd number of marks, and its mask is the upper.
    return 9 * (packed.bit_count() % 2)


@cache
def value(packed: int) -> int:
    """Return the value of a position for the side to move: +1, 0 or -1."""
    return evaluate(unpacked(packed)).value


def result(packed: int) -> int | None:
    """Return how a position ended: +1 if X won, -1 if O won, 0 for a draw; ``None`` if not over."""
    x, o = packed & FULL, packed >> 9
    if LINES_IN[x]:
        return 1
    if LINES_IN[o]:
        return -1
    return 0 if x | o == FULL else None
