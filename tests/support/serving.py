"""`tictactoe serve` in processes of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """A server with two workers over a data folder."""
    command = [sys.executable, "-m", "webapp.cli", "serve", "--port", "0", "--data", str(folder)]
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    ) as server:
        try:
            assert server.stdout is not None
            yield server.stdout.readline().split()[3].rstrip("/")
        finally:
            server.terminate()
