"""An engine asked once for every position it meets, in the whole numbers that analysis counts in.

Positions are packed as ``x | o << 9`` (see :mod:`webapp.core.board`). May import ``core`` and
``engines``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import lcm

from webapp.analysis.remember import remembered
from webapp.core import tactics
from webapp.core.board import FULL, LINES_IN, Board, Mark
from webapp.core.solver import evaluate
from webapp.core.symmetry import MASK_IMAGES
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
            stands_for = fold(packed) if self.engine.symmetric else packed
            if stands_for == packed:
                found = self._ask(packed)
            else:
                found = _imaged(self.moves(stands_for), _symmetry_to(packed))
            self._moves[packed] = found
        return found

    def _ask(self, packed: int) -> Moves:
        board = unpack(packed)
        shift = 0 if board.turn is Mark.X else 9
        choices = self.engine.choices(board)
        if len(choices) == 1:
            return Moves(((packed | 1 << choices[0].cell + shift, 1),), 1)
        total = lcm(*{choice.probability.denominator for choice in choices})
        weights: dict[int, int] = {}
        for choice in choices:
            after, chance = packed | 1 << choice.cell + shift, choice.probability
            weight = chance.numerator * (total // chance.denominator)
            weights[after] = weights.get(after, 0) + weight
        return Moves(tuple(weights.items()), total)


def _imaged(moves: Moves, symmetry: int) -> Moves:
    """What an engine does on the image of a board, if it is symmetric."""
    image = MASK_IMAGES[symmetry]
    return Moves(
        tuple([(image[after & FULL] | image[after >> 9] << 9, n) for after, n in moves.after]),
        moves.total,
    )


# The lists of a few minutes; one takes up to 0.2 MiB.
@remembered(most=32)
def lookup(engine: Engine) -> Lookup:
    """Return the memory of this engine's choices that every analysis in the process shares."""
    return Lookup(engine)


# What follows is asked about the same few thousand positions by every analysis in the process.


@cache
def unpack(packed: int) -> Board:
    """Return the board of a packed position."""
    return Board(packed & FULL, packed >> 9)


@cache
def value(packed: int) -> int:
    """Return the value of a position for the side to move: +1, 0 or -1."""
    return evaluate(unpack(packed)).value


@cache
def can_win_now(packed: int) -> bool:
    """Tell whether the side to move can complete a line at once."""
    board = unpack(packed)
    return bool(tactics.wins(board, board.turn))


@cache
def orbit(packed: int) -> tuple[int, ...]:
    """Return every position that is equal up to symmetry, each once, the least first."""
    x, o = packed & FULL, packed >> 9
    return tuple(sorted({image[x] | image[o] << 9 for image in MASK_IMAGES}))


@cache
def fold(packed: int) -> int:
    """Return the one position that stands for all that are equal up to symmetry."""
    return orbit(packed)[0]


def result(packed: int) -> int | None:
    """Return how a position ended: +1 X won, -1 O won, 0 a draw, ``None`` not over."""
    x, o = packed & FULL, packed >> 9
    if _OVER[x]:
        return 1
    if _OVER[o]:
        return -1
    return 0 if x | o == FULL else None


@cache
def _symmetry_to(packed: int) -> int:
    """The number of a symmetry that takes the position that stands for this one to it."""
    first = fold(packed)
    x, o = first & FULL, first >> 9
    return next(
        number for number, image in enumerate(MASK_IMAGES) if image[x] | image[o] << 9 == packed
    )
