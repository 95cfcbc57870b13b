from itertools import permutations

import pytest

from webapp.analysis.lesson import Chosen, faults, worth_talking_about
from webapp.analysis.review import Judgement, judge, review
from webapp.core import solver
from webapp.core.board import Board, IllegalMove
from webapp.core.game import Reason
from webapp.core.symmetry import SYMMETRIES


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


def test_images_of_a_position_count_as_one_and_images_of_a_cell_too() -> None:
    games = [
        Chosen(tuple(way[cell] for cell in (0, 1, 4)), {1})  # a corner is answered at an edge
        for way in SYMMETRIES
    ]
    [fault] = faults(games, limit=6)
    assert fault.board == Board().play(0)
    assert (fault.faced, fault.lost, fault.chosen) == (8, 8, ((1, 8),))
    assert fault.better == (4,)


def test_only_what_people_chose_counts_and_what_cost_the_most_comes_first() -> None:
    # X gives the win away with the last move; before that O has answered at an edge.
    game = (0, 1, 8)
    assert faults([Chosen(game, ())], limit=6) == []
    assert faults([Chosen(game, {0})], limit=6) == []
    found = faults([Chosen(game, {1}), Chosen((0, 2, 4), {1}), Chosen((4, 1, 0), {1})], limit=6)
    assert [(fault.faced, fault.lost) for fault in found] == [(2, 2), (1, 1)]
    assert found[0].chosen == ((1, 1), (2, 1))
    assert faults([Chosen(game, {1})], limit=0) == []


def test_the_value_lost_is_what_the_solver_says_whatever_is_played() -> None:
    games = [Chosen(moves, range(9)) for moves in permutations(range(9), 4)]
    lost = 0
    for game in games:
        board = Board()
        for cell in game.moves:
            lost += solver.evaluate(board).value - solver.value_after(board, cell)
            board = board.play(cell)
    found = faults(games, limit=10_000)
    losses = [fault.lost for fault in found]
    assert losses == sorted(losses, reverse=True)
    assert sum(losses) == lost
    for fault in found:
        here, board = solver.evaluate(fault.board).value, fault.board
        costs = [number * (here - solver.value_after(board, cell)) for cell, number in fault.chosen]
        assert sum(costs) == fault.lost
        assert not {cell for cell, _ in fault.chosen} & {*fault.better}


def test_games_in_which_the_lead_changed_often_are_worth_talking_about() -> None:
    quiet, once, often = (4, 0, 2, 6, 3, 5, 1, 7, 8), (0, 1, 4, 8, 6), (0, 1, 8, 2, 4)
    assert worth_talking_about([quiet, once, often], limit=3) == [often, once]
    assert worth_talking_about([once, often], limit=1) == [often]
