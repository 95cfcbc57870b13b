"""How the commands lay out what they print: boards, columns, fractions.

Colour only on a terminal: ``click.echo`` strips it elsewhere.
"""

from collections.abc import Container, Iterable, Sequence
from itertools import zip_longest

import click

from webapp import words
from webapp.core.board import Board, Mark

_COLOURS = {Mark.X: "red", Mark.O: "blue"}


def counted(number: int, what: str) -> str:
    """Say how many of something there are."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def drawn(board: Board, winning: Iterable[int] = ()) -> str:
    """Draw a board in five lines.

    >>> print(click.unstyle(drawn(Board.parse("X...O...."))))
     X |   |
    ---+---+---
       | O |
    ---+---+---
       |   |
    """
    struck = set(winning)

    def cell(at: int) -> str:
        if (mark := board[at]) is None:
            return "   "
        return f" {click.style(mark, fg=_COLOURS[mark], bold=True, underline=at in struck)} "

    rows = ("|".join(cell(3 * row + column) for column in range(3)) for row in range(3))
    return "\n---+---+---\n".join(row.rstrip() for row in rows)


def beside(picture: str, text: Sequence[str], gap: int = 4) -> str:
    """Set lines of text to the right of a picture."""
    left = picture.split("\n")
    width = max(len(click.unstyle(line)) for line in left) + gap
    lines = (
        f"{mine}{' ' * (width - len(click.unstyle(mine)))}{theirs}".rstrip()
        for mine, theirs in zip_longest(left, text, fillvalue="")
    )
    return "\n".join(lines)


def columns(rows: Iterable[Sequence[str]], right: Container[int] = ()) -> str:
    """Align cells below a heading, the first row; columns in ``right`` to the right."""
    table = [list(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for row in table:
        cells = [
            cell.rjust(width) if at in right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    lines[0] = click.style(lines[0], bold=True)
    return "\n".join(lines)


def moves(cells: Sequence[int]) -> list[str]:
    """Write a game as numbered moves in words."""
    return [
        f"{number} {'XO'[(number - 1) % 2]} {words.CELLS[cell]}"
        for number, cell in enumerate(cells, 1)
    ]
