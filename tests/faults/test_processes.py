"""The server's processes: killed while a class plays, upgraded meanwhile, and waited for."""

import asyncio
import os
import random
import re
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.server import ROOT, WAITS_FOR_EVER, Server
from tests.support.class_under_fire import a_class, check_nothing_lost
from tests.support.http import FRAGMENT, Player, run
from tests.support.patience import until
from tests.support.serving import served
from webapp.config import Settings

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def test_a_process_or_a_whole_server_that_is_killed_loses_no_answered_move(
    tmp_path: Path, times: Callable[[int, int], int]
) -> None:
    server, rng, kills = Server(tmp_path / "data"), random.Random("kill"), times(2, 200)
    with a_class(server.url, "kill") as noted:
        for number in range(kills):
            noted.wait_for_moves(rng.randrange(times(5, 10), times(10, 30)))
            if number % 2 == 0:
                (victim,) = server.workers()
                os.kill(victim, signal.SIGKILL)
                server.wait_for_workers(without=victim)
            else:
                server.kill_parent()
                server.start()
        noted.wait_for_moves(20)
    assert check_nothing_lost(Settings(data=server.database.parent), noted), "no game was finished"
    assert noted.errors, "nobody noticed that anything was killed"
    server.kill()


def test_a_server_whose_process_cannot_live_gives_up(tmp_path: Path) -> None:
    engine = tmp_path / "mine.py"
    engine.write_text("def best(board, mark):\n    return board.index('.')\n")
    patch = "import webapp.server\nwebapp.server.MAX_FAILED_STARTS = 1\n"
    server = Server(tmp_path / "data", {"TTT_ENGINE": f"{engine}:best"}, patch=patch)
    (tmp_path / "data" / "functions.json").unlink()
    (worker,) = server.workers()
    os.kill(worker, signal.SIGKILL)
    assert server.ends() == 1


def test_pages_are_shown_and_no_changed_file_is_kept_under_the_address_of_the_old_one(
    tmp_path: Path,
) -> None:
    checkout = tmp_path / "project"
    pages = "/", "/class", "/class/board", "/you", "/learn", "/review/40281", "/lab"
    for part in ("webapp", "templates", "static"):
        shutil.copytree(ROOT / part, checkout / part)
    with served(tmp_path / "data", checkout=checkout) as url:
        alice = Player(url)
        for template in (checkout / "templates").rglob("*.html"):
            template.write_text("{{ what_the_new_version_has }}")
        for page, status in (*((page, 200) for page in pages), ("/join/AAAA", 404), ("/no", 404)):
            answer = alice.get(page)
            assert (answer.status, "Tic-Tac-Toe" in answer.text) == (status, True), page
        before = re.findall(r'"(/static/[^"]+)"', alice.get("/lab").text)
        (checkout / "static/app.js").write_text("const now = 2;\n")
        (checkout / "static/learn.js").unlink()
        after = re.findall(r'"(/static/[^"]+)"', alice.get("/lab").text)
        assert after == before, "browsers that know the old files need no others"
        (script,) = [one for one in before if "/app.js" in one]
        file = alice.get(script)
        assert (file.text, file.headers["Cache-Control"]) == ("const now = 2;\n", "no-cache")


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
        """Let many wait; some leave, and the others have the move; return how many waited."""
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
    memory, files, threads = (b - a for a, b in zip(before, after, strict=True))
    assert (memory < 30, files < 30, threads < 100) == (True,) * 3, (before, after)
