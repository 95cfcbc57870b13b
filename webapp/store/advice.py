"""Commands for the host to type. Standard library only."""

import os
import shlex
import subprocess
import sys
from pathlib import Path


def command(*words: str) -> str:
    """Return the full command line that a host can type in any folder."""
    beside = Path(sys.executable).with_name("tictactoe.exe" if os.name == "nt" else "tictactoe")
    typed = [str(beside)] if beside.exists() else [sys.executable, "-m", "webapp.cli"]
    typed += words
    return subprocess.list2cmdline(typed) if os.name == "nt" else shlex.join(typed)
