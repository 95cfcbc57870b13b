"""The positions from which tournament games begin."""

from webapp.analysis.matchup import matchup
from webapp.analysis.openings import MAX_KEEPING, PLIES, Opening, chances, images, sharp
from webapp.core.board import LINES, Board, Mark
from webapp.core.game import boards
from webapp.core.solver import evaluate, positions, value_after
from webapp.core.symmetry import fold
from webapp.engines.registry import ENGINES


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
