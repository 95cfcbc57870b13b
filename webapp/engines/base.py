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
    """One of the things that an engine may do. A cell may occur twice, for two reasons.

    :param probability: exact; the choices of an engine on one board sum to 1
    """

    cell: int
    probability: Fraction
    reason: Reason


class UnknownEngine(Complaint):
    """There is no such engine; the message lists the ones there are."""


class EngineFault(ValueError):  # noqa: N818 - it names whose fault it was
    """An engine could not answer on a board, or its answer was not a legal cell.

    :param why: what it did, in a sentence
    :param kind: ``"failed"``, ``"slow"``, ``"illegal"`` or ``"ended"``, its process
    :param where: the line of the author's file, if it is known
    :param alike: what faults share if only one of them needs to be shown
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


# Made once: analysis asks for choices by the ten thousand, and a Fraction is slow to make.
_SHARES = (Fraction(0), *(Fraction(1, parts) for parts in range(1, 10)))


def uniform(options: Iterable[Option]) -> tuple[Choice, ...]:
    """Make equally probable choices of these options."""
    options = tuple(options)
    share = _SHARES[len(options)]
    return tuple([Choice(cell, share, reason) for cell, reason in options])


@dataclass(frozen=True, slots=True)
class Source:
    """Where an engine comes from.

    :param letter: of the article, ``"A"`` to ``"E"``; empty where it comes from none
    :param title: author and title, as a page can print them after "Source: "
    """

    letter: str
    title: str


SOURCES = {
    "A": Source("A", N_("an article by Luka, 26 June 2023")),
    "B": Source("B", 'David Kopec, "Classic Computer Science Problems in Swift"'),
    "C": Source("C", '"Python: Coding unbeatable Tic Tac Toe AI"'),
    "D": Source("D", '"Algorithms \u2013 AI behind a Tic-Tac-Toe Game"'),
    "E": Source("E", '"Non-Recursive tic-tac-toe AI Algorithm"'),
}
"""The five articles by letter, as far as their own pages say: A has no title, C to E no author."""

OWN = Source("", N_("this project"))

ONLY_THE_BOARD = N_(
    "Exact if your function looks only at the board: no chance, no memory, no clock."
)
"""What all that is computed about a function rests on, as no one can see what it looks at."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A mind that plays whichever mark is to move, mostly either.

    Its words are messages; those of a list of rules, and the title of a function's source, have
    places.

    :param slug: its name in addresses, forms and commands
    :param brief: what it does, in the few words that fit on its line of the opponent list
    :param idea: in one sentence
    :param policy: its choices on a board whose game goes on
    :param rules: what it does in order, a sentence each
    :param symmetric: it plays the same way on boards that are rotations or reflections of each
        other, so that analysis asks it about only one of them
    :param live: draws a choice itself, if its chances cannot be known: ``policy`` then raises
        ``NotExact``, and only samples can be taken
    :param marks: those that it plays
    :param proviso: on what its figures rest, in a sentence; empty for the project's own engines
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
    marks: tuple[Mark, ...] = tuple(Mark)
    proviso: str = ""

    def choices(self, board: Board) -> tuple[Choice, ...]:
        """Everything that the engine may do on this board, with probabilities that sum to 1.

        :raises IllegalMove: if the game is over
        """
        if board.outcome:
            raise IllegalMove("The game is over, so there is nothing to choose.")
        return self.policy(board)

    def choose(self, board: Board, rng: Random) -> Choice:
        """Draw one choice with its exact probability; raises as ``choices`` does."""
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
