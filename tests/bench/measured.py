"""What is measured: servers of the other tests, with the usual settings; and how it is told."""

import os
import re
import statistics
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from tests.e2e.server import Server
from tests.support.http import Player
from tests.support.serving import environment
from webapp.config import Settings

Make: TypeAlias = Callable[[], Settings]  # of an empty database
Row: TypeAlias = Sequence[object]
Part: TypeAlias = Callable[[Make, bool], Coroutine[None, None, list[Row]]]
"""What measures on one database, at length or for a first look, and returns lines of a table."""


def table(heads: str, rows: Iterable[Row]) -> str:
    lines = [f"| {heads} |", f"| --- |{' ---: |' * heads.count('|')}"]
    return "\n".join([*lines, *(f"| {' | '.join(map(str, row))} |" for row in rows)])


def spread(seconds: Sequence[float]) -> list[str]:
    """Return median, 99th percentile and maximum.

    >>> spread([0.001, 0.002, 0.003, 0.004])
    ['2.5 ms', '4.0 ms', '4.0 ms']
    """
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    return [f"{each * 1e3:,.1f} ms" for each in (cuts[49], cuts[98], max(seconds))]


class Measured(Server):
    def clocks(self) -> tuple[float, float]:
        """Return the time now, and the processor time that it has used, in seconds."""
        stat = Path(f"/proc/{self.pid}/stat").read_text()
        fields = stat.rpartition(")")[2].split()  # after the program's name
        return time.perf_counter(), sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")

    def share_since(self, before: tuple[float, float]) -> str:
        wall, cpu = (b - a for a, b in zip(before, self.clocks(), strict=True))
        return f"{cpu / wall:.0%}"

    def memory(self) -> float:
        """Return what it holds, shared memory by its share, in MiB."""
        text = Path(f"/proc/{self.pid}/smaps_rollup").read_text()
        (size,) = re.findall(r"\nPss: +(\d+) kB", text)
        return int(size) / 1024


@contextmanager
def serving(settings: Settings, patch: str = "") -> Iterator[Measured]:
    # The engines choose by chance, and all threads of a worker share one heap.
    usual = {"TTT_SEED": "", "MALLOC_ARENA_MAX": "1"}
    server = Measured(settings.data, {**environment(settings), **usual}, patch=patch)
    try:
        Player(server.url).get()
        yield server
    finally:
        server.stop()
