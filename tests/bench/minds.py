"""How long the engines' own work takes, each time in a fresh process, as a command would."""

from __future__ import annotations

import statistics
import subprocess
import sys
from dataclasses import dataclass

_TIMED = """
import time
{setup}
start = time.perf_counter()
{work}
print(time.perf_counter() - start)
"""
_FIRST_FREE = """
from webapp.analysis.check import examine
from webapp.engines.function import engine_of
mine = engine_of(lambda board, mark: board.index("."), "mine.py:first", "first")
"""


@dataclass(frozen=True)
class Work:
    """Something that the engines or the analysis do.

    :param aim: seconds that it may take; from the issue that asked for it
    """

    title: str
    setup: str
    work: str
    aim: float


WORKS = (
    Work("solve all 5,478 positions", "from webapp.core import solver", "solver._solve()", 0.015),
    Work(
        "whole table of ten engines, both ways",
        "from webapp.analysis.matchup import table\nfrom webapp.engines.registry import ENGINES",
        "table(ENGINES.values())",
        0.5,
    ),
    Work(
        "simulate 10,000 games",
        "from webapp.analysis.simulate import simulate\n"
        "from webapp.engines.registry import ENGINES",
        "simulate(ENGINES['forks'], ENGINES['easy'], 10_000, 1)",
        0.1,
    ),
    Work("check a function", _FIRST_FREE, "examine(mine)", 2.0),
)


def seconds(work: Work, runs: int) -> float:
    """Return the median of some runs, each in a process of its own, imports left out."""
    program = _TIMED.format(setup=work.setup, work=work.work)
    return statistics.median(
        float(
            subprocess.run(
                [sys.executable, "-c", program], check=True, capture_output=True, text=True
            ).stdout
        )
        for _ in range(runs)
    )
