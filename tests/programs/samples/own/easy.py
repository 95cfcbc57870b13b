"""Source E: any free cell."""

from random import choice


def best(board: str, mark: str) -> int:
    return choice([cell for cell in range(9) if board[cell] == "."])
