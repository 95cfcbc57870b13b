"""Questions to the whole class: one position, everyone's cell, and then what is right.

A *poll* is one question; a *round* is a quiz, or a game of the class against the computer: a row
of polls. Moments are seconds since 1970. May import ``core``.
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

FORGOTTEN_S = 10 * 60
"""Seconds after the teacher's last step when a question, and its round, end by themselves."""

SEEN_S = 2 * 60 * 60
"""Players who were seen so many seconds before a question count in it, here or not."""


class Life(Enum):
    """How far a poll is; the values are in the database."""

    WAITING = "waiting"
    OPEN = "open"
    CLOSED = "closed"
    REVEALED = "revealed"
    DONE = "done"


class Poll(NamedTuple):
    """A question.

    :param number: in their order
    :param round: the id of its round, if it belongs to one
    :param moves: the cells that lead to the position, such as ``402``
    :param kind: what it asks for, as in :class:`webapp.analysis.puzzles.Kind`, if that is said
    :param seconds: for an answer; 0 is no limit
    :param since: when it became what its life says
    :param counts_until: who had a name by then counts; ``None``: everyone
    """

    id: str
    number: int
    round: str | None
    moves: str
    kind: str | None
    seconds: int
    life: Life
    since: int
    counts_until: int | None = None

    @property
    def board(self) -> Board:
        """The position."""
        return boards(moves_of(self.moves))[-1]

    @property
    def right(self) -> tuple[int, ...]:
        """The cells that are right."""
        return right(self.board)

    @property
    def going(self) -> bool:
        """Whether the class is to look at it."""
        return self.life in (Life.OPEN, Life.CLOSED, Life.REVEALED)

    @property
    def calls(self) -> bool:
        """Whether it is something to come to: it is open, or the next one of a round comes."""
        return self.life is Life.OPEN or (self.going and self.round is not None)

    @property
    def lasts(self) -> int | None:
        """Seconds after which it becomes what comes next by itself; ``None``: it does not."""
        if not self.seconds or self.life not in (Life.OPEN, Life.REVEALED):
            return None
        return self.seconds if self.life is Life.OPEN else SHOWN_S if self.round else None

    @property
    def next(self) -> Life:
        """What it becomes when its time is over."""
        if self.life is Life.OPEN:
            return Life.REVEALED if self.round else Life.CLOSED
        return Life.DONE


class Round(NamedTuple):
    """A row of polls: a quiz, or with an engine a game of the class.

    :param seconds: for each answer
    :param engine: the slug of the opponent, whom the class plays with ``mark``
    :param over: whether it has come to its end
    """

    id: str
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


def right(board: Board) -> tuple[int, ...]:
    """Return the cells that keep the best value, and win at once where one does."""
    return best_moves(board) if wins(board, board.turn) else keeping(board)


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
