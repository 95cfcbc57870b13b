"""How long the engines' own work takes, each time in a fresh process, as a command would."""

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.plan import Databases, Plan, progress, table
from tests.bench.servers import ROOT

_SETUP = """
import random, subprocess, sys, time
from webapp.analysis.claims import verdicts
from webapp.analysis.matchup import table
from webapp.analysis.simulate import simulate
from webapp.analysis.worth import worth
from webapp.core import solver
from webapp.engines.registry import ENGINES
from webapp.engines.rules import LAB_RULES, rule_list
engines = list(ENGINES.values())
rules = [rule for rule in LAB_RULES if rule != "any"]
def command(*words):
    subprocess.run([sys.executable, "-m", "webapp.cli", *words], stdout=subprocess.DEVNULL)
"""
_TIMED = "\nstart = time.perf_counter()\n{}\nprint((time.perf_counter() - start) * 1000 / {})"
FUNCTIONS = 30
_LIST = "worth(rule_list('rules:' + ','.join(random.sample(rules, len(rules)))))"
_PAGE = "table(engines); [worth(engine) for engine in engines]; verdicts()"
_SIMULATE = "simulate(ENGINES['forks'], ENGINES['easy'], 10_000, 1)"

# What is done, how, after what, how often in a process, and the aim.
_WORKS = (
    ("`check` of a function, as a command", "command('check', folder + '/0.py')", "", 1, "1000 ms"),
    (f"`league` of {FUNCTIONS} functions", "command('league', folder)", "", 1, "20000 ms"),
    ("solve all 5,478 positions", "solver._solve()", "", 1, "15 ms"),
    ("whole table of ten engines, both ways", "table(engines)", "", 1, "500 ms"),
    ("simulate 10,000 games", _SIMULATE, "", 1, "100 ms"),
    ("the lab's first page: table, worth of each, claims", _PAGE, "", 1, "500 ms"),
    ("worth of a new list of rules, the engines' known", _LIST, _PAGE, 25, "50 ms"),
)

_FUNCTION = """
LINES = (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)
ORDER = sorted(range(9), key=lambda cell: cell * (NUMBER + 1) % 11)
def winning(board, mark):
    for cell in ORDER:
        then = board[:cell] + mark + board[cell + 1:]
        won = any(then[a] == then[b] == then[c] == mark for a, b, c in LINES)
        if board[cell] == "." and won:
            return cell
def best(board, mark):
    for _ in range(20):
        mine, theirs = (winning(board, who) for who in (mark, "XO".replace(mark, "")))
    cells = [mine, theirs, *ORDER][NUMBER % 3:]
    return next(cell for cell in cells if cell is not None and board[cell] == ".")
"""
"""A function that thinks for half a millisecond or so; another one for each number."""


async def minds(plan: Plan, _databases: Databases) -> str:
    progress("The engines' own work.")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(FUNCTIONS):
            Path(folder, f"{number}.py").write_text(f"NUMBER = {number}\n{_FUNCTION}")
        for title, work, before, number, aim in _WORKS:
            timed = _TIMED.format("\n".join([work] * number), number)
            program = f"folder = {folder!r}\n{_SETUP}{before}{timed}"
            took = [
                float(subprocess.check_output([sys.executable, "-c", program], cwd=ROOT))
                for _ in range(plan.runs)
            ]
            rows.append((title, f"{statistics.median(took):.0f} ms", aim))
    return table("fresh process | took | aim", rows)
