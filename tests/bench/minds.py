"""How long the engines' own work takes, each time in a fresh process, as a command would."""

from __future__ import annotations

import statistics
import subprocess
import sys
from dataclasses import dataclass

_TIMED = """
import statistics, time
{setup}
times = []
for item in {items}:
    start = time.perf_counter()
    {work}
    times.append(time.perf_counter() - start)
print(statistics.median(times))
"""
_FIRST_FREE = """
from webapp.analysis.check import examine
from webapp.engines.function import engine_of
mine = engine_of(lambda board, mark: board.index("."), "mine.py:first", "first")
"""
_TABLE_AND_CLAIMS = """
from webapp.analysis.claims import verdicts
from webapp.analysis.matchup import table
from webapp.analysis.worth import worth
from webapp.engines.registry import ENGINES
"""
_WARM = """
import random
from webapp.analysis.worth import worth
from webapp.engines.registry import ENGINES
from webapp.engines.rules import LAB_RULES, rule_list
for engine in ENGINES.values():
    worth(engine)
rng, rules = random.Random(9), [rule for rule in LAB_RULES if rule != "any"]
lists = ["rules:" + ",".join(rng.sample(rules, len(rules))) for _ in range(25)]
"""


@dataclass(frozen=True)
class Work:
    """Something that the engines or the analysis do.

    :param work: one line, done and timed for every ``item``
    :param aim: seconds that it may take; from the issue that asked for it
    :param items: an expression; where there are several, the median counts
    """

    title: str
    setup: str
    work: str
    aim: float
    items: str = "[None]"


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
    Work(
        "the lab's first page: table, worth of each, claims",
        _TABLE_AND_CLAIMS,
        "table(ENGINES.values()); [worth(engine) for engine in ENGINES.values()]; verdicts()",
        0.5,
    ),
    Work(
        "worth of a new list of rules, the engines' known",
        _WARM,
        "worth(rule_list(item))",
        0.05,
        items="lists",
    ),
)


def seconds(work: Work, runs: int) -> float:
    """Return the median of some runs, each in a process of its own, its setup left out."""
    program = _TIMED.format(setup=work.setup, items=work.items, work=work.work)
    return statistics.median(
        float(
            subprocess.run(
                [sys.executable, "-c", program], check=True, capture_output=True, text=True
            ).stdout
        )
        for _ in range(runs)
    )
