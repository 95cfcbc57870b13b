"""Easy, medium and hard: what they choose, why, and how they fare, all of it by enumeration."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from random import Random

import pytest

from webapp.core import solver, tactics
from webapp.core.board import Board, Mark
from webapp.core.game import Reason
from webapp.core.symmetry import SYMMETRIES, images
from webapp.engines.base import Choice, Engine
from webapp.engines.perfect import HARD
from webapp.engines.registry import ENGINES
from webapp.engines.rules import ANYWHERE, LAB_RULES, OrderedRules
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
        # The example of source E, [[3,5],[2]]: it plays its cell 7.
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


def test_medium_plays_at_random_where_there_is_nothing_to_complete() -> None:
    choices = MEDIUM.choices(Board.parse("X........"))
    assert [choice.cell for choice in choices] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert {choice.reason.rule for choice in choices} == {"random"}


def test_medium_follows_win_block_anywhere_in_every_position() -> None:
    for board in OPEN:
        cells = {choice.cell for choice in MEDIUM.choices(board)}
        winning = tactics.wins(board, board.turn)
        blocking = tactics.wins(board, board.turn.other)
        if winning or blocking:
            assert len(cells) == 1
            assert (winning or blocking) >> cells.pop() & 1
        else:
            assert cells == set(board.legal_moves)


def test_hard_keeps_the_value_and_hurries_a_win_in_every_position() -> None:
    for board in OPEN:
        assert {choice.cell for choice in HARD.choices(board)} <= set(solver.best_moves(board))


def test_hard_takes_the_quicker_win() -> None:
    board = Board.parse("XX.O.O...")
    assert [choice.cell for choice in HARD.choices(board)] == [2]


def test_hard_is_the_same_from_every_side() -> None:
    for board in OPEN:
        here = {choice.cell for choice in HARD.choices(board)}
        for symmetry, image in zip(SYMMETRIES, images(board), strict=True):
            there = {choice.cell for choice in HARD.choices(image)}
            assert there == {symmetry[cell] for cell in here}


def results_against_random(engine: Engine, mark: Mark) -> dict[str, Fraction]:
    """Exact results of an engine against one who takes any free cell."""

    @cache
    def visit(board: Board) -> tuple[Fraction, Fraction, Fraction]:
        if outcome := board.outcome:
            return (
                Fraction(outcome.winner is mark),
                Fraction(outcome.winner is None),
                Fraction(outcome.winner is mark.other),
            )
        mind = engine if board.turn is mark else EASY
        won = drawn = lost = Fraction(0)
        for choice in mind.choices(board):
            after = visit(board.play(choice.cell))
            won += choice.probability * after[0]
            drawn += choice.probability * after[1]
            lost += choice.probability * after[2]
        return won, drawn, lost

    return dict(zip(("won", "drawn", "lost"), visit(Board()), strict=True))


def test_hard_wins_as_often_as_an_unbeatable_player_can() -> None:
    assert results_against_random(HARD, Mark.X) == {
        "won": Fraction(191, 192),
        "drawn": Fraction(1, 192),
        "lost": 0,
    }
    assert results_against_random(HARD, Mark.O) == {
        "won": Fraction(866, 945),
        "drawn": Fraction(79, 945),
        "lost": 0,
    }


def games_against_anyone(engine: Engine, mark: Mark) -> Iterator[Board]:
    """Every final board of an engine against every possible sequence of replies."""
    boards, seen = [Board()], {Board()}
    while boards:
        board = boards.pop()
        if board.outcome:
            yield board
            continue
        mine = board.turn is mark
        cells = {choice.cell for choice in engine.choices(board)} if mine else board.legal_moves
        for after in (board.play(cell) for cell in cells):
            if after not in seen:
                seen.add(after)
                boards.append(after)


@pytest.mark.parametrize("mark", Mark)
def test_hard_never_loses_to_anyone(mark: Mark) -> None:
    finals = list(games_against_anyone(HARD, mark))
    assert len(finals) > 50
    assert all(board.outcome and board.outcome.winner is not mark.other for board in finals)


@pytest.mark.parametrize("mark", Mark)
def test_easy_and_medium_can_be_beaten(mark: Mark) -> None:
    for engine in (EASY, MEDIUM):
        assert any(
            board.outcome and board.outcome.winner is mark.other
            for board in games_against_anyone(engine, mark)
        )


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


def test_choose_repeats_itself_with_the_same_seed() -> None:
    one = [EASY.choose(board, Random(3)).cell for board in OPEN[:200]]
    assert one == [EASY.choose(board, Random(3)).cell for board in OPEN[:200]]


def test_unequal_probabilities_are_drawn_exactly() -> None:
    third = Engine(
        "third",
        "Third",
        "",
        "",
        lambda _: (
            Choice(0, Fraction(1, 3), Reason("random")),
            Choice(1, Fraction(2, 3), Reason("random")),
        ),
    )

    class Counting(Random):
        """Draws 0, 1, 2 … in turn instead of at random."""

        drawn = -1

        def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
            assert (start, stop, step) == (3, None, 1)
            self.drawn += 1
            return self.drawn

    rng = Counting()
    assert [third.choose(Board(), rng).cell for _ in range(3)] == [0, 1, 1]


@pytest.mark.parametrize(
    "mind",
    [
        *(mind for mind in ENGINES.values() if mind.symmetric),
        *(Engine("", "", "", "", OrderedRules((rule, ANYWHERE))) for rule in LAB_RULES.values()),
    ],
    ids=lambda mind: mind.slug,
)
def test_a_symmetric_engine_plays_alike_on_all_images_of_a_board(mind: Engine) -> None:
    for board in OPEN:
        chances = {choice.cell: choice.probability for choice in mind.choices(board)}
        for symmetry, image in zip(SYMMETRIES, images(board), strict=True):
            imaged = {choice.cell: choice.probability for choice in mind.choices(image)}
            assert imaged == {symmetry[cell]: chance for cell, chance in chances.items()}


def test_the_levels_without_an_order_and_every_list_of_rules_are_symmetric() -> None:
    assert [slug for slug, mind in ENGINES.items() if mind.symmetric] == ["easy", "hard"]
    assert all(rule.symmetric for rule in LAB_RULES.values())
