"""What a class got wrong, and what is worth talking about: compared with the solver."""

from itertools import permutations

from webapp.analysis.lesson import Chosen, faults, worth_talking_about
from webapp.core.board import Board
from webapp.core.solver import evaluate, value_after
from webapp.core.symmetry import SYMMETRIES


def test_images_of_a_position_count_as_one_and_images_of_a_cell_too() -> None:
    games = [
        Chosen(tuple(way[cell] for cell in (0, 1, 4)), {1})  # a corner is answered at an edge
        for way in SYMMETRIES
    ]
    [fault] = faults(games, most=6)
    assert fault.board == Board().play(0)
    assert (fault.faced, fault.lost, fault.chosen) == (8, 8, ((1, 8),))
    assert fault.better == (4,)


def test_only_what_people_chose_counts_and_what_cost_the_most_comes_first() -> None:
    # X gives the win away with the last move; before that O has answered at an edge.
    game = (0, 1, 8)
    assert faults([Chosen(game, ())], most=6) == []
    assert faults([Chosen(game, {0})], most=6) == []
    found = faults([Chosen(game, {1}), Chosen((0, 2, 4), {1}), Chosen((4, 1, 0), {1})], most=6)
    assert [(fault.faced, fault.lost) for fault in found] == [(2, 2), (1, 1)]
    assert found[0].chosen == ((1, 1), (2, 1))
    assert faults([Chosen(game, {1})], most=0) == []


def test_the_value_lost_is_what_the_solver_says_whatever_is_played() -> None:
    games = [Chosen(moves, range(9)) for moves in permutations(range(9), 4)]
    lost = 0
    for game in games:
        board = Board()
        for cell in game.moves:
            lost += evaluate(board).value - value_after(board, cell)
            board = board.play(cell)
    found = faults(games, most=10_000)
    losses = [fault.lost for fault in found]
    assert losses == sorted(losses, reverse=True)
    assert sum(losses) == lost
    for fault in found:
        here = evaluate(fault.board).value
        costs = {cell: n * (here - value_after(fault.board, cell)) for cell, n in fault.chosen}
        assert sum(costs.values()) == fault.lost
        assert not costs.keys() & {*fault.better}


def test_games_in_which_the_lead_changed_often_are_worth_talking_about() -> None:
    quiet, once, often = (4, 0, 2, 6, 3, 5, 1, 7, 8), (0, 1, 4, 8, 6), (0, 1, 8, 2, 4)
    assert worth_talking_about([quiet, once, often], most=3) == [often, once]
    assert worth_talking_about([once, often], most=1) == [often]
