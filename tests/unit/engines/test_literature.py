"""The engines of the five sources, held against what the sources say of them."""

from fractions import Fraction
from math import comb

import pytest

from webapp.core import solver, tactics
from webapp.core.board import Board, Mark
from webapp.core.game import Reason
from webapp.core.symmetry import fold
from webapp.engines.base import Choice, UnknownEngine
from webapp.engines.human import HUMAN
from webapp.engines.minimax import MINIMAX, SLIPS
from webapp.engines.registry import ENGINES, engine
from webapp.engines.rules import UnknownRules, rule_list


def cells(name: str, board: str) -> list[int]:
    """The cells that an engine may choose on a board."""
    return sorted({choice.cell for choice in engine(name).choices(Board.parse(board))})


def folded(board: Board) -> int:
    """The position that stands for all that are equal up to symmetry."""
    return fold(board.x | board.o << 9)


def test_every_engine_says_where_it_comes_from_and_what_it_does() -> None:
    for slug, mind in ENGINES.items():
        assert mind.slug == slug
        assert all((mind.name, mind.brief, mind.source.title, mind.rules))
        assert all(said.endswith(".") for said in (mind.idea, *mind.rules))
    assert {mind.source.letter for mind in ENGINES.values()} == {"", "A", "B", "C", "D", "E"}


# --- A ------------------------------------------------------------------------------------------


