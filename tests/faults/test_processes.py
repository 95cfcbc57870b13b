"""The server's process: killed while a class plays, upgraded meanwhile, and left by its pages."""

import asyncio
import random
import re
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.e2e.server import ROOT, Server
from tests.support.class_under_fire import a_class, check_nothing_lost
from tests.support.http import Player, run
from tests.support.patience import Times, until
from tests.support.proxies import DEPLOY
from tests.support.serving import served
from webapp.config import Settings
from webapp.store import topics

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def test_a_server_that_is_killed_loses_no_answered_move(tmp_path: Path, times: Times) -> None:
    server, rng = Server(tmp_path / "data"), random.Random("kill")
    with a_class(server.url, "kill") as noted:
        for _ in range(times(2, 200)):
            noted.wait_for_moves(rng.randrange(times(5, 10), times(10, 30)))
            server.kill()
            server.start()
        noted.wait_for_moves(20)
    assert check_nothing_lost(Settings(data=server.database.parent), noted), "no game was finished"
    assert noted.errors, "nobody noticed that anything was killed"
    server.kill()


def test_pages_go_on_and_no_changed_file_is_kept_as_the_old_one(tmp_path: Path) -> None:
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


WAVE = 300  # how many streams there are at a time


def held_by(pid: int) -> tuple[float, int, int]:
    """MiB, open files and threads of a process."""
    process = Path(f"/proc/{pid}")
    (memory,) = re.findall(r"\nPss: +(\d+) kB", (process / "smaps_rollup").read_text())
    files, threads = (len(list((process / of).iterdir())) for of in ("fd", "task"))
    return int(memory) / 1024, files, threads


def test_streams_leave_no_thread_memory_or_file_behind(tmp_path: Path, times: Times) -> None:
    visitors = [Player("") for _ in range(WAVE)]

    async def wave() -> None:
        player = Player(server.url)
        await asyncio.to_thread(player.start)
        game = topics.game(player.game.removeprefix("/games/"))
        async with AsyncExitStack() as streams:
            for visitor in visitors:
                visitor.url = server.url
                said = await streams.enter_async_context(visitor.listening(game))
                assert await anext(said) == "hello"
                pages.append(said)
            await asyncio.to_thread(player.move)
            assert [await anext(said) for said in pages] == [game] * WAVE
            pages.clear()

    pages = list[AsyncIterator[str]]()
    server = Server(tmp_path / "data", {"MALLOC_ARENA_MAX": "1"})
    for _ in range(times(1, 60)):
        run(wave())
    before = held_by(server.pid)
    for _ in range(times(1, 340)):
        run(wave())
    until(lambda: held_by(server.pid)[1] < before[1] + 30, "streams are left open")
    after = held_by(server.pid)
    server.stop()
    memory, _, threads = (b - a for a, b in zip(before, after, strict=True))
    (most,) = re.findall(r"\nTasksMax=(\d+)\n", (DEPLOY / "tictactoe.service").read_text())
    assert after[2] <= int(most) / 4
    assert (memory < 30, threads < 2) == (True, True), (before, after)
