"""Source C, second version: forks come before corners."""

from corners import ORDER, filled, winning


def forks(board: str, who: str) -> list[int]:
    free = [cell for cell in range(9) if board[cell] == "."]
    return [cell for cell in free if len(winning(filled(board, cell, who), who)) > 1]


def best(board: str, mark: str) -> int:
    other = "O" if mark == "X" else "X"
    for found in winning, forks:
        for who in mark, other:
            if cells := found(board, who):
                return cells[0]
    return next(cell for cell in ORDER if board[cell] == ".")
