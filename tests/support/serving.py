"""`tictactoe serve` in processes of its own."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def served(
    folder: Path, *options: str, checkout: Path | None = None, says: str = ""
) -> Iterator[str]:
    """A server over a data folder; yield its address.

    :param checkout: the project's folder, where it is not this one
    :param says: what the first line is to hold, where that is not its address
    """
    command = [sys.executable, "-m", "webapp.cli", "serve", "--port", "0", "--data", str(folder)]
    with subprocess.Popen(
        [*command, *options],
        cwd=checkout,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    ) as server:
        try:
            assert server.stdout is not None
            # Where it takes long, it says now and then how far it is.
            lines = (line for line in server.stdout if not line.startswith("Asking: "))
            assert not says or says in next(lines)
            ready = next(line for line in lines if " is ready: " in line)
            yield ready.split()[3].rstrip("/")
        finally:
            server.terminate()
