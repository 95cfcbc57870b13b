"""The eight symmetries of the square, and the canonical position of each orbit.

Positions are packed (see :attr:`webapp.core.board.Board.packed`). May import ``board`` only.
"""

from functools import cache
from typing import TypeAlias

from webapp.core.board import CELLS, CELLS_IN, FULL, mask_of

Symmetry: TypeAlias = tuple[int, ...]  # cell *c* of a board becomes cell `symmetry[c]` of its image


def _symmetries() -> tuple[Symmetry, ...]:
    """The four rotations, then the same four after a reflection in the vertical axis."""
    quarter_turn = tuple(3 * (cell % 3) + 2 - cell // 3 for cell in CELLS)
    reflection = tuple(3 * (cell // 3) + 2 - cell % 3 for cell in CELLS)
    symmetries: list[Symmetry] = []
    for turned in (tuple(CELLS), reflection):
        for _ in range(4):
            symmetries.append(turned)
            turned = tuple(quarter_turn[cell] for cell in turned)  # noqa: PLW2901 - turned on
    return tuple(symmetries)


SYMMETRIES: tuple[Symmetry, ...] = _symmetries()

_MASK_IMAGES = tuple(
    tuple(mask_of(symmetry[cell] for cell in CELLS_IN[mask]) for mask in range(FULL + 1))
    for symmetry in SYMMETRIES
)
"""For each symmetry, the image of every mask."""


def image(packed: int, number: int) -> int:
    """Return the image of a position under a symmetry, given by its index in ``SYMMETRIES``."""
    masks = _MASK_IMAGES[number]
    return masks[packed & FULL] | masks[packed >> 9] << 9


def images(packed: int) -> tuple[int, ...]:
    """Return the images of a position, in the order of :data:`SYMMETRIES`; some may be equal."""
    x, o = packed & FULL, packed >> 9
    return tuple([masks[x] | masks[o] << 9 for masks in _MASK_IMAGES])


@cache
def orbit(packed: int) -> tuple[int, ...]:
    """Return the distinct images of a position, the least first.

    >>> orbit(1 << 2)
    (1, 4, 64, 256)
    """
    return tuple(sorted(set(images(packed))))


@cache
def fold(packed: int) -> int:
    """Return the canonical position: the least of its orbit."""
    return orbit(packed)[0]


@cache
def unfolding(packed: int) -> int:
    """Return the index of a symmetry that takes the canonical position to this position."""
    return images(fold(packed)).index(packed)
