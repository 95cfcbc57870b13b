"""Small boards that only show something, drawn with the page's strokes and with a label."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from webapp import words
from webapp.analysis.review import worth_after
from webapp.core.board import Board
from webapp.core.game import boards
from webapp.words.language import N_, _

KINDS = ("draw", "win", "loss")
"""What a value of 0, +1 or -1 is called, as a CSS class."""

# Translators: in a small cell of a board's picture: what it leads to
_WORTH = (N_("draw"), N_("win"), N_("loss"))
"""The same in a picture's cells."""


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
