"""Source E, the hard level, with its state: the cells of mine and theirs, numbered from 1.

It returns a list, of which each cell is equally likely.
"""

from medium import completing

LEARNED = {
    (3, 7): [2, 4, 6, 8],
    (1, 9): [2, 4, 6, 8],
    (6, 7): [8, 9],
    (1, 6): [2, 3],
    (4, 9): [7, 8],
    (3, 4): [1, 2],
    (4, 8): [7],
    (6, 8): [9],
    (2, 4): [1],
    (2, 6): [3],
}


def best(board: str, mark: str) -> list[int]:
    other = "O" if mark == "X" else "X"
    for who in mark, other:
        cell = completing(board, who)
        if cell is not None:
            return [cell]
    if board[4] == ".":
        return [4]
    state = [tuple(n for n in range(1, 10) if board[n - 1] == who) for who in (mark, other)]
    if state[0] == (5,) and state[1] in LEARNED:
        return [number - 1 for number in LEARNED[state[1]]]
    corners = [cell for cell in (0, 2, 6, 8) if board[cell] == "."]
    return corners or [cell for cell in (1, 3, 5, 7) if board[cell] == "."]
