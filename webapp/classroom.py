"""A class: its teacher's choices, and its players' games.

Moments are seconds since 1970. May import ``core``.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from webapp.core.game import MENACE, Kind, Score
from webapp.core.messages import N_

PLACES = ALL, THREE, NONE = "all", "three", "none"
"""Whose places the class sees: everyone's, those of the first three, or none."""

COME_IN, CLASS = "blank", "class"
RULES, MINIMAX = "rules", "minimax"
PAGES = MENACE, RULES, MINIMAX
"""In place of a tournament's id: the wall shows how to join and who has, the class, or a page of
Learn: what MENACE has learnt, the rules on paper, or a search after ``at`` steps."""


class Wall(NamedTuple):
    """What the wall shows: a tournament, a game, the game of these moves, or a quiz.

    By default, it shows how to join until the class has begun to play.

    :param game: its id
    :param moves: the cells played, such as ``40281``
    :param at: the number of moves on the board, or of steps of a search
    :param values: whether to show what each free cell is worth
    :param tournament: its id, :data:`COME_IN`, :data:`CLASS`, or one of :data:`PAGES`
    :param quiz: the id of a finished quiz
    """

    game: str | None = None
    moves: str | None = None
    at: int = 0
    values: bool = False
    tournament: str | None = None
    quiz: str | None = None

    @property
    def event(self) -> str | None:
        return None if self.tournament in (COME_IN, CLASS, *PAGES) else self.tournament

    def shows(self, *, asked: bool, game: bool, gathers: bool) -> str:
        """Return what it shows: a question to the class comes before all that was chosen.

        :param game: whether the wall's game is still stored
        :param gathers: whether the class has yet to begin to play
        """
        if asked:
            return "question"
        if self.moves:
            return "review"
        if self.game and game:
            return "game"
        if self.event:
            return "tournament"
        if self.quiz:
            return "quiz"
        if self.tournament:
            return "come-in" if self.tournament == COME_IN else self.tournament
        return "come-in" if gathers else "class"


PAUSED = N_("Your teacher has paused the games.")
ASKED = N_("The class is answering a question.")


class Lesson(NamedTuple):
    """The teacher's choices for the class.

    Both the teacher and a question to the class pause the games. If both do, both moments are the
    earlier, so that clocks are corrected once, when the second pause ends.

    :param names_locked: whether players must keep their names
    :param paused_at: since when the teacher has paused the games, if so
    :param asked_at: since when the games wait for a question, if so
    :param address: the chosen host and port of this computer, if any
    :param who_at: when every browser was asked who uses it, if ever
    :param places: one of :data:`PLACES`
    :param plan: the step of a lesson that is ready to teach, such as ``rules.2``, if one is on
    """

    names_locked: bool = False
    paused_at: int | None = None
    wall: Wall = Wall()
    asked_at: int | None = None
    address: str | None = None
    who_at: int | None = None
    places: str = THREE
    plan: str | None = None

    def shown(self, table: Iterable[Any], viewer: str) -> list[Any]:
        """The lines of a table that a player may see: with three, the first and their own.

        Before three have a place, all are shown: no one comes after them.
        """
        lines = [*table] if self.places != NONE else []
        first = [line for line in lines if line.place and line.place <= 3]
        if self.places == ALL or len(first) < 3:
            return lines
        return [line for line in lines if line in first or line.player == viewer]

    @property
    def stands_since(self) -> int | None:
        """Since when no game can go on; ``None`` while they do."""
        return self.asked_at if self.paused_at is None else self.paused_at

    @property
    def paused(self) -> str:
        """Why no game can go on; empty while they do."""
        if self.asked_at is not None:
            return ASKED
        return "" if self.paused_at is None else PAUSED


class Counted(NamedTuple):
    """A player's rated games, and when the player last began a game."""

    player: str
    name: str
    people: Score
    computer: Score
    seen_at: int


class Played(NamedTuple):
    """A game that is over.

    :param x: the name of the player of X; ``None`` for an engine, and for a player who left
    :param moves: the cells in order, such as ``402``
    :param given: the number of moves that stood on the board when it began
    :param outcome: ``x``, ``o``, ``draw``, ``left`` or ``cancelled``
    :param ending: as in :class:`~webapp.core.board.Outcome`
    :param tournament: the number of its tournament, if any
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
