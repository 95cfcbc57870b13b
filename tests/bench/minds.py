"""How long the engines' own work takes, each time in a fresh process, as a command would."""

import re
import statistics
import subprocess
import sys

from tests.bench.plan import Databases, Plan, progress, table
from tests.bench.servers import ROOT

_SETUP = """
import random
from webapp.analysis.claims import verdicts
from webapp.analysis.matchup import table
from webapp.analysis.simulate import simulate
from webapp.analysis.worth import worth
from webapp.core import solver
from webapp.engines.registry import ENGINES
from webapp.engines.rules import LAB_RULES, rule_list
engines = list(ENGINES.values())
rules = [rule for rule in LAB_RULES if rule != "any"]
"""
_LIST = "worth(rule_list('rules:' + ','.join(random.sample(rules, len(rules)))))"
_PAGE = "table(engines); [worth(engine) for engine in engines]; verdicts()"
_SIMULATE = "simulate(ENGINES['forks'], ENGINES['easy'], 10_000, 1)"

# What is done, how, after what, how often in a process, and the aim.
_WORKS = (
    ("solve all 5,478 positions", "solver._solve()", "", 1, "15 ms"),
    ("whole table of ten engines, both ways", "table(engines)", "", 1, "500 ms"),
    ("simulate 10,000 games", _SIMULATE, "", 1, "100 ms"),
    ("the lab's first page: table, worth of each, claims", _PAGE, "", 1, "500 ms"),
    ("worth of a new list of rules, the engines' known", _LIST, _PAGE, 25, "50 ms"),
)


async def minds(plan: Plan, _databases: Databases) -> str:
    progress("The engines' own work.")
    rows = []
    for title, work, before, number, aim in _WORKS:
        command = [sys.executable, "-m", "timeit", "-r1", f"-n{number}", "-u", "msec"]
        command += ["-s", _SETUP + before, work]
        times = []
        for _ in range(plan.runs):
            done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
            times += re.findall(r"([\d.e+]+) msec", done.stdout)
        rows.append((title, f"{statistics.median(map(float, times)):.0f} ms", aim))
    return table("fresh process | took | aim", rows)
