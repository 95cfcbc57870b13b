"""How long something takes, in the seconds of the computer that the limits were set on."""

from __future__ import annotations

import time
from collections.abc import Callable

_USUAL = 0.0026
"""Seconds that :func:`_work` takes on that computer: 2 cores, Linux, Python 3.11."""


def shortest(act: Callable[[], object], times: int = 1) -> float:
    """Do something so many times, and return the seconds that the quickest took.

    They are the processor's seconds, so that what else the computer does is not asked about; and
    divided by how much slower it is at the moment than the one that the limits were set on.
    """
    return min(_seconds(act) for _ in range(times)) / slowness()


def slowness() -> float:
    """Return how many times slower this computer is at the moment; 1 where it is quicker."""
    return max(1.0, min(_seconds(_work) for _ in range(5)) / _USUAL)


def _seconds(act: Callable[[], object]) -> float:
    start = time.process_time()
    act()
    return time.process_time() - start


def _work() -> None:
    """What the game's own code does most: whole numbers, a dictionary, and calls of functions."""
    found: dict[int, int] = {}

    def visit(number: int, depth: int) -> int:
        if number in found:
            return found[number]
        worth = depth
        if depth:
            for bit in range(depth):
                worth = max(worth, -visit(number | 1 << bit, depth - 1))
        found[number] = worth
        return worth

    visit(0, 11)
