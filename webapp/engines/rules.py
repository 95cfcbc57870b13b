"""Single rules, the engine that is an ordered list of them, and the two that read so.

A rule looks at the board for the side to move and returns the options it would choose among at
random: none if it does not apply, one if it scans in a fixed order. May import ``core``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from webapp.core import tactics
from webapp.core.board import CELLS_IN, COLUMNS, DIAGONALS, ROWS, Board, Line, Mark
from webapp.engines.base import Choice, Engine, Option, Policy, Reason, uniform

Rule: TypeAlias = Callable[[Board], Sequence[Option]]

THREE_LEVELS_ORDER: tuple[Line, ...] = COLUMNS + ROWS + DIAGONALS
"""The order in which source E, "three levels, without recursion", tries the lines."""


def rule_list(*rules: Rule) -> Policy:
    """Make a policy of ordered rules: the first one that applies decides.

    The last rule must always apply, as :func:`anywhere` does.
    """

    def policy(board: Board) -> tuple[Choice, ...]:
        return uniform(next(filter(None, (rule(board) for rule in rules))))

    return policy


def win(order: Sequence[Line]) -> Rule:
    """Complete the first line in this order that can be completed."""
    return lambda board: _first_completion(board, board.turn, order, "win")


def block(order: Sequence[Line]) -> Rule:
    """Take the last cell of the first line in this order that the opponent could complete."""
    return lambda board: _first_completion(board, board.turn.other, order, "block")


def anywhere(board: Board) -> Sequence[Option]:
    """Take any free cell."""
    return [(cell, Reason("random")) for cell in CELLS_IN[board.free]]


def _first_completion(
    board: Board, mark: Mark, order: Sequence[Line], slug: str
) -> Sequence[Option]:
    threats = tactics.threats(board, mark)
    for line in order:
        if line in threats:
            cell = next(cell for cell in line if board[cell] is None)
            return [(cell, Reason(slug, (line,)))]
    return []


EASY = Engine(
    slug="easy",
    name="Easy",
    idea="plays at random",
    policy=rule_list(anywhere),
)
"""The first level of source E."""

MEDIUM = Engine(
    slug="medium",
    name="Medium",
    idea="wins and blocks",
    policy=rule_list(win(THREE_LEVELS_ORDER), block(THREE_LEVELS_ORDER), anywhere),
)
"""The second level of source E."""
