"""Source C, first version: win, block, corners, centre, sides."""

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
ORDER = [0, 2, 6, 8, 4, 1, 3, 5, 7]


def filled(board: str, cell: int, who: str) -> str:
    return board[:cell] + who + board[cell + 1 :]


def has_won(board: str, who: str) -> bool:
    return any(all(board[cell] == who for cell in line) for line in LINES)


def winning(board: str, who: str) -> list[int]:
    free = [cell for cell in range(9) if board[cell] == "."]
    return [cell for cell in free if has_won(filled(board, cell, who), who)]


def best(board: str, mark: str) -> int:
    other = "O" if mark == "X" else "X"
    wanted = winning(board, mark) + winning(board, other) + ORDER
    return next(cell for cell in wanted if board[cell] == ".")
