"""Servers to measure: started on a free port of this computer, stopped in any case."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.support.proxies import free_port
from webapp.config import Settings

ROOT = Path(__file__).resolve().parents[2]


class BenchError(Exception):
    """What would make the figures worthless; the message says why."""


@dataclass
class Server:
    """A server that runs.

    :param pid: of its parent process, which keeps the workers and does nothing else
    :param started: seconds from the start of the program until a worker took a connection
    """

    port: int
    pid: int = 0
    started: float = 0.0

    def clocks(self) -> tuple[float, float]:
        """Return the time now, and the processor time that it has used, in seconds."""
        texts = [Path(f"/proc/{pid}/stat").read_text() for pid in self._pids()]
        fields = [text.rpartition(")")[2].split() for text in texts]  # after the program's name
        ticks = sum(int(user) + int(system) for *_, user, system in (each[:13] for each in fields))
        return time.perf_counter(), ticks / os.sysconf("SC_CLK_TCK")

    def share_since(self, before: tuple[float, float]) -> str:
        """Say what part of one core it has used since its clocks said so."""
        wall, cpu = (b - a for a, b in zip(before, self.clocks(), strict=True))
        return f"{cpu / wall:.0%}"

    def memory(self) -> float:
        """Return what the largest worker holds, shared memory by its share, in MiB."""
        texts = [Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in self._pids()[1:]]
        return max(int(size) for size in re.findall(r"\nPss: +(\d+) kB", "".join(texts))) / 1024

    def _pids(self) -> list[str]:
        """The parent process and those that it started."""
        threads = Path(f"/proc/{self.pid}/task").iterdir()
        return f"{self.pid} {' '.join((each / 'children').read_text() for each in threads)}".split()


def game(settings: Settings) -> AbstractContextManager[Server]:
    """Serve the game, as ``script/server`` does: by one process, or by two with PostgreSQL."""
    # One heap for all threads of a worker.
    environment = {"MALLOC_ARENA_MAX": "1", **settings.to_environment()}
    return _running(["webapp.cli", "serve"], settings.processes, environment)


def bare(page: Path, workers: int) -> AbstractContextManager[Server]:
    """Serve the bare route, which answers with this page."""
    return _running(["tests.bench.bare"], workers, {"BENCH_PAGE": str(page)})


@contextmanager
def _running(command: list[str], workers: int, settings: Mapping[str, str]) -> Iterator[Server]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TTT_")}
    port = free_port()
    environment = {**kept, **settings, "TTT_PORT": str(port), "TTT_WORKERS": str(workers)}
    command, start = [sys.executable, "-m", *command], time.perf_counter()
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL) as process:
        try:
            while True:
                with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                    break  # granian's workers take connections once they have loaded the app
                if process.poll() is not None:
                    raise BenchError("A server to measure did not start.")
                time.sleep(0.01)
            yield Server(port, process.pid, time.perf_counter() - start)
        finally:
            process.terminate()
