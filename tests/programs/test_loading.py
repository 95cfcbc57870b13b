"""Which function of which file is meant, how a file is loaded, and what is said of what it does."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run, as_json, as_text, refusal
from tests.programs.conftest import Write, known
from webapp.programs import tabulate
from webapp.programs.files import CannotLoad, Program, programs

FIRST = "def best(board, mark):\n    return board.index('.')\n"
LAST = "def best(board, mark):\n    return board.rindex('.')\n"


# --- how it is loaded -----------------------------------------------------------------------------


HELPED = "def best(b, m):\n    {}\n"
LOADS = {
    "a dataclass whose annotations come later": """\
from __future__ import annotations
from dataclasses import dataclass
@dataclass
class State:
    board: str
    before: State | None = None
def best(board, mark):
    return State(board).board.index('.')
""",
    "a neighbour": "from helper import first\n" + HELPED.format("return first(b)"),
    "a neighbour, late": HELPED.format("import helper; return helper.first(b)"),
    "in a package": "import pkg.deep\n" + HELPED.format("return pkg.deep.first(b)"),
}


@pytest.mark.parametrize("name", LOADS)
def test_a_file_loads_with_its_neighbours_and_leaves_nothing_there(write: Write, name: str) -> None:
    write("", "pkg/__init__.py")
    for helper in "helper.py", "pkg/deep.py":
        write("def first(board):\n    return board.index('.')\n", helper)
    file, first = write(LOADS[name]), write(FIRST, "other.py")
    before = set(file.parent.rglob("*"))
    assert known(file).answers == known(first).answers
    assert set(file.parent.rglob("*")) == before


@pytest.mark.parametrize("name", ["random", "json", "queue", "test", "sandbox"])
def test_a_file_named_as_a_module_is_the_pupils(write: Write, name: str) -> None:
    assert not known(write(f"import random, json, queue\n{FIRST}", f"{name}.py")).faults


def test_files_are_found_from_the_current_folder(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(FIRST, "sub/mine.py").parent
    monkeypatch.chdir(folder.parent)
    assert "mine.py:best" in as_text(run, "check", "sub/mine.py")
    monkeypatch.chdir(folder)
    assert "mine.py:best" in as_text(run, "check", "./mine.py")
    assert "mine.py:best" in as_text(run, "check", "../sub/mine.py:best")


def test_an_engine_is_no_folder_of_that_name(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hard").mkdir()
    monkeypatch.chdir(tmp_path)
    assert as_json(run, "matchup", "hard", "hard")["draws"] == "1"


# --- which function is meant ----------------------------------------------------------------------

PLAY = "def play(b, m): return b.index('.')\n"
MEANT = {
    "its only one": (PLAY, "play"),
    "best among several": (f"{PLAY}{FIRST}", "best"),
    "a value called best": ("best = lambda b, m: b.index('.')\n", "best"),
    "not what it imports": (f"from helper import first\n{PLAY}", "play"),
    "not what is private or a class": (f"class B: pass\ndef _help(b, m): pass\n{PLAY}", "play"),
    "the only one of two arguments": (f"def line(b): pass\n{PLAY}", "play"),
    "the only one of two arguments, cached": (
        f"from functools import cache\ndef line(b): pass\n@cache\n{PLAY}",
        "play",
    ),
    "not what runs as a program only": (f"{FIRST}if __name__ == '__main__': exit('run')\n", "best"),
}


@pytest.mark.parametrize("name", MEANT)
def test_a_file_alone_means_its_only_function_or_best(write: Write, name: str) -> None:
    write("def first(b, m): return 9", "helper.py")
    source, expected = MEANT[name]
    assert known(write(source)).program.function == expected


def test_where_several_could_be_meant_they_are_asked_for(run: Run, write: Write) -> None:
    two = write("def one(b, m): return 4\ndef two(b, m): return 4\n")
    said = refusal(run("prove", two))
    assert "There are 2 functions in mine.py and none is called best" in said
    assert "such as mine.py:two" in said
    said = refusal(run("prove", f"{two}:three"))
    assert said == "There is no function 'three' in mine.py. It has one, two."


def test_a_folder_means_the_best_of_each_file(write: Write) -> None:
    folder = write(FIRST, "class/anna.py").parent
    for name in "class/ben.py", "class/_help.py", "class/.hidden.py", "class/notes.txt":
        write(LAST, name)
    found = programs(str(folder))
    assert [(one.file.name, one.function, one.listed) for one in found] == [
        ("anna.py", "best", True),
        ("ben.py", "best", True),
    ]
    with pytest.raises(CannotLoad, match=r"no \.py file"):
        programs(str(write("", "empty/notes.txt").parent))


# --- names ----------------------------------------------------------------------------------------


def test_files_of_one_name_are_told_apart_wherever_both_are_named(run: Run, write: Write) -> None:
    a, b = write(FIRST, "a/mine.py"), write(LAST, "b/mine.py")
    text = as_text(run, "matchup", a, b)
    assert "a/mine.py:best wins as X" in text
    assert "b/mine.py:best wins as O" in text
    found = as_json(run, "table", a, b, "hard")
    assert list(found) == ["a/mine.py:best", "b/mine.py:best", "hard"]
    assert "b/mine.py:best wins as O" in as_text(run, "simulate", a, b, "--games", "5")
    broken = write("def best(board, mark):\n    return 9\n", "b/mine.py")
    assert refusal(run("matchup", a, broken)).startswith("b/mine.py:best: It returned 9")


def test_two_functions_of_one_file_are_told_apart(run: Run, mine: Path) -> None:
    mine.write_text(FIRST + LAST.replace("best", "last"))
    assert list(as_json(run, "table", mine, f"{mine}:last")) == ["mine.py:best", "mine.py:last"]


def test_a_function_may_meet_itself(run: Run, write: Write) -> None:
    file = write(FIRST)
    text = as_text(run, "matchup", file, f"{file}:best")
    assert re.findall(r"^(\S+) wins", text, re.MULTILINE) == ["mine.py:best"] * 2
    assert list(as_json(run, "table", file, file)) == ["mine.py:best"]


def test_both_files_with_chance_are_told_apart(run: Run, write: Write) -> None:
    source = "import random\ndef best(b, m):\n    random.seed()\n    return b.index('.')\n"
    a, b = write(source, "a/mine.py"), write(source, "b/mine.py")
    found = as_json(run, "simulate", a, b, "--games", "3")
    assert set(found["why"]) == {"a/mine.py:best", "b/mine.py:best"}


# --- what is said of it ---------------------------------------------------------------------------


def test_prints_are_summed_up_once_and_never_in_json(run: Run, write: Write) -> None:
    loud = write(FIRST.replace("    return", "    print(f'about {board}')\n    return"))
    text = as_text(run, "check", loud)
    assert text.count("about .........") == 1
    assert re.search(r"It printed \d+ lines, beginning with: about \.{9}$", text.strip())
    for command in "check {}", "prove {}", "matchup {} hard", "best ......... --engine {}":
        assert "about" not in json.dumps(as_json(run, *command.format(loud).split()))
    assert "about" not in as_text(run, "matchup", loud, "hard")


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
    assert re.findall(r"It fails the same way in (\d) more positions", out) == ["8", "7"]
    status, out, err = run("check", file, "--json")
    found = json.loads(out)
    assert (status, err, found["positions"], len(found["faults"])) == (1, "", 18, 17)
    assert {fault["kind"] for fault in found["faults"]} == {"failed", "illegal"}


def test_what_takes_long_is_said_with_what_helps(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tabulate, "SLOW", 0.05)
    file = write(
        f"import time\n{FIRST}".replace(
            "    return", "    board[:4] == '....' and time.sleep(0.06)\n    return"
        )
    )
    text = as_text(run, "check", file)
    assert re.search(
        r"It thought for more than a second in \d+ positions, longest on [XO.]{9}: \d+\.\d s",
        text,
    )
    assert "functools.cache" in text


def test_the_progress_of_several_is_shown(write: Write) -> None:
    files = [write(FIRST, "a.py"), write(LAST, "b.py"), write("def best(:", "c.py")]
    seen: list[list[float]] = []
    found = tabulate.tabulate(
        [Program(file) for file in files],
        glance=lambda progress: seen.append([one.share for one in progress]),
    )
    assert [isinstance(one, CannotLoad) for one in found] == [False, False, True]
    assert seen[-1] == pytest.approx([1, 1, 1])


def test_the_first_sentence_of_its_author_is_kept(write: Write) -> None:
    file = write(FIRST.replace(":\n", ':\n    """Take the first.\n\n    More.\n    """\n'))
    assert known(file).idea == "Take the first."
