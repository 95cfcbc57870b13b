"""What source C leaves as an exercise: never lose, and win as often as chance allows."""

import random
from fractions import Fraction
from functools import cache

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def played(board: str, cell: int) -> str:
    mark = "O" if board.count("X") > board.count("O") else "X"
    return board[:cell] + mark + board[cell + 1 :]


def free(board: str) -> list[int]:
    return [cell for cell in range(9) if board[cell] == "."]


def is_won(board: str) -> bool:
    """Whether the player who moved last has a line."""
    return any(board[a] != "." and board[a] == board[b] == board[c] for a, b, c in LINES)


@cache
def judged(board: str) -> tuple[int, int]:
    """The value for the player to move, and in how many moves the game is over."""
    if is_won(board):
        return -1, 0
    if not free(board):
        return 0, 0
    found = [judged(played(board, cell)) for cell in free(board)]
    value = -min(value for value, _ in found)
    plies = [plies for worth, plies in found if worth == -value]
    return value, 1 + (min(plies) if value > 0 else max(plies))


@cache
def hoped(board: str, mine: bool) -> tuple[Fraction, Fraction]:
    """How likely I win, and draw, against someone who plays at random."""
    if is_won(board):
        return Fraction(not mine), Fraction(0)
    if not free(board):
        return Fraction(0), Fraction(1)
    if mine:
        return hoped(played(board, candidates(board)[0]), False)
    found = [hoped(played(board, cell), True) for cell in free(board)]
    share = Fraction(1, len(found))
    return sum(win for win, _ in found) * share, sum(draw for _, draw in found) * share


@cache
def candidates(board: str) -> list[int]:
    def worth(cell: int) -> tuple[int, int, tuple[Fraction, Fraction]]:
        after = played(board, cell)
        value, plies = judged(after)
        return -value, plies if value > 0 else -plies, hoped(after, False)

    # A draw is a draw, however long it takes: all of them fill the board.
    values = {cell: worth(cell) for cell in free(board)}
    return [cell for cell in values if values[cell] == max(values.values())]


def best(board: str, mark: str) -> int:
    return random.choice(candidates(board))
