"""Positions from which a game is decided by who sees more. May import ``core`` and ``engines``."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from webapp.analysis.matchup import Matchup, matchup_from
from webapp.core import tactics
from webapp.core.board import Board, Mark
from webapp.core.game import boards, moves_to
from webapp.core.solver import keeping, positions
from webapp.core.symmetry import SYMMETRIES, fold
from webapp.engines.base import Engine

PLIES = range(1, 4)
"""How many marks there may be."""

MOST = 2
"""How many cells may keep the value for the side to move."""


class Opening(NamedTuple):
    """A position to begin from.

    :param moves: the cells that lead to it, X's first
    :param keeping: the cells that keep the value for the side to move
    """

    moves: tuple[int, ...]
    keeping: tuple[int, ...]

    @property
    def board(self) -> Board:
        """The position."""
        return boards(self.moves)[-1]


@cache
def sharp() -> tuple[Opening, ...]:
    """Return the positions, one for all its images, by their number of marks.

    With one to three marks, not over, without a threat, and with at most two cells that keep the
    value. A threat only asks for a block, which almost everyone sees.
    """
    found = dict[int, Opening]()
    for board in positions():
        packed = board.x | board.o << 9
        if board.ply not in PLIES or board.outcome or fold(packed) != packed:
            continue
        if not any(tactics.wins(board, mark) for mark in Mark):
            cells = keeping(board)
            if len(cells) <= MOST:
                found[packed] = Opening(moves_to(board), cells)
    return tuple(sorted(found.values(), key=lambda one: (len(one.moves), one.moves)))


def images(opening: Opening) -> Sequence[tuple[int, ...]]:
    """Return the ways in which an opening can lie on the board, each once."""
    return sorted({tuple(turned[cell] for cell in opening.moves) for turned in SYMMETRIES})


def chances(opening: Opening, engine: Engine) -> Matchup:
    """Return the exact results of an engine against itself from there."""
    board = opening.board
    return matchup_from(board.x | board.o << 9, engine, engine)
