"""The eight symmetries of the square, and the one position that stands for all its images.

Positions are packed into one integer, ``x | o << 9`` (see :mod:`webapp.core.board`). May import
``board`` only.
"""

from functools import cache
from typing import TypeAlias

from webapp.core.board import CELLS, CELLS_IN, FULL, mask_of

Symmetry: TypeAlias = tuple[int, ...]
"""Where each cell goes: cell *c* of a board becomes cell ``symmetry[c]`` of its image."""


def _symmetries() -> tuple[Symmetry, ...]:
    """The four rotations, then the same four after a reflection in the vertical axis."""
    quarter_turn = tuple(3 * (cell % 3) + 2 - cell // 3 for cell in CELLS)
    reflection = tuple(3 * (cell // 3) + 2 - cell % 3 for cell in CELLS)
    found: list[Symmetry] = []
    for turned in (tuple(CELLS), reflection):
        for _ in range(4):
            found.append(turned)
            turned = tuple(quarter_turn[cell] for cell in turned)  # noqa: PLW2901 - turned on
    return tuple(found)


SYMMETRIES: tuple[Symmetry, ...] = _symmetries()

_MASK_IMAGES = tuple(
    tuple(mask_of(symmetry[cell] for cell in CELLS_IN[mask]) for mask in range(FULL + 1))
    for symmetry in SYMMETRIES
)
"""For each symmetry, the image of every mask."""


def image(packed: int, number: int) -> int:
    """Return the image of a position under the symmetry of this number."""
    masks = _MASK_IMAGES[number]
    return masks[packed & FULL] | masks[packed >> 9] << 9


def images(packed: int) -> tuple[int, ...]:
    """Return the eight images of a position, in the order of :data:`SYMMETRIES`.

    A symmetric position has equal images, so the eight need not be distinct.
    """
    x, o = packed & FULL, packed >> 9
    return tuple([masks[x] | masks[o] << 9 for masks in _MASK_IMAGES])


@cache
def orbit(packed: int) -> tuple[int, ...]:
    """Return every position that is equal up to symmetry, each once, the least first.

    >>> orbit(1 << 2)
    (1, 4, 64, 256)
    """
    return tuple(sorted(set(images(packed))))


@cache
def fold(packed: int) -> int:
    """Return the one position that stands for all that are equal up to symmetry."""
    return orbit(packed)[0]


@cache
def unfolding(packed: int) -> int:
    """Return the number of a symmetry that takes the position that stands for this one to it."""
    return images(fold(packed)).index(packed)
