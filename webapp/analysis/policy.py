"""An engine's choices as a table: asked once for every position, in whole numbers.

Positions are packed as ``x | o << 9``. May import ``core`` and ``engines``.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from math import lcm

from webapp.core.board import CELLS_IN, FULL, LINES_IN, Board
from webapp.core.solver import evaluate
from webapp.core.symmetry import fold, image, unfolding
from webapp.engines.base import Engine, EngineFault


@dataclass(frozen=True, slots=True)
class MoveDistribution:
    """Where an engine goes from a position: the next positions, packed, with whole-number weights.

    Empty where it has no answer and loses.
    """

    after: tuple[tuple[int, int], ...]
    total: int


class TabularPolicy:
    """What an engine does in each position, asked when first needed and then kept."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._moves: dict[int, MoveDistribution] = {}

    def moves(self, packed: int) -> MoveDistribution:
        """Return where the engine goes from a position that is not over."""
        found = self._moves.get(packed)
        if found is None:
            stands_for = fold(packed) if self._engine.symmetric else packed
            if stands_for == packed:
                found = self._ask(packed)
            else:
                found, number = self.moves(stands_for), unfolding(packed)
                after = tuple([(image(after, number), weight) for after, weight in found.after])
                found = MoveDistribution(after, found.total)
            self._moves[packed] = found
        return found

    def may_follow(self, packed: int) -> list[int]:
        """Return the positions that the engine may go to."""
        return [after for after, _ in self.moves(packed).after]

    def _ask(self, packed: int) -> MoveDistribution:
        try:
            choices = self._engine.choices(unpack(packed))
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
    """Return the table of this engine's choices that every analysis in the process shares."""
    return TabularPolicy(engine)


# What follows is asked about the same few thousand positions by every analysis in the process.


@cache
def unpack(packed: int) -> Board:
    """Return the board of a packed position."""
    return Board(packed & FULL, packed >> 9)


def may_follow(packed: int) -> list[int]:
    """Return the positions after each free cell, in cell order."""
    shift = _shift(packed)
    return [packed | 1 << cell + shift for cell in CELLS_IN[FULL & ~(packed | packed >> 9)]]


def cell_played(before: int, after: int) -> int:
    """Return the cell of the one mark by which two positions differ."""
    return ((before ^ after).bit_length() - 1) % 9


def _shift(packed: int) -> int:
    """By how many bits a cell is shifted for the side to move: O has it after an odd number."""
    return 9 * (packed.bit_count() % 2)


@cache
def value(packed: int) -> int:
    """Return the value of a position for the side to move: +1, 0 or -1."""
    return evaluate(unpack(packed)).value


def result(packed: int) -> int | None:
    """Return how a position ended: +1 X won, -1 O won, 0 a draw, ``None`` not over."""
    x, o = packed & FULL, packed >> 9
    if LINES_IN[x]:
        return 1
    if LINES_IN[o]:
        return -1
    return 0 if x | o == FULL else None
