"""Which function of which file is meant, and what is made and said of its answers."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run, as_json, as_text, refusal
from tests.programs.conftest import Write, known
from tests.support.patience import PATIENCE
from webapp.analysis.matchup import matchup
from webapp.cli import asking
from webapp.core.board import Board
from webapp.engines.base import ONLY_THE_BOARD
from webapp.engines.registry import ENGINES
from webapp.programs import tabulate
from webapp.programs.files import CannotLoad, Program, programs
from webapp.programs.minds import exact_engine

FIRST = "def best(board, mark):\n    return board.index('.')\n"
LAST = "def best(board, mark):\n    return board.rindex('.')\n"
PLAY = "def play(b, m): return b.index('.')\n"
HELPED = "def best(b, m):\n    {}\n"
DATACLASS = """\
from __future__ import annotations
from dataclasses import dataclass
@dataclass
class State:
    board: str
    before: State | None = None
def best(board, mark):
    return State(board).board.index('.')
"""

MEANT = {
    "its only one": (PLAY, "play"), "best among several": (f"{PLAY}{FIRST}", "best"),
    "a value called best": ("best = lambda b, m: b.index('.')\n", "best"),
    "not what it imports": (f"from helper import first\n{PLAY}", "play"),
    "not what is private or a class": (f"class B: pass\ndef _help(b, m): pass\n{PLAY}", "play"),
    "not what runs as a program only": (f"{FIRST}if __name__ == '__main__': exit('run')\n", "best"),
    "a dataclass whose annotations come later": (DATACLASS, "best"),
    "a neighbour": ("from helper import first\n" + HELPED.format("return first(b)"), "best"),
    "a neighbour, late": (HELPED.format("import helper; return helper.first(b)"), "best"),
    "in a package": ("import pkg.deep\n" + HELPED.format("return pkg.deep.first(b)"), "best"),
}  # fmt: skip


def test_a_file_alone_means_its_only_function_or_best(write: Write) -> None:
    write("", "pkg/__init__.py")
    for helper in "helper.py", "pkg/deep.py":
        write("def first(board):\n    return board.index('.')\n", helper)
    first = known(write(FIRST, "other.py")).answers
    for name, (source, expected) in MEANT.items():
        file = write(source)
        before, found = set(file.parent.rglob("*")), known(file)
        assert (found.program.function, found.answers) == (expected, first), name
        assert set(file.parent.rglob("*")) == before
    for module in ("random", "json", "queue", "test"):  # its name is the pupil's
        source = f"import random, json, queue\nrandom.choice\n{FIRST}"
        assert not known(write(source, f"pupil/{module}.py")).faults


def test_where_several_could_be_meant_they_are_asked_for(run: Run, write: Write) -> None:
    two = write("def one(b, m): return 4\ndef two(b, m): return 4\n")
    said = refusal(run("check", two))
    assert "There are 2 functions in mine.py and none is called best" in said
    assert "such as mine.py:two" in said
    said = refusal(run("check", f"{two}:three"))
    assert said == "There is no function 'three' in mine.py. It has one, two."


def test_a_folder_means_the_best_of_each_file(write: Write) -> None:
    folder = write(FIRST, "class/anna.py").parent
    for name in "class/ben.py", "class/_help.py", "class/.hidden.py", "class/notes.txt":
        write(LAST, name)
    found = [(one.file.name, one.function, one.listed) for one in programs(str(folder))]
    assert found == [("anna.py", "best", True), ("ben.py", "best", True)]
    with pytest.raises(CannotLoad, match=r"no \.py file"):
        programs(str(write("", "empty/notes.txt").parent))


def test_files_are_told_apart(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write(FIRST, "a/mine.py").parent)
    Path("hard").mkdir()
    assert as_json(run, "check", "hard")["engine"] == "hard"
    write(FIRST + LAST.replace("best", "last"), "b/mine.py")
    for named, other, slugs in (
        ("mine.py", "../b/mine.py", ("a/mine.py:best", "b/mine.py:best")),
        ("../b/mine.py", "../b/mine.py:last", ("mine.py:best", "mine.py:last")),
        ("./mine.py", "mine.py:best", ("mine.py:best", "mine.py:best")),
    ):
        found = as_json(run, "check", named, "--against", other)
        assert (found["engine"], *found["results"]) == slugs
    broken = write("def best(board, mark):\n    return 9\n", "c/mine.py")
    said = refusal(run("check", "mine.py", "--against", broken))
    assert said.startswith("c/mine.py:best: It returned 9")


def test_prints_are_summed_up_once_and_never_in_json(run: Run, write: Write) -> None:
    loud = write(FIRST.replace("    return", "    print(f'about {board}')\n    return"))
    text = as_text(run, "check", loud)
    assert text.count("about .........") == 1
    assert re.search(r"It printed 232 lines, beginning with: about \.{9}$", text.strip())
    assert "about" not in json.dumps(as_json(run, "check", loud))


def test_faults_that_are_alike_are_shown_once(run: Run, write: Write) -> None:
    choices = "    if mark == 'O':\n        return board\n    if '.' * 9 != board:\n"
    file = write(f"def best(board, mark):\n{choices}        return {{}}[board]\n    return 0\n")
    status, out, err = run("check", file)
    assert (status, err) == (1, "")
    assert "was asked about 18 positions and failed in 17." in out
    assert out.count("KeyError") == out.count("mine.py, line 5: return {}[board]") == 1
    assert out.count("which is not a cell") == 1
    assert sorted(re.findall(r"It fails the same way in (\d) more positions", out)) == ["7", "8"]
    status, out, err = run("check", file, "--json")
    found = json.loads(out)
    assert (status, err, found["positions"], len(found["faults"])) == (1, "", 18, 17)
    assert {fault["kind"] for fault in found["faults"]} == {"failed", "illegal"}


def test_it_says_how_far_it_is(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "_PROGRESS_S", 0)
    write("def best(:", "class/a.py")
    slow = "import time\n" + FIRST.replace("    return", "    time.sleep(0.01)\n    return")
    folder = write(slow, "class/b.py").parent
    _, _, err = run("league", folder, "--with", "hard")
    assert re.search(r"Asking: 1 of 2 done, now b\.py on [XO.]{9}\n", err)


# What a function can use below: free cells, and perfect and poor play.
HEAD = """\
import functools, itertools, os, random, time
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
LINES = (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)
def free(board):
    return [cell for cell in range(9) if board[cell] == "."]
