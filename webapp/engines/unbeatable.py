"""Source C, from beatable to unbeatable in three versions: corners, forks, fork-blocker.

All three scan the cells 0 to 8 and take the first that qualifies. May import ``core``.
"""

from collections.abc import Sequence

from webapp.core import tactics
from webapp.core.board import EDGES, Board
from webapp.core.game import Reason
from webapp.core.messages import N_, NC_
from webapp.engines.base import SOURCES, Option
from webapp.engines.rules import (
    ANY_CORNER,
    ANY_EDGE,
    BLOCK,
    BLOCK_FORK,
    CENTRE_CELL,
    FORK,
    WIN,
    Rule,
    first,
    ruled,
)

SOURCE = SOURCES["C"]

_WIN = first(WIN, N_("Complete one of my lines: the first in order."))
_BLOCK = first(BLOCK, N_("Block a line that they could complete: the first in order."))
_FORK = first(FORK, N_("Take a cell that gives me two or more winning cells: the first in order."))
_BLOCK_FORK = first(
    BLOCK_FORK,
    N_("Take a cell that would give them two or more winning cells: the first in order."),
)
_CORNER = first(ANY_CORNER, N_("Take a corner: the first in order."))
_EDGE = first(ANY_EDGE, N_("Take an edge: the first in order."))

CORNERS = ruled(
    slug="corners",
    name=NC_("computer player", "Corners"),
    brief=N_("prefers corners"),
    idea=N_("It wins, blocks, and takes corners first."),
    source=SOURCE,
    rules=[_WIN, _BLOCK, _CORNER, CENTRE_CELL, _EDGE],
)

FORKS = ruled(
    slug="forks",
    name=NC_("computer player", "Forks"),
    brief=N_("makes forks"),
    idea=N_(
        "It wins and blocks, makes forks, and takes the cells where its opponent could make one."
    ),
    source=SOURCE,
    rules=[_WIN, _BLOCK, _FORK, _BLOCK_FORK, _CORNER, CENTRE_CELL, _EDGE],
)


def _against_forks(board: Board) -> Sequence[Option]:
    """Take their only fork; against two forks, make a threat that they must block."""
    theirs = tactics.forks(board, board.turn.other).bit_count()
    if theirs == 1:
        return BLOCK_FORK.options(board)
    if theirs == 2:
        return [(cell, Reason("edge-against-forks")) for cell in EDGES if board[cell] is None][:1]
    return []


FORK_BLOCKER = ruled(
    slug="fork-blocker",
    name=NC_("computer player", "Fork-blocker"),
    brief=N_("stops forks"),
    idea=N_("It makes and stops forks; against two forks it makes a threat that must be blocked."),
    source=SOURCE,
    rules=[
        _WIN,
        _BLOCK,
        _FORK,
        Rule(
            N_("Take the cell of their only fork; if they have two, take the first free edge."),
            _against_forks,
        ),
        CENTRE_CELL,
        _CORNER,
        _EDGE,
    ],
)
