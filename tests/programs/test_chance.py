"""A zoo of functions that use chance or the like: known exactly, or said not to be."""

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tests.cli.conftest import Run, as_json, as_text
from tests.programs.conftest import Write, known
from webapp.cli import games, minds
from webapp.core.board import Board
from webapp.programs import process
from webapp.programs.minds import told

EMPTY = "." * 9
CORNERS = {0: Fraction(1, 4), 2: Fraction(1, 4), 6: Fraction(1, 4), 8: Fraction(1, 4)}
UNIFORM = dict.fromkeys(range(9), Fraction(1, 9))
HALF = Fraction(1, 2)
FREE = "[cell for cell in range(9) if board[cell] == '.']"
FIRST = "board.index('.')"

Chances: TypeAlias = dict[int, Fraction]


def written(head: str, *body: str) -> str:
    """A file: what stands first in it, and the body of its function; ``free`` is known there."""
    lines = (f"free = {FREE}", *body)
    return f"{head}\ndef best(board, mark):\n" + "".join(f"    {line}\n" for line in lines)


def chances(file: Path, board: str = EMPTY) -> Chances:
    found = known(file, boards=[Board.parse(board)])
    assert (found.doubt, found.faults) == (None, {})
    ((_, weights),) = found.answers.items()
    total = sum(weight for _, weight in weights)
    return {cell: Fraction(weight, total) for cell, weight in weights}


# --- what is known exactly ------------------------------------------------------------------------

IMPORT = "import random"
EXACT: dict[str, tuple[str, Chances]] = {
    "choice": (written(IMPORT, "return random.choice([0, 2, 6, 8])"), CORNERS),
    "choice by name": (written("from random import choice", "return choice(free)"), UNIFORM),
    "choice, renamed": (written("from random import choice as c", "return c(free)"), UNIFORM),
    "choice, imported inside": (
        written("", "import random", "return random.choice(free)"),
        UNIFORM,
    ),
    "randint": (written(IMPORT, "return free[random.randint(0, 8)]"), UNIFORM),
    "randrange": (
        written(IMPORT, "return random.randrange(0, 9, 2)"),
        dict.fromkeys(range(0, 9, 2), Fraction(1, 5)),
    ),
    "shuffle": (
        written(IMPORT, "c = [0, 2, 6, 8]", "random.shuffle(c)", "return c[0]"),
        CORNERS,
    ),
    "sample": (written(IMPORT, "return random.sample(free, 2)[1]"), UNIFORM),
    "sample of a set of many": (
        written(IMPORT, "return random.sample(range(90), 1)[0] // 10"),
        UNIFORM,
    ),
    "choices": (written(IMPORT, "return random.choices([0, 2, 6, 8])[0]"), CORNERS),
    "choices, several": (
        written("from random import choices", "return max(choices([0, 1], k=2))"),
        {0: Fraction(1, 4), 1: Fraction(3, 4)},
    ),
    "choices, weights None": (written(IMPORT, "return random.choices(free, None)[0]"), UNIFORM),
    "two branches, one cell": (
        written(IMPORT, "return random.choice([0, 0, random.choice([0, 4])])"),
        {0: Fraction(5, 6), 4: Fraction(1, 6)},
    ),
    "different depths": (
        written(IMPORT, "return 4 if random.randrange(2) else random.choice([0, 2, 6, 8])"),
        {4: HALF, **{cell: chance / 2 for cell, chance in CORNERS.items()}},
    ),
    "a slip by whole numbers": (
        written(IMPORT, "return 1 if random.randrange(100) == 0 else 4"),
        {1: Fraction(1, 100), 4: Fraction(99, 100)},
    ),
    "sorted by chance": (
        written(IMPORT, "return min([0, 2], key=lambda _: random.randrange(2))"),
        {0: Fraction(3, 4), 2: Fraction(1, 4)},
    ),
    "chance in a thread": (
        written(
            "import random\nfrom threading import Thread",
            "found = []",
            "thread = Thread(target=lambda: found.append(random.choice([0, 2, 6, 8])))",
            "thread.start(); thread.join()",
            "return found[0]",
        ),
        CORNERS,
    ),
    "seeded at import": (
        written("import random\nrandom.seed(7)", "return random.choice(free)"),
        UNIFORM,
    ),
    "shuffled at import, seeded": (
        written("import random\nrandom.seed('x')\no = [0, 2]\nrandom.shuffle(o)", "return max(o)"),
        {2: Fraction(1)},
    ),
    "cached": (
        "from functools import cache\n@cache\n" + written("", "return free[-1]").lstrip(),
        {8: Fraction(1)},
    ),
    "a set of numbers": (written("", "return next(iter({8, 3}))"), {8: Fraction(1)}),
    "weights": (written("", "return {4: 3, 0: 1}"), {0: Fraction(1, 4), 4: Fraction(3, 4)}),
    "weights, floats": (
        written("", "return {0: 1/3, 2: 2/3}"),
        {0: Fraction(1, 3), 2: Fraction(2, 3)},
    ),
    "weights, a tenth thrice": (
        written("", "return {0: 0.1 + 0.1 + 0.1, 2: 0.7}"),
        {0: Fraction(3, 10), 2: Fraction(7, 10)},
    ),
    "weights, fractions": (
        written("from fractions import Fraction as F", "return {0: F(1, 3), 2: F(1, 6)}"),
        {0: Fraction(2, 3), 2: Fraction(1, 3)},
    ),
    "weights, decimals": (
        written("from decimal import Decimal", "return {0: Decimal('0.5'), 2: Decimal('1.5')}"),
        {0: Fraction(1, 4), 2: Fraction(3, 4)},
    ),
    "weights, some nothing": (written("", "return {0: 0, 1: 0.0, 4: 2}"), {4: Fraction(1)}),
    "weights and chance": (
        written(IMPORT, "return random.choice([{0: 1, 1: 1}, [0]])"),
        {0: Fraction(3, 4), 1: Fraction(1, 4)},
    ),
    "a list": (written("", "return [0, 2, 6, 8]"), CORNERS),
    "a list with a cell twice": (
        written("", "return [0, 0, 2]"),
        {0: Fraction(2, 3), 2: Fraction(1, 3)},
    ),
}


