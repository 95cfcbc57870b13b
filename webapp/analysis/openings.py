"""Sharp openings, in which few moves keep the value. May import ``core`` and ``engines``."""

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

PLIES = range(1, 4)  # the numbers of marks on the board
MAX_KEEPING = 2  # at most so many cells keep the value


class Opening(NamedTuple):
    """The moves that lead to an opening, and the cells that keep its value."""

    moves: tuple[int, ...]
    keeping: tuple[int, ...]

    @property
    def board(self) -> Board:
        return boards(self.moves)[-1]


@cache
def sharp() -> tuple[Opening, ...]:
    """Return the canonical positions, by number of marks."""
    openings = []
    for board in positions():
        if board.ply not in PLIES or board.outcome or fold(board.packed) != board.packed:
            continue
        # A threat only asks for a block, which almost everyone sees.
        if not any(tactics.wins(board, mark) for mark in Mark):
            cells = keeping(board)
            if len(cells) <= MAX_KEEPING:
                openings.append(Opening(moves_to(board), cells))
    return tuple(sorted(openings, key=lambda opening: (len(opening.moves), opening.moves)))


def images(opening: Opening) -> Sequence[tuple[int, ...]]:
    """Return the moves of an opening under all symmetries, without duplicates."""
    return sorted({tuple(symmetry[cell] for cell in opening.moves) for symmetry in SYMMETRIES})


def chances(opening: Opening, engine: Engine) -> Matchup:
    """Return the exact results of an engine against itself from an opening."""
    return matchup_from(opening.board.packed, engine, engine)
