"""Minimax step by step: what it counts, what it knows, and that it is the engine's own search."""

from fractions import Fraction
from functools import partial
from itertools import pairwise, product

import pytest

from webapp.analysis.lookahead import Search, after, best, total
from webapp.analysis.matchup import proof
from webapp.core import solver, tactics
from webapp.core.board import CELLS_IN, Board, Mark
from webapp.core.game import Reason
from webapp.engines.base import Choice, Engine
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


def chosen(board: Board, depth: int) -> list[int]:
    """The best cells for all that a search sees which looks so many moves ahead."""
    worths = [total(Search(board.play(cell), depth=depth - 1)).worth for cell in board.legal_moves]
    best = (max if board.turn is Mark.X else min)(worths)
    return [cell for cell, one in zip(board.legal_moves, worths, strict=True) if one == best]


def test_two_moves_ahead_it_wins_or_blocks_or_takes_any_cell_unless_it_has_lost() -> None:
    others = []
    for board in GOING:
        wins, threats = (tactics.wins(board, mark) for mark in (board.turn, board.turn.other))
        if chosen(board, 2) != [*CELLS_IN[wins or threats or board.free]]:
            others.append(threats)
    assert (len(GOING), len(others)) == (4520, 4520 - 4108)
    assert all(threats.bit_count() > 1 for threats in others)


def test_six_moves_ahead_its_first_cell_never_loses_and_five_may() -> None:
    def first(depth: int, board: Board) -> tuple[Choice, ...]:
        return (Choice(chosen(board, depth)[0], Fraction(1), Reason("value-draw")),)

    for depth in range(1, 9):
        engine = Engine(str(depth), "", "", "", policy=partial(first, depth))
        assert any(proof(engine, mark).beatable for mark in Mark) is (depth < 6)
