"""The engines of the five sources, held against what the sources say of them."""

from fractions import Fraction

import pytest

from tests.support import rules
from webapp.core import solver
from webapp.core.board import Board
from webapp.core.game import Reason
from webapp.engines.base import OWN, SOURCES, Choice, UnknownEngine
from webapp.engines.minimax import MINIMAX, SLIPS
from webapp.engines.registry import ENGINES, engine
from webapp.engines.rules import UnknownRules, rule_list


def test_every_engine_says_where_it_comes_from_and_what_it_does() -> None:
    for slug, mind in ENGINES.items():
        assert mind.slug == slug
        assert all((mind.name, mind.brief, mind.source, mind.rules))
        assert all(said.endswith(".") for said in (mind.idea, *mind.rules))
    assert {mind.source for mind in ENGINES.values()} == {OWN, *SOURCES.values()}


def test_minimax_takes_the_first_cell_with_a_strictly_greater_evaluation() -> None:
    for board in solver.positions():
        if board.outcome:
            continue
        best, found = -2, -1
        for cell in board.legal_moves:
            value = -rules.value(str(board.play(cell)))[0]
            if value > best:
                best, found = value, cell
        assert [choice.cell for choice in MINIMAX.choices(board)] == [found]


def test_slips_plays_minimax_four_times_in_five_and_may_take_one_cell_for_two_reasons() -> None:
    board = Board.parse("X...O....")
    first, *slips = SLIPS.choices(board)
    assert first == Choice(MINIMAX.choices(board)[0].cell, Fraction(4, 5), Reason("value-draw"))
    assert {choice.cell for choice in slips} == set(board.legal_moves)
    assert {choice.probability for choice in slips} == {Fraction(1, 35)}
    assert first.cell in {choice.cell for choice in slips}


WORKED = [
    # A: 3a, 3b and 3c of its rules, for openings.
    *(("human", ".........", [0, 2, 6, 8]), ("human", "X...O....", [2, 6, 8])),
    *(("human", ".X..O....", [0]), ("human", "...XO....", [0]), ("human", ".....X...", [4])),
    *(("human", "....O..X.", [8]), ("human", "X...O...X", [1, 3, 5, 7])),
    ("human", "....X....", [0, 2, 6, 8]),
    # The sources try the lines in different orders: X can win in the middle row and on the left.
    *(("human", "XOOXX...O", [5]), ("medium", "XOOXX...O", [6]), ("corners", "XOOXX...O", [5])),
    ("rules:win", "XOOXX...O", [5, 6]),
    *(("minimax", "XOXX.O..O", [6]), ("minimax", "X....O.XO", [2]), ("minimax", "X....OOX.", [1])),
    # C scans the cells in order.
    *(("corners", ".........", [0]), ("corners", "X........", [2])),
    *(("corners", "XX.OO....", [2]), ("corners", "XX..O....", [2])),  # a win, a block
    ("corners", "X.O...O.X", [4]),  # O completes its diagonal
    ("forks", "X...O...X", [2]),  # it takes the first of their forks
    ("fork-blocker", "X...O...X", [1]),  # two forks: the first edge, to force a block
    *(("fork-blocker", "X........", [4]), ("fork-blocker", "....X....", [0])),
    ("fork-blocker", ".X.XO....", [0]),  # their only fork
    *(("medium", ".OX.X....", [6]), ("scenarios", "X........", [4])),
    ("medium", "XX.OO....", [2]),  # a win goes before a block
    ("medium", "XXOX.O.O.", [6]),  # columns are tried before rows
    *(("scenarios", board, [1, 3, 5, 7]) for board in ("..X.O.X..", "X...O...X")),
    *(("scenarios", "....OXX..", [7, 8]), ("scenarios", "X...OX...", [1, 2])),
    *(("scenarios", "...XO...X", [6, 7]), ("scenarios", "..XXO....", [0, 1])),
    *(("scenarios", "...XO..X.", [6]), ("scenarios", "....OX.X.", [8])),
    *(("scenarios", ".X.XO....", [0]), ("scenarios", ".X..OX...", [2])),
    *(("rules:win", "XX.XO.O.O", [2]), ("rules:block", "XX..O....", [2])),
    *(("rules:fork", "XO..X...O", [3, 6]), ("rules:block-fork", "X...O...X", [2, 6])),
    *(("rules:force", "X...O...X", [1, 3, 5, 7]), ("rules:edge", "X...O....", [1, 3, 5, 7])),
    ("rules:opposite-corner", "X........", [8]),
    # The list runs out: any free cell.
    ("rules:opposite-corner", "....X....", [0, 1, 2, 3, 5, 6, 7, 8]),
    ("rules:any", "X...O....", [1, 2, 3, 5, 6, 7, 8]),
    ("rules:centre,corner", "....X....", [0, 2, 6, 8]),
]


def test_an_engine_chooses_evenly_among_what_its_source_names() -> None:
    for name, board, expected in WORKED:
        choices = engine(name).choices(Board.parse(board))
        assert sorted({choice.cell for choice in choices}) == expected, (name, board)
        assert {choice.probability for choice in choices} == {Fraction(1, len(expected))}, board


def test_an_engine_is_found_by_slug_or_list_and_what_cannot_be_read_is_refused() -> None:
    assert engine("hard") is ENGINES["hard"]
    assert engine("rules:win,any").slug == "rules:win,any"
    with pytest.raises(UnknownEngine, match="no engine 'deep'; there are easy, medium"):
        engine("deep")
    for text, why in (
        *(("rules:", "at least one"), ("rules:win,", "no rule ''")),
        *(("rules:win,wim", "no rule 'wim'"), ("rules:Win", "no rule 'Win'")),
        ("rules:win,block,win", "'win' is in the list twice"),
    ):
        with pytest.raises(UnknownRules, match=why):
            rule_list(text)
        with pytest.raises(UnknownEngine, match=why):
            engine(text)
