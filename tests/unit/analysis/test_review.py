"""Judging the moves of a game."""

import pytest

from webapp.analysis.review import Judgement, judge, review
from webapp.core import solver
from webapp.core.board import IllegalMove
from webapp.core.game import Reason


def test_a_lost_game_names_the_move_that_lost_it() -> None:
    found = review((4, 0, 2, 8, 1))
    last = [Judgement.GAVE_AWAY_THE_DRAW, Judgement.SLOWER_WIN]
    assert [move.judgement for move in found.moves] == [*[Judgement.BEST] * 3, *last]
    assert found.turning_point == 3
    assert [(move.board.ply, move.cell) for move in found.moves] == [*enumerate((4, 0, 2, 8, 1))]
    assert review((4, 0, 2)).turning_point is None
    assert found.moves[3].better == ((6, Reason("block", ((2, 4, 6),))),)
    assert found.moves[4].better == ((6, Reason("win", ((2, 4, 6),))),)
    # X has a forced win after O's edge, lets it go, and O blunders again.
    blundered = [move.judgement for move in review((0, 1, 2, 4)).moves]
    assert blundered[1:3] == [Judgement.GAVE_AWAY_THE_DRAW, Judgement.GAVE_AWAY_THE_WIN]
    lost = review((4, 1, 0, 8, 6, 2)).moves[-1]
    assert lost.judgement is Judgement.NOTHING_COULD_BE_DONE
    for moves in ((4, 4), (9,), (0, 3, 1, 4, 2, 5)):
        with pytest.raises(IllegalMove):
            review(moves)


def test_every_move_on_every_board_is_judged_by_its_plain_definition() -> None:
    given_away = {Judgement.GAVE_AWAY_THE_WIN, Judgement.GAVE_AWAY_THE_DRAW}
    for board in solver.positions():
        here = solver.evaluate(board)
        for cell in board.legal_moves:
            move, there = judge(board, cell), solver.evaluate(board.play(cell))
            assert (move.board, move.cell, move.mark) == (board, cell, board.turn)
            assert move.before == here
            assert (move.after.value, move.after.distance) == (-there.value, there.distance)
            assert (move.judgement in given_away) is (-there.value < here.value)
            assert bool(move.better) is (cell not in solver.best_moves(board))
