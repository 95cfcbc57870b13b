"""Questions to the whole class: a position, everyone's cell, and then what is right.

A *poll* is a question; a *round* is a series of polls: a quiz, or a game of the class against the
computer. Moments are seconds since 1970. May import ``core``.
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

SECONDS = (0, 15, 30, 60)  # the choices of time for an answer; 0: no limit
NUMBERS = (5, 10, 15)  # the choices of length for a quiz
SHOWN_S = 8  # in a round that runs by itself, the time that shows what was right

FORGOTTEN_S = 10 * 60
"""A question and its round end by themselves this long after the teacher's last step."""

SEEN_S = 15 * 60  # players seen this long before a question count in it, present or not


class Life(Enum):
    """The stage of a poll; the values are in the database."""

    WAITING = "waiting"
    OPEN = "open"
    CLOSED = "closed"
    REVEALED = "revealed"
    DONE = "done"


class Poll(NamedTuple):
    """A question.

    :param number: in order of asking
    :param round: the id of its round, if any
    :param moves: the moves that lead to the position, such as ``402``
    :param kind: what it asks for, as in :class:`webapp.analysis.puzzles.Kind`, if shown
    :param seconds: for an answer; 0: no limit
    :param since: when its present life began
    :param counts_until: players who had a name by then count; ``None``: everyone
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
        return boards(moves_of(self.moves))[-1]

    @property
    def right(self) -> tuple[int, ...]:
        return right(self.board)

    @property
    def going(self) -> bool:
        """Whether the class should look at it."""
        return self.life in (Life.OPEN, Life.CLOSED, Life.REVEALED)

    @property
    def calls(self) -> bool:
        """Whether to call the class to it: it is open, or its round goes on."""
        return self.life is Life.OPEN or (self.going and self.round is not None)

    @property
    def lasts(self) -> int | None:
        """The seconds until it moves on by itself; ``None``: it does not."""
        if not self.seconds or self.life not in (Life.OPEN, Life.REVEALED):
            return None
        return self.seconds if self.life is Life.OPEN else SHOWN_S if self.round else None

    @property
    def next(self) -> Life:
        """The life that follows."""
        if self.life is Life.OPEN:
            return Life.REVEALED if self.round else Life.CLOSED
        return Life.DONE


class Round(NamedTuple):
    """A series of polls: a quiz, or a game of the class with ``mark`` against an engine."""

    id: str
    seconds: int
    engine: str | None = None
    mark: Mark | None = None
    over: bool = False


class Score(NamedTuple):
    """A player's result in a quiz; ``cells`` are the answers, or ``None``."""

    player: str
    place: int
    points: int
    cells: tuple[int | None, ...]


class Answer(NamedTuple):
    """A player's answer to a poll."""

    poll: str
    player: str
    cell: int


def right(board: Board) -> tuple[int, ...]:
    """Return the cells that keep the value; where some win at once, only those."""
    return best_moves(board) if wins(board, board.turn) else keeping(board)


def tally(cells: Iterable[int]) -> tuple[int, ...]:
    """Count the votes for each cell.

    >>> tally([4, 4, 0])
    (1, 0, 0, 0, 2, 0, 0, 0, 0)
    """
    return tuple(map(list(cells).count, CELLS))


def elected(poll: Poll, counts: Sequence[int]) -> int:
    """Return the most voted cell; of several, or without votes, a random one seeded by the poll."""
    rng, most = Random(poll.id), max(counts)  # noqa: S311 - the id is random
    most_voted = [cell for cell in CELLS if most and counts[cell] == most]
    return rng.choice(most_voted or poll.board.legal_moves)


def scores(polls: Sequence[Poll], answers: Collection[Answer]) -> list[Score]:
    """Return the scores of a quiz, the best first: a point for each right answer."""
    cell_of = {(answer.player, answer.poll): answer.cell for answer in answers}
    unplaced = []
    for player in sorted({answer.player for answer in answers}):
        cells = tuple(cell_of.get((player, poll.id)) for poll in polls)
        points = sum(cell in poll.right for cell, poll in zip(cells, polls, strict=True))
        unplaced.append(Score(player=player, place=0, points=points, cells=cells))
    ranked = placed(unplaced, lambda score: -score.points)
    return [score._replace(place=place) for place, score in ranked]


def hardest(polls: Sequence[Poll], answers: Collection[Answer]) -> list[tuple[Poll, int]]:
    """Return the polls with wrong answers and their number, the most first."""
    wrong = [
        (poll, sum(answer.poll == poll.id and answer.cell not in poll.right for answer in answers))
        for poll in polls
    ]
    return sorted(((poll, count) for poll, count in wrong if count), key=lambda row: -row[1])
