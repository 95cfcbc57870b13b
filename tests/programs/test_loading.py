"""Which function of which file is meant, how a file is loaded, and what is said of what it does."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run, as_json, as_text, refusal
from tests.programs.conftest import Write, known
from webapp.cli import asking
from webapp.programs import tabulate
from webapp.programs.files import CannotLoad, programs

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

# What stands in a file, and the function that is meant.
MEANT = {
    "its only one": (PLAY, "play"),
    "best among several": (f"{PLAY}{FIRST}", "best"),
    "a value called best": ("best = lambda b, m: b.index('.')\n", "best"),
    "not what it imports": (f"from helper import first\n{PLAY}", "play"),
    "not what is private or a class": (f"class B: pass\ndef _help(b, m): pass\n{PLAY}", "play"),
    "not what runs as a program only": (f"{FIRST}if __name__ == '__main__': exit('run')\n", "best"),
    "a dataclass whose annotations come later": (DATACLASS, "best"),
    "a neighbour": ("from helper import first\n" + HELPED.format("return first(b)"), "best"),
    "a neighbour, late": (HELPED.format("import helper; return helper.first(b)"), "best"),
    "in a package": ("import pkg.deep\n" + HELPED.format("return pkg.deep.first(b)"), "best"),
}


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
    file = write(
        "def best(board, mark):\n"
        "    if mark == 'O':\n"
        "        return board\n"
        "    if '.' * 9 != board:\n"
        "        return {}[board]\n"
        "    return 0\n"
    )
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


def test_what_takes_long_is_told(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tabulate, "SLOW_S", 0.05)
    slow = "    board[:4] == '....' and time.sleep(0.06)\n    return"
    text = as_text(run, "check", write("import time\n" + FIRST.replace("    return", slow)))
    assert re.search(r"more than a second in \d+ positions, longest on [XO.]{9}: \d+\.\d s", text)
    assert "functools.cache" in text


def test_it_says_how_far_it_is(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "_PROGRESS_S", 0)
    write("def best(:", "class/a.py")
    slow = "import time\n" + FIRST.replace("    return", "    time.sleep(0.01)\n    return")
    folder = write(slow, "class/b.py").parent
    _, _, err = run("league", folder, "--with", "hard")
    assert re.search(r"Asking: 1 of 2 done, now b\.py on [XO.]{9}: about \d+ s left\n", err)
