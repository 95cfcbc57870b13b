"""A zoo of functions that use chance or the like: known exactly, or said not to be."""

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tests.cli.conftest import Run, as_json, as_text
from tests.programs.conftest import Write, known
from webapp.cli import asking
from webapp.core.board import Board
from webapp.programs import process
from webapp.programs.minds import told

EMPTY = "." * 9
CORNERS = {0: Fraction(1, 4), 2: Fraction(1, 4), 6: Fraction(1, 4), 8: Fraction(1, 4)}
UNIFORM = dict.fromkeys(range(9), Fraction(1, 9))
THREE_OF_FOUR = {0: Fraction(3, 4), 1: Fraction(1, 4)}
FREE = "[cell for cell in range(9) if board[cell] == '.']"
CACHED = "import functools, random\n@functools.cache"
THREAD = "import random; from threading import Thread"
IN_A_THREAD = """\
found = []
thread = Thread(target=lambda: found.append({}))
thread.start(); thread.join()
return found[0]
"""

Chances: TypeAlias = dict[int, Fraction]


def written(body: str, head: str = "import random") -> str:
    """A file: what stands first in it, and the body of its function; ``free`` is known there."""
    lines = (f"free = {FREE}", *body.splitlines())
    return f"{head}\ndef best(board, mark):\n" + "".join(f"    {line}\n" for line in lines)


def chances(file: Path, board: str = EMPTY) -> Chances:
    found = known(file, boards=[Board.parse(board)])
    assert (found.doubt, found.faults) == (None, {})
    ((_, weights),) = found.answers.items()
    total = sum(weight for _, weight in weights)
    return {cell: Fraction(weight, total) for cell, weight in weights}


# --- what is known exactly ------------------------------------------------------------------------

# The chances on the empty board, the body of the function, and what stands before it.
EXACT: dict[str, tuple[Chances, *tuple[str, ...]]] = {
    "choice": (CORNERS, "return random.choice([0, 2, 6, 8])"),
    "choice by name": (UNIFORM, "return choice(free)", "from random import choice"),
    "choice, renamed": (UNIFORM, "return c(free)", "from random import choice as c"),
    "choice, imported inside": (UNIFORM, "import random; return random.choice(free)", ""),
    "randint": (UNIFORM, "return free[random.randint(0, 8)]"),
    "randrange": (CORNERS, "return (0, 2, 6, 8)[random.randrange(1, 8, 2) // 2]"),
    "shuffle": (CORNERS, "c = [0, 2, 6, 8]; random.shuffle(c); return c[0]"),
    "sample": (UNIFORM, "return random.sample(free, 2)[1]"),
    "sample of many": (UNIFORM, "return random.sample(range(90), 1)[0] // 10"),
    "choices": (CORNERS, "return random.choices([0, 2, 6, 8])[0]"),
    "choices, several": (THREE_OF_FOUR, "return min(random.choices([0, 1], k=2))"),
    "choices, weights None": (UNIFORM, "return random.choices(free, None)[0]"),
    "two branches, one cell": (THREE_OF_FOUR, "return random.choice([0, random.choice([0, 1])])"),
    "different depths": (
        {4: Fraction(1, 2), **{cell: chance / 2 for cell, chance in CORNERS.items()}},
        "return 4 if random.randrange(2) else random.choice([0, 2, 6, 8])",
    ),
    "a slip by whole numbers": (
        {1: Fraction(1, 100), 4: Fraction(99, 100)},
        "return 1 if random.randrange(100) == 0 else 4",
    ),
    "sorted by chance": (THREE_OF_FOUR, "return min([0, 1], key=lambda _: random.randrange(2))"),
    "chance in a thread": (CORNERS, IN_A_THREAD.format("random.choice([0, 2, 6, 8])"), THREAD),
    "seeded at import": (UNIFORM, "return random.choice(free)", "import random; random.seed(7)"),
    "shuffled at import, seeded": (
        {2: Fraction(1)},
        "return max(o)",
        "import random; random.seed('x'); o = [0, 2]; random.shuffle(o)",
    ),
    "cached": ({8: Fraction(1)}, "return free[-1]", CACHED),
    "a set of numbers": ({8: Fraction(1)}, "return next(iter({8, 3}))"),
    "weights": (THREE_OF_FOUR, "return {0: 9, 1: 3}"),
    "weights, floats": ({0: Fraction(1, 3), 2: Fraction(2, 3)}, "return {0: 1/3, 2: 2/3}"),
    "weights, a tenth thrice": (
        {0: Fraction(3, 10), 2: Fraction(7, 10)},
        "return {0: 0.1 + 0.1 + 0.1, 2: 0.7}",
    ),
    "weights, fractions": (
        THREE_OF_FOUR,
        "return {0: F(1, 2), 1: F(1, 6)}",
        "from fractions import Fraction as F",
    ),
    "weights, decimals": (
        THREE_OF_FOUR,
        "return {0: D('1.5'), 1: D('0.5')}",
        "from decimal import Decimal as D",
    ),
    "weights, some nothing": ({4: Fraction(1)}, "return {0: 0, 1: 0.0, 4: 2}"),
    "weights and chance": (THREE_OF_FOUR, "return random.choice([{0: 1, 1: 1}, [0]])"),
    "a list": (CORNERS, "return [0, 2, 6, 8]"),
    "a list with a cell twice": (THREE_OF_FOUR, "return [0, 0, 0, 1]"),
}


