"""Commands that sentences tell the host to type."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from webapp import __version__
from webapp.store.advice import command


@pytest.fixture(params=["beside Python", "not installed"])
def python(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Python in a folder with a space, with the program beside it or without."""
    folder = tmp_path / "a class"
    folder.mkdir()
    if request.param == "beside Python":
        (folder / "tictactoe").symlink_to(Path(sys.executable).with_name("tictactoe"))
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    python.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(python))
    return python


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of the other kind")
def test_what_the_host_is_told_to_type_can_be_typed(python: Path) -> None:
    typed = command("--version")
    assert shlex.split(typed)[0] in (str(python), str(python.with_name("tictactoe")))
    done = subprocess.run(["sh", "-c", typed], capture_output=True, text=True, check=True)
    assert done.stdout == f"tictactoe {__version__}\n"


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of the other kind")
def test_names_of_files_stay_whole(python: Path) -> None:
    assert shlex.split(command("restore", "monday's copy.db"))[-1] == "monday's copy.db"
