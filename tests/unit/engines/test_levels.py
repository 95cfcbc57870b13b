"""Easy, medium and hard: what they choose and why, and how a choice is drawn."""

from fractions import Fraction
from random import Random

from webapp.core import solver, tactics
from webapp.core.board import Board
from webapp.core.game import Reason
from webapp.engines.base import Choice, Engine
from webapp.engines.perfect import HARD
from webapp.engines.three_levels import MEDIUM

OPEN = tuple(board for board in solver.positions() if not board.outcome)


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
