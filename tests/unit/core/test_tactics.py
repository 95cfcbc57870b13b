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


def test_lines_completed_and_threatened_by_a_move_and_forks_that_leave_two_winning_cells() -> None:
    forks = 0
    for board in positions():
        before = {line for line, _ in plain_threats(board, board.turn)}
        for cell in board.legal_moves:
            threats = plain_threats(board.play(cell), board.turn)
            threatened = {line for line, _ in threats} - before
            assert set(tactics.lines_threatened(board, board.turn, cell)) == threatened
            is_fork = len({winner for _, winner in threats}) >= 2
            assert bool(tactics.forks(board, board.turn) >> cell & 1) == is_fork
            forks += is_fork
            for mark in Mark:
                own = {each for each in CELLS if board[each] is mark} | {cell}
                complete = tuple(line for line in LINES if cell in line and own >= set(line))
                assert tactics.lines_completed(board, mark, cell) == complete
    assert forks > 1000
