"""What the host is told to type. Standard library only."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path


def command(*words: str) -> str:
    """Write a command of this program as it can be typed, in any folder too.

    The program is the one beside the Python that runs now; mostly no shell finds it by its name.
    """
    beside = Path(sys.executable).with_name("tictactoe.exe" if os.name == "nt" else "tictactoe")
    program = [str(beside)] if beside.exists() else [sys.executable, "-m", "webapp.cli"]
    typed = [*program, *words]
    return subprocess.list2cmdline(typed) if os.name == "nt" else shlex.join(typed)
