"""Servers to measure: those of the other tests, with the usual settings, and what they use."""

import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.server import Server
from tests.support.http import Player
from webapp.config import Settings


class Measured(Server):
    """A server that is measured; it has two processes with PostgreSQL."""

    def __init__(self, data: Path, settings: Mapping[str, str], patch: str) -> None:
        before = time.perf_counter()
        super().__init__(data, settings, patch=patch)
        Player(self.url).get()
        self.started = time.perf_counter() - before
        """Seconds from the start of the program to its first answer."""

    def clocks(self) -> tuple[float, float]:
        """Return the time now, and the processor time that it has used, in seconds."""
        processes = self.pid, *self.workers()
        texts = [Path(f"/proc/{process}/stat").read_text() for process in processes]
        fields = [text.rpartition(")")[2].split() for text in texts]  # after the program's name
        ticks = sum(int(user) + int(system) for user, system in (each[11:13] for each in fields))
        return time.perf_counter(), ticks / os.sysconf("SC_CLK_TCK")

    def share_since(self, before: tuple[float, float]) -> str:
        """Say what part of one core it has used since its clocks said so."""
        wall, cpu = (b - a for a, b in zip(before, self.clocks(), strict=True))
        return f"{cpu / wall:.0%}"

    def memory(self) -> float:
        """Return what the largest worker holds, shared memory by its share, in MiB."""
        texts = [Path(f"/proc/{worker}/smaps_rollup").read_text() for worker in self.workers()]
        return max(int(size) for size in re.findall(r"\nPss: +(\d+) kB", "".join(texts))) / 1024


@contextmanager
def serving(settings: Settings, patch: str = "") -> Iterator[Measured]:
    """Serve as ``script/server`` does; complaints of the server end the measurement."""
    # The engines choose by chance, and all threads of a worker share one heap.
    usual = {"TTT_SEED": "", "MALLOC_ARENA_MAX": "1"}
    server = Measured(settings.data, {**settings.to_environment(), **usual}, patch)
    try:
        yield server
    finally:
        server.stop()
