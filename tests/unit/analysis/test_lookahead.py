"""Minimax step by step: what it counts, what it knows, and that it is the engine's own search."""

from itertools import pairwise, product

import pytest

from webapp.analysis.lookahead import Search, after, best, total
from webapp.core import solver
from webapp.core.board import Mark
from webapp.engines.minimax import MINIMAX

GOING = [board for board in solver.positions() if not board.outcome]
LATE = [board for board in GOING if board.ply >= 5][::7]
SEARCHES = [Search(board, *how) for board in LATE for how in product((False, True), (1, 2, 3, 9))]


@pytest.mark.parametrize("prunes", [False, True])
def test_it_finds_the_value_and_the_cell_of_the_engine_in_every_position(*, prunes: bool) -> None:
    for board in GOING:
        sign, search = 1 if board.turn is Mark.X else -1, Search(board, prunes=prunes)
        (root,) = after(search, total(search).steps - 1).way
        assert root.worth == (sign * solver.evaluate(board).value, 0)
        assert best(root) == MINIMAX.choices(board)[0].cell
        for cell, (value, bound) in root.known.items():
            true = sign * solver.value_after(board, cell)
            assert bound * (true - value) >= 0 if bound else value == true


def test_each_step_goes_down_to_one_board_or_lets_one_value_rise() -> None:
    for search in SEARCHES:
        moments = [after(search, step) for step in range(total(search).steps)]
        for before, now in pairwise(moments):
            *above, last = now.way
            if now.looked > before.looked:
                assert now.looked == before.looked + 1
                assert above[-1].board.play(last.cell or 0) == last.board
            else:
                *_, inside = before.way
                assert [*last.known.items()][-1] == (inside.cell, inside.worth)
                assert last.worth
                elsewhere = last.high if last.board.turn is Mark.X else last.low
                sign = 1 if last.board.turn is Mark.X else -1
                assert not last.cut or sign * last.worth.value >= sign * elsewhere
        assert moments[-1].looked == total(search).boards


def test_each_value_can_be_looked_up_where_it_rose() -> None:
    for search in SEARCHES:
        (root,) = after(search, total(search).steps - 1).way
        for cell, step in root.rose.items():
            _root, branch, *more = after(search, step).way
            assert (branch.cell, branch.worth, more) == (cell, root.known[cell], [])
