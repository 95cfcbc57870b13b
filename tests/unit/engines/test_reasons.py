"""Every engine in every position: exact probabilities, legal cells, and reasons that are true."""

from collections.abc import Callable
from fractions import Fraction
from random import Random
from unittest.mock import call, create_autospec

import pytest

from webapp.core import solver
from webapp.core.board import CENTRE, CORNERS, EDGES, LINES, Board, IllegalMove, Line, Mark
from webapp.core.game import Reason
from webapp.core.symmetry import SYMMETRIES, images
from webapp.engines.base import Choice, Engine
from webapp.engines.perfect import HARD, explain
from webapp.engines.registry import ENGINES
from webapp.engines.rules import LAB_RULES, rule_list
from webapp.engines.three_levels import MEDIUM

OPEN = tuple(board for board in solver.positions() if not board.outcome)
LISTS = tuple(rule_list(f"rules:{slug}") for slug in LAB_RULES)
MINDS = (*ENGINES.values(), *LISTS)


def plain_threats(board: Board | dict[int, Mark | None], mark: Mark) -> list[tuple[Line, int]]:
    found = []
    for line in LINES:
        marks = [board[cell] for cell in line]
        if marks.count(mark) == 2 and marks.count(None) == 1:
            found.append((line, line[marks.index(None)]))
    return found


def winning_cells(board: Board, mark: Mark) -> set[int]:
    return {cell for _, cell in plain_threats(board, mark)}


def fork_cells(board: Board, mark: Mark) -> set[int]:
    marks = {cell: board[cell] for cell in range(9)}
    after = {cell: plain_threats({**marks, cell: mark}, mark) for cell in board.legal_moves}
    return {cell for cell, threats in after.items() if len({won for _, won in threats}) >= 2}


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
    after, lines = board.play(cell), set(reason.lines)
    match reason.rule:
        case "win":
            won = after.outcome
            return won is not None and won.winner is board.turn and set() < lines <= {*won.lines}
        case "block":
            theirs = plain_threats(board, board.turn.other)
            return bool(lines) and all((line, cell) in theirs for line in lines)
        case "fork" | "has-fork" | "threat" | "force-answer":
            threats = {line for line, _ in plain_threats(after, board.turn)}
            return not after.outcome and lines == threats and TRUE_OF[reason.rule](board, cell)
    return TRUE_OF[reason.rule](board, cell)


@pytest.mark.parametrize("engine", MINDS, ids=lambda engine: engine.slug)
def test_choices_are_legal_exact_symmetric_if_called_so_and_reasons_true(engine: Engine) -> None:
    here = dict[int, dict[int, Fraction]]()
    for board in OPEN:
        chances = here[board.packed] = dict[int, Fraction]()
        for choice in engine.choices(board):
            assert isinstance(choice.probability, Fraction)
            assert choice.probability > 0
            assert is_true(choice.reason, board, choice.cell), (board, choice)
            chances[choice.cell] = chances.get(choice.cell, Fraction(0)) + choice.probability
        assert chances.keys() <= {*board.legal_moves}
        assert sum(chances.values()) == 1
    with pytest.raises(IllegalMove, match="over"):
        engine.choices(Board.parse("XXXOO...."))
    alike = all(
        {symmetry[cell]: chance for cell, chance in chances.items()} == here[image]
        for packed, chances in here.items()
        for symmetry, image in zip(SYMMETRIES, images(packed), strict=True)
    )
    assert alike == engine.symmetric == (engine in LISTS or engine.slug in ("easy", "hard"))


def test_medium_follows_win_block_anywhere_and_hard_is_as_good_and_quick_as_can_be() -> None:
    for board in OPEN:
        best = {*solver.best_moves(board)}
        assert {choice.cell for choice in HARD.choices(board)} <= best
        assert all(is_true(explain(board, cell), board, cell) for cell in best), board
        cells = {choice.cell for choice in MEDIUM.choices(board)}
        wanted = winning_cells(board, board.turn) or winning_cells(board, board.turn.other)
        assert cells <= wanted if wanted else cells == {*board.legal_moves}
        assert len(cells) == 1 or not wanted


def test_unequal_probabilities_are_drawn_exactly() -> None:
    reason = Reason("random")
    choices = Choice(0, Fraction(1, 3), reason), Choice(1, Fraction(2, 3), reason)
    third = Engine("third", "Third", "", "", lambda _: choices)

    rng = create_autospec(Random, instance=True)
    rng.randrange.side_effect = range(3)
    assert [third.choose(Board(), rng).cell for _ in range(3)] == [0, 1, 1]
    assert rng.randrange.call_args_list == [call(3)] * 3
