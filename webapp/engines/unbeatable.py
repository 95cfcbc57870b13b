"""Source C, from beatable to unbeatable in three versions: corners, forks, fork-blocker.

All three scan the cells 0 to 8 and take the first that qualifies. May import ``core``.
"""

from collections.abc import Sequence

from webapp.core import tactics
from webapp.core.board import EDGES, Board
from webapp.core.game import Reason
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

_WIN, _BLOCK, _FORK, _CORNER, _EDGE = map(first, (WIN, BLOCK, FORK, ANY_CORNER, ANY_EDGE))

CORNERS = ruled(
    slug="corners",
    name="Corners",
    brief="prefers corners",
    idea="It wins, blocks, and takes corners first.",
    source=SOURCE,
    rules=[_WIN, _BLOCK, _CORNER, CENTRE_CELL, _EDGE],
)

FORKS = ruled(
    slug="forks",
    name="Forks",
    brief="makes forks",
    idea="It wins and blocks, makes forks, and takes the cells where its opponent could make one.",
    source=SOURCE,
    rules=[_WIN, _BLOCK, _FORK, first(BLOCK_FORK), _CORNER, CENTRE_CELL, _EDGE],
)


def _against_forks(board: Board) -> Sequence[Option]:
    """Take their only fork; against two of them, make them block me instead."""
    theirs = tactics.forks(board, board.turn.other).bit_count()
    if theirs == 1:
        return BLOCK_FORK.options(board)
    if theirs == 2:
        return [(cell, Reason("edge-against-forks")) for cell in EDGES if board[cell] is None][:1]
    return []


FORK_BLOCKER = ruled(
    slug="fork-blocker",
    name="Fork-blocker",
    brief="stops forks",
    idea="It makes and stops forks; against two forks it makes a threat that must be blocked.",
    source=SOURCE,
    rules=[
        _WIN,
        _BLOCK,
        _FORK,
        Rule("Take their only fork; if they have two, take the first edge.", _against_forks),
        CENTRE_CELL,
        _CORNER,
        _EDGE,
    ],
)
