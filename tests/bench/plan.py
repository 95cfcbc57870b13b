"""How much is measured, on what, and how it is printed."""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from webapp.config import Settings

Databases = dict[str, Callable[[], Settings]]
"""By the name of a database: makes an empty one. SQLite comes first."""


class Pace(NamedTuple):
    """How many players make how many moves a second in all, for how many seconds."""

    players: int
    rate: float
    seconds: float


class Cup(NamedTuple):
    """A tournament.

    :param length: the seconds of an arena, or the rounds of a Swiss
    :param late: how many come when a part of it is over; ``leaving``: and how many go then
    """

    format: str
    players: int
    length: float
    late: int = 0
    leaving: int = 0


@dataclass
class Plan:
    """How much to measure; the usual run takes a quarter of an hour on two cores."""

    comparing: float = 40  # seconds for moves beside the bare route
    paces: tuple[Pace, ...] = (Pace(300, 100, 9), Pace(30, 20, 5), Pace(1, 5, 5))
    arrivals: tuple[int, float] = (30, 5)  # players who arrive, and within how many seconds
    # Players who look for an opponent, within how many seconds, and how often.
    pressing: tuple[tuple[int, float, int], ...] = ((60, 0, 9), (60, 1, 9))
    # Games between two people, and for how many seconds with moves, and as long without.
    live: tuple[tuple[int, float], ...] = ((300, 15), (60, 10))
    stored: tuple[int, ...] = (1_000, 100_000)  # games that are there already
    growing: float = 12  # seconds for moves among them, on each database
    own: int = 10_000  # games that a player has finished already
    patience: float = 5  # seconds of a class beside each attack
    many: int = 10_000  # moves after which a worker's memory is looked at again
    runs: int = 3  # of each work of the engines
    cups: tuple[Cup, ...] = (
        Cup("arena", 30, 90),
        Cup("swiss", 40, 5, 10, 10),
        Cup("arena", 100, 60),
    )


QUICK = Plan(
    comparing=5,
    paces=(Pace(300, 100, 1.5),),
    arrivals=(10, 1),
    pressing=((60, 0, 1),),
    live=((60, 3),),
    stored=(1_000, 10_000),
    growing=2,
    own=1_000,
    patience=3,
    many=500,
    runs=1,
    cups=(Cup("arena", 6, 8), Cup("swiss", 5, 2, 1, 1)),
)
LONG = Plan(stored=(1_000, 100_000, 1_000_000), growing=30, many=100_000)


def progress(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def table(heads: str, rows: Iterable[Sequence[object]]) -> str:
    """Set a table in Markdown, figures to the right; the heads are parted by bars."""
    lines = [f"| {heads} |", f"| --- |{' ---: |' * heads.count('|')}"]
    return "\n".join([*lines, *(f"| {' | '.join(map(str, row))} |" for row in rows)])


def spread(seconds: Sequence[float], percents: Sequence[int] = (50, 99, 100)) -> list[str]:
    """Such a part of them took no longer than this: half, 99 of 100, all.

    >>> spread([0.004, 0.001, 0.003, 0.002], (50, 100))
    ['2.0 ms', '4.0 ms']
    """
    found = sorted(seconds)
    ranks = [max(-(-len(found) * percent // 100), 1) for percent in percents]
    return [f"{found[rank - 1] * 1e3:,.1f} ms" if found else "?" for rank in ranks]
