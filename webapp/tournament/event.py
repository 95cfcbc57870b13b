"""A tournament as it is stored: what was chosen, who is in it, and which matches it has.

All its moments are milliseconds since 1970. When no one could play for a time, all of them are
shifted by that time; so the same happens when the clock of the computer is set.
"""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from webapp.core.game import moves_of


class Format(Enum):
    """How players meet; the values are in forms and in the database."""

    ARENA = "arena"
    SWISS = "swiss"


class State(Enum):
    """How far a tournament is."""

    WAITING = "waiting"
    RUNNING = "running"
    OVER = "over"


class Opening(Enum):
    """From what its games begin."""

    EMPTY = "empty"
    SHARP = "sharp"


class Step(Enum):
    """How far a match is."""

    FIRST = 1
    BETWEEN = 2
    SECOND = 3
    DONE = 4


CLOCKS = (10, 15, 20, 30)
"""How many seconds a player may have for a move."""

MINUTES, ROUNDS = range(1, 181), range(1, 64)
"""How long an arena may last, and how many rounds a Swiss may have."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """What was chosen, and how far it is.

    :param clock: seconds for a move
    :param length: milliseconds of an arena, or the rounds of a Swiss
    :param ticked_at: the last tick, which is now for all that is computed here; 0 before it begins
    :param ends_at: the bell of an arena that has begun
    :param round: of a Swiss, the one that is played; 0 before the first
    :param round_over: since when all matches of that round are done, if they are
    :param late: whether players may join while it is played
    """

    id: str
    format: Format
    opening: Opening
    clock: int
    length: int
    state: State = State.WAITING
    ticked_at: int = 0
    ends_at: int | None = None
    round: int = 0
    round_over: int | None = None
    late: bool = True

    @property
    def left(self) -> int:
        """The milliseconds that an arena goes on; of a Swiss never 0."""
        return self.length if self.ends_at is None else max(0, self.ends_at - self.ticked_at)


class Entrant(NamedTuple):
    """A player of a tournament.

    :param joined: the round of a Swiss in which the player came; a break belongs to the next one,
        and 0 is before the first
    :param playing: whether the player wants to play on
    :param missed: games in a row in which the player has not appeared
    :param free_since: since when the player has no match
    :param barred: whether the teacher has put the player out
    """

    player: str
    joined: int = 0
    playing: bool = True
    missed: int = 0
    free_since: int = 0
    barred: bool = False


class Finished(NamedTuple):
    """A game of a tournament that is over.

    :param outcome: ``x``, ``o``, ``draw``, or ``cancelled`` where it counts for nothing
    :param ending: how it ended, where it did not end on the board
    :param moves: the cells in order, such as ``402``, of which so many were ``given``
    """

    id: str
    x: str
    o: str
    outcome: str
    ending: str | None
    moves: str
    given: int

    @property
    def cells(self) -> tuple[int, ...]:
        """The moves as cells."""
        return moves_of(self.moves)

    @property
    def moved(self) -> bool:
        """Whether a move was made in it, beside those that were given."""
        return len(self.moves) > self.given


class Match(NamedTuple):
    """Two games of two players, marks swapped, from one opening; or a bye.

    :param round: of a Swiss; in an arena 0
    :param one: the player of X in the first game, ``other`` in the second
    :param other: ``None`` for a bye
    :param opening: the moves that stand on the board, such as ``04``
    :param step: how far it is, since the moment ``since``
    :param games: the ids of its games
    """

    number: int
    round: int
    one: str
    other: str | None
    opening: str = ""
    step: Step = Step.DONE
    since: int = 0
    games: tuple[str, ...] = ()

    @property
    def players(self) -> tuple[str, ...]:
        """Its two players, or the player of a bye."""
        return (self.one,) if self.other is None else (self.one, self.other)
