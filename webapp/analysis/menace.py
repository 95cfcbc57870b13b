"""MENACE's learning curve, and games to train it. May import ``engines``.

Computed from the beads, not sampled. Floating point makes a point of the curve take two
milliseconds; a test compares it with the exact fractions.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from random import Random
from threading import Lock
from typing import NamedTuple, TypeAlias

from webapp.analysis.policy import may_follow, policy_of, result
from webapp.core.board import Board, Mark
from webapp.core.symmetry import fold
from webapp.engines.base import Engine
from webapp.engines.menace import LAST, Beads, boxes, colours, draw, learn
from webapp.engines.registry import LEVELS

MAX_POINTS = 300  # a longer curve keeps every second point, or every fourth …

_WON, _DRAWN, _LOST = range(3)
_ENDS = {1: _WON, 0: _DRAWN, -1: _LOST}
_FIRST_BOX = 3  # the index of the first box's chances, after those of the three results

_Follow: TypeAlias = tuple[tuple[int, float], ...]
"""What may follow a bead until MENACE moves again: indices of chances, each with a probability."""


class Chances(NamedTuple):
    """The probabilities of MENACE's results in its next game."""

    won: float
    drawn: float
    lost: float


class Point(NamedTuple):
    """MENACE's strength after a number of games; ``against`` each level, by slug."""

    games: int
    against: Mapping[str, Chances]
    exploited: float


class Life:
    """MENACE's boxes, how many games it has learnt from, the last game, and the learning curve.

    One thread may learn while another computes the curve; neither waits for the other.

    :param stored: the life to continue, from :meth:`stored`
    """

    def __init__(self, stored: str | None = None) -> None:
        self.beads, self.games, self.last = boxes(), 0, tuple[int, ...]()
        self._every = 1
        self._marks: dict[int, Beads | Point] = {0: self.beads}
        self._changing = Lock()
        if stored is not None:
            self.games, last, self._every, beads, points = json.loads(stored)
            self.beads, self.last = dict(zip(boxes(), map(tuple, beads), strict=True)), tuple(last)
            self._marks = {
                games: Point(games, {slug: Chances(*now) for slug, now in against.items()}, lost)
                for games, against, lost in points
            }

    def stored(self) -> str:
        """Write it as JSON. No thread may learn meanwhile."""
        self.curve()
        beads, points = [*self.beads.values()], [*self._marks.values()]
        return json.dumps((self.games, self.last, self._every, beads, points))

    def learn(self, moves: tuple[int, ...]) -> None:
        """Learn from a game; :meth:`curve` computes the point."""
        with self._changing:
            self.beads, self.games, self.last = learn(self.beads, moves), self.games + 1, moves
            if self.games % self._every:
                return
            self._marks[self.games] = self.beads
            if len(self._marks) > MAX_POINTS:
                self._every *= 2
                kept = self._marks.items()
                self._marks = {games: mark for games, mark in kept if not games % self._every}

    def curve(self) -> list[Point]:
        with self._changing:
            marks = {self.games: self.beads} | self._marks
        points = {
            games: mark if isinstance(mark, Point) else _point(games, mark)
            for games, mark in marks.items()
        }
        with self._changing:
            self._marks |= {games: points[games] for games in points.keys() & self._marks.keys()}
        return [points[games] for games in sorted(points)]


def _point(games: int, beads: Beads) -> Point:
    against = {level.slug: chances(beads, level) for level in LEVELS}
    return Point(games, against, exploited(beads))


def chances(beads: Beads, rival: Engine) -> Chances:
    """Return MENACE's chances against an engine; MENACE moves first."""
    values = [Chances(1.0, 0.0, 0.0), Chances(0.0, 1.0, 0.0), Chances(0.0, 0.0, 1.0)]
    for box, following in _course(rival):
        numbers = beads[box] if box is not None else (1,)
        total = sum(numbers)
        if not total:
            values.append(values[_LOST])
            continue
        won = drawn = lost = 0.0
        for number, follow in zip(numbers, following, strict=True):
            if number:
                for at, chance in follow:
                    value, share = values[at], chance * number
                    won += share * value[_WON]
                    drawn += share * value[_DRAWN]
                    lost += share * value[_LOST]
        values.append(Chances(won / total, drawn / total, lost / total))
    return values[-1]


def exploited(beads: Beads) -> float:
    """Return the probability that MENACE loses to the best opponent, who knows its boxes."""
    lost = [0.0, 0.0, 1.0]
    for box, following in _course(None):
        numbers = beads[box] if box is not None else (1,)
        worst = [max([lost[at] for at, _chance in follow]) for follow in following]
        total = sum(numbers)
        share = sum([number * risk for number, risk in zip(numbers, worst, strict=True)])
        lost.append(share / total if total else 1.0)
    return lost[-1]


@cache
def _course(rival: Engine | None) -> tuple[tuple[int | None, tuple[_Follow, ...]], ...]:
    """Return the boxes that MENACE may meet, the first last, and what may follow each colour.

    The last move, which is forced, has no box. Images of a position with equal continuations share
    an index.

    :param rival: ``None`` for any opponent
    """
    mind = policy_of(rival) if rival else None
    folds = rival is None or rival.symmetric
    places: dict[tuple[int | None, tuple[_Follow, ...]], int] = {}
    met: dict[int, int] = {}

    def replies(packed: int) -> Iterable[tuple[int, float]]:
        if mind is None:
            return [(after, 1.0) for after in may_follow(packed)]
        moves = mind.moves(packed)
        return [(after, weight / moves.total) for after, weight in moves.after]

    def at(packed: int) -> int:
        end = result(packed)
        if end is not None:
            return _ENDS[end]
        packed = fold(packed) if folds else packed
        if packed not in met:
            following = tuple([after(packed, cells) for cells in colours(packed)])
            box = fold(packed) if packed.bit_count() < LAST else None
            met[packed] = places.setdefault((box, following), len(places) + _FIRST_BOX)
        return met[packed]

    def after(packed: int, cells: tuple[int, ...]) -> _Follow:
        follow: dict[int, float] = {}
        for cell in cells:
            moved = packed | 1 << cell
            end = result(moved)
            for reply, chance in replies(moved) if end is None else [(moved, 1.0)]:
                place = at(reply)
                follow[place] = follow.get(place, 0.0) + chance / len(cells)
        return tuple(sorted(follow.items()))

    at(0)
    return tuple(places)


# --- training -----------------------------------------------------------------------------------


def training(beads: Beads, rival: Engine | None, rng: Random) -> Iterator[tuple[int, ...]]:
    """Play and learn without end, by default against another MENACE; yield each game's moves."""
    others = boxes(Mark.O)
    while True:
        board, moves = Board(), list[int]()
        while not board.outcome:
            if rival and board.turn is Mark.O:
                cell: int | None = rival.choose(board, rng).cell
            else:
                cell = draw(beads if board.turn is Mark.X else others, board, rng)
            if cell is None:
                break
            moves.append(cell)
            board = board.play(cell)
        beads = learn(beads, tuple(moves))
        if rival is None:
            others = learn(others, tuple(moves), Mark.O)
        yield tuple(moves)
