"""What a player sees at a glance: threats, wins, blocks and forks, as masks and lines.

A *threat* is a line one mark short of complete whose last cell is free; a *fork* is two of them
with different last cells. May import ``board`` only.
"""

from webapp.core.board import CELLS_IN, FULL, LINES, Board, Line, Mark, mask_of

# For a mask of a player's own marks: the lines that lack one cell, and the bit of that cell.
_ONE_SHORT = tuple(
    tuple(
        (line, mask_of(line) & ~mask) for line in LINES if (mask_of(line) & mask).bit_count() == 2
    )
    for mask in range(FULL + 1)
)
# Likewise: the cells that would complete a line, free or not.
_COMPLETING = tuple(
    mask_of(cell for _, bit in lines for cell in CELLS_IN[bit]) for lines in _ONE_SHORT
)


def wins(board: Board, mark: Mark) -> int:
    """Mask of the free cells in which this mark completes a line, whichever mark is to move.

    The cells that win for ``board.turn.other`` are the ones for ``board.turn`` to block.

    >>> wins(Board.parse("XX.OO...."), Mark.X) == 1 << 2
    True
    """
    return _COMPLETING[board.mask(mark)] & board.free


def threats(board: Board, mark: Mark) -> tuple[Line, ...]:
    """The lines that this mark could complete with one move."""
    return _one_short(board.mask(mark), board.free)


def threats_with(board: Board, mark: Mark, cell: int) -> tuple[Line, ...]:
    """The lines that this mark could complete if it held a free cell too, whichever is to move.

    >>> threats_with(Board.parse("X...O...X"), Mark.X, 2)
    ((0, 1, 2), (2, 5, 8))
    """
    return _one_short(board.mask(mark) | 1 << cell, board.free & ~(1 << cell))


def _one_short(own: int, free: int) -> tuple[Line, ...]:
    return tuple([line for line, bit in _ONE_SHORT[own] if bit & free])


def forks(board: Board, mark: Mark) -> int:
    """Mask of the free cells after which this mark has two or more winning cells.

    >>> forks(Board.parse("X...O...X"), Mark.X) == 1 << 2 | 1 << 6
    True
    """
    own, free = board.mask(mark), board.free
    return mask_of(
        cell
        for cell in CELLS_IN[free]
        if (_COMPLETING[own | 1 << cell] & free & ~(1 << cell)).bit_count() >= 2
    )


def lines_completed(board: Board, mark: Mark, cell: int) -> tuple[Line, ...]:
    """The lines that this mark completes, or would complete, by playing a free cell."""
    own = board.mask(mark) | 1 << cell
    return tuple(line for line in LINES if cell in line and all(own >> other & 1 for other in line))


def lines_threatened(board: Board, mark: Mark, cell: int) -> tuple[Line, ...]:
    """The new threats that this mark makes by playing a free cell."""
    return tuple(line for line in threats_with(board, mark, cell) if cell in line)
