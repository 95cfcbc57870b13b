"""Boards and columns as text; ``click.echo`` strips the colour where there is no terminal."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import asdict
from itertools import zip_longest
from typing import Any

import click

from webapp import words
from webapp.analysis.simulate import Experiment, Sample, interval
from webapp.core.board import Board, Mark
from webapp.words import figures

WHAT_SHARES_MEAN = "In 95 of 100 such samples the true share of games lies from low to high."

_COLOURS = {Mark.X: "red", Mark.O: "blue"}


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


def beside(board: str, text: Sequence[str]) -> str:
    """Set lines of text to the right of a drawn board, which is 11 characters wide."""
    lines = []
    for mine, theirs in zip_longest(board.split("\n"), text, fillvalue=""):
        gap = " " * (15 - len(click.unstyle(mine)))
        lines.append(f"{mine}{gap}{theirs}".rstrip())
    return "\n".join(lines)


def columns(rows: Iterable[Sequence[str]], right: Container[int] = ()) -> str:
    """Align cells below a heading, the first row; columns in ``right`` to the right."""
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    sides = [">" if at in right else "<" for at in range(len(widths))]
    lines = []
    for row in table:
        cells = zip(row, sides, widths, strict=True)
        lines.append("  ".join(f"{cell:{side}{width}}" for cell, side, width in cells).rstrip())
    lines[0] = click.style(lines[0], bold=True)
    return "\n".join(lines)


def moves(cells: Sequence[int]) -> list[str]:
    """Write a game as numbered moves in words."""
    return [
        f"{number} {'XO'[(number - 1) % 2]} {words.cell_name(cell)}"
        for number, cell in enumerate(cells, 1)
    ]


def counts(experiment: Experiment) -> list[int]:
    """The counts of games: X's wins, draws, O's wins."""
    return [experiment.x_wins, experiment.draws, experiment.o_wins]


def share(count: int, games: int) -> str:
    """Write between which shares the true one lies, where nothing exact is known."""
    return figures.between(*interval(count, games), games)


def sample_json(sample: Sample) -> dict[str, Any]:
    """Write a sample for scripts: no fractions, as nothing in it is exact."""
    games, counts = sample.counted.games, asdict(sample.counted)
    shares = {result: interval(count, games) for result, count in counts.items()}
    return {
        "exact": False,
        "games": games,
        **counts,
        "low": {result: low for result, (low, _) in shares.items()},
        "high": {result: high for result, (_, high) in shares.items()},
    }
