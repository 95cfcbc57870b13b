"""Sources B and D, minimax: ``minimax``, and ``slips``, which errs on purpose. May import ``core``.

Both articles take the first cell, in cell order, with the greatest evaluation: +1, 0 or -1 for the
side to move, which is the solver's value. A win now and a win later count the same.
"""

from fractions import Fraction
from functools import cache

from webapp.core import solver, tactics
from webapp.core.board import Board
from webapp.core.game import Reason
from webapp.core.messages import N_, NC_
from webapp.engines.base import SOURCES, Choice, Engine

_REASONS = {1: Reason("value-win"), 0: Reason("value-draw"), -1: Reason("value-loss")}

SLIP = Fraction(1, 5)  # the probability that `slips` plays a random free cell

# By the number of free cells: the probability of each as a slip.
_SLIP_SHARES = (SLIP, *(SLIP / free for free in range(1, 10)))


@cache
def _first_best(board: Board) -> Choice:
    # The greatest value after a move is the position's own.
    value = solver.evaluate(board).value
    cell = next(cell for cell in board.legal_moves if solver.value_after(board, cell) == value)
    lines = tactics.lines_completed(board, board.turn, cell)
    return Choice(cell, Fraction(1), Reason("win", lines) if lines else _REASONS[value])


def _slipping(board: Board) -> tuple[Choice, ...]:
    best, free = _first_best(board), board.legal_moves
    if len(free) == 1:
        return (best,)
    slips = [Choice(cell, _SLIP_SHARES[len(free)], Reason("slip")) for cell in free]
    return (Choice(best.cell, 1 - SLIP, best.reason), *slips)


MINIMAX = Engine(
    slug="minimax",
    name=NC_("computer player", "Minimax"),
    brief=N_("looks to the end"),
    idea=N_(
        "It looks at every way the game can end and takes the best cell (the first, if several "
        "are best)."
    ),
    policy=lambda board: (_first_best(board),),
    source=SOURCES["B"],
    rules=(
        N_(
            "Take the first cell, in order, with the greatest value when both sides play their "
            "best."
        ),
    ),
)

SLIPS = Engine(
    slug="slips",
    name=NC_("computer player", "Slips"),
    brief=N_("sometimes slips up"),
    idea=N_("It plays like Minimax, but now and then at random, to make the game interesting."),
    policy=_slipping,
    source=SOURCES["D"],
    rules=(
        N_("Four times in five, take the first cell with the greatest value."),
        N_("Otherwise, take any free cell."),
    ),
)
