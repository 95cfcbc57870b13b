"""Commands that sentences tell the host to type."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from webapp import __version__
from webapp.store.advice import command


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of the other kind")
@pytest.mark.parametrize("installed", [False, True])
def test_what_the_host_is_told_to_type_can_be_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, installed: bool
) -> None:
    folder = tmp_path / "a class"
    folder.mkdir()
    if installed:
        (folder / "tictactoe").symlink_to(Path(sys.executable).with_name("tictactoe"))
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    python.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(python))
    said = subprocess.check_output(["sh", "-c", command("--version")], text=True)
    assert said == f"tictactoe {__version__}\n"
    words = shlex.split(command("restore", "monday's copy.db"))
    assert words[-2:] == ["restore", "monday's copy.db"]
    assert words[0] == str(folder / ("tictactoe" if installed else "python"))
