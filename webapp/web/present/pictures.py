"""Small boards that only show something: drawn with the strokes of the page, read by a label."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from webapp import words
from webapp.analysis.review import worth_after
from webapp.core.board import CELLS, Board, Outcome
from webapp.core.game import Game

KINDS = ("draw", "win", "loss")
"""What a value of 0, +1 or -1 is called, as a CSS class and in a picture's cells."""

_SIZE = 100  # of a cell, in the units of the drawing


class Stroke(NamedTuple):
    """A mark: ``x`` or ``o``, which of its variants, and where its cell begins."""

    mark: str
    variant: int
    left: int
    top: int


class Note(NamedTuple):
    """A few letters in a cell; ``kind`` is ``win``, ``draw``, ``loss`` or ``order``."""

    kind: str
    text: str
    left: int
    top: int


class Picture(NamedTuple):
    """A board to look at.

    :param label: what a screen reader says of it
    :param lit: where the cells begin that stand out
    :param strike: the completed lines, as ``"036"``
    :param winner: ``"x"``, ``"o"``, or empty
    """

    label: str
    strokes: tuple[Stroke, ...]
    lit: tuple[tuple[int, int], ...]
    notes: tuple[Note, ...]
    strike: tuple[str, ...]
    winner: str


def picture(
    board: Board,
    says: str = "Board",
    lit: Collection[int] = (),
    notes: Mapping[int, tuple[str, str]] | None = None,
) -> Picture:
    """Draw a board.

    :param says: what the picture shows, for its label
    :param lit: cells that stand out, besides those of a completed line
    :param notes: kind and text, by cell
    """
    outcome = board.outcome
    marks = ((cell, board[cell]) for cell in CELLS)
    shining = {*lit, *(outcome.cells if outcome else ())}
    return Picture(
        label=f"{says}: {words.board(board)}",
        strokes=tuple(Stroke(mark.slug, cell % 3, *_corner(cell)) for cell, mark in marks if mark),
        lit=tuple(_corner(cell) for cell in sorted(shining)),
        notes=tuple(Note(*note, *_corner(cell)) for cell, note in (notes or {}).items()),
        strike=strike(outcome),
        winner=outcome.winner.slug if outcome and outcome.winner else "",
    )


def strike(outcome: Outcome | None) -> tuple[str, ...]:
    """The completed lines as their cells, such as ``"036"``; none while the game goes on."""
    return tuple(words.digits(line) for line in outcome.lines) if outcome else ()


def of_game(moves: Sequence[int], says: str) -> Picture:
    """Draw how a game ended, its marks numbered in their order."""
    order = {cell: ("order", str(number)) for number, cell in enumerate(moves, 1)}
    return picture(Game(tuple(moves)).board, says, notes=order)


def of_values(board: Board, says: str) -> Picture:
    """Draw a board with what each free cell leads to, for the side to move."""
    kinds = {cell: KINDS[worth_after(board, cell).value] for cell in board.legal_moves}
    return picture(board, says, notes={cell: (kind, kind) for cell, kind in kinds.items()})


def _corner(cell: int) -> tuple[int, int]:
    return _SIZE * (cell % 3), _SIZE * (cell // 3)
