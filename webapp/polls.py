"""Questions to the whole class: one position, everyone's cell, and then what is right.

A *poll* is one question; a *round* is a quiz, homework, or a game of the class against the
computer, each a row of polls. Moments are seconds since 1970. May import ``core``.
"""

from collections.abc import Collection, Iterable, Sequence
from enum import Enum
from random import Random
from typing import NamedTuple

from webapp.core.board import CELLS, Board, Mark
from webapp.core.game import boards, moves_of
from webapp.core.places import placed
from webapp.core.solver import best_moves, keeping
from webapp.core.tactics import wins

SECONDS = (0, 15, 30, 60)
"""How many seconds there may be for an answer; 0 is as many as the teacher likes."""

NUMBERS = (5, 10, 15)
"""How many questions a quiz may have."""

SHOWN_S = 8
"""For how many seconds a round that runs by itself shows what was right."""

FORGOTTEN_S = 60 * 60
"""After how many seconds a question that no one has ended is forgotten."""


class Life(Enum):
    """How far a poll is; the values are in the database and in JSON."""

    WAITING = "waiting"
    OPEN = "open"
    CLOSED = "closed"
    REVEALED = "revealed"
    DONE = "done"


class Form(Enum):
    """What a round is; the values are in the database."""

    QUIZ = "quiz"
    HOME = "home"
    VOTE = "vote"


class Poll(NamedTuple):
    """A question.

    :param number: in their order
    :param round: the id of its round, if it belongs to one
    :param moves: the cells that lead to the position, such as ``402``
    :param kind: what it asks for, as in :class:`webapp.analysis.puzzles.Kind`, if that is said
    :param seconds: for an answer; 0 is no limit
    :param since: when it became what its life says
    """

    id: str
    number: int
    round: str | None
    moves: str
    kind: str | None
    seconds: int
    life: Life
    since: int

    @property
    def board(self) -> Board:
        """The position."""
        return boards(moves_of(self.moves))[-1]

    @property
    def right(self) -> tuple[int, ...]:
        """The cells that keep the best value, and win at once where one does."""
        board = self.board
        return best_moves(board) if wins(board, board.turn) else keeping(board)

    @property
    def going(self) -> bool:
        """Whether the class is to look at it."""
        return self.life in (Life.OPEN, Life.CLOSED, Life.REVEALED)


class Round(NamedTuple):
    """A row of polls.

    :param seconds: for each answer
    :param engine: the slug of the opponent, where the class plays the computer with ``mark``
    :param over: whether it has come to its end
    """

    id: str
    form: Form
    seconds: int
    engine: str | None = None
    mark: Mark | None = None
    over: bool = False


class Score(NamedTuple):
    """What a player has reached in a quiz.

    :param cells: the answer to each question, ``None`` where there is none
    """

    player: str
    place: int
    points: int
    cells: tuple[int | None, ...]


class Answer(NamedTuple):
    """What a player has answered to a poll."""

    poll: str
    player: str
    cell: int


def due(poll: Poll, in_round: bool, elapsed: int) -> Life | None:
    """Return what a poll becomes by itself, if its time has come.

    :param elapsed: for how many seconds it has been what it is
    """
    if not poll.seconds:
        return None
    if poll.life is Life.OPEN and elapsed >= poll.seconds:
        return Life.REVEALED if in_round else Life.CLOSED
    if poll.life is Life.REVEALED and in_round and elapsed >= SHOWN_S:
        return Life.DONE
    return None


def tally(cells: Iterable[int]) -> tuple[int, ...]:
    """Return how often each cell was chosen.

    >>> tally([4, 4, 0])
    (1, 0, 0, 0, 2, 0, 0, 0, 0)
    """
    chosen = list(cells)
    return tuple(map(chosen.count, CELLS))


def most_voted(counts: Sequence[int]) -> tuple[int, ...]:
    """Return the cells with the most votes; none where no one has voted."""
    most = max(counts)
    return tuple(cell for cell in CELLS if most and counts[cell] == most)


def elected(poll: Poll, counts: Sequence[int]) -> int:
    """Return the cell that the class plays: a tie is decided by lot, and so is no vote at all.

    The lot is the poll's own, the same whenever it is asked for.
    """
    rng = Random(poll.id)  # noqa: S311 - the id is random
    return rng.choice(most_voted(counts) or poll.board.legal_moves)


def scores(polls: Sequence[Poll], answers: Collection[Answer]) -> list[Score]:
    """Return who has reached what in a quiz, the best first: a point for each right answer."""
    cells = {(one.player, one.poll): one.cell for one in answers}
    found = []
    for player in sorted({one.player for one in answers}):
        given = tuple(cells.get((player, poll.id)) for poll in polls)
        points = sum(cell in poll.right for cell, poll in zip(given, polls, strict=True))
        found.append(Score(player, 0, points, given))
    return [one._replace(place=place) for place, one in placed(found, lambda one: -one.points)]


def hardest(polls: Sequence[Poll], answers: Collection[Answer]) -> list[tuple[Poll, int]]:
    """Return the polls that someone got wrong, and how many did, the most first."""
    wrong = [
        (poll, sum(one.poll == poll.id and one.cell not in poll.right for one in answers))
        for poll in polls
    ]
    return sorted((one for one in wrong if one[1]), key=lambda one: -one[1])
