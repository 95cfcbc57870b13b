from fractions import Fraction
from functools import cache

from tests.support import rules
from webapp.core import solver
from webapp.core.board import CELLS, LINES, Board
from webapp.core.solver import Evaluation
from webapp.core.symmetry import SYMMETRIES, fold, image, images, orbit, unfolding


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


def test_every_position_has_its_plain_value_and_distance_and_best_moves_keep_both() -> None:
    boards = solver.positions()
    assert len(boards) == 5_478
    assert sum(board.outcome is not None for board in boards) == 958
    for board in boards:
        here = solver.evaluate(board)
        assert here == Evaluation(*rules.value(str(board)))
        after = {cell: solver.evaluate(board.play(cell)) for cell in board.legal_moves}
        keeping = [c for c, a in after.items() if Evaluation(-a.value, a.distance + 1) == here]
        assert solver.best_moves(board) == tuple(keeping)


def test_chances_against_random_play_are_exact_and_after_a_move_those_of_its_replies() -> None:
    for board in solver.positions():
        if board.outcome:
            continue
        ways, chances = solver.ways(board.ply + 1), solver.chances(board)
        assert plain_chances(board) == tuple(Fraction(number, ways) for number in chances)
        for cell in solver.strongest_moves(board):
            assert solver.chances_after(board.play(cell)) == chances


def test_the_eight_symmetries_form_a_group_and_keep_the_lines() -> None:
    assert len(set(SYMMETRIES)) == 8
    assert SYMMETRIES[0] == tuple(CELLS)
    lines = {frozenset(line) for line in LINES}
    for one in SYMMETRIES:
        assert {frozenset(one[cell] for cell in line) for line in LINES} == lines
        for other in SYMMETRIES:
            assert tuple(other[one[cell]] for cell in CELLS) in SYMMETRIES


def test_images_move_every_mark_where_the_symmetry_says() -> None:
    for board in solver.positions():
        for symmetry, imaged in zip(SYMMETRIES, images(board.packed), strict=True):
            there = Board(imaged & 511, imaged >> 9)
            assert all(there[symmetry[cell]] is board[cell] for cell in CELLS)


def test_every_position_unfolds_from_one_of_765_and_is_worth_the_same() -> None:
    found, unfinished = set[int](), set[int]()
    for board in solver.positions():
        first = fold(board.packed)
        found.add(first)
        if not board.outcome:
            unfinished.add(first)
        assert image(first, unfolding(board.packed)) == board.packed
        assert set(orbit(board.packed)) == set(images(first))
        assert solver.evaluate(Board(first & 511, first >> 9)) == solver.evaluate(board)
    assert (len(found), len(unfinished)) == (765, 627)
