"""Source A, ``human``; some of its rules are for X or for O only. May import ``core``."""

from collections.abc import Sequence

from webapp.core import tactics
from webapp.core.board import CENTRE, COLUMNS, DIAGONALS, EDGES, ROWS, Board, Mark
from webapp.core.game import Reason
from webapp.core.messages import N_, NC_
from webapp.engines.base import SOURCES, Option
from webapp.engines.rules import ANY_CORNER, ANY_EDGE, ANYWHERE, CENTRE_CELL, Rule, by_line, ruled

LINE_ORDER = ROWS[::-1] + COLUMNS[::-1] + DIAGONALS


def _opening(board: Board) -> Sequence[Option]:
    """The opening, up to three marks on the board."""
    if board.ply >= 4:
        return []
    taken_edges = [cell for cell in EDGES if board[cell]]
    if board.turn is Mark.X and not taken_edges:
        return ANY_CORNER.options(board)
    if board[CENTRE] is Mark.O:
        if 1 in taken_edges or 3 in taken_edges:
            return [(0, Reason("corner"))]
        if taken_edges:
            return [(8, Reason("corner"))]
        return ANY_EDGE.options(board)
    return CENTRE_CELL.options(board) or ANY_CORNER.options(board)


def _attack(board: Board) -> Sequence[Option]:
    """The first cell that makes a fork; otherwise the last that makes a threat."""
    me, attack = board.turn, []
    for cell in board.legal_moves:
        threats = tactics.threats(board.play(cell), me)
        if len(threats) >= 2:
            return [(cell, Reason("fork", threats))]
        if threats:
            attack = [(cell, Reason("threat", threats))]
    return attack


HUMAN = ruled(
    slug="human",
    # Translators: names of computer players fill {engine} and {name} as they are, never declined
    name=NC_("computer player", "Human"),
    brief=N_("plays like a person"),
    idea=N_("A few rules of thumb, like the ones people use, are enough never to lose."),
    source=SOURCES["A"],
    rules=[
        by_line(LINE_ORDER, mine=True),
        by_line(LINE_ORDER, mine=False),
        Rule(
            N_(
                "With fewer than four marks: as X, take a corner while no edge is taken; against O "
                "in the centre, take the corner between the taken edges, or else an edge; "
                "otherwise take the centre or a corner."
            ),
            _opening,
        ),
        Rule(N_("Make the first fork found; otherwise the last threat found."), _attack),
        ANYWHERE,
    ],
)
