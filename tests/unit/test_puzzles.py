import datetime as dt
from itertools import product
from random import Random

from tests.support import rules
from webapp.analysis.matchup import matchup
from webapp.analysis.openings import MAX_KEEPING, PLIES, Opening, chances, images, sharp
from webapp.analysis.puzzles import Kind, drawn, of_a_run, of_kind, of_the_day, puzzles
from webapp.core.board import LINES, Board, Mark
from webapp.core.game import boards
from webapp.core.solver import evaluate, positions, value_after
from webapp.core.symmetry import fold, orbit
from webapp.engines.registry import ENGINES
from webapp.polls import NUMBERS


def test_there_are_as_many_of_each_kind_as_counted_by_hand() -> None:
    quiet = [one for one in puzzles() if one.quiet]
    assert (len(puzzles()), len(quiet), sum(len(one.right) == 1 for one in quiet)) == (431, 68, 25)
    counted = {Kind.WIN: 252, Kind.BLOCK: 111, Kind.FORK: 24, Kind.STOP_FORK: 24, Kind.ONLY: 85}
    assert {kind: len(of_kind(kind)) for kind in Kind} == counted


def test_a_move_that_is_right_keeps_the_value_and_any_other_loses_it_or_time() -> None:
    for puzzle in puzzles():
        board, worth = puzzle.board, evaluate(puzzle.board)
        for cell in board.legal_moves:
            outcome = board.play(cell).outcome
            wins = outcome is not None and outcome.winner is board.turn
            keeps = value_after(board, cell) == worth.value
            assert (cell in puzzle.right) == (wins if Kind.WIN in puzzle.kinds else keeps)
        assert 0 < len(puzzle.right) < len(board.legal_moves)


def forks_and_wins(board: str, cell: int) -> bool:
    after = rules.put(board, cell)
    two = len(rules.completions(after, rules.to_move(board))) >= 2
    return two and rules.value(after)[0] == -1


def test_a_fork_is_right_if_it_wins_and_what_stops_one_leaves_none_that_wins() -> None:
    for puzzle in of_kind(Kind.FORK):
        board = str(puzzle.board)
        for cell in rules.free(board):
            wins = rules.value(rules.put(board, cell))[0] == -1
            assert (cell in puzzle.right) == forks_and_wins(board, cell) == wins, puzzle
    for puzzle in of_kind(Kind.STOP_FORK):
        board = str(puzzle.board)
        assert rules.value(board)[0] == 0
        for cell in rules.free(board):
            after = rules.put(board, cell)
            left = any(forks_and_wins(after, reply) for reply in rules.free(after))
            assert (cell in puzzle.right) is not left, puzzle


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
    turned = [puzzle.image(Random(seed)) for seed in range(200)]
    assert {one.right for one in turned} == {(4,)}
    assert {one.board.x for one in turned} == {*orbit(1)}


def test_the_puzzle_of_a_day_is_quiet_and_changes_from_day_to_day() -> None:
    days = [dt.date(2026, 1, 1) + dt.timedelta(days=number) for number in range(365)]
    found = [of_the_day(day) for day in days]
    assert found == [of_the_day(day) for day in days]
    assert all(one.quiet for one in found)
    assert len({one.board for one in found}) > 100


def test_a_run_gets_harder_up_to_the_hardest_and_goes_on_with_quiet_ones() -> None:
    for seed in range(5):
        run = [of_a_run(seed, number) for number in range(80)]
        plies = [one.plies for one in run]
        assert plies[:26] == sorted(plies[:26])
        assert plies[18:26] == [6] * 8 == [one.plies for one in puzzles() if one.plies == 6]
        assert all(one.quiet for one in run[26:])
        assert plies[26:71] != sorted(plies[26:71])
        assert len({fold(one.board.packed) for one in run[:71]}) == 71


def test_a_quiz_asks_no_position_twice_nor_its_mirror_image() -> None:
    several = [*([kind] for kind in Kind), [*Kind], [Kind.STOP_FORK, Kind.ONLY]]
    for kinds, seed in product(several, range(20)):
        found = drawn(kinds, max(NUMBERS), Random(seed))
        assert len({fold(one.board.packed) for _, one in found}) == max(NUMBERS)
        assert [kind for kind, _ in found][: len(kinds)] == kinds
        assert all(kind in puzzle.kinds for kind, puzzle in found)


def asks_for_a_block(board: Board) -> bool:
    lines = [[board[cell] for cell in line] for line in LINES]
    return any(line.count(mark) == 2 and None in line for mark in Mark for line in lines)


def test_they_are_all_positions_of_few_marks_with_few_right_cells_but_without_a_threat() -> None:
    tried, found = set[int](), [fold(one.board.packed) for one in sharp()]
    for board in positions():
        if board.ply in PLIES and not board.outcome and not asks_for_a_block(board):
            worth = evaluate(board).value
            keeping = [c for c in board.legal_moves if value_after(board, c) == worth]
            if len(keeping) <= MAX_KEEPING:
                tried.add(fold(board.packed))
    assert {*found} == tried
    assert len(found) == len({*found}) == 15


def test_each_lies_in_all_its_ways_and_can_be_played_on() -> None:
    for opening in sharp():
        laid = {boards(moves)[-1] for moves in images(opening)}
        assert len(laid) in (1, 2, 4, 8)
        assert not any(board.outcome for board in laid)
        assert {fold(board.packed) for board in laid} == {fold(opening.board.packed)}


def test_the_chances_from_all_first_moves_are_those_of_the_game() -> None:
    """Medium's first move is any cell: the results from each, weighed, are the whole game's."""
    medium = ENGINES["medium"]
    from_there = [chances(Opening((cell,), ()), medium) for cell in range(9)]
    whole = matchup(medium, medium)
    assert sum(one.x_wins for one in from_there) / 9 == whole.x_wins
    assert sum(one.draws for one in from_there) / 9 == whole.draws
