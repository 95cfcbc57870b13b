"""A class: what its teacher has chosen and done, and what its players have played.

Moments are seconds since 1970. May import ``core``.
"""

from enum import Enum
from typing import NamedTuple

from webapp.core.game import MENACE, Kind, Score

BLANK = "blank"
"""Stands for a tournament's id where the wall shows nothing but how to join."""


class Wall(NamedTuple):
    """What the wall shows: a tournament, one game, the game of these moves, a quiz, or the class.

    :param game: its id; with moves, the game that these are of, which is over
    :param moves: the cells played, such as ``40281``
    :param at: after how many of the moves
    :param values: whether also what each free cell is worth then
    :param version: counts every change, from 1; 0 stands for any
    :param tournament: its id, or :data:`BLANK`, or ``menace`` for what that has learnt
    :param quiz: the id of one that is over
    """

    game: str | None = None
    moves: str | None = None
    at: int = 0
    values: bool = False
    version: int = 0
    tournament: str | None = None
    quiz: str | None = None

    @property
    def blank(self) -> bool:
        """Whether it shows nothing but how to join."""
        return self.tournament == BLANK

    @property
    def menace(self) -> bool:
        """Whether it shows what MENACE has learnt."""
        return self.tournament == MENACE


class Lesson(NamedTuple):
    """What the teacher has chosen for the class.

    :param names_locked: whether players keep the names that they have
    :param paused_at: since when the games are paused, in seconds since 1970, if they are
    """

    names_locked: bool = False
    paused_at: int | None = None
    wall: Wall = Wall(version=1)

    @property
    def paused(self) -> bool:
        """Whether the games are paused."""
        return self.paused_at is not None


class Act(Enum):
    """What a teacher can do; the values are in the database."""

    RENAME = "rename"
    REMOVE = "remove"
    LOCK_NAMES = "lock"
    UNLOCK_NAMES = "unlock"
    PAUSE = "pause"
    RESUME = "resume"
    SHOW_CLASS = "class"
    SHOW_GAME = "game"
    SHOW_REVIEW = "review"
    SHOW_EVENT = "event"
    SHOW_BLANK = "blank"
    SHOW_MENACE = "menace"
    START_EVENT = "start"
    END_EVENT = "end"
    OPEN_EVENT = "open"
    CLOSE_EVENT = "close"
    PUT_OUT = "out"
    PUT_OUT_IDLE = "idle"
    LET_IN = "in"
    RESET_STANDINGS = "reset"
    TRAIN = "train"
    UNLEARN = "unlearn"
    AFRESH = "afresh"


class Entry(NamedTuple):
    """A line of the journal: what a teacher has done, but not which of them.

    :param at: when, in seconds since 1970
    :param name: of the player whom it was about, before it
    :param new: and after it
    """

    at: int
    act: Act
    name: str | None = None
    new: str | None = None


class Counted(NamedTuple):
    """A player, and what counts of their games.

    :param people: against other players; ``computer``: against engines
    :param seen_at: when the player last began a game
    """

    player: str
    name: str
    people: Score
    computer: Score
    seen_at: int


class Played(NamedTuple):
    """A game that is over.

    :param x: the name of the player of X; ``None`` for an engine, and for a player who left
    :param o: likewise of O
    :param x_seat: the id of the player of X; likewise ``o_seat``
    :param engine: its slug, in a game against one
    :param moves: the cells in order, such as ``402``
    :param given: how many of the moves stood on the board when it began
    :param outcome: ``x``, ``o``, ``draw``, ``left`` or ``cancelled``
    :param ending: as in :class:`~webapp.core.board.Outcome`
    :param tournament: the number of the tournament that it belongs to
    :param round: of a Swiss; 0 in an arena
    """

    began_at: int
    ended_at: int
    x: str | None
    o: str | None
    x_seat: str | None
    o_seat: str | None
    kind: Kind
    engine: str | None
    moves: str
    given: int
    outcome: str
    ending: str | None
    tournament: int | None
    round: int | None
