"""Easy, medium and hard: what they choose and why, and how a choice is drawn."""

from fractions import Fraction
from random import Random

import pytest

from webapp.core import solver, tactics
from webapp.core.board import Board
from webapp.core.game import Reason
from webapp.engines.base import Choice, Engine
from webapp.engines.perfect import HARD
from webapp.engines.registry import ENGINES
from webapp.engines.three_levels import EASY, MEDIUM

OPEN = tuple(board for board in solver.positions() if not board.outcome)

every_engine = pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)


def test_easy_takes_any_free_cell() -> None:
    assert EASY.choices(Board.parse("XX.OO....")) == tuple(
        Choice(cell, Fraction(1, 5), Reason("random")) for cell in (2, 5, 6, 7, 8)
    )


@pytest.mark.parametrize(
    "board, cell, reason",
    [
        # The example of source E, [[3,5],[2]] in its notation: it plays its cell 7.
        (".OX.X....", 6, Reason("block", ((2, 4, 6),))),
        # A win goes before a block.
        ("XX.OO....", 2, Reason("win", ((0, 1, 2),))),
        # Columns are tried before rows, and rows before diagonals.
        ("XXOX.O.O.", 6, Reason("win", ((0, 3, 6),))),
    ],
)
def test_medium_wins_and_blocks_in_the_order_of_its_source(
    board: str, cell: int, reason: Reason
) -> None:
    assert MEDIUM.choices(Board.parse(board)) == (Choice(cell, Fraction(1), reason),)


def test_medium_follows_win_block_anywhere_in_every_position() -> None:
    for board in OPEN:
        cells = {choice.cell for choice in MEDIUM.choices(board)}
        wanted = tactics.wins(board, board.turn) or tactics.wins(board, board.turn.other)
        if wanted:
            assert len(cells) == 1
            assert wanted >> cells.pop() & 1
        else:
            assert cells == set(board.legal_moves)


def test_hard_keeps_the_value_and_hurries_a_win_in_every_position() -> None:
    for board in OPEN:
        assert {choice.cell for choice in HARD.choices(board)} <= set(solver.best_moves(board))


@every_engine
def test_choose_draws_each_choice_as_often_as_its_probability_says(engine: Engine) -> None:
    board, rng, draws = Board.parse("X...O...."), Random(7), 4_000
    expected: dict[int, Fraction] = {}
    for choice in engine.choices(board):
        expected[choice.cell] = expected.get(choice.cell, Fraction(0)) + choice.probability
    drawn = [engine.choose(board, rng).cell for _ in range(draws)]
    for cell, probability in expected.items():
        spread = (draws * probability * (1 - probability)) ** 0.5
        assert abs(drawn.count(cell) - draws * probability) <= 4 * spread
    assert set(drawn) <= set(expected)


def test_unequal_probabilities_are_drawn_exactly() -> None:
    reason = Reason("random")
    choices = Choice(0, Fraction(1, 3), reason), Choice(1, Fraction(2, 3), reason)
    third = Engine("third", "Third", "", "", lambda _: choices)

    class Counting(Random):
        """Draws 0, 1, 2 … in turn instead of at random."""

        drawn = -1

        def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
            assert (start, stop, step) == (3, None, 1)
            self.drawn += 1
            return self.drawn

    rng = Counting()
    assert [third.choose(Board(), rng).cell for _ in range(3)] == [0, 1, 1]
