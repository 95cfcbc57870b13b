"""How the command behaves at a terminal: a file to begin with, Tab, colours, suggestions."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run, as_json, as_text, refusal
from webapp.cli import tictactoe
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES, engine

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the command runs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    return tmp_path


# --- new ----------------------------------------------------------------------------------------


def test_a_new_file_wins_blocks_and_else_plays_anywhere_and_can_be_improved(run: Run) -> None:
    assert as_text(run, "new", "anna.py").splitlines()[-1].strip() == "tictactoe check anna.py"
    for board, cells in ("XX.OO....", [2]), ("X...X.O..", [8]), ("X........", list(range(1, 9))):
        choices = as_json(run, "best", board, "--engine", "anna.py")["choices"]
        assert [choice["cell"] for choice in choices] == cells
        assert {choice["probability"] for choice in choices} == {
            f"1/{len(cells)}".removesuffix("/1")
        }
    found = as_json(run, "check", "anna.py")
    assert found["faults"] == []
    assert found["proof"]["x"]["beatable"]
    assert "tictactoe check anna.py " in Path("anna.py").read_text(encoding="utf-8")


def test_a_new_file_takes_the_place_of_no_other(run: Run, mine: Path) -> None:
    before = mine.read_text(encoding="utf-8")
    assert "mine.py already exists" in refusal(run("new", "mine.py"))
    assert mine.read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    "name, why",
    [("anna", "call it anna.py"), ("anna.txt", "call it anna.py"), ("no/anna.py", "No such file")],
)
def test_a_new_file_that_cannot_be_is_refused(run: Run, here: Path, name: str, why: str) -> None:
    assert why in refusal(run("new", name))
    assert not list(here.iterdir())


def test_what_to_type_next_can_be_typed_where_a_name_has_a_space(run: Run) -> None:
    assert as_text(run, "new", "my player.py").endswith("tictactoe check 'my player.py'\n")


# --- help and Tab -------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["", *tictactoe.commands])
def test_h_is_help(run: Run, command: str) -> None:
    assert as_text(run, *command.split(), "-h") == as_text(run, *command.split(), "--help")


SLUGS = [*ENGINES, "menace", "rules:"]
COMPLETED = {
    "mat": ["matchup"],
    "check ": [*SLUGS, "mine.py"],
    "check mi": ["minimax", "mine.py"],
    "check men": ["menace"],
    "check players/a": ["players/anna.py"],
    "matchup hard fo": ["forks", "fork-blocker"],
    "matchup none.py sl": ["slips"],
    "table hard easy sl": ["slips"],
    "best ......... --engine sc": ["scenarios"],
}


def complete(run: Run, monkeypatch: pytest.MonkeyPatch, line: str) -> list[str]:
    monkeypatch.setenv("_TICTACTOE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", f"tictactoe {line}")
    monkeypatch.setenv("COMP_CWORD", str(len(line.split(" "))))
    return as_text(run).split()


@pytest.mark.parametrize("line, expected", COMPLETED.items())
def test_tab_completes_commands_engines_and_files(
    run: Run, mine: Path, monkeypatch: pytest.MonkeyPatch, line: str, expected: list[str]
) -> None:
    (mine.parent / "my player.py").touch()
    (mine.parent / "players").mkdir()
    (mine.parent / "players" / "anna.py").touch()
    assert complete(run, monkeypatch, line) == [f"plain,{word}" for word in expected]


@pytest.mark.parametrize("line", ["check my", "check pl", "new pl", "doctor --data pl"])
def test_tab_leaves_other_paths_to_the_shell(
    run: Run, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    Path("my player.py").touch()
    assert complete(run, monkeypatch, line) == [f"file,{line.rpartition(' ')[2]}"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_help_has_the_line_that_switches_completion_on(
    run: Run, monkeypatch: pytest.MonkeyPatch, shell: str
) -> None:
    instruction = f"{shell}_source"
    assert f"_TICTACTOE_COMPLETE={instruction} tictactoe" in as_text(run, "--help")
    monkeypatch.setenv("_TICTACTOE_COMPLETE", instruction)
    status, out, _ = run()
    assert status == 0
    assert "_TICTACTOE_COMPLETE=" in out


@pytest.mark.skipif(sys.platform != "linux", reason="The bash of macOS is too old for click.")
def test_tab_completes_in_bash_once_the_line_of_the_help_was_run(run: Run, here: Path) -> None:
    line = as_text(run, "--help").partition("\n    bash  ")[2].partition("\n")[0]
    command = here / "tictactoe"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m webapp.cli "$@"\n')
    command.chmod(0o755)
    typed = "COMP_WORDS=(tictactoe check har) COMP_CWORD=2; _tictactoe_completion tictactoe"
    script = f'{line}; complete -p tictactoe; {typed}; echo "$COMPREPLY"'
    path = f"{here}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "PYTHONPATH": str(ROOT)}
    bash = ["bash", "--norc", "-c", script]
    done = subprocess.run(bash, env=environment, capture_output=True, text=True, check=True)
    said = "complete -o nosort -F _tictactoe_completion tictactoe\nhard\n"
    assert (done.stdout, done.stderr) == (said, "")


# --- colours ------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="Windows has no pseudo-terminals.")
@pytest.mark.parametrize("no_color, coloured", [(None, True), ("", True), ("1", False)])
def test_a_terminal_gets_colours_unless_no_color_is_set(
    no_color: str | None, coloured: bool
) -> None:
    ours, theirs = os.openpty()
    given = {} if no_color is None else {"NO_COLOR": no_color}
    subprocess.run(
        [sys.executable, "-m", "webapp.cli", "best", "X........"],
        env=os.environ | {"PYTHONPATH": str(ROOT)} | given,
        stdout=theirs,
        check=True,
    )
    os.close(theirs)
    shown = os.read(ours, 10_000)
    os.close(ours)
    assert b"to move, hard:" in shown
    assert (b"\x1b[" in shown) == coloured


# --- suggestions --------------------------------------------------------------------------------


@pytest.mark.parametrize("mind", ENGINES.values(), ids=list(ENGINES))
def test_an_engine_is_found_by_slug_and_by_name_in_capitals_or_not(run: Run, mind: Engine) -> None:
    slug, name = mind.slug, mind.name
    assert {engine(one) for one in (slug, name, slug.upper(), name.lower())} == {mind}
    assert as_json(run, "best", ".........", "--engine", name)["engine"] == slug


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        ("check hrad", "There is no engine 'hrad'. Did you mean hard?"),
        ("matchup hard Mediun", "There is no engine 'Mediun'. Did you mean medium?"),
        ("check mine", "There is no engine 'mine'. Did you mean mine.py?"),
        ("check xyz", f"There is no engine 'xyz'; there are {', '.join(ENGINES)}."),
        ("chekc", "No such command 'chekc'. Did you mean 'check'?"),
        ("check hard --jsn", "No such option '--jsn'. Did you mean '--json'?"),
    ],
)
@pytest.mark.usefixtures("mine")
def test_a_slip_of_the_keyboard_gets_a_suggestion(run: Run, arguments: str, sentence: str) -> None:
    assert refusal(run(*arguments.split())) == sentence
