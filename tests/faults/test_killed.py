"""``kill -9`` of the process that answers, and of the whole server, while a class plays."""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.server import Server
from tests.support.class_under_fire import a_class, check_nothing_lost
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
    finished = check_nothing_lost(Settings(data=server.database.parent), noted)
    assert noted.retries, "nobody noticed that anything was killed"
    assert finished
    server.kill()


def test_a_server_whose_process_cannot_live_gives_up(tmp_path: Path) -> None:
    engine = tmp_path / "mine.py"
    engine.write_text("def best(board, mark):\n    return board.index('.')\n")
    patch = "import webapp.server\nwebapp.server.MAX_FAILED_STARTS = 1\n"
    server = Server(tmp_path / "data", {"TTT_ENGINE": f"{engine}:best"}, patch=patch)
    (tmp_path / "data" / "functions.json").unlink()
    for worker in server.workers():
        os.kill(worker, signal.SIGKILL)
    assert server.ends() == 1  # some starts later
