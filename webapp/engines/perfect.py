"""The project's own engine, ``hard``; source C leaves an unbeatable one as an exercise.

It wins against random play as often as an unbeatable player can. May import ``core``.
"""

from webapp.core import solver, tactics
from webapp.core.board import Board
from webapp.core.game import Reason
from webapp.core.messages import N_, NC_
from webapp.engines.base import Choice, Engine, uniform


def explain(board: Board, cell: int) -> Reason:
    """Return the plainest true reason for a best move.

    In this order: ``win`` completes lines; ``last`` is the only free cell; ``block`` stops a
    threat; ``fork`` makes two threats; ``force`` wins by other means; ``delay`` loses, as every
    cell does; ``only`` is the only cell that does not lose; ``chance`` keeps the draw with the best
    chance of winning against random play; ``level`` only keeps the draw.

    :param cell: one of ``solver.best_moves(board)``
    """
    me, after = board.turn, board.play(cell)
    if after.outcome and after.outcome.winner is me:
        return Reason("win", after.outcome.lines)
    if len(board.legal_moves) == 1:
        return Reason("last")
    if blocked := tactics.lines_completed(board, me.other, cell):
        return Reason("block", blocked)
    match solver.evaluate(board).value:
        case 1 if tactics.wins(after, me).bit_count() >= 2:
            return Reason("fork", tactics.threats(after, me))
        case 1:
            return Reason("force")
        case -1:
            return Reason("delay")
    others = (other for other in board.legal_moves if other != cell)
    if all(solver.value_after(board, other) < 0 for other in others):
        return Reason("only")
    best_chance = cell in solver.strongest_moves(board) and solver.chances_after(after)[0]
    return Reason("chance" if best_chance else "level")


def _policy(board: Board) -> tuple[Choice, ...]:
    return uniform((cell, explain(board, cell)) for cell in solver.strongest_moves(board))


HARD = Engine(
    slug="hard",
    name=NC_("computer player", "Hard"),
    brief=N_("never loses"),
    idea=N_("It cannot be beaten, and it beats random play as often as an unbeatable player can."),
    policy=_policy,
    rules=(
        N_("Keep a win a win, and a draw a draw."),
        N_("Win as soon as possible, lose as late as possible."),
        N_(
            "Of these, choose the cell with the best chance of beating random play; if several "
            "are equal, the best chance of a draw."
        ),
        N_("If several cells are still equal, take any of them."),
    ),
    symmetric=True,
)
