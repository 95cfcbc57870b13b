"""The eight symmetries of the square, and the canonical form of a board.

May import ``board`` only.
"""

from __future__ import annotations

from typing import TypeAlias

from webapp.core.board import CELLS, CELLS_IN, FULL, Board, mask_of

Symmetry: TypeAlias = tuple[int, ...]
"""Where each cell goes: cell *c* of a board becomes cell ``symmetry[c]`` of its image."""


def _symmetries() -> tuple[Symmetry, ...]:
    """The four rotations, then the same four after a reflection in the vertical axis."""
    quarter_turn = tuple(3 * (cell % 3) + 2 - cell // 3 for cell in CELLS)
    reflection = tuple(3 * (cell // 3) + 2 - cell % 3 for cell in CELLS)
    found: list[Symmetry] = []
    for start in (tuple(CELLS), reflection):
        image = start
        for _ in range(4):
            found.append(image)
            image = tuple(quarter_turn[cell] for cell in image)
    return tuple(found)


SYMMETRIES: tuple[Symmetry, ...] = _symmetries()

MASK_IMAGES = tuple(
    tuple(mask_of(symmetry[cell] for cell in CELLS_IN[mask]) for mask in range(FULL + 1))
    for symmetry in SYMMETRIES
)
"""For each symmetry, the image of every mask."""


def images(board: Board) -> tuple[Board, ...]:
    """Return the eight images of a board, in the order of :data:`SYMMETRIES`.

    A symmetric board has equal images, so the eight need not be distinct.
    """
    return tuple(Board(image[board.x], image[board.o]) for image in MASK_IMAGES)


def canonical(board: Board) -> Board:
    """Return the one image that stands for all boards equal up to rotation and reflection.

    >>> canonical(Board.parse("..X......")) == canonical(Board.parse("......X.."))
    True
    """
    return min(images(board), key=lambda image: (image.x, image.o))