@pytest.mark.parametrize("name", EXACT)
def test_what_is_drawn_in_whole_numbers_is_known_exactly(write: Write, name: str) -> None:
    source, expected = EXACT[name]
    assert chances(write(source)) == expected


@pytest.mark.parametrize("weight", ["1e-7", "5e-324", "Fraction(1, 10**9)"])
def test_a_weight_is_never_rounded_to_nothing(write: Write, weight: str) -> None:
    head = "from fractions import Fraction"
    assert set(chances(write(written(head, f"return {{4: 1, 1: {weight}}}")))) == {1, 4}


@pytest.mark.parametrize("large", ["10**5000", "Fraction(10**5000, 3)", "1e300", "10**20"])
def test_weights_may_be_as_different_as_they_like(write: Write, run: Run, large: str) -> None:
    head = "from fractions import Fraction"
    file = write(written(head, f"return {{free[0]: {large}, free[-1]: 1}}"))
    status, out, err = run("matchup", file, "easy")
    assert status in {0, 2}, "known, or refused"
    assert len(out + err) < 3000


def test_weights_that_differ_on_every_board_can_be_computed_with(write: Write, run: Run) -> None:
    """A heuristic whose worths become weights gives each board a denominator of its own."""
    worth = "math.exp(sum(cell * ord(mark) for cell, mark in enumerate(board, c)) % 17 / 5)"
    file = write(written("import math", f"return {{c: {worth} for c in free}}"))
    text = as_text(run, "matchup", file, "easy")
    assert len(text) < 3000


def test_a_taken_cell_may_be_listed_with_no_weight(write: Write) -> None:
    file = write(written("", "return {cell: int(cell in free) for cell in range(9)}"))
    assert chances(file, "X........") == dict.fromkeys(range(1, 9), Fraction(1, 8))


# --- what is not, and is said ---------------------------------------------------------------------

