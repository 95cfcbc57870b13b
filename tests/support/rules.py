"""The rules of tic-tac-toe once more, in the plainest way, to hold the application against.

A board is nine characters of ``X``, ``O`` and ``.``. Imports nothing of the application on purpose.
"""

from collections.abc import Iterable, Iterator
from functools import cache

EMPTY = "." * 9
NAMES = (
    *("top left", "top centre", "top right"),
    *("middle left", "centre", "middle right"),
    *("bottom left", "bottom centre", "bottom right"),
)
LINES = (
    *(("top row", (0, 1, 2)), ("middle row", (3, 4, 5)), ("bottom row", (6, 7, 8))),
    *(("left column", (0, 3, 6)), ("middle column", (1, 4, 7)), ("right column", (2, 5, 8))),
    *(("diagonal", (0, 4, 8)), ("diagonal", (2, 4, 6))),
)


def other(mark: str) -> str:
    return "O" if mark == "X" else "X"


def to_move(board: str) -> str:
    return "O" if board.count("X") > board.count("O") else "X"


def free(board: str) -> list[int]:
    return [cell for cell, mark in enumerate(board) if mark == "."]


def put(board: str, cell: int) -> str:
    assert board[cell] == "."
    return board[:cell] + to_move(board) + board[cell + 1 :]


def after(moves: Iterable[int]) -> str:
    board = EMPTY
    for cell in moves:
        board = put(board, cell)
    return board


def complete(board: str) -> list[str]:
    return [name for name, (a, b, c) in LINES if "." != board[a] == board[b] == board[c]]


def outcome(board: str) -> str:
    """``"x"``, ``"o"``, ``"draw"``, or ``""`` while the game goes on."""
    if complete(board):
        # A game ends at the first line, so the one who has just moved has it.
        return other(to_move(board)).lower()
    return "" if "." in board else "draw"


@cache
def completions(board: str, mark: str) -> dict[int, list[str]]:
    """The free cells in which a mark would complete lines, and the names of these."""
    found: dict[int, list[str]] = {}
    for name, line in LINES:
        marks = [board[cell] for cell in line]
        if marks.count(mark) == 2 and marks.count(".") == 1:
            found.setdefault(line[marks.index(".")], []).append(name)
    return found


@cache
def value(board: str) -> tuple[int, int]:
    """Return what a board is worth to the side to move, and the plies left: the loser delays."""
    ended = outcome(board)
    if ended:
        return (0 if ended == "draw" else -1), 0
    replies = [value(put(board, cell)) for cell in free(board)]
    best = max(-theirs for theirs, _ in replies)
    plies = [length for theirs, length in replies if -theirs == best]
    return best, 1 + (max(plies) if best < 0 else min(plies))


def ways(board: str = EMPTY, moves: tuple[int, ...] = ()) -> Iterator[tuple[str, tuple[int, ...]]]:
    found = {board: moves}
    stack = [board]
    while stack:
        board = stack.pop()
        yield board, found[board]
        for cell in free(board) if not outcome(board) else ():
            following = put(board, cell)
            if following not in found:
                found[following] = (*found[board], cell)
                stack.append(following)