@pytest.mark.parametrize("name", EXACT)
def test_what_is_drawn_in_whole_numbers_is_known_exactly(write: Write, name: str) -> None:
    expected, *source = EXACT[name]
    assert chances(write(written(*source))) == expected


@pytest.mark.parametrize("weight", ["1e-7", "5e-324", "Fraction(1, 10**9)"])
def test_a_weight_is_never_rounded_to_nothing(write: Write, weight: str) -> None:
    head = "from fractions import Fraction"
    assert set(chances(write(written(f"return {{4: 1, 1: {weight}}}", head)))) == {1, 4}


@pytest.mark.parametrize("large", ["10**5000", "Fraction(10**5000, 3)", "1e300", "10**20"])
def test_weights_may_be_as_different_as_they_like(write: Write, run: Run, large: str) -> None:
    head = "from fractions import Fraction"
    file = write(written(f"return {{free[0]: {large}, free[-1]: 1}}", head))
    status, out, err = run("matchup", file, "easy")
    assert status in {0, 2}, "known, or refused"
    assert len(out + err) < 3000


def test_weights_that_differ_on_every_board_can_be_computed_with(write: Write, run: Run) -> None:
    """A heuristic whose worths become weights gives each board a denominator of its own."""
    worth = "math.exp(sum(cell * ord(mark) for cell, mark in enumerate(board, c)) % 17 / 5)"
    file = write(written(f"return {{c: {worth} for c in free}}", "import math"))
    text = as_text(run, "matchup", file, "easy")
    assert len(text) < 3000


def test_a_taken_cell_may_be_listed_with_no_weight(write: Write) -> None:
    file = write(written("return {cell: int(cell in free) for cell in range(9)}"))
    assert chances(file, "X........") == dict.fromkeys(range(1, 9), Fraction(1, 8))


# --- what is not, and is said ---------------------------------------------------------------------

EARLIER = "depend on earlier calls"
START = f"{EARLIER} or on the start"
WAVERED = "the same draws did not lead to the same place"
TOO_MANY = "more than 10,000 ways"
UNTIL_FREE = """\
while True:
    cell = {}random.randint(0, 8)
    if board[cell] == '.': return cell
"""
LINE_2, LINE_3, LINE_4, LINE_5 = (rf" \(mine\.py, line {number}" for number in range(2, 6))
RANDOM = r"draws with random\.random"
SYSTEM = r"draws with os\.urandom"
OWN = f"its own Random object{LINE_4}"
CLOCK = "reads the clock with "
LOADED = "while its file is loaded"

