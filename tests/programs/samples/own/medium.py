"""Source E: win, block, else any free cell. Cells are numbered from 1 until they are returned."""

import random

LINES = ["147", "258", "369", "123", "456", "789", "159", "357"]


def completing(board: str, who: str) -> int | None:
    for line in LINES:
        marks = [board[int(number) - 1] for number in line]
        if marks.count(who) == 2 and "." in marks:
            return int(line[marks.index(".")]) - 1
    return None


def best(board: str, mark: str) -> int:
    other = "O" if mark == "X" else "X"
    for who in mark, other:
        cell = completing(board, who)
        if cell is not None:
            return cell
    free = [cell for cell in range(9) if board[cell] == "."]
    return random.choice(free)
