"""What an engine is: a policy from boards to choices with reasons. May import ``core``."""

from bisect import bisect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import lcm
from random import Random
from typing import TypeAlias

from webapp.core.board import Board, IllegalMove, Mark
from webapp.core.game import Reason
from webapp.core.messages import N_, Complaint


@dataclass(frozen=True, slots=True)
class Choice:
    """A possible move of an engine; a cell may occur twice, for two reasons."""

    cell: int
    probability: Fraction
    reason: Reason


class UnknownEngine(Complaint):
    """There is no such engine; the message lists the engines."""


class EngineFault(ValueError):  # noqa: N818 - it names whose fault it was
    """An engine gave no answer on a board, or an illegal one.

    :param why: what it did, in a sentence
    :param kind: ``"failed"``, ``"slow"``, ``"illegal"``, or ``"ended"`` if its process did
    :param where: the line of the author's file, if known
    :param alike: faults with equal values are reported once
    """

    def __init__(self, board: Board, why: str, kind: str, where: str = "", alike: str = "") -> None:
        at = f"The board was {board}, with {board.turn} to move."
        super().__init__(f"{why} {at} See {where}." if where else f"{why} {at}")
        self.board, self.why, self.kind = board, why, kind
        self.where, self.alike = where, (kind, alike or why)


class NotExact(ValueError):  # noqa: N818 - what is true of the engine, not a fault here
    """Nothing exact can be computed about this engine; the message says why."""


Option: TypeAlias = tuple[int, Reason]
Policy: TypeAlias = Callable[[Board], tuple[Choice, ...]]


# Analysis asks for choices by the ten thousand, and a Fraction is slow to make.
_SHARES = (Fraction(0), *(Fraction(1, parts) for parts in range(1, 10)))


def uniform(options: Iterable[Option]) -> tuple[Choice, ...]:
    options = tuple(options)
    share = _SHARES[len(options)]
    return tuple([Choice(cell, share, reason) for cell, reason in options])


SOURCES = {
    "A": N_("an article by Luka, 26 June 2023"),
    "B": 'David Kopec, "Classic Computer Science Problems in Swift"',
    "C": '"Python: Coding unbeatable Tic Tac Toe AI"',
    "D": '"Algorithms \u2013 AI behind a Tic-Tac-Toe Game"',
    "E": '"Non-Recursive tic-tac-toe AI Algorithm"',
}
"""The five articles by letter. Their pages name no title for A and no author for C to E."""

OWN = N_("this project")

ONLY_THE_BOARD = N_(
    "Exact if your function looks only at the board: no chance, no memory, no clock."
)
"""The assumption behind every figure of a function, which cannot be checked."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A player that chooses a move for the side to move.

    Texts are messages; ``idea`` of a rule list and ``source`` of a function have placeholders.

    :param slug: its name in addresses, forms and commands
    :param brief: what it does, in the few words that fit in the opponent list
    :param idea: what it does, in a sentence
    :param policy: its choices on a board whose game goes on
    :param source: author and title, to print after "Source: "
    :param rules: what it does in order, a sentence each
    :param symmetric: whether it plays the same way on boards that are rotations or reflections of
        each other; analysis then asks about only one of them
    :param live: draws a choice, if the probabilities cannot be known; ``policy`` then raises
        ``NotExact``
    :param marks: the marks that it can play
    :param proviso: the assumption behind its figures, in a sentence; empty if there is none
    """

    slug: str
    name: str
    brief: str
    idea: str
    policy: Policy
    source: str = OWN
    rules: tuple[str, ...] = ()
    symmetric: bool = False
    live: Callable[[Board], Choice] | None = None
    marks: tuple[Mark, ...] = tuple(Mark)
    proviso: str = ""

    def choices(self, board: Board) -> tuple[Choice, ...]:
        """All moves that it may make, with probabilities; ``IllegalMove`` if the game is over."""
        if board.outcome:
            raise IllegalMove("The game is over, so there is nothing to choose.")
        return self.policy(board)

    def choose(self, board: Board, rng: Random) -> Choice:
        """Draw a choice with its exact probability; raises as :meth:`choices` does."""
        if self.live:
            return self.live(board)
        choices, bounds = _drawn_from(self, board)
        return choices[bisect(bounds, rng.randrange(bounds[-1]))]


@lru_cache(maxsize=1024)
def _drawn_from(engine: Engine, board: Board) -> tuple[tuple[Choice, ...], list[int]]:
    """The choices, and the cumulative weights. Integers, because a float cannot hold a third."""
    choices = engine.choices(board)
    denominator = lcm(*(choice.probability.denominator for choice in choices))
    return choices, list(accumulate(int(choice.probability * denominator) for choice in choices))
