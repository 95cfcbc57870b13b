"""Source A: rules of thumb; its X and O are literal."""

import random

LINES = [(6, 7, 8), (3, 4, 5), (0, 1, 2), (2, 5, 8), (1, 4, 7), (0, 3, 6), (0, 4, 8), (2, 4, 6)]


def completable(board: str, who: str) -> list[int]:
    found = []
    for line in LINES:
        marks = [board[cell] for cell in line]
        if marks.count(who) == 2 and "." in marks:
            found.append(line[marks.index(".")])
    return found


def opening(board: str, mark: str) -> list[int]:
    corners = [cell for cell in (0, 2, 6, 8) if board[cell] == "."]
    edges = [cell for cell in (1, 3, 5, 7) if board[cell] == "."]
    if mark == "X" and len(edges) == 4:
        return corners
    if board[4] == "O":
        if not {1, 3} <= set(edges):
            return [0]
        return edges if len(edges) == 4 else [8]
    return [4] if board[4] == "." else corners


def best(board: str, mark: str) -> int:
    for who in mark, "XO".replace(mark, ""):
        if cells := completable(board, who):
            return cells[0]
    free = [cell for cell in range(9) if board[cell] == "."]
    if len(free) > 5:
        return random.choice(opening(board, mark))
    attack = None
    for cell in free:
        threats = completable(board[:cell] + mark + board[cell + 1 :], mark)
        if len(threats) > 1:
            return cell
        if threats:
            attack = cell
    return random.choice(free) if attack is None else attack
