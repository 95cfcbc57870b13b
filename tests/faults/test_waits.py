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


def held_by(pid: int) -> tuple[float, int, int]:
    """MiB, open files and threads of a process."""
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
        address = f"{server.url}{player.game}?since=1.0.0.0"
        pages = [asyncio.create_task(one.ask("GET", address)) for one in visitors]
        await asyncio.to_thread(until, lambda: server.noted() - before == WAVE)
        for page in pages[:ABANDONED]:
            page.cancel()
        await asyncio.to_thread(player.move)
        held = [answer for answer in await asyncio.gather(*pages[ABANDONED:]) if answer.held]
        assert {answer.status for answer in held} == {200}
        return len(held)

    server = Server(tmp_path / "data", {"MALLOC_ARENA_MAX": "1"}, patch=WAITS_FOR_EVER)
    for _ in range(times(1, 60)):
        run(wave())
    (worker,) = server.workers()
    before = held_by(worker)
    # Those of the wave before that are just leaving may keep a few from waiting.
    waited = [run(wave()) for _ in range(times(1, 340))]
    after = held_by(worker)
    server.stop()
    assert sum(waited) > len(waited) * (WAVE - ABANDONED) * 0.9
    for what, least, most, allowed in zip(
        ("MiB", "files", "threads"), before, after, (30, 30, 100), strict=True
    ):
        assert most - least < allowed, f"{most - least} {what} more"
