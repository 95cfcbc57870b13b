"""Boards as pages draw them: the cells of a large one, and small ones that only show something."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from webapp import words
from webapp.analysis.review import worth_after
from webapp.core.board import CELLS, Board, Mark
from webapp.core.game import boards
from webapp.words.language import N_, _

KINDS = ("draw", "win", "loss")
"""What a value of 0, +1 or -1 is called, as a CSS class."""

# Translators: in a small cell of a board's picture: what it leads to
_WORTH = (N_("draw"), N_("win"), N_("loss"))
"""The same in a picture's cells."""


class CellView(NamedTuple):
    """One cell of a large board.

    :param ghost: the mark that a click would draw
    :param new: when the mark is drawn before the viewer's eyes: ``now``, ``then`` or not at all
    :param worth: what playing it is worth: one of :data:`KINDS`, or empty
    :param note: what is written on it, such as what playing it leads to
    """

    number: int
    mark: Mark | None
    ghost: Mark | None = None
    winning: bool = False
    hinted: bool = False
    new: str = ""
    worth: str = ""
    note: str = ""


def clickable(board: Board) -> Mapping[str, object]:
    """Return a board on which a position is clicked together, by the names of its template."""
    ghost = None if board.outcome else board.turn
    cells = [CellView(cell, board[cell], None if board[cell] else ghost) for cell in CELLS]
    return {"cells": cells, "outcome": board.outcome}


class Picture(NamedTuple):
    """A board to look at.

    :param label: what a screen reader says of it
    :param lit: cells that stand out, those of a completed line among them
    :param notes: cell, kind and text of a few letters; the kind is one of :data:`KINDS` or
        ``order``
    """

    label: str
    board: Board
    lit: tuple[int, ...]
    notes: tuple[tuple[int, str, str], ...]


def picture(
    board: Board,
    says: str = "",
    lit: Collection[int] = (),
    notes: Iterable[tuple[int, str, str]] = (),
) -> Picture:
    """Draw a board; ``says`` is what the picture shows, for its label."""
    completed = board.outcome.cells if board.outcome else ()
    shining = tuple(sorted({*lit, *completed}))
    label = _("{picture}: {board}").format(picture=says or _("Board"), board=words.board(board))
    return Picture(label, board, shining, tuple(notes))


def of_game(moves: Sequence[int], says: str) -> Picture:
    """Draw how a game ended, its marks numbered in their order."""
    order = ((cell, "order", str(number)) for number, cell in enumerate(moves, 1))
    return picture(boards(tuple(moves))[-1], says, notes=order)


def of_values(board: Board, says: str) -> Picture:
    """Draw a board with what each free cell leads to, for the side to move."""
    worth = ((cell, worth_after(board, cell).value) for cell in board.legal_moves)
    return picture(board, says, notes=((cell, KINDS[at], _(_WORTH[at])) for cell, at in worth))