# What is said of it, with the line of the file, the body, and what stands before the function.
DOUBTED = {
    "random": (f"{RANDOM}{LINE_4}: return 1 if", "return 1 if random.random() < 0.01 else 4"),
    "random by name": (RANDOM + LINE_4, "return int(random() < 0.01)", "from random import random"),
    "random, called from C": (RANDOM, "return free[next(iter(random.random, None)) < 1e-4]"),
    "random by functools.partial": (
        RANDOM,
        "return free[r() < 1e-4]",
        "import random; from functools import partial; r = partial(random.random)",
    ),
    "random in a thread": (RANDOM, IN_A_THREAD.format("random.random() < 1e-4"), THREAD),
    "random, unwatched": (
        RANDOM,
        "sys.setprofile(None); return free[random.random() < 1e-4]",
        "import random, sys",
    ),
    "random, timed": (
        RANDOM,
        "p.enable(); r = random.random(); p.disable(); return free[r < 1e-4]",
        "import cProfile, random; p = cProfile.Profile()",
    ),
    "uniform": (RANDOM + LINE_4, "return int(random.uniform(0, 9))"),
    "gauss": (RANDOM + LINE_4, "return int(random.gauss(0, 1) > 3)"),
    "getrandbits": (r"random\.getrandbits", "return random.getrandbits(3)"),
    "choices with weights": (
        rf"with weights{LINE_4}: .*as \{{cell: weight\}}",
        "return random.choices(free, [9] + [1] * 8)[0]",
    ),
    "choices, cumulated": (
        f"with weights{LINE_4}",
        "return random.choices([0, 1], cum_weights=[1, 3])[0]",
    ),
    "seeded while asked": (rf"random\.seed{LINE_4}", "random.seed(3); return random.choice(free)"),
    "set back while asked": (
        rf"random\.setstate{LINE_4}",
        "random.setstate(s); return free[0]",
        "import random; s = random.getstate()",
    ),
    "Random of its own": (OWN, "return r.choice(free)", "import random; r = random.Random()"),
    "Random, seeded": (OWN, "return r.randrange(9)", "import random; r = random.Random(1)"),
    "Random, inside": (OWN, "return Random(4).choice(free)", "from random import Random"),
    "SystemRandom": (SYSTEM + LINE_4, "return random.SystemRandom().choice(free)"),
    "secrets": (SYSTEM + LINE_4, "return secrets.choice(free)", "import secrets"),
    "urandom": (SYSTEM + LINE_4, "return free[os.urandom(1)[0] % 9]", "import os"),
    "uuid": (SYSTEM, "return free[uuid.uuid4().int % 9]", "import uuid"),
    "time": (
        rf"{CLOCK}time\.time{LINE_4}",
        "return free[int(time.time() * 1e6) % 9]",
        "import time",
    ),
    "time by name": (
        rf"{CLOCK}time\.perf_counter{LINE_4}",
        "return int(now() % 1 < 1e-4)",
        "from time import perf_counter as now",
    ),
    "time held by a class": (
        rf"{CLOCK}time\.time{LINE_5}",
        "return int(Clock().now() % 1 < 1e-4)",
        "import time\nclass Clock: now = time.time",
    ),
    "datetime": (
        rf"{CLOCK}datetime\.now{LINE_4}",
        "return datetime.now().minute % 9",
        "from datetime import datetime",
    ),
    "date": (rf"{CLOCK}date\.today", "return dt.date.today().day % 9", "import datetime as dt"),
    "shuffled at import": (
        rf"{LOADED}{LINE_3}: random\.shuffle\(o\)\)",
        "return o[0]",
        "import random\no = list(range(9))\nrandom.shuffle(o)",
    ),
    "shuffled at import, seeded by nothing": (
        LOADED + LINE_3,
        "return o[0]",
        "import random\nrandom.seed()\no = random.sample(range(9), 9)",
    ),
    "urandom at import": (
        LOADED + LINE_2,
        "return int(odd)",
        "import os\nodd = os.urandom(1)[0] < 1",
    ),
    "shuffle of all": (
        rf"On \.{{9}} .* {TOO_MANY}.*random\.choice",
        "random.shuffle(free); return free[0]",
    ),
    "a large number": (TOO_MANY, "return random.randrange(10**9) % 9"),
    "until it is free": (TOO_MANY, UNTIL_FREE.format("")),
    "until it is free, from the end": (TOO_MANY, UNTIL_FREE.format("8 - ")),
    "cached chance": (WAVERED, "return random.choice(free)", CACHED),
    "counter": (
        rf"it answered \d, then \d, so its answers {EARLIER}",
        "global count; count += 1; return free[count % len(free)]",
        "count = 0",
    ),
    "the last board": (
        EARLIER,
        "global last; old, last = last, board; return free[old is None]",
        "last = None",
    ),
    "a file": (
        EARLIER,
        "f.open('a').write('.'); return free[len(f.read_text()) % len(free)]",
        "from pathlib import Path; f = Path(__file__).with_name('calls')",
    ),
    "a set of words": (START, "return int(next(iter({str(cell) for cell in free})))"),
    "hash": (START, "return free[hash(board) % len(free)]"),
    "its number": (
        rf"draws with os\.getpid{LINE_4}",
        "return free[os.getpid() % len(free)]",
        "import os",
    ),
}


def doubt(file: Path) -> str:
    found = known(file)
    assert found.doubt, "nothing is doubted"
    return told(found.doubt)


@pytest.mark.parametrize("name", DOUBTED)
def test_what_cannot_be_enumerated_is_said(
    write: Write, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "WAYS", 0.2)
    says, *source = DOUBTED[name]
    assert re.search(says, doubt(write(written(*source))))


def test_numpy_is_said(write: Write) -> None:
    write("", "numpy/__init__.py")
    assert "imports numpy" in doubt(write(written("return free[0]", "import numpy")))


def test_what_a_neighbour_draws_is_said_with_the_neighbours_line(write: Write) -> None:
    write("import random\ndef slips():\n    return random.random() < 0.01\n", "luck.py")
    file = write(written("return int(luck.slips())", "import luck"))
    assert "(luck.py, line 3: return random.random() < 0.01)" in doubt(file)


