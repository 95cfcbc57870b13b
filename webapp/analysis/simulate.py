"""Games between two engines, with a seed. May import ``core`` and ``engines``.

Repeats the experiment of source C, which played 10,000 games; ``matchup`` has the exact figures.
Live engines have no exact figures, only samples.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import inf, sqrt
from random import Random
from typing import NamedTuple

from webapp.analysis.matchup import Matchup
from webapp.analysis.policy import policy_of, result
from webapp.core.board import Board, Mark
from webapp.engines.base import Engine

Z_95 = 1.96  # standard deviations within which 95 of 100 counts lie, in a normal distribution


@dataclass(frozen=True, slots=True)
class Experiment:
    """The games of an experiment, counted by result."""

    x_wins: int
    draws: int
    o_wins: int

    @property
    def games(self) -> int:
        return self.x_wins + self.draws + self.o_wins


@lru_cache(maxsize=256)
def experiment(x: Engine, o: Engine, games: int, seed: int | str) -> Experiment:
    """Play games of an engine with X against an engine with O; seeded."""
    # For each position, the next positions, each repeated by its weight.
    ways: dict[int, tuple[int, ...]] = {}
    minds, draw = (policy_of(x), policy_of(o)), Random(seed).random  # noqa: S311 - an experiment
    counts = {1: 0, 0: 0, -1: 0}
    for _ in range(games):
        packed, ply = 0, 0
        while True:
            options = ways.get(packed)
            if options is None:
                after = () if result(packed) is not None else minds[ply % 2].moves(packed).after
                options = ways[packed] = tuple(
                    position for position, times in after for _ in range(times)
                )
            if not options:
                break
            packed = options[int(draw() * len(options))]
            ply += 1
        end = result(packed)
        # An engine that gives no answer loses.
        counts[(-1 if ply % 2 == 0 else 1) if end is None else end] += 1
    return Experiment(counts[1], counts[0], counts[-1])


class Sample(NamedTuple):
    """Games with a live engine, and the shortest that each mark won."""

    counted: Experiment
    shortest: Mapping[Mark, tuple[int, ...]]


def sample(x: Engine, o: Engine, games: int, seed: int | str, *, seconds: float = inf) -> Sample:
    """Play games move by move; after ``seconds``, no game begins but the first."""
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
    """Return Wilson's 95 % interval of a share (E. B. Wilson, 1927), good for small counts too."""
    middle = count + Z_95**2 / 2
    width = Z_95 * sqrt(count * (games - count) / games + Z_95**2 / 4)
    low, high = (middle - width) / (games + Z_95**2), (middle + width) / (games + Z_95**2)
    return (low if count else 0.0), (high if count < games else 1.0)


class Compared(NamedTuple):
    """A count beside the exact expectation.

    :param error: 95 of 100 counts differ from ``expected`` by less; a rough guide where that is
        small, because counts are then not normally distributed
    :param z: the deviation in standard deviations; infinite if a certain result is missed
    """

    counted: int
    probability: Fraction
    expected: Fraction
    error: float
    z: float


def compare_count(count: int, games: int, probability: Fraction) -> Compared:
    expected = games * probability
    spread = sqrt(expected * (1 - probability))
    deviation = float(count - expected)
    return Compared(
        counted=count,
        probability=probability,
        expected=expected,
        error=Z_95 * spread,
        z=deviation / spread if spread else (inf if deviation else 0.0),
    )


def compare(experiment: Experiment, exact: Matchup) -> tuple[Compared, ...]:
    """Compare X's wins, the draws and O's wins with the exact figures."""
    counts = (experiment.x_wins, experiment.draws, experiment.o_wins)
    return tuple(map(compare_count, counts, [experiment.games] * 3, exact.for_mark(Mark.X)))


def hundredths(counts: Sequence[int]) -> list[int]:
    """Share out 100 by largest remainder."""
    shares = [divmod(100 * count, sum(counts)) for count in counts]
    by_rest = sorted(range(len(shares)), key=lambda at: -shares[at][1])
    first = by_rest[: 100 - sum(whole for whole, _ in shares)]
    return [whole + (at in first) for at, (whole, _) in enumerate(shares)]
