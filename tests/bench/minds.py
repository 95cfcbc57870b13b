"""How long the engines' own work takes, each time in a fresh process, as a command would."""

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.plan import Make, Plan, Row
from tests.e2e.server import ROOT

_SETUP = """
import random, subprocess, sys
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
_FUNCTIONS = 30
_LIST = "worth(rule_list('rules:' + ','.join(random.sample(rules, len(rules)))))"
_PAGE = "table(engines); [worth(engine) for engine in engines]; verdicts()"
_SIMULATE = "simulate(ENGINES['forks'], ENGINES['easy'], 10_000, 1)"

# What is done, how, after what, how often in a process, and the aim.
_WORKS = (
    ("`check` of a function, as a command", "command('check', folder + '/0.py')", "", 1, "1000 ms"),
    (f"`league` of {_FUNCTIONS} functions, as a command", "command('league', folder)", "", 1,
     "20000 ms"),
    ("solve all 5,478 positions", "solver._solve()", "", 1, "15 ms"),
    ("whole table of ten engines, both ways", "table(engines)", "", 1, "500 ms"),
    ("simulate 10,000 games", _SIMULATE, "", 1, "100 ms"),
    ("the lab's first page: table, worth of each, claims", _PAGE, "", 1, "500 ms"),
    ("worth of a new list of rules, the engines' known", _LIST, _PAGE, 25, "50 ms"),
)  # fmt: skip

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


async def minds(_make: Make, plan: Plan) -> list[Row]:
    rows, runs = list[Row](), range(plan.of(1, 3))
    with tempfile.TemporaryDirectory() as folder:
        for number in range(_FUNCTIONS):
            Path(folder, f"{number}.py").write_text(f"NUMBER = {number}\n{_FUNCTION}")
        timeit = [sys.executable, "-m", "timeit", "-r1", "-u", "msec", "-s"]
        for title, work, before, number, aim in _WORKS:
            command = [*timeit, f"folder = {folder!r}{_SETUP}{before}", f"-n{number}", work]
            # Such as "1 loop, best of 1: 5.2 msec per loop".
            said = [subprocess.check_output(command, cwd=ROOT, text=True) for _ in runs]
            took = statistics.median(float(text.split()[5]) for text in said)
            rows.append((title, f"{took:.0f} ms", aim))
    return rows
