"""Rules for a sheet of paper: a player who follows them never loses.

A shorter ``human``: win, block, and the places of its opening. It is safe without a search for
forks. May import ``core`` and ``engines``.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache

from webapp.core.board import COLUMNS, CORNERS, ROWS, Board, Mark
from webapp.core.game import Reason
from webapp.core.messages import N_
from webapp.engines.base import Option
from webapp.engines.rules import ANY_CORNER, ANY_EDGE, ANYWHERE, BLOCK, CENTRE_CELL, WIN, Rule

_SIDES = (ROWS[0], ROWS[2], COLUMNS[0], COLUMNS[2])


def _against_opposite_corners(board: Board) -> Sequence[Option]:
    theirs = board.turn.other
    both = any(board[cell] is theirs and board[8 - cell] is theirs for cell in CORNERS)
    return ANY_EDGE.options(board) if both else []


def _beside_an_edge(board: Board) -> Sequence[Option]:
    theirs = board.turn.other
    beside = {end for first, edge, last in _SIDES if board[edge] is theirs for end in (first, last)}
    return [(cell, Reason("corner")) for cell in sorted(beside) if board[cell] is None]


RULES = (
    # Translators: instructions on a sheet of paper, to a pupil; "edge": a cell between two corners
    Rule(N_("If you have two in a line and the third cell is free, take it and win."), WIN.options),
    Rule(
        N_("If the other player has two in a line and the third cell is free, take it."),
        BLOCK.options,
    ),
    Rule(N_("If the centre is free, take it."), CENTRE_CELL.options),
    Rule(
        N_("If the other player has two opposite corners, take an edge."), _against_opposite_corners
    ),
    Rule(N_("If the other player has an edge, take a free corner next to it."), _beside_an_edge),
    Rule(N_("If a corner is free, take it."), ANY_CORNER.options),
    Rule(N_("Otherwise take any free cell."), ANYWHERE.options),
)
"""The first that applies decides; any of its cells will do."""


def allowed(board: Board) -> tuple[int, ...]:
    """Return the cells that the rules allow.

    >>> allowed(Board.parse("X...O...X"))
    (1, 3, 5, 7)
    """
    return next(
        tuple(cell for cell, _ in options) for rule in RULES if (options := rule.options(board))
    )


@cache
def games(mark: Mark) -> Counter[str]:
    """Count all games in which this mark follows the rules, by outcome slug.

    >>> games(Mark.X)
    Counter({'x': 224, 'draw': 64})
    """

    def ends(board: Board) -> Counter[str]:
        if board.outcome:
            return Counter([board.outcome.slug])
        cells = allowed(board) if board.turn is mark else board.legal_moves
        return sum((ends(board.play(cell)) for cell in cells), Counter())

    return ends(Board())
