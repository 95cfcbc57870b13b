"""Playing an experiment again: a number of games between two engines, with a seed.

Source C did it with 10,000; the exact figures are ``matchup``'s. Where there are none, because an
engine can only be asked, games are all that there is. May import ``core`` and ``engines``.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import inf, sqrt
from random import Random
from typing import NamedTuple

from webapp.analysis.matchup import Matchup
from webapp.analysis.policy import TabularPolicy, policy_of, result
from webapp.core.board import Board, Mark
from webapp.engines.base import Engine

SURE = 1.96
"""Within how many standard deviations 95 of 100 counts lie, where many games are played."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """How many of the games ended how."""

    x_wins: int
    draws: int
    o_wins: int

    @property
    def games(self) -> int:
        """How many were played."""
        return self.x_wins + self.draws + self.o_wins


@lru_cache(maxsize=256)
def experiment(x: Engine, o: Engine, games: int, seed: int | str) -> Experiment:
    """Play games of ``x``, who moves first, against ``o``; the same seed gives the same counts."""
    # For each position a tuple in which a position after stands as often as its weight says.
    ways: dict[int, tuple[int, ...]] = {}
    minds, draw = (policy_of(x), policy_of(o)), Random(seed).random  # noqa: S311 - an experiment
    counts = {1: 0, 0: 0, -1: 0}
    for _ in range(games):
        packed, ply = 0, 0
        while True:
            options = ways.get(packed)
            if options is None:
                options = ways[packed] = _spread(minds[ply % 2], packed)
            if not options:
                break
            packed = options[int(draw() * len(options))]
            ply += 1
        end = result(packed)
        # An engine without an answer while the game goes on has lost it.
        counts[(-1 if ply % 2 == 0 else 1) if end is None else end] += 1
    return Experiment(counts[1], counts[0], counts[-1])


@dataclass(frozen=True, slots=True)
class Sample:
    """Games of engines of which one at least can only be asked.

    :param shortest: the shortest of the games that X won, and that O won, where there is one
    """

    counted: Experiment
    shortest: Mapping[Mark, tuple[int, ...]]


def sample(x: Engine, o: Engine, games: int, seed: int | str, *, seconds: float = inf) -> Sample:
    """Play games move by move, asking an engine for each; fewer if the time runs out.

    :param seconds: no game is begun after that, except the first
    """
    rng, end = Random(seed), time.monotonic() + seconds  # noqa: S311 - an experiment
    counts: dict[Mark | None, int] = dict.fromkeys((Mark.X, None, Mark.O), 0)
    shortest: dict[Mark, tuple[int, ...]] = {}
    for number in range(games):
        if number and time.monotonic() > end:
            break
        board = Board()
        moves: tuple[int, ...] = ()
        while not board.outcome:
            cell = (x if board.turn is Mark.X else o).choose(board, rng).cell
            board, moves = board.play(cell), (*moves, cell)
        winner = board.outcome.winner
        counts[winner] += 1
        if winner and len(moves) < len(shortest.get(winner, range(10))):
            shortest[winner] = moves
    return Sample(Experiment(*counts.values()), shortest)


def interval(count: int, games: int) -> tuple[float, float]:
    """Return between which shares of all games the true one lies, in 95 of 100 such samples.

    Wilson's score interval (E. B. Wilson, 1927), which holds for small counts too.
    """
    middle = count + SURE**2 / 2
    width = SURE * sqrt(count * (games - count) / games + SURE**2 / 4)
    low, high = (middle - width) / (games + SURE**2), (middle + width) / (games + SURE**2)
    return (low if count else 0.0), (high if count < games else 1.0)


def _spread(mind: TabularPolicy, packed: int) -> tuple[int, ...]:
    """The positions after, each as often as its weight; none where the game is over."""
    if result(packed) is not None:
        return ()
    return tuple(after for after, times in mind.moves(packed).after for _ in range(times))


class Compared(NamedTuple):
    """One result of an experiment, counted beside expected.

    :param error: within how many games of what is expected 95 of 100 counts lie, if they are spread
        normally: a rough guide where a result is expected a few times only
    :param z: by how many standard deviations the count differs from what is expected; infinite
        where the expectation is certain and missed
    """

    counted: int
    probability: Fraction
    expected: Fraction
    error: float
    z: float


def compared(count: int, games: int, probability: Fraction) -> Compared:
    """Lay a count beside what is expected of so many games."""
    expected = games * probability
    spread = sqrt(expected * (1 - probability))
    off = float(count - expected)
    z = off / spread if spread else (inf if off else 0.0)
    return Compared(count, probability, expected, SURE * spread, z)


def compare(experiment: Experiment, exact: Matchup) -> tuple[Compared, ...]:
    """Lay the counts beside the exact figures: X's wins, the draws, O's wins."""
    counts = (experiment.x_wins, experiment.draws, experiment.o_wins)
    return tuple(map(compared, counts, [experiment.games] * 3, exact.for_mark(Mark.X)))