DOUBTED: dict[str, tuple[str, str]] = {
    # Each with its kind and a line of the file, or what else is said of it.
    "random": (
        written(IMPORT, "return 1 if random.random() < 0.01 else 4"),
        r"random\.random \(mine\.py, line 4: return 1 if",
    ),
    "random by name": (
        written("from random import random", "return 1 if random() < 0.01 else 4"),
        r"random\.random \(mine\.py, line 4",
    ),
    "random, called from C": (
        written(IMPORT, "return free[next(iter(random.random, None)) < 1e-4]"),
        r"draws with random\.random",
    ),
    "random by functools.partial": (
        written(
            "import random\nfrom functools import partial\nr = partial(random.random)",
            "return free[r() < 1e-4]",
        ),
        r"draws with random\.random",
    ),
    "random in a thread": (
        written(
            "import random\nfrom threading import Thread",
            "found = []",
            "thread = Thread(target=lambda: found.append(random.random() < 1e-4))",
            "thread.start(); thread.join()",
            "return free[found[0]]",
        ),
        r"draws with random\.random",
    ),
    "random, unwatched": (
        written(
            "import random, sys", "sys.setprofile(None)", "return free[random.random() < 1e-4]"
        ),
        "cannot be known exactly",
    ),
    "random, timed": (
        written(
            "import cProfile, random\np = cProfile.Profile()",
            "p.enable(); r = random.random(); p.disable()",
            "return free[r < 1e-4]",
        ),
        "cannot be known exactly",
    ),
    "uniform": (
        written(IMPORT, "return int(random.uniform(0, 9))"),
        r"random\.random \(mine\.py, line 4",
    ),
    "gauss": (
        written(IMPORT, "return int(random.gauss(0, 1) > 3)"),
        r"random\.random \(mine\.py, line 4",
    ),
    "getrandbits": (written(IMPORT, "return random.getrandbits(3)"), r"random\.getrandbits"),
    "choices with weights": (
        written(IMPORT, "return random.choices(free, [9] + [1] * 8)[0]"),
        r"with weights \(mine\.py, line 4: .*as \{cell: weight\}",
    ),
    "choices, cumulated": (
        written("from random import choices", "return choices([0, 1], cum_weights=[1, 3])[0]"),
        r"with weights \(mine\.py, line 4",
    ),
    "seeded while asked": (
        written(IMPORT, "random.seed(3)", "return random.choice(free)"),
        r"random\.seed \(mine\.py, line 4: random\.seed\(3\)\)",
    ),
    "set back while asked": (
        written("import random\ns = random.getstate()", "random.setstate(s)", "return free[0]"),
        r"random\.setstate \(mine\.py, line 5",
    ),
    "Random of its own": (
        written("import random\nr = random.Random()", "return r.choice(free)"),
        r"its own Random object \(mine\.py, line 5",
    ),
    "Random of its own, seeded": (
        written("import random\nr = random.Random(1)", "return r.randrange(9)"),
        r"its own Random object \(mine\.py, line 5",
    ),
    "Random of its own, inside": (
        written("from random import Random", "return Random(4).choice(free)"),
        r"its own Random object \(mine\.py, line 4",
    ),
    "SystemRandom": (
        written(IMPORT, "return random.SystemRandom().choice(free)"),
        r"os\.urandom \(mine\.py, line 4",
    ),
    "secrets": (
        written("import secrets", "return secrets.choice(free)"),
        r"os\.urandom \(mine\.py, line 4",
    ),
    "urandom": (
        written("import os", "return free[os.urandom(1)[0] % 9]"),
        r"os\.urandom \(mine\.py, line 4",
    ),
    "uuid": (written("import uuid", "return free[uuid.uuid4().int % 9]"), r"os\.urandom"),
    "time": (
        written("import time", "return free[int(time.time() * 1e6) % 9]"),
        r"clock with time\.time \(mine\.py, line 4",
    ),
    "time by name": (
        written("from time import perf_counter as now", "return int(now() % 1 < 1e-4)"),
        r"clock with time\.perf_counter \(mine\.py, line 4",
    ),
    "datetime": (
        written("from datetime import datetime", "return datetime.now().minute % 9"),
        r"clock with datetime\.now \(mine\.py, line 4",
    ),
    "date": (
        written("import datetime", "return datetime.date.today().day % 9"),
        r"clock with date\.today",
    ),
    "shuffled at import": (
        written("import random\no = list(range(9))\nrandom.shuffle(o)", "return o[0]"),
        r"while its file is loaded \(mine\.py, line 3: random\.shuffle\(o\)\)",
    ),
    "shuffled at import, seeded by nothing": (
        written("import random\nrandom.seed()\no = random.sample(range(9), 9)", "return o[0]"),
        r"while its file is loaded \(mine\.py, line 3",
    ),
    "urandom at import": (
        written("import os\nodd = os.urandom(1)[0] < 1", "return int(odd)"),
        r"while its file is loaded \(mine\.py, line 2",
    ),
    "shuffle of all": (
        written(IMPORT, "random.shuffle(free)", "return free[0]"),
        r"On \.{9} .* more than 10,000 ways.*random\.choice",
    ),
    "a large number": (
        written(IMPORT, "return random.randrange(10**9) % 9"),
        "more than 10,000 ways",
    ),
    "until it is free": (
        written(
            IMPORT,
            "while True:",
            "    cell = random.randint(0, 8)",
            "    if board[cell] == '.': return cell",
        ),
        "more than 10,000 ways",
    ),
    "until it is free, from the end": (
        written(
            IMPORT,
            "while True:",
            "    cell = 8 - random.randint(0, 8)",
            "    if board[cell] == '.': return cell",
        ),
        "more than 10,000 ways",
    ),
    "cached chance": (
        "import random\nfrom functools import cache\n@cache\n"
        + written("", "return random.choice(free)").lstrip(),
        "the same draws did not lead to the same place",
    ),
    "counter": (
        written("count = 0", "global count", "count += 1", "return free[count % len(free)]"),
        r"it answered \d, then \d, so its answers depend on earlier",
    ),
    "the last board": (
        written(
            "last = None", "global last", "old, last = last, board", "return free[old is None]"
        ),
        "depend on earlier calls",
    ),
    "a file": (
        written(
            "from pathlib import Path\nfile = Path(__file__).with_name('count')",
            "count = len(file.read_text()) if file.exists() else 0",
            "file.write_text('.' * (count + 1))",
            "return free[count % len(free)]",
        ),
        "depend on earlier calls",
    ),
    "a set of words": (
        written("", "return int(next(iter({str(cell) for cell in free})))"),
        "depend on earlier calls or on the start",
    ),
    "hash": (
        written("", "return free[hash(board) % len(free)]"),
        "depend on earlier calls or on the start",
    ),
    "its number": (
        written("import os", "return free[os.getpid() % len(free)]"),
        "cannot be known exactly",
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
    assert "imports numpy" in doubt(write(written("import numpy", "return free[0]")))


def test_what_a_neighbour_draws_is_said_with_the_neighbours_line(write: Write) -> None:
    write("import random\ndef slips():\n    return random.random() < 0.01\n", "luck.py")
    file = write(written("import luck", "return int(luck.slips())"))
    assert "(luck.py, line 3: return random.random() < 0.01)" in doubt(file)


def test_what_is_imported_late_is_watched_too(write: Write) -> None:
    late = "from random import random"
    file = write(written("", "if len(free) > 1: return free[0]", late, "return free[random() > 2]"))
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
    IMPORT,
    "if {}: return random.choice(free)",
    "return max(free, key=lambda c: worth(board, mark, c))",
)
LIVE = {
    "random": SLIPS.format("random.random() < 0.01"),
    "counter": written("n = 0", "global n", "n += 1", "return free[n % len(free)]"),
    "shuffle": DOUBTED["shuffle of all"][0],
}


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sample is small."""
    for module in games, minds:
        monkeypatch.setattr(module, "SAMPLE", 30)


def promises(text: str) -> list[str]:
    """What may be said of nothing that was sampled only."""
    text = re.sub(r"cannot be (known|judged) exactly", "", text)
    return re.findall(r"exactly|cannot be beaten|\b\d+/\d+\b|All [\d,]+ positions", text)


def numbers(value: Any) -> list[object]:
    """All that stands in a value of JSON, but for names and sentences."""
    if isinstance(value, dict):
        return [one for key, each in value.items() if key != "why" for one in numbers(each)]
    return [one for each in value for one in numbers(each)] if isinstance(value, list) else [value]


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
    for its in samples(found):
        for result, low in its["low"].items():
            assert 0 <= low <= its[result] / its["games"] <= its["high"][result] <= 1
    assert promises(json.dumps(numbers(found))) == []
    assert "cannot be known exactly" in json.dumps(found["why"])


@pytest.mark.usefixtures("few_games")
def test_the_table_promises_nothing_of_what_is_not_known_exactly(run: Run, write: Write) -> None:
    file = write(LIVE["random"])
    found = as_json(run, "table", file, "hard")
    for pair in found["mine.py:best"]["hard"], found["hard"]["mine.py:best"]:
        assert pair["exact"] is False
        assert promises(json.dumps(numbers(pair))) == []
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
