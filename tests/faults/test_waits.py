"""Very many pages wait for news: nothing of them stays behind."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.server import WAITS_FOR_EVER, Server
from tests.support.http import FRAGMENT, Player, run
from tests.support.patience import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

WAVE, ABANDONED = 300, 30
"""How many wait at a time, so that they end together; and how many of these do not stay for it."""

MORE_MEMORY, MORE_FILES, MORE_THREADS = 30, 30, 100
"""How many MiB, open files and threads the process may have more than after the first wave."""


def held_by(pid: int) -> tuple[float, int, int]:
    process = Path(f"/proc/{pid}")
    (memory,) = re.findall(r"\nPss: +(\d+) kB", (process / "smaps_rollup").read_text())
    files, threads = (len(list((process / of).iterdir())) for of in ("fd", "task"))
    return int(memory) / 1024, files, threads


def test_waits_leave_no_thread_memory_or_file_behind(
    tmp_path: Path, times: Callable[[int, int], int]
) -> None:
    visitors = [Player("", **FRAGMENT) for _ in range(WAVE)]

    async def wave() -> int:
        """Let many wait; some leave, and the others have the move. Return how many waited."""
        player, before = Player(server.url), server.noted()
        await asyncio.to_thread(player.start)
        address = f"{player.game}?since=1.0.0.0"
        pages = [asyncio.create_task(one.ask("GET", server.url + address)) for one in visitors]
        await asyncio.to_thread(until, lambda: server.noted() - before == WAVE)
        for page in pages[:ABANDONED]:
            page.cancel()
        await asyncio.to_thread(player.move)
        ends = await asyncio.gather(*pages[ABANDONED:])
        # Those of the wave before that are just leaving may keep a few from waiting.
        assert {answer.status for answer in ends if answer.held} == {200}
        return sum(answer.held for answer in ends)

    server = Server(tmp_path / "data", {"MALLOC_ARENA_MAX": "1"}, patch=WAITS_FOR_EVER)
    try:
        for _ in range(times(1, 60)):
            run(wave())
        (worker,) = server.workers()
        before = held_by(worker)
        waited = sum(run(wave()) for _ in range(times(1, 340)))
        after = held_by(worker)
    finally:
        server.stop()
    print(f"{waited} waits; MiB, files and threads: {before} before, {after} after")  # with -s
    assert waited > times(1, 340) * (WAVE - ABANDONED) * 0.9
    memory, files, threads = (b - a for a, b in zip(before, after, strict=True))
    assert (memory < MORE_MEMORY, files < MORE_FILES, threads < MORE_THREADS) == (True,) * 3
