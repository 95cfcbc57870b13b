"""Source C, third version: against two forks at once it makes them block a side."""

SIDES = [1, 3, 5, 7]


def best(board: str, mark: str) -> int:
    from corners import winning
    from forks import forks

    other = "O" if mark == "X" else "X"
    theirs = forks(board, other)
    wanted = winning(board, mark) + winning(board, other) + forks(board, mark)
    if len(theirs) == 1:
        wanted += theirs
    if len(theirs) == 2:
        wanted += SIDES
    return next(cell for cell in [*wanted, 4, 0, 2, 6, 8, *SIDES] if board[cell] == ".")
