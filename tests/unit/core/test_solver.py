"""Value, distance and chances of every position, held against slow and plain definitions."""

from fractions import Fraction
from functools import cache

from tests.support import rules
from webapp.core import solver
from webapp.core.board import Board
from webapp.core.solver import Evaluation


@cache
def plain_chances(board: Board) -> tuple[Fraction, Fraction]:
    if outcome := board.outcome:
        return (Fraction(0), Fraction(outcome.winner is None))
    best = Fraction(-1), Fraction(-1)
    for cell in solver.best_moves(board):
        after = board.play(cell)
        if outcome := after.outcome:
            chance = Fraction(outcome.winner is not None), Fraction(outcome.winner is None)
        else:
            replies = [plain_chances(after.play(reply)) for reply in after.legal_moves]
            share = Fraction(1, len(replies))
            chance = (
                share * sum((won for won, _ in replies), Fraction(0)),
                share * sum((drawn for _, drawn in replies), Fraction(0)),
            )
        best = max(best, chance)
    return best


def test_every_position_has_its_plain_value_and_distance() -> None:
    boards = solver.positions()
    assert len(boards) == 5_478
    assert sum(board.outcome is not None for board in boards) == 958
    for board in boards:
        assert solver.evaluate(board) == Evaluation(*rules.value(str(board)))


def test_value_alone_passes_up_wins_and_distance_does_not() -> None:
    passed_up, offering = 0, 0
    for board in solver.positions():
        best = solver.evaluate(board)
        if board.outcome or best != Evaluation(1, 1):
            continue
        offering += 1
        first_by_value = next(
            cell for cell in board.legal_moves if solver.evaluate(board.play(cell)).value == -1
        )
        passed_up += board.play(first_by_value).outcome is None
        assert all(board.play(cell).outcome for cell in solver.best_moves(board))
    assert (passed_up, offering) == (392, 2_358)


def test_best_moves_are_all_those_that_keep_value_and_distance() -> None:
    for board in solver.positions():
        here = solver.evaluate(board)
        keeping = []
        for cell in board.legal_moves:
            after = solver.evaluate(board.play(cell))
            if (-after.value, after.distance + 1) == (here.value, here.distance):
                keeping.append(cell)
        assert solver.best_moves(board) == tuple(keeping)


def test_chances_against_random_play_are_exact_and_after_a_move_those_of_its_replies() -> None:
    for board in solver.positions():
        if board.outcome:
            continue
        ways, chances = solver.ways(board.ply + 1), solver.chances(board)
        assert plain_chances(board) == tuple(Fraction(number, ways) for number in chances)
        for cell in solver.strongest_moves(board):
            assert solver.chances_after(board.play(cell)) == chances
