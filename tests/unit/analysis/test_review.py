"""Judging the moves of a game."""

import pytest

from webapp.analysis.review import Judgement, review
from webapp.core import solver
from webapp.core.board import Board, IllegalMove
from webapp.core.game import Reason


def test_a_lost_game_names_the_move_that_lost_it() -> None:
    found = review((4, 0, 2, 8, 1))
    last = [Judgement.GAVE_AWAY_THE_DRAW, Judgement.SLOWER_WIN]
    assert [move.judgement for move in found.moves] == [*[Judgement.BEST] * 3, *last]
    assert found.turning_point == 3
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


def test_every_move_of_every_short_game_is_judged_by_its_plain_definition() -> None:
    def visit(board: Board, moves: tuple[int, ...]) -> None:
        if len(moves) == 5 or board.outcome:
            for move in review(moves).moves:
                here = solver.evaluate(move.board)
                there = solver.evaluate(move.board.play(move.cell))
                assert move.before == here
                assert (move.after.value, move.after.distance) == (-there.value, there.distance)
                worse = -there.value < here.value
                assert worse == (
                    move.judgement in (Judgement.GAVE_AWAY_THE_WIN, Judgement.GAVE_AWAY_THE_DRAW)
                )
                assert bool(move.better) == (move.cell not in solver.best_moves(move.board))
            return
        for cell in board.legal_moves[:4]:
            visit(board.play(cell), (*moves, cell))

    visit(Board(), ())
