"""What an engine is: a name, and a policy that maps a board to choices with reasons.

May import ``core``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from random import Random
from typing import TypeAlias

from webapp.core.board import Board, IllegalMove, Line


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an engine takes a cell, as data; ``words`` makes a sentence of it.

    :param rule: slug of the rule that fired: ``win``, ``block``, ``random`` …
    :param lines: the lines that the rule is about: the one completed, blocked, threatened
    """

    rule: str
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the things that an engine may do. A cell may occur twice, for two reasons.

    :param probability: exact; the choices of an engine on one board sum to 1
    """

    cell: int
    probability: Fraction
    reason: Reason


Option: TypeAlias = tuple[int, Reason]
Policy: TypeAlias = Callable[[Board], tuple[Choice, ...]]


def uniform(options: Iterable[Option]) -> tuple[Choice, ...]:
    """Make equally probable choices of these options."""
    options = tuple(options)
    return tuple(Choice(cell, Fraction(1, len(options)), reason) for cell, reason in options)


@dataclass(frozen=True, slots=True)
class Engine:
    """A mind that plays either mark, whichever is to move.

    :param slug: how addresses, forms and commands name it
    :param name: how people read it
    :param idea: what it does, in a few words, as its line of the opponent list says it
    :param policy: its choices on a board whose game goes on
    """

    slug: str
    name: str
    idea: str
    policy: Policy

    def choices(self, board: Board) -> tuple[Choice, ...]:
        """Everything that the engine may do on this board, with probabilities that sum to 1.

        :raises IllegalMove: if the game is over
        """
        if board.outcome:
            raise IllegalMove("The game is over, so there is nothing to choose.")
        return self.policy(board)

    def choose(self, board: Board, rng: Random) -> Choice:
        """Draw one choice with its exact probability.

        :raises IllegalMove: if the game is over
        """
        tickets = _tickets(self, board)
        return tickets[rng.randrange(len(tickets))]


@lru_cache(maxsize=4096)
def _tickets(engine: Engine, board: Board) -> tuple[Choice, ...]:
    """Every choice as many times as its probability is worth over the common denominator.

    Whole numbers, because a float could not hold a third.
    """
    choices = engine.choices(board)
    denominator = lcm(*(choice.probability.denominator for choice in choices))
    return tuple(choice for choice in choices for _ in range(int(choice.probability * denominator)))
