"""A player of tic-tac-toe. Change it, and see how good it gets."""

# The nine cells of a board are numbered from 0 to 8:
#
#      0 | 1 | 2
#     ---+---+---
#      3 | 4 | 5
#     ---+---+---
#      6 | 7 | 8
#
# These are the eight lines of three. Fill one of them, and you win.
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


# The game calls this function whenever it is your turn. It returns the cell where you want to play.
#
# board  is text of nine characters, one for each cell: "X", "O", or "." for a free cell.
#        With "X...O....", X is on cell 0 and O is on cell 4, so board[4] is "O".
# mark   is the mark that you play: "X" or "O".
def best(board, mark):
    """It wins if it can, blocks if it must, and otherwise plays anywhere."""
    opponent = "O" if mark == "X" else "X"

    # Can I win? Then I do. ("if cell:" would be wrong here, because cell 0 counts as no.)
    cell = missing(board, mark)
    if cell is not None:
        return cell

    # Would the opponent win next? Then I take that cell.
    cell = missing(board, opponent)
    if cell is not None:
        return cell

    # Any free cell will do: of a list, each cell is as likely as the others. Really? You can do
    # better than this!
    return [cell for cell in range(9) if board[cell] == "."]


def missing(board, mark):
    """Return the free cell of a line whose two other cells hold this mark, or None."""
    for line in LINES:
        marks = [board[cell] for cell in line]
        if marks.count(mark) == 2 and marks.count(".") == 1:
            return line[marks.index(".")]
    return None


# How to go on:
#
# 1. Type  tictactoe check mine.py  to see how often it wins, and a game that beats it.
# 2. Look at that game. Where did it go wrong? Write a rule against it, and check again.
#    Some ideas: Is the centre (cell 4) better than a corner? Is a corner better than the rest?
#    Can you make two lines at once that are each missing one mark?
# 3. To choose by chance, return a list, such as [0, 2, 6, 8], or {cell: weight}: with {4: 3, 0: 1},
#    cell 4 is three times as likely as cell 0. What random draws can only be counted in games.
# 4. Type  tictactoe check mine.py --against medium  to see how it does against another player.
