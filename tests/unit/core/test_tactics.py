"""Threats, wins and forks, held against their plain definitions in every position."""

from webapp.core import tactics
from webapp.core.board import CELLS, LINES, Board, Line, Mark, mask_of
from webapp.core.solver import positions


def plain_threats(board: Board | dict[int, Mark | None], mark: Mark) -> list[tuple[Line, int]]:
    found = []
    for line in LINES:
        marks = [board[cell] for cell in line]
        if marks.count(mark) == 2 and marks.count(None) == 1:
            found.append((line, line[marks.index(None)]))
    return found


def test_threats_and_wins_are_lines_one_mark_short() -> None:
    for board in positions():
        for mark in Mark:
            plain = plain_threats(board, mark)
            assert tactics.threats(board, mark) == tuple(line for line, _ in plain)
            assert tactics.wins(board, mark) == mask_of(cell for _, cell in plain)


def test_a_fork_leaves_two_winning_cells() -> None:
    checked = 0
    for board in positions():
        if board.outcome:
            continue
        mark = board.turn
        for cell in board.legal_moves:
            winning = {winner for _, winner in plain_threats(board.play(cell), mark)}
            assert bool(tactics.forks(board, mark) >> cell & 1) == (len(winning) >= 2)
            checked += len(winning) >= 2
    assert checked > 1000


def test_lines_completed_and_threatened_by_a_move() -> None:
    for board in positions():
        if board.outcome:
            continue
        for cell in board.legal_moves:
            after = board.play(cell)
            new = {line for line, _ in plain_threats(after, board.turn)} - {
                line for line, _ in plain_threats(board, board.turn)
            }
            assert set(tactics.lines_threatened(board, board.turn, cell)) == new
            for mark in Mark:
                own = {each for each in CELLS if board[each] is mark} | {cell}
                complete = tuple(line for line in LINES if cell in line and own >= set(line))
                assert tactics.lines_completed(board, mark, cell) == complete
