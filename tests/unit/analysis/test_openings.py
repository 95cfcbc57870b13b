"""The positions from which tournament games begin."""

import pytest

from webapp.analysis.matchup import matchup
from webapp.analysis.openings import MOST, PLIES, Opening, chances, images, sharp
from webapp.core.board import Board
from webapp.core.solver import evaluate, positions, value_after
from webapp.core.symmetry import fold
from webapp.engines.registry import ENGINES


def packed(board: Board) -> int:
    return board.x | board.o << 9


def test_they_are_all_positions_of_few_marks_in_which_at_most_two_cells_keep_the_value() -> None:
    wanted = set()
    for board in positions():
        if board.ply in PLIES and not board.outcome:
            worth = evaluate(board).value
            keeping = [c for c in board.legal_moves if value_after(board, c) == worth]
            if len(keeping) <= MOST:
                wanted.add(fold(packed(board)))
    found = [packed(one.board) for one in sharp()]
    assert {fold(one) for one in found} == wanted
    assert len(found) == len(wanted) == 26


@pytest.mark.parametrize("opening", sharp(), ids=lambda one: "".join(map(str, one.moves)))
def test_each_lies_in_all_its_ways_and_can_be_played_on(opening: Opening) -> None:
    boards = set()
    for moves in images(opening):
        board = Board()
        for cell in moves:
            board = board.play(cell)
        assert not board.outcome
        assert fold(packed(board)) == fold(packed(opening.board))
        boards.add(board)
    assert len(boards) in (1, 2, 4, 8)


def test_the_chances_from_all_first_moves_are_those_of_the_game() -> None:
    """Medium's first move is any cell: the results from each, weighed, are the whole game's."""
    medium = ENGINES["medium"]
    from_there = [chances(Opening((cell,), ()), medium) for cell in range(9)]
    whole = matchup(medium, medium)
    assert sum(one.x_wins for one in from_there) / 9 == whole.x_wins
    assert sum(one.draws for one in from_there) / 9 == whole.draws
