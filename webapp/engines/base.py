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

from webapp.core.board import Board, IllegalMove
from webapp.core.game import Reason


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the things that an engine may do. A cell may occur twice, for two reasons.

    :param probability: exact; the choices of an engine on one board sum to 1
    """

    cell: int
    probability: Fraction
    reason: Reason


class UnknownEngine(ValueError):  # noqa: N818 - what was asked for, not a fault here
    """There is no such engine; the message says which there are."""


class EngineFault(ValueError):  # noqa: N818 - it names whose fault it was
    """An engine could not answer on a board, or gave an answer that is no legal cell.

    :param why: what it did, in a sentence
    :param kind: ``"failed"``, ``"slow"``, ``"illegal"`` or ``"ended"``, its process
    :param where: the line of the author's file, if it is known
    :param alike: what faults have in common that need to be shown only once
    """

    def __init__(self, board: Board, why: str, kind: str, where: str = "", alike: str = "") -> None:
        at = f"The board was {board}, with {board.turn} to move."
        super().__init__(f"{why} {at} See {where}." if where else f"{why} {at}")
        self.board, self.why, self.kind = board, why, kind
        self.where, self.alike = where, (kind, alike or why)


class NotExact(ValueError):  # noqa: N818 - what is true of the engine, not a fault here
    """An engine of which nothing can be computed exactly; the message says why."""


Option: TypeAlias = tuple[int, Reason]
Policy: TypeAlias = Callable[[Board], tuple[Choice, ...]]


# Made once: analysis asks for choices by the ten thousand, and a Fraction is slow to make.
_SHARES = (Fraction(0), *(Fraction(1, parts) for parts in range(1, 10)))


def uniform(options: Iterable[Option]) -> tuple[Choice, ...]:
    """Make equally probable choices of these options."""
    options = tuple(options)
    share = _SHARES[len(options)]
    return tuple([Choice(cell, share, reason) for cell, reason in options])


@dataclass(frozen=True, slots=True)
class Source:
    """The article that an engine comes from, ``"A"`` to ``"E"``; without a letter, none."""

    letter: str
    title: str


OWN = Source("", "this project")


@dataclass(frozen=True, slots=True)
class Engine:
    """A mind that plays either mark, whichever is to move.

    :param slug: how addresses, forms and commands name it
    :param brief: what it does, in the few words that its line of the opponent list has room for
    :param idea: in one sentence
    :param policy: its choices on a board whose game goes on
    :param rules: what it does in order, a sentence each
    :param symmetric: it plays alike on boards that differ by a symmetry of the square only, so
        that analysis need ask it about one of them
    :param live: draws a choice itself, where its chances cannot be known: ``policy`` then raises
        ``NotExact``, and all that can be said of it are samples
    """

    slug: str
    name: str
    brief: str
    idea: str
    policy: Policy
    source: Source = OWN
    rules: tuple[str, ...] = ()
    symmetric: bool = False
    live: Callable[[Board], Choice] | None = None

    def choices(self, board: Board) -> tuple[Choice, ...]:
        """Everything that the engine may do on this board, with probabilities that sum to 1.

        :raises IllegalMove: if the game is over
        """
        if board.outcome:
            raise IllegalMove("The game is over, so there is nothing to choose.")
        return self.policy(board)

    def choose(self, board: Board, rng: Random) -> Choice:
        """Draw one choice with its exact probability; likewise not where the game is over."""
        if self.live:
            return self.live(board)
        choices, bounds = _drawn_from(self, board)
        return choices[bisect(bounds, rng.randrange(bounds[-1]))]


@lru_cache(maxsize=1024)
def _drawn_from(engine: Engine, board: Board) -> tuple[tuple[Choice, ...], list[int]]:
    """The choices, and where each ends on a scale of whole numbers.

    Whole numbers, because a float could not hold a third.
    """
    choices = engine.choices(board)
    denominator = lcm(*(choice.probability.denominator for choice in choices))
    return choices, list(accumulate(int(each.probability * denominator) for each in choices))
