"""Boards and columns as text."""

from collections.abc import Container, Iterable, Sequence
from itertools import zip_longest

from webapp.core.board import Board


def drawn(board: Board) -> str:
    """Draw a board in five lines.

    >>> print(drawn(Board.parse("X...O....")))
     X |   |
    ---+---+---
       | O |
    ---+---+---
       |   |
    """
    cells = [f" {mark} " if mark else "   " for mark in map(board.__getitem__, range(9))]
    rows = ("|".join(cells[at : at + 3]).rstrip() for at in (0, 3, 6))
    return "\n---+---+---\n".join(rows)


def beside(board: str, text: Sequence[str]) -> str:
    """Set lines of text to the right of a drawn board, which is 11 characters wide."""
    lines = zip_longest(board.split("\n"), text, fillvalue="")
    return "\n".join(f"{row:15}{line}".rstrip() for row, line in lines)


def columns(rows: Iterable[Sequence[str]], right: Container[int] = ()) -> str:
    """Align cells; columns in ``right`` to the right."""
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    sides = [">" if at in right else "<" for at in range(len(widths))]
    lines = []
    for row in table:
        cells = zip(row, sides, widths, strict=True)
        lines.append("  ".join(f"{cell:{side}{width}}" for cell, side, width in cells).rstrip())
    return "\n".join(lines)
