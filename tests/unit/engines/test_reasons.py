"""Every engine in every position: exact probabilities, legal cells, and reasons that are true.

The truth of a reason is judged here by definitions of its own, not by the code that gave it.
"""

from collections.abc import Callable
from fractions import Fraction

import pytest

from tests.unit.core.test_tactics import plain_threats
from webapp.core import solver
from webapp.core.board import CENTRE, CORNERS, EDGES, Board, IllegalMove, Line, Mark
from webapp.core.game import Reason
from webapp.core.symmetry import SYMMETRIES, images
from webapp.engines.base import Engine
from webapp.engines.perfect import explain
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
    with pytest.raises(IllegalMove, match="over"):
        engine.choices(Board.parse("XXXOO...."))


def winning_cells(board: Board, mark: Mark) -> set[int]:
    return {cell for _, cell in plain_threats(board, mark)}


def would_fork(board: Board, mark: Mark, cell: int) -> bool:
    marks = {**{each: board[each] for each in range(9)}, cell: mark}
    return len({winning for _, winning in plain_threats(marks, mark)}) >= 2


def fork_cells(board: Board, mark: Mark) -> set[int]:
    return {cell for cell in board.legal_moves if would_fork(board, mark, cell)}


def forces(board: Board, cell: int) -> bool:
    me, after = board.turn, board.play(cell)
    answers = winning_cells(after, me)
    if after.outcome or len(answers) != 1 or winning_cells(after, me.other):
        return False
    return len(winning_cells(after.play(answers.pop()), me.other)) < 2


def makes_a_fork(board: Board, cell: int) -> bool:
    me, after = board.turn, board.play(cell)
    threats = plain_threats(after, me)
    return not winning_cells(board, me) and len(threats) == 2 == len(winning_cells(after, me))


def holds_out_longest(board: Board, cell: int) -> bool:
    after = {other: solver.evaluate(board.play(other)) for other in board.legal_moves}
    longest = max(one.distance for one in after.values())
    return all(one.value == 1 for one in after.values()) and after[cell].distance == longest


def has_the_best_safe_chance(board: Board, cell: int) -> bool:
    safe = [other for other in board.legal_moves if keeps_the_draw(board, other)]
    chances = {other: solver.chances_after(board.play(other)) for other in safe}
    return cell in safe and chances[cell] == max(chances.values()) > (0, 0)


def is_one_of_several(board: Board, cell: int) -> bool:
    return cell in board.legal_moves and len(board.legal_moves) > 1


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
    theirs = plain_threats(board, board.turn.other)
    return bool(lines) and all((line, cell) in theirs for line in lines)


def value(wanted: int) -> Callable[[Board, int], bool]:
    return lambda board, cell: (
        solver.evaluate(board).value == wanted == -solver.evaluate(board.play(cell)).value
    )


TRUE_OF: dict[str, Callable[[Board, int], bool]] = {
    "fork": makes_a_fork,
    "has-fork": lambda board, cell: len(winning_cells(board.play(cell), board.turn)) >= 2,
    "force": lambda board, cell: value(1)(board, cell) and solver.evaluate(board).distance > 1,
    "delay": holds_out_longest,
    "only": only_one_keeps_the_draw,
    "chance": has_the_best_safe_chance,
    "level": keeps_the_draw,
    "last": lambda board, cell: board.legal_moves == (cell,),
    "threat": lambda board, cell: len(winning_cells(board.play(cell), board.turn)) == 1,
    "block-fork": lambda board, cell: (
        cell in fork_cells(board, board.turn.other) - winning_cells(board, board.turn.other)
    ),
    "force-answer": forces,
    "centre": lambda board, cell: cell == CENTRE and is_one_of_several(board, cell),
    "corner": lambda board, cell: cell in CORNERS and is_one_of_several(board, cell),
    "edge": lambda board, cell: cell in EDGES and is_one_of_several(board, cell),
    "opposite-corner": lambda board, cell: cell in CORNERS and board[8 - cell] is board.turn.other,
    "edge-against-forks": lambda board, cell: (
        cell in EDGES and len(fork_cells(board, board.turn.other)) == 2
    ),
    "scenario": lambda board, cell: board.ply == 3 and board[CENTRE] is board.turn,
    "value-win": value(1),
    "value-draw": value(0),
    "value-loss": value(-1),
    "random": is_one_of_several,
    "slip": is_one_of_several,
}


def is_true(reason: Reason, board: Board, cell: int) -> bool:
    match reason.rule:
        case "win":
            return completed(board, cell, reason.lines)
        case "block":
            return blocked(board, cell, reason.lines)
        case "fork" | "has-fork" | "threat" | "force-answer":
            if board.play(cell).outcome:
                return False
            threats = {line for line, _ in plain_threats(board.play(cell), board.turn)}
            return set(reason.lines) == threats and TRUE_OF[reason.rule](board, cell)
    return TRUE_OF[reason.rule](board, cell)


@every_mind
def test_every_reason_is_true_of_its_board(engine: Engine) -> None:
    for board in OPEN:
        for choice in engine.choices(board):
            assert is_true(choice.reason, board, choice.cell), (board, choice)


def test_every_reason_for_a_better_move_is_true_of_its_board() -> None:
    for board in OPEN:
        for cell in solver.best_moves(board):
            assert is_true(explain(board, cell), board, cell), (board, cell)


@every_mind
def test_engines_that_are_called_symmetric_play_alike_from_every_side(engine: Engine) -> None:
    here = {board.x | board.o << 9: chances(engine, board) for board in OPEN}
    alike = all(
        {symmetry[cell]: chance for cell, chance in found.items()} == here[image]
        for packed, found in here.items()
        for symmetry, image in zip(SYMMETRIES, images(packed), strict=True)
    )
    assert alike == engine.symmetric == (engine in LISTS or engine.slug in ("easy", "hard"))


def chances(engine: Engine, board: Board) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for choice in engine.choices(board):
        found[choice.cell] = found.get(choice.cell, Fraction(0)) + choice.probability
    return found
