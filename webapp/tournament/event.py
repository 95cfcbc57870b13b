"""A tournament as it is stored: its settings, players and matches.

Moments are milliseconds since 1970. After a time in which no one could play, or when the clock was
set, all of them are shifted.
"""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from webapp.core.game import moves_of


class Format(Enum):
    """How players meet; the values are in forms and the database."""

    ARENA = "arena"
    SWISS = "swiss"


class State(Enum):
    """How far a tournament is."""

    WAITING = "waiting"
    RUNNING = "running"
    OVER = "over"


class Opening(Enum):
    """The openings of its games."""

    EMPTY = "empty"
    SHARP = "sharp"


class Step(Enum):
    """How far a match is."""

    FIRST = 1
    BETWEEN = 2
    SECOND = 3
    DONE = 4


CLOCKS = (10, 15, 20, 30)  # the choices of seconds for a move

MINUTES, ROUNDS = range(1, 181), range(1, 64)
"""The lengths of an arena, and the numbers of rounds of a Swiss."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """The teacher's choices, and the progress.

    :param clock: seconds for a move
    :param length: milliseconds of an arena, or the rounds of a Swiss
    :param ticked_at: the last tick, which is the present here; 0 before the start
    :param ends_at: when a running arena ends
    :param round: a Swiss's current round; 0 before the first
    :param round_over: since when that round is over, if it is
    :param late: whether players may join while it runs
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
        """Milliseconds left of an arena; never 0 for a Swiss."""
        return self.length if self.ends_at is None else max(0, self.ends_at - self.ticked_at)


class Entrant(NamedTuple):
    """A player of a tournament.

    :param joined: the round of a Swiss in which the player came, 0 before the first; a break
        belongs to the next round
    :param playing: whether the player wants to play on
    :param missed: missed games in a row
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
    """A finished game of a tournament.

    :param outcome: ``x``, ``o``, ``draw``, or ``cancelled`` if it does not count
    :param ending: how it ended off the board, if it did
    :param moves: the cells in order, such as ``402``; the first ``given`` are the opening
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
        return moves_of(self.moves)

    @property
    def moved(self) -> bool:
        """Whether a player has made a move."""
        return len(self.moves) > self.given


class Match(NamedTuple):
    """Two games of two players, marks swapped, from one opening; or a bye.

    :param round: of a Swiss; 0 in an arena
    :param one: the player of X in the first game, ``other`` in the second
    :param other: ``None`` for a bye
    :param opening: the moves on the board at the start, such as ``04``
    :param step: its progress, since the moment ``since``
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
        return (self.one,) if self.other is None else (self.one, self.other)
