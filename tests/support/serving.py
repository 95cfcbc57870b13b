"""`tictactoe serve` in processes of its own, and the variables from which they read settings."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path

from webapp.config import Settings

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def served(folder: Path, *options: str, checkout: Path = ROOT, says: str = "") -> Iterator[str]:
    """Serve a data folder; yield the address; `says`: what the first line before it holds."""
    command = [sys.executable, "-m", "webapp.cli", "serve", "--port", "0", "--data", str(folder)]
    with subprocess.Popen(
        [*command, *options], cwd=checkout, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, encoding="utf-8",
    ) as server:  # fmt: skip
        try:
            assert server.stdout is not None
            # Where it takes long, it says now and then how far it is.
            lines = (line for line in server.stdout if not line.startswith("Asking: "))
            assert not says or says in next(lines)
            ready = next(line for line in lines if " is ready: " in line)
            yield ready.split()[3].rstrip("/")
        finally:
            server.terminate()


def environment(settings: Settings) -> dict[str, str]:
    values = {one.name: getattr(settings, one.name) for one in fields(settings)}
    values["data"] = settings.data.absolute()
    values["trusted_proxies"] = ",".join(settings.trusted_proxies)
    values["engine"] = ",".join(settings.engine)
    return {f"TTT_{name.upper()}": f"{text}" for name, text in values.items() if text is not None}
