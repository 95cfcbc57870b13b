"""How the command behaves: a file to begin with, help, and a start that waits for little."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run, as_json, as_text, refusal


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_new_file_wins_blocks_and_else_plays_anywhere_and_can_be_improved(run: Run) -> None:
    assert as_text(run, "new", "anna.py").splitlines()[-1].strip() == "tictactoe check anna.py"
    for board, cells in ("XX.OO....", [2]), ("X...X.O..", [8]), ("X........", list(range(1, 9))):
        found = as_json(run, "check", "anna.py", "--board", board)
        assert [choice["cell"] for choice in found["choices"]] == cells
    assert (found["faults"], found["x"]["beatable"]) == ([], True)
    assert "tictactoe check anna.py " in Path("anna.py").read_text(encoding="utf-8")


def test_a_new_file_that_cannot_be_is_refused_and_replaces_no_other(run: Run, mine: Path) -> None:
    before = mine.read_text(encoding="utf-8")
    for name, why in (
        ("mine.py", "mine.py already exists"), ("anna.txt", "call it anna.py"),
        ("no/anna.py", "No such file"),
    ):  # fmt: skip
        assert why in refusal(run("new", name))
    assert [*mine.parent.iterdir()] == [mine]
    assert mine.read_text(encoding="utf-8") == before
    assert as_text(run, "new", "my player.py").endswith("tictactoe check 'my player.py'\n")


def test_an_old_console_gets_every_command_with_what_letters_it_has() -> None:
    old = {"PYTHONIOENCODING": "cp437", "PATH": os.defpath}
    for command in ("table", "review 40281", "check medium", "serve -h"):
        program = [sys.executable, "-m", "webapp.cli", *command.split()]
        done = subprocess.run(program, env=old, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b""), command


def test_the_command_waits_for_nothing_that_only_one_command_needs() -> None:
    program = "import sys, webapp.cli; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    loaded = set(done.stdout.decode().split())
    assert not loaded & {"sqlalchemy", "urllib.request", "ssl", "flask", "alembic"}
