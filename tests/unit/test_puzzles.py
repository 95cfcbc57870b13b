"""Positions to think about: how many there are of each kind, and what each asks for."""

import datetime as dt
from collections import Counter
from random import Random

from webapp.analysis.puzzles import Kind, of_a_run, of_kind, of_the_day, puzzles
from webapp.core.board import Board
from webapp.core.solver import evaluate, value_after
from webapp.core.symmetry import fold, orbit


def test_there_are_as_many_of_each_kind_as_counted_by_hand() -> None:
    quiet = [one for one in puzzles() if one.quiet]
    assert len(puzzles()) == 431
    assert (len(of_kind(Kind.WIN)), len(of_kind(Kind.BLOCK)), len(quiet)) == (252, 111, 68)
    assert sum(len(one.right) == 1 for one in quiet) == 25
    assert {kind: len(of_kind(kind)) for kind in (Kind.FORK, Kind.STOP_FORK, Kind.ONLY)} == {
        Kind.FORK: 26,
        Kind.STOP_FORK: 47,
        Kind.ONLY: 85,
    }


def test_a_move_that_is_right_keeps_the_value_and_any_other_loses_it_or_time() -> None:
    for puzzle in puzzles():
        board, worth = puzzle.board, evaluate(puzzle.board)
        for cell in board.legal_moves:
            outcome = board.play(cell).outcome
            wins = outcome is not None and outcome.winner is board.turn
            keeps = value_after(board, cell) == worth.value
            assert (cell in puzzle.right) == (wins if Kind.WIN in puzzle.kinds else keeps)
        assert 0 < len(puzzle.right) < len(board.legal_moves)


def test_a_puzzle_is_as_hard_as_what_there_is_to_see_lies_ahead() -> None:
    first = {Kind.WIN: 1, Kind.BLOCK: 2, Kind.FORK: 3}
    for kind, plies in first.items():
        assert {one.plies for one in of_kind(kind)} == {plies}
    assert [one.plies for one in puzzles()] == sorted(one.plies for one in puzzles())
    medium = {kind: {one.medium_fails for one in of_kind(kind)} for kind in first}
    assert medium[Kind.WIN] == medium[Kind.BLOCK] == {0}
    assert all(0 < one.medium_fails < 1 for one in puzzles() if one.quiet)


def test_a_puzzle_lies_on_the_board_in_any_way_and_stays_the_same() -> None:
    (puzzle,) = (one for one in of_kind(Kind.ONLY) if one.board == Board.parse("X........"))
    seen = Counter[int]()
    for seed in range(200):
        turned = puzzle.image(Random(seed))
        seen[turned.board.x] += 1
        assert turned.right == (4,)
    assert {*seen} == {*orbit(1)}


def test_the_puzzle_of_a_day_is_quiet_and_changes_from_day_to_day() -> None:
    days = [of_the_day(dt.date(2026, 1, 1) + dt.timedelta(days=n)) for n in range(365)]
    assert all(one.quiet for one in days)
    assert of_the_day(dt.date(2026, 1, 1)) == days[0]
    assert len({one.board for one in days}) > 100


def test_no_puzzle_of_a_run_comes_again_before_all_of_its_step_have() -> None:
    for seed in range(50):
        boards = [fold(one.x | one.o << 9) for one in (of_a_run(seed, n).board for n in range(26))]
        assert len({*boards}) == 26