def test_what_is_imported_late_is_watched_too(write: Write) -> None:
    late = "from random import random\nreturn free[random() > 2]"
    file = write(written(f"if len(free) > 1: return free[0]\n{late}"))
    assert "random.random (mine.py, line 6" in doubt(file)


# --- the commands ---------------------------------------------------------------------------------

PERFECT = """\
from functools import cache
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
@cache
def value(board, mark):
    if any(board[a] == board[b] == board[c] != '.' for a, b, c in LINES):
        return -1
    return max((worth(board, mark, c) for c in range(9) if board[c] == '.'), default=0)
def worth(board, mark, cell):
    return -value(board[:cell] + mark + board[cell + 1:], 'O' if mark == 'X' else 'X')
"""
SLIPS = PERFECT + written(
    "if {}: return random.choice(free)\nreturn max(free, key=lambda c: worth(board, mark, c))"
)
LIVE = {
    "random": SLIPS.format("random.random() < 0.01"),
    "counter": written("global n; n += 1; return free[n % len(free)]", "n = 0"),
    "shuffle": written("random.shuffle(free); return free[0]"),
}


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sample is small."""
    monkeypatch.setattr(asking, "SAMPLE", 30)


def promises(text: str) -> list[str]:
    """What may be said of nothing that was sampled only."""
    text = re.sub(r"cannot be (known|judged) exactly", "", text)
    return re.findall(r"exactly|cannot be beaten|\b\d+/\d+\b|All [\d,]+ positions", text)


def samples(found: dict[str, Any]) -> list[dict[str, Any]]:
    """All samples that stand in a value of JSON."""
    if "samples" not in found:
        return [found]
    return [its for each in found["samples"].values() for its in each.values()]


@pytest.mark.usefixtures("few_games")
@pytest.mark.parametrize("name", LIVE)
@pytest.mark.parametrize(
    "command",
    ["check {}", "prove {}", "matchup {} hard", "matchup easy {}", "simulate {} {} --games 20"],
)
def test_commands_promise_nothing_of_what_is_not_known_exactly(
    run: Run, write: Write, name: str, command: str
) -> None:
    file = write(LIVE[name])
    arguments = command.format(file, file).split()
    text = as_text(run, *arguments)
    assert text.count("cannot be judged exactly") == 1
    assert re.search(r"\d–[\d.]+ %", text)
    assert promises(text) == []
    found = as_json(run, *arguments)
    assert found["exact"] is False
    assert "cannot be known exactly" in json.dumps(found.pop("why"))
    assert promises(json.dumps(found)) == []
    for its in samples(found):
        for result, low in its["low"].items():
            assert 0 <= low <= its[result] / its["games"] <= its["high"][result] <= 1


@pytest.mark.usefixtures("few_games")
def test_the_table_promises_nothing_of_what_is_not_known_exactly(run: Run, write: Write) -> None:
    file = write(LIVE["random"])
    found = as_json(run, "table", file, "hard")
    for pair in found["mine.py:best"]["hard"], found["hard"]["mine.py:best"]:
        assert pair["exact"] is False
        assert promises(json.dumps(pair)) == []
    assert found["hard"]["hard"]["draws"] == "1"
    text = as_text(run, "table", file, "hard")
    assert "mine.py:best cannot be judged exactly. It draws with random.random" in text
    assert promises(text.replace("/", " ")) == []
    assert re.search(r"^mine\.py:best +~\d+/\d+ +~\d+/\d+$", text, re.MULTILINE)


def test_a_rare_slip_in_whole_numbers_is_proved(run: Run, write: Write) -> None:
    # In the third moves only, so that the test is quick.
    file = write(SLIPS.format("len(free) in (4, 5) and random.randrange(100) == 0"))
    found = as_json(run, "check", file)
    assert found["proof"]["x"]["beatable"]
    assert found["proof"]["o"]["beatable"]
    won = Fraction(as_json(run, "matchup", "hard", file)["x_wins"])
    assert 0 < won < Fraction(1, 50)
    perfect = write(SLIPS.format("False"), "perfect.py")
    assert as_json(run, "prove", perfect)["o"] == {"beatable": False, "game": None}


def test_textbook_minimax_without_a_cache_is_judged(run: Run, write: Write) -> None:
    # But for the first moves, which it takes seconds about: a known answer saves the time here.
    known_answer = "if len(free) > 7: return 0 if 0 in free else 4\n"
    minimax = "return max(free, key=lambda c: worth(board, mark, c))"
    file = write(PERFECT.replace("@cache\n", "") + written(known_answer + minimax))
    assert as_json(run, "prove", file)["x"] == {"beatable": False, "game": None}


def test_best_says_what_is_not_known_and_nothing_else(run: Run, write: Write) -> None:
    status, out, err = run("best", EMPTY, "--engine", write(LIVE["random"]))
    assert (status, out) == (2, "")
    assert "cannot be known exactly" in err