def test_the_arrangements_that_source_a_counts() -> None:
    by_marks = [comb(9, n) * comb(n, n // 2) for n in range(10)]
    assert sum(by_marks) == 6_046
    for n, arrangements in enumerate(by_marks):
        assert sum(board.ply == n for board in solver.positions()) <= arrangements
    # Without finished boards, turned and mirrored ones counted once: "approximately 600".
    assert len({folded(board) for board in solver.positions() if not board.outcome}) == 627


def test_the_positions_that_the_plain_rules_of_source_a_leave_open() -> None:
    """Its "13 unresolved" depends on how one reads it; this is what can be defined.

    Up to symmetry there are 20 unfinished positions in which nobody can win, block, fork or
    threaten; five of them have at most three marks, as all of the source's have.
    """
    left_open = {
        folded(board): board.ply
        for board in solver.positions()
        if not board.outcome
        and not tactics.wins(board, Mark.X)
        and not tactics.wins(board, Mark.O)
        and not any(tactics.wins(board.play(cell), board.turn) for cell in board.legal_moves)
    }
    assert len(left_open) == 20
    assert sorted(ply for ply in left_open.values() if ply <= 3) == [0, 1, 1, 1, 3]


@pytest.mark.parametrize(
    "board, expected, rule",
    [
        (".........", [0, 2, 6, 8], "corner"),  # 3a
        ("X...O....", [2, 6, 8], "corner"),  # 3a: X to move and no edge taken
        (".X..O....", [0], "corner"),  # 3b: edge 1 taken
        ("...XO....", [0], "corner"),  # 3b: edge 3 taken
        (".....X...", [4], "centre"),  # 3c
        ("....O..X.", [8], "corner"),  # 3b: edge 7 taken
        ("X...O...X", [1, 3, 5, 7], "edge"),  # 3b: no edge taken
        ("....X....", [0, 2, 6, 8], "corner"),  # 3c: the centre is taken
    ],
)
def test_the_human_engine_opens_as_its_source_says(
    board: str, expected: list[int], rule: str
) -> None:
    assert cells("human", board) == expected
    assert {choice.reason.rule for choice in HUMAN.choices(Board.parse(board))} == {rule}


def test_the_sources_try_the_lines_in_different_orders() -> None:
    # X can complete the middle row at 5 and the left column at 6.
    assert cells("human", "XOOXX...O") == [5]
    assert cells("medium", "XOOXX...O") == [6]
    assert cells("corners", "XOOXX...O") == [5]
    assert cells("rules:win", "XOOXX...O") == [5, 6]


# --- B and D ------------------------------------------------------------------------------------


@pytest.mark.parametrize("board, cell", [("XOXX.O..O", 6), ("X....O.XO", 2), ("X....OOX.", 1)])
def test_the_worked_positions_of_source_b(board: str, cell: int) -> None:
    assert cells("minimax", board) == [cell]


def plain_value(board: Board) -> int:
    """Minimax without a table, as the source has it: +1, 0, -1 for the side to move."""
    if outcome := board.outcome:
        return 0 if outcome.winner is None else -1
    return max(-plain_value(board.play(cell)) for cell in board.legal_moves)


def test_minimax_takes_the_first_cell_with_a_strictly_greater_evaluation() -> None:
    for board in solver.positions():
        if board.outcome or board.ply < 3:
            continue
        best, found = -2, -1
        for cell in board.legal_moves:
            value = -plain_value(board.play(cell))
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


# --- C ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, board, cell",
    [
        ("corners", ".........", 0),
        ("corners", "X........", 2),
        ("corners", "XX.OO....", 2),  # a win goes before a block
        ("corners", "XX..O....", 2),  # the block
        ("corners", "X.O...O.X", 4),  # O completes its diagonal
        ("forks", "X...O...X", 2),  # it takes the first of their forks
        ("fork-blocker", "X...O...X", 1),  # two forks: the first edge, to force a block
        ("fork-blocker", "X........", 4),
        ("fork-blocker", "....X....", 0),
        ("fork-blocker", ".X.XO....", 0),  # their only fork
        ("scenarios", "X........", 4),
    ],
)
def test_these_engines_scan_the_cells_in_order(name: str, board: str, cell: int) -> None:
    assert cells(name, board) == [cell]


# --- E ------------------------------------------------------------------------------------------


def test_the_example_of_source_e() -> None:
    # [[3,5],[2]] in its notation, X's cells and O's: it plays its cell 7.
    assert cells("medium", ".OX.X....") == [6]


@pytest.mark.parametrize(
    "theirs, replies",
    [
        ((3, 7), [2, 4, 6, 8]), ((1, 9), [2, 4, 6, 8]), ((6, 7), [8, 9]), ((1, 6), [2, 3]),
        ((4, 9), [7, 8]), ((3, 4), [1, 2]), ((4, 8), [7]), ((6, 8), [9]), ((2, 4), [1]),
        ((2, 6), [3]),
    ],
)  # fmt: skip
def test_the_ten_scenarios_of_source_e(theirs: tuple[int, int], replies: list[int]) -> None:
    board = Board.parse(
        "".join("O" if cell == 5 else "X" if cell in theirs else "." for cell in range(1, 10))
    )
    assert [cell + 1 for cell in cells("scenarios", str(board))] == replies


# --- lists of rules -----------------------------------------------------------------------------


@pytest.mark.parametrize("rules, board, expected", [
    ("win", "XX.XO.O.O", [2]),
    ("block", "XX..O....", [2]),
    ("fork", "XO..X...O", [3, 6]),
    ("block-fork", "X...O...X", [2, 6]),
    ("force", "X...O...X", [1, 3, 5, 7]),
    ("opposite-corner", "X........", [8]),
    ("opposite-corner", "....X....", [0, 1, 2, 3, 5, 6, 7, 8]),  # runs out: any free cell
    ("edge", "X...O....", [1, 3, 5, 7]),
    ("any", "X...O....", [1, 2, 3, 5, 6, 7, 8]),
    ("centre,corner", "....X....", [0, 2, 6, 8]),
])  # fmt: skip
def test_rules_of_a_list_choose_evenly_among_what_qualifies(
    rules: str, board: str, expected: list[int]
) -> None:
    assert cells(f"rules:{rules}", board) == expected
    choices = rule_list(f"rules:{rules}").choices(Board.parse(board))
    assert {choice.probability for choice in choices} == {Fraction(1, len(expected))}


@pytest.mark.parametrize(
    "text, why",
    [
        ("rules:", "at least one"),
        ("rules:win,", "no rule ''"),
        ("rules:win,wim", "no rule 'wim'"),
        ("rules:win,block,win", "'win' stands in the list twice"),
        ("rules:Win", "no rule 'Win'"),
    ],
)
def test_a_list_that_cannot_be_read_is_refused_and_told_why(text: str, why: str) -> None:
    with pytest.raises(UnknownRules, match=why):
        rule_list(text)
    with pytest.raises(UnknownEngine, match=why):
        engine(text)


def test_an_engine_is_found_by_slug() -> None:
    assert engine("hard") is ENGINES["hard"]
    assert engine("rules:win,any").slug == "rules:win,any"
    with pytest.raises(UnknownEngine, match="no engine 'deep'; there are easy, medium"):
        engine("deep")
