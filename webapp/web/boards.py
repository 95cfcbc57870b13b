"""Boards as pages draw them: the cells of a large one, and small ones that only show something."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from webapp import words
from webapp.analysis.review import worth_after
from webapp.core.board import CELLS, Board, Mark
from webapp.core.game import boards
from webapp.words.language import N_, _

KINDS = ("draw", "win", "loss")  # CSS classes for the values 0, +1 and -1

# Translators: in a small cell of a board's picture: what it leads to
_WORTH = (N_("draw"), N_("win"), N_("loss"))  # the same in a picture's cells


class CellView(NamedTuple):
    """A cell of a large board.

    :param ghost: the mark that a click would draw
    :param new: when a script draws the mark: ``now``, ``then``, or empty
    :param worth: what playing it is worth: one of :data:`KINDS`, or empty
    :param note: the text in it, such as what playing it leads to
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
    """A board for clicking a position, by the names in its template."""
    ghost = None if board.outcome else board.turn
    cells = [CellView(cell, board[cell], None if board[cell] else ghost) for cell in CELLS]
    return {"cells": cells, "outcome": board.outcome}


class Picture(NamedTuple):
    """A small board.

    :param label: what a screen reader says
    :param lit: highlighted cells, including completed lines
    :param notes: cell, kind and a few letters; the kind is one of :data:`KINDS` or ``order``
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
    """Draw a board; ``says`` begins its label."""
    completed = board.outcome.cells if board.outcome else ()
    return Picture(
        label=_("{picture}: {board}").format(picture=says or _("Board"), board=words.board(board)),
        board=board,
        lit=tuple(sorted({*lit, *completed})),
        notes=tuple(notes),
    )


def of_game(moves: Sequence[int], says: str) -> Picture:
    """Draw a finished game with its marks numbered."""
    order = ((cell, "order", str(number)) for number, cell in enumerate(moves, 1))
    return picture(boards(tuple(moves))[-1], says, notes=order)


def of_values(board: Board, says: str) -> Picture:
    """Draw a board with what each free cell leads to for the side to move."""
    worth = ((cell, worth_after(board, cell).value) for cell in board.legal_moves)
    return picture(board, says, notes=((cell, KINDS[at], _(_WORTH[at])) for cell, at in worth))