@functools.cache
def value(board, mark):
    other = "O" if mark == "X" else "X"
    if any(board[a] == board[b] == board[c] == other for a, b, c in LINES):
        return -1
    return max((-value(board[:c] + mark + board[c + 1:], other) for c in free(board)), default=0)
def good(board, mark):
    other = "O" if mark == "X" else "X"
    return min(free(board), key=lambda c: value(board[:c] + mark + board[c + 1:], other))
def bad(board, mark):
    return free(board)[-1]
def either(poor, board, mark):
    return (bad if poor else good)(board, mark)
n, last = 0, "." * 9
"""


def source(body: str, before: str = "") -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"{HEAD}{before}\ndef best(board, mark):\n    global n, last\n{lines}"


THREE_OF_FOUR = ((0, 3), (1, 1))
ANSWERS = {
    "return 4": ((4, 1),), "return [0, 2, 6, 8]": ((0, 1), (2, 1), (6, 1), (8, 1)),
    "return [0, 0, 0, 1]": THREE_OF_FOUR, "return {0: 9, 1: 3}": THREE_OF_FOUR,
    "return {0: Fraction(1, 2), 1: Fraction(1, 6)}": THREE_OF_FOUR,
    "return {0: Decimal('1.5'), 1: Decimal('0.5')}": THREE_OF_FOUR,
    "return {0: 1 / 3, 2: 2 / 3}": ((0, 1), (2, 2)),
    "return {0: 0.1 + 0.1 + 0.1, 2: 0.7}": ((0, 3), (2, 7)),
    "return {0: 0, 1: 0.0, 4: 2}": ((4, 1),),
    "return {4: 1, 1: 1e-9}": ((1, 1), (4, 10**6 - 1)),
    "return {4: 10**5000, 1: 1}": ((1, 1), (4, 10**6 - 1)),
    "random.seed(3); return random.randrange(9)": ((3, 1),),
    "return free(board)[hash(1)]": ((1, 1),),
}  # fmt: skip


def test_an_answer_is_a_cell_or_cells_with_weights(write: Write) -> None:
    files = [write(source(body), f"mine{number}.py") for number, body in enumerate(ANSWERS)]
    asked = tabulate.tabulate([Program(file, "best") for file in files], boards=[Board()])
    for found, answer in zip(asked, ANSWERS.values(), strict=True):
        assert isinstance(found, tabulate.Tabulation), found
        assert (found.doubt, found.faults, found.answers) == ("", {}, {Board(): answer})


def test_a_function_like_an_engine_has_its_figures(write: Write) -> None:
    found = known(write(source("return free(board)")), every=True)
    assert (found.doubt, found.faults, len(found.answers)) == ("", {}, 4520)
    theirs, easy, hard = exact_engine(found, "theirs", "Theirs"), ENGINES["easy"], ENGINES["hard"]
    assert matchup(theirs, hard) == matchup(easy, hard)
    assert matchup(hard, theirs) == matchup(hard, easy)


def test_what_a_proof_rests_on_and_a_fault_by_chance_are_said(run: Run, write: Write) -> None:
    text = as_text(run, "check", write(source("return good(board, mark)")))
    assert (text.count(ONLY_THE_BOARD), text.count("cannot be beaten")) == (1, 2)
    body = "return 9 if random.randrange(3) == 0 else free(board)[0]"
    status, out, err = run("check", write(source(body)))
    assert (status, err) == (1, "")
    assert "It returned 9, which is not a cell from 0 to 8." in out


# Found by the processes that ask again, in time.
DIFFERENT = {
    "random": "return random.choice(free(board))",
    "a rare slip": "return either(random.random() < 0.001, board, mark)",
    "the clock": "return either(time.perf_counter_ns() // 1000 % 2, board, mark)",
    "games counted": "n += board == '.' * 9\nreturn either(n > 3, board, mark)",
    "every hundredth call": "n += 1\nreturn either(n % 100 == 74, board, mark)",
    "the board before": "was, last = last, board\nreturn either(was < board, board, mark)",
    "a fault after a time": "n += 1\nreturn bad(board, mark) if n < 900 else 9",
}
# Found by two processes that are not alike.
AT_THE_START = {
    "a set of words": "return int(next(iter(set(map(str, free(board))))))",
    "the process": "return free(board)[os.getpid() % board.count('.')]",
    "shuffled at the start": "return next(c for c in ORDER if board[c] == '.')",
    "cached chance": "return drawn(board)",
}
BEFORE = """
ORDER = random.sample(range(9), 9)
@functools.cache
def drawn(board):
    return random.choice(free(board))
"""


@pytest.mark.parametrize("name", [*DIFFERENT, *AT_THE_START])
def test_what_differs_is_found(write: Write, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in DIFFERENT:
        monkeypatch.setattr(tabulate, "ASK_AGAIN_S", PATIENCE)
    found = known(write(source((DIFFERENT | AT_THE_START)[name], BEFORE)))
    assert found.doubt.startswith("It uses chance, or remembers")


def test_it_is_said_with_both_answers_and_what_helps(write: Write) -> None:
    found = known(write(source("n += 1; return [0, 1] if n == 1 else 4")), boards=[Board()])
    assert found.doubt == (
        "It uses chance, or remembers: on ......... it answered {0: 1, 1: 1}, then 4. Return every "
        "cell that it may choose, as a list such as [0, 2, 6, 8] or as weights such as "
        "{4: 3, 0: 1}, and its figures are exact."
    )
