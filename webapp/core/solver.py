"""Value and distance of every reachable position, and the chances against random play.

Positions are packed (see :attr:`webapp.core.board.Board.packed`) and solved once, at import, in a
few milliseconds. The chances are computed when first asked for. May import the other modules of
``core`` only.
"""

from dataclasses import dataclass
from functools import cache
from math import prod

from webapp.core.board import CELLS_IN, FULL, LINES_IN, Board, Mark, unpacked


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a position is worth with best play on both sides.

    :param value: for the side to move: +1 a win, 0 a draw, -1 a loss
    :param distance: plies to the end, if the winner is as quick and the loser as slow as possible
    """

    value: int
    distance: int


def _solve() -> dict[int, int]:
    """Return the rank of every reachable position, by packed position.

    A rank holds both figures: its sign is the value, and a decided position's distance is ten
    less its size. A drawn game always fills the board, so a draw needs no distance.
    """
    ranks: dict[int, int] = {}

    def visit(mine: int, theirs: int, o_to_move: bool) -> int:
        packed = theirs | mine << 9 if o_to_move else mine | theirs << 9
        known = ranks.get(packed)
        if known is not None:
            return known
        free = FULL & ~(mine | theirs)
        if LINES_IN[theirs]:
            rank = -10
        elif not free:
            rank = 0
        else:
            rank = -10
            for cell in CELLS_IN[free]:
                reply = -visit(theirs, mine | 1 << cell, not o_to_move)
                # One ply further from the end: a decided rank moves one step towards zero.
                reply -= (reply > 0) - (reply < 0)
                rank = max(rank, reply)
        ranks[packed] = rank
        return rank

    visit(0, 0, False)
    return ranks


_RANKS = _solve()


def evaluate(board: Board) -> Evaluation:
    """Return the value and distance of a position, from the point of view of the side to move.

    >>> evaluate(Board.parse("XX.OO...."))
    Evaluation(value=1, distance=1)
    >>> evaluate(Board())
    Evaluation(value=0, distance=9)
    """
    rank = _RANKS[board.packed]
    if rank == 0:
        return Evaluation(0, 9 - board.ply)
    return Evaluation(1 if rank > 0 else -1, 10 - abs(rank))


def positions() -> tuple[Board, ...]:
    """All 5,478 positions that can be reached in play, finished positions included."""
    return tuple(map(unpacked, _RANKS))


def best_moves(board: Board) -> tuple[int, ...]:
    """The cells that keep the value and win soonest or lose latest; empty once the game is over.

    >>> best_moves(Board.parse("X...O...X"))
    (1, 3, 5, 7)
    """
    ranks = {cell: _rank_after(board, cell) for cell in board.legal_moves}
    top = max(ranks.values(), default=0)
    return tuple([cell for cell, rank in ranks.items() if rank == top])


def value_after(board: Board, cell: int) -> int:
    """Return the value, for the side to move, of playing a free cell."""
    rank = _rank_after(board, cell)
    return (rank > 0) - (rank < 0)


def keeping(board: Board) -> tuple[int, ...]:
    """The cells that keep the value, in cell order.

    >>> keeping(Board.parse("X........"))
    (4,)
    """
    worth = evaluate(board).value
    return tuple([cell for cell in board.legal_moves if value_after(board, cell) == worth])


def strongest_moves(board: Board) -> tuple[int, ...]:
    """The best moves with the best chances against random play, in cell order."""
    best = best_moves(board)
    if len(best) < 2:
        return best
    odds = {cell: chances_after(board.play(cell)) for cell in best}
    top = max(odds.values())
    return tuple(cell for cell in best if odds[cell] == top)


def _rank_after(board: Board, cell: int) -> int:
    """The rank, for the side to move, of the position after a free cell."""
    shift = 0 if board.turn is Mark.X else 9
    # A position is as good for me as it is bad for the opponent, who is to move in it.
    return -_RANKS[board.packed | 1 << cell + shift]


# --- against random play ------------------------------------------------------------------------
#
# Exact chances against an opponent who plays any free cell. The player takes a best move, and of
# several the one with the greatest chance of winning, then of drawing. Chances are whole numbers
# over ``ways``, their common denominator.


def ways(ply: int) -> int:
    """How many ways a random player to move at this ply can fill a board: 8·6·4·2 at ply 1."""
    return prod(range(9 - ply, 0, -2))


@cache
def chances(board: Board) -> tuple[int, int]:
    """Chances to win and to draw for the side to move, over ``ways(ply + 1)``.

    >>> chances(Board()), ways(1)
    ((382, 2), 384)
    """
    if outcome := board.outcome:
        return 0, 0 if outcome.winner else ways(board.ply + 1)
    return max(chances_after(board.play(cell)) for cell in best_moves(board))


@cache
def chances_after(board: Board) -> tuple[int, int]:
    """Chances to win and to draw for the player who has just moved, over ``ways(ply)``."""
    if outcome := board.outcome:
        return (ways(board.ply), 0) if outcome.winner else (0, ways(board.ply))
    replies = [chances(board.play(cell)) for cell in board.legal_moves]
    return sum(won for won, _ in replies), sum(drawn for _, drawn in replies)
