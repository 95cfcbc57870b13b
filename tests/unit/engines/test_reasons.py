"""Every engine in every position: exact probabilities, legal cells, and reasons that are true.

The truth of a reason is judged here by definitions of its own, not by the code that gave it.
"""

from collections.abc import Callable
from fractions import Fraction

import pytest

from webapp.core import solver
from webapp.core.board import CENTRE, CORNERS, EDGES, LINES, Board, IllegalMove, Line, Mark
from webapp.core.game import Reason
from webapp.core.symmetry import SYMMETRIES, images
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES
from webapp.engines.rules import LAB_RULES, rule_list

OPEN = tuple(board for board in solver.positions() if not board.outcome)
LISTS = tuple(rule_list(f"rules:{slug}") for slug in LAB_RULES)
MINDS = (*ENGINES.values(), *LISTS)

every_mind = pytest.mark.parametrize("engine", MINDS, ids=lambda engine: engine.slug)


@every_mind
def test_choices_are_legal_and_their_probabilities_sum_to_one(engine: Engine) -> None:
    for board in OPEN:
        choices = engine.choices(board)
        assert sum(choice.probability for choice in choices) == 1
        assert all(isinstance(choice.probability, Fraction) for choice in choices)
        assert all(choice.probability > 0 for choice in choices)
        assert {choice.cell for choice in choices} <= set(board.legal_moves)


@every_mind
def test_there_is_nothing_to_choose_once_the_game_is_over(engine: Engine) -> None:
    with pytest.raises(IllegalMove, match="over"):
        engine.choices(Board.parse("XXXOO...."))


def short_of_one(board: Board | dict[int, Mark | None], mark: Mark) -> dict[Line, int]:
    """Each line with two of a mark and an empty third cell, and that cell."""
    found = {}
    for line in LINES:
        marks = [board[cell] for cell in line]
        if marks.count(mark) == 2 and marks.count(None) == 1:
            found[line] = line[marks.index(None)]
    return found


def winning_cells(board: Board, mark: Mark) -> set[int]:
    return set(short_of_one(board, mark).values())


def would_fork(board: Board, mark: Mark, cell: int) -> bool:
    """Whether a mark in this cell, at either turn, would have two winning cells."""
    marks = {**{each: board[each] for each in range(9)}, cell: mark}
    return len(set(short_of_one(marks, mark).values())) >= 2


def fork_cells(board: Board, mark: Mark) -> set[int]:
    return {cell for cell in board.legal_moves if would_fork(board, mark, cell)}


def forces(board: Board, cell: int) -> bool:
    me, after = board.turn, board.play(cell)
    answers = winning_cells(after, me)
    if after.outcome or len(answers) != 1 or winning_cells(after, me.other):
        return False
    return len(winning_cells(after.play(answers.pop()), me.other)) < 2


def keeps_the_draw(board: Board, cell: int) -> bool:
    return solver.evaluate(board).value == 0 == solver.evaluate(board.play(cell)).value


def only_one_keeps_the_draw(board: Board, cell: int) -> bool:
    others = [board.play(other) for other in board.legal_moves if other != cell]
    return keeps_the_draw(board, cell) and all(solver.evaluate(b).value == 1 for b in others)


def completed(board: Board, cell: int, lines: tuple[Line, ...]) -> bool:
    outcome = board.play(cell).outcome
    if outcome is None or outcome.winner is not board.turn:
        return False
    return bool(lines) and set(lines) <= set(outcome.lines)


def blocked(board: Board, cell: int, lines: tuple[Line, ...]) -> bool:
    theirs = short_of_one(board, board.turn.other)
    return bool(lines) and all(theirs.get(line) == cell for line in lines)


def value(wanted: int) -> Callable[[Board, int], bool]:
    return lambda board, cell: (
        solver.evaluate(board).value == wanted == -solver.evaluate(board.play(cell)).value
    )


TRUE_OF: dict[str, Callable[[Board, int], bool]] = {
    "fork": lambda board, cell: len(winning_cells(board.play(cell), board.turn)) >= 2,
    "force": lambda board, cell: value(1)(board, cell) and solver.evaluate(board).distance > 1,
    "delay": lambda board, cell: solver.evaluate(board).value == -1,
    "only": only_one_keeps_the_draw,
    "chance": lambda board, cell: (
        keeps_the_draw(board, cell) and solver.chances_after(board.play(cell))[0] > 0
    ),
    "level": lambda board, cell: (
        keeps_the_draw(board, cell) and solver.chances_after(board.play(cell))[0] == 0
    ),
    "last": lambda board, cell: board.legal_moves == (cell,),
    "threat": lambda board, cell: len(winning_cells(board.play(cell), board.turn)) == 1,
    "block-fork": lambda board, cell: cell in fork_cells(board, board.turn.other),
    "force-answer": forces,
    "centre": lambda board, cell: cell == CENTRE,
    "corner": lambda board, cell: cell in CORNERS,
    "edge": lambda board, cell: cell in EDGES,
    "opposite-corner": lambda board, cell: cell in CORNERS and board[8 - cell] is board.turn.other,
    "edge-against-forks": lambda board, cell: (
        cell in EDGES and len(fork_cells(board, board.turn.other)) == 2
    ),
    "scenario": lambda board, cell: board.ply == 3 and board[CENTRE] is board.turn,
    "value-win": value(1),
    "value-draw": value(0),
    "value-loss": value(-1),
    "random": lambda board, cell: True,
    "slip": lambda board, cell: True,
}


def is_true(reason: Reason, board: Board, cell: int) -> bool:
    """Whether a reason, its lines included, is true of a cell on this board."""
    match reason.rule:
        case "win":
            return completed(board, cell, reason.lines)
        case "block":
            return blocked(board, cell, reason.lines)
        case "fork" | "threat" | "force-answer":
            threats = short_of_one(board.play(cell), board.turn)
            return set(reason.lines) == set(threats) and TRUE_OF[reason.rule](board, cell)
    return TRUE_OF[reason.rule](board, cell)


@every_mind
def test_every_reason_is_true_of_its_board(engine: Engine) -> None:
    for board in OPEN:
        for choice in engine.choices(board):
            assert is_true(choice.reason, board, choice.cell), (board, choice)


@every_mind
def test_engines_that_are_called_symmetric_play_alike_from_every_side(engine: Engine) -> None:
    alike = True
    for board in OPEN:
        here = chances(engine, board)
        for symmetry, image in zip(SYMMETRIES, images(board.x | board.o << 9), strict=True):
            turned = {symmetry[cell]: chance for cell, chance in here.items()}
            alike = alike and turned == chances(engine, Board(image & 511, image >> 9))
        if not alike:
            break
    assert alike == engine.symmetric == (engine in LISTS or engine.slug in ("easy", "hard"))


def chances(engine: Engine, board: Board) -> dict[int, Fraction]:
    """The probability of each cell, whatever the reasons."""
    found: dict[int, Fraction] = {}
    for choice in engine.choices(board):
        found[choice.cell] = found.get(choice.cell, Fraction(0)) + choice.probability
    return found
