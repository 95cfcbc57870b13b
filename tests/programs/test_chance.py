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
WITH_THREAD = "import random; from threading import Thread"
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

EXACT: dict[str, tuple[str, Chances]] = {
    "choice": (written("return random.choice([0, 2, 6, 8])"), CORNERS),
    "choice by name": (written("return choice(free)", "from random import choice"), UNIFORM),
    "choice, renamed": (written("return c(free)", "from random import choice as c"), UNIFORM),
    "choice, imported inside": (written("import random; return random.choice(free)", ""), UNIFORM),
    "randint": (written("return free[random.randint(0, 8)]"), UNIFORM),
    "randrange": (
        written("return random.randrange(0, 9, 2)"),
        dict.fromkeys(range(0, 9, 2), Fraction(1, 5)),
    ),
    "shuffle": (written("c = [0, 2, 6, 8]; random.shuffle(c); return c[0]"), CORNERS),
    "sample": (written("return random.sample(free, 2)[1]"), UNIFORM),
    "sample of many": (written("return random.sample(range(90), 1)[0] // 10"), UNIFORM),
    "choices": (written("return random.choices([0, 2, 6, 8])[0]"), CORNERS),
    "choices, several": (written("return min(random.choices([0, 1], k=2))"), THREE_OF_FOUR),
    "choices, weights None": (written("return random.choices(free, None)[0]"), UNIFORM),
    "two branches, one cell": (
        written("return random.choice([0, 0, random.choice([0, 4])])"),
        {0: Fraction(5, 6), 4: Fraction(1, 6)},
    ),
    "different depths": (
        written("return 4 if random.randrange(2) else random.choice([0, 2, 6, 8])"),
        {4: Fraction(1, 2), **{cell: chance / 2 for cell, chance in CORNERS.items()}},
    ),
    "a slip by whole numbers": (
        written("return 1 if random.randrange(100) == 0 else 4"),
        {1: Fraction(1, 100), 4: Fraction(99, 100)},
    ),
    "sorted by chance": (
        written("return min([0, 1], key=lambda _: random.randrange(2))"),
        THREE_OF_FOUR,
    ),
    "chance in a thread": (
        written(IN_A_THREAD.format("random.choice([0, 2, 6, 8])"), WITH_THREAD),
        CORNERS,
    ),
    "seeded at import": (
        written("return random.choice(free)", "import random; random.seed(7)"),
        UNIFORM,
    ),
    "shuffled at import, seeded": (
        written("return max(o)", "import random; random.seed('x'); o = [0, 2]; random.shuffle(o)"),
        {2: Fraction(1)},
    ),
    "cached": (written("return free[-1]", CACHED), {8: Fraction(1)}),
    "a set of numbers": (written("return next(iter({8, 3}))"), {8: Fraction(1)}),
    "weights": (written("return {0: 9, 1: 3}"), THREE_OF_FOUR),
    "weights, floats": (
        written("return {0: 1/3, 2: 2/3}"),
        {0: Fraction(1, 3), 2: Fraction(2, 3)},
    ),
    "weights, a tenth thrice": (
        written("return {0: 0.1 + 0.1 + 0.1, 2: 0.7}"),
        {0: Fraction(3, 10), 2: Fraction(7, 10)},
    ),
    "weights, fractions": (
        written("return {0: F(1, 3), 2: F(1, 6)}", "from fractions import Fraction as F"),
        {0: Fraction(2, 3), 2: Fraction(1, 3)},
    ),
    "weights, decimals": (
        written("return {0: D('0.5'), 2: D('1.5')}", "from decimal import Decimal as D"),
        {0: Fraction(1, 4), 2: Fraction(3, 4)},
    ),
    "weights, some nothing": (written("return {0: 0, 1: 0.0, 4: 2}"), {4: Fraction(1)}),
    "weights and chance": (written("return random.choice([{0: 1, 1: 1}, [0]])"), THREE_OF_FOUR),
    "a list": (written("return [0, 2, 6, 8]"), CORNERS),
    "a list with a cell twice": (written("return [0, 0, 0, 1]"), THREE_OF_FOUR),
}


