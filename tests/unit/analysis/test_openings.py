"""The positions from which tournament games begin."""

from collections.abc import Sequence
from fractions import Fraction

import pytest

from webapp.analysis.matchup import matchup, matchup_from
from webapp.analysis.openings import MOST, PLIES, Opening, chances, images, sharp
from webapp.core.board import LINES, Board, Mark
from webapp.core.solver import evaluate, positions, value_after
from webapp.core.symmetry import fold
from webapp.engines.registry import ENGINES
from webapp.tournament.table import WIN


def packed(board: Board) -> int:
    return board.x | board.o << 9


def asks_for_a_block(board: Board) -> bool:
    lines = [[board[cell] for cell in line] for line in LINES]
    return any(line.count(mark) == 2 and None in line for mark in Mark for line in lines)


def found_by_trying() -> list[Board]:
    """The positions of few marks in which at most two cells keep the value."""
    found = {}
    for board in positions():
        if board.ply in PLIES and not board.outcome:
            worth = evaluate(board).value
            keeping = [c for c in board.legal_moves if value_after(board, c) == worth]
            if len(keeping) <= MOST:
                found[fold(packed(board))] = board
    return list(found.values())


def test_they_are_all_positions_of_few_marks_with_few_right_cells_but_without_a_threat() -> None:
    wanted = [board for board in found_by_trying() if not asks_for_a_block(board)]
    found = [one.board for one in sharp()]
    assert {fold(packed(one)) for one in found} == {fold(packed(one)) for one in wanted}
    assert len(found) == len(wanted) == 15


def lead(boards: Sequence[Board]) -> Fraction:
    """By how many points Hard leads Medium in a pairing of two games, from these on the average."""
    hard, medium = ENGINES["hard"], ENGINES["medium"]
    as_x = [matchup_from(packed(board), hard, medium) for board in boards]
    as_o = [matchup_from(packed(board), medium, hard) for board in boards]
    won = sum(one.x_wins - one.o_wins for one in as_x) + sum(
        one.o_wins - one.x_wins for one in as_o
    )
    return WIN * Fraction(won) / len(boards)


def test_who_sees_more_leads_by_more_than_from_the_empty_board_or_after_a_threat() -> None:
    threats = [board for board in found_by_trying() if asks_for_a_block(board)]
    assert len(threats) == 11
    found = [lead([one.board for one in sharp()]), lead([Board()]), lead(threats)]
    assert [round(float(one), 2) for one in found] == [2.01, 1.89, 0.37]


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