@pytest.mark.parametrize("name", EXACT)
def test_what_is_drawn_in_whole_numbers_is_known_exactly(write: Write, name: str) -> None:
    source, expected = EXACT[name]
    assert chances(write(source)) == expected


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
TOO_MANY = "more than 10,000 ways"
UNTIL_FREE = """\
while True:
    cell = {}random.randint(0, 8)
    if board[cell] == '.': return cell
"""
LINE_4 = r" \(mine\.py, line 4"
DOUBTED = {
    # Each with its kind and a line of the file, or what else is said of it.
    "random": (
        written("return 1 if random.random() < 0.01 else 4"),
        rf"random\.random{LINE_4}: return 1 if",
    ),
    "random by name": (
        written("return 1 if random() < 0.01 else 4", "from random import random"),
        rf"random\.random{LINE_4}",
    ),
    "random, called from C": (
        written("return free[next(iter(random.random, None)) < 1e-4]"),
        r"draws with random\.random",
    ),
    "random by functools.partial": (
        written(
            "return free[r() < 1e-4]",
            "import random; from functools import partial; r = partial(random.random)",
        ),
        r"draws with random\.random",
    ),
    "random in a thread": (
        written(IN_A_THREAD.format("random.random() < 1e-4"), WITH_THREAD),
        r"draws with random\.random",
    ),
    "uniform": (written("return int(random.uniform(0, 9))"), rf"random\.random{LINE_4}"),
    "gauss": (written("return int(random.gauss(0, 1) > 3)"), rf"random\.random{LINE_4}"),
    "getrandbits": (written("return random.getrandbits(3)"), r"random\.getrandbits"),
    "choices with weights": (
        written("return random.choices(free, [9] + [1] * 8)[0]"),
        rf"with weights{LINE_4}: .*as \{{cell: weight\}}",
    ),
    "choices, cumulated": (
        written("return choices([0, 1], cum_weights=[1, 3])[0]", "from random import choices"),
        f"with weights{LINE_4}",
    ),
    "seeded while asked": (
        written("random.seed(3); return random.choice(free)"),
        rf"random\.seed{LINE_4}: random\.seed\(3\)",
    ),
    "set back while asked": (
        written("random.setstate(s); return free[0]", "import random; s = random.getstate()"),
        rf"random\.setstate{LINE_4}",
    ),
    "Random of its own": (
        written("return r.choice(free)", "import random; r = random.Random()"),
        f"its own Random object{LINE_4}",
    ),
    "Random of its own, seeded": (
        written("return r.randrange(9)", "import random; r = random.Random(1)"),
        f"its own Random object{LINE_4}",
    ),
    "Random of its own, inside": (
        written("return Random(4).choice(free)", "from random import Random"),
        f"its own Random object{LINE_4}",
    ),
    "SystemRandom": (
        written("return random.SystemRandom().choice(free)"),
        rf"os\.urandom{LINE_4}",
    ),
    "secrets": (written("return secrets.choice(free)", "import secrets"), rf"os\.urandom{LINE_4}"),
    "urandom": (
        written("return free[os.urandom(1)[0] % 9]", "import os"),
        rf"os\.urandom{LINE_4}",
    ),
    "uuid": (written("return free[uuid.uuid4().int % 9]", "import uuid"), r"os\.urandom"),
    "time": (
        written("return free[int(time.time() * 1e6) % 9]", "import time"),
        rf"clock with time\.time{LINE_4}",
    ),
    "time by name": (
        written("return int(now() % 1 < 1e-4)", "from time import perf_counter as now"),
        rf"clock with time\.perf_counter{LINE_4}",
    ),
    "time held by a class": (
        written(
            "return int(Clock().now() % 1 < 1e-4)", "import time\nclass Clock: now = time.time"
        ),
        r"clock with time\.time \(mine\.py, line 5",
    ),
    "datetime": (
        written("return datetime.now().minute % 9", "from datetime import datetime"),
        rf"clock with datetime\.now{LINE_4}",
    ),
    "date": (
        written("return datetime.date.today().day % 9", "import datetime"),
        r"clock with date\.today",
    ),
    "shuffled at import": (
        written("return o[0]", "import random\no = list(range(9))\nrandom.shuffle(o)"),
        r"while its file is loaded \(mine\.py, line 3: random\.shuffle\(o\)\)",
    ),
    "shuffled at import, seeded by nothing": (
        written("return o[0]", "import random\nrandom.seed()\no = random.sample(range(9), 9)"),
        r"while its file is loaded \(mine\.py, line 3",
    ),
    "urandom at import": (
        written("return int(odd)", "import os\nodd = os.urandom(1)[0] < 1"),
        r"while its file is loaded \(mine\.py, line 2",
    ),
    "shuffle of all": (
        written("random.shuffle(free); return free[0]"),
        rf"On \.{{9}} .* {TOO_MANY}.*random\.choice",
    ),
    "a large number": (written("return random.randrange(10**9) % 9"), TOO_MANY),
    "until it is free": (written(UNTIL_FREE.format("")), TOO_MANY),
    "until it is free, from the end": (written(UNTIL_FREE.format("8 - ")), TOO_MANY),
    "cached chance": (
        written("return random.choice(free)", CACHED),
        "the same draws did not lead to the same place",
    ),
    "counter": (
        written("global count; count += 1; return free[count % len(free)]", "count = 0"),
        rf"it answered \d, then \d, so its answers {EARLIER}",
    ),
    "a file": (
        written(
            "count = len(file.read_text()) if file.exists() else 0\n"
            "file.write_text('.' * (count + 1)); return free[count % len(free)]",
            "from pathlib import Path; file = Path(__file__).with_name('count')",
        ),
        EARLIER,
    ),
    "a set of words": (
        written("return int(next(iter({str(cell) for cell in free})))"),
        f"{EARLIER} or on the start",
    ),
    "hash": (written("return free[hash(board) % len(free)]"), f"{EARLIER} or on the start"),
    "its number": (
        written("return free[os.getpid() % len(free)]", "import os"),
        rf"draws with os\.getpid{LINE_4}",
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
    source, says = DOUBTED[name]
    assert re.search(says, doubt(write(source)))


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
    "shuffle": DOUBTED["shuffle of all"][0],
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


@pytest.mark.usefixtures("few_games")
def test_a_rare_slip_is_never_called_unbeatable(run: Run, write: Write) -> None:
    file = write(LIVE["random"])
    for _ in range(5):
        assert "cannot be beaten" not in as_text(run, "prove", file)
        found = as_json(run, "prove", file)
        assert found["exact"] is False
        assert not {"x", "o", "proof"} & set(found)


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


def test_best_says_what_is_not_known_and_nothing_else(run: Run, write: Write) -> None:
    status, out, err = run("best", EMPTY, "--engine", write(LIVE["random"]))
    assert (status, out) == (2, "")
    assert "cannot be known exactly" in err
