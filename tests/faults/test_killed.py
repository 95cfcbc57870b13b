"""``kill -9`` of workers, and of the whole server, while a class plays."""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from tests.e2e.server import Server
from tests.support.class_under_fire import MISSING, a_class, check_nothing_lost
from tests.support.http import Player
from tests.support.patience import until
from webapp.config import Settings

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

MEMORY = 80


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that may complain about the deaths of its workers."""
    # One heap a worker, as script/server and the examples of deploy/ have it.
    server = Server(tmp_path / "data", {"TTT_LIMITS": "off", "MALLOC_ARENA_MAX": "1"})
    yield server
    server.kill()


def answers(url: str) -> bool:
    """Ask by a connection of its own."""
    with suppress(*MISSING):
        return Player(url).get("/healthz").status == 200
    return False


def kill(server: Server, victim: int) -> None:
    """Kill a worker; wait until the server answers, and for the new one."""
    os.kill(victim, signal.SIGKILL)
    until(lambda: answers(server.url))
    server.wait_for_workers(without=victim)


def mebibytes(pid: int) -> float:
    """The memory of a process, of what it shares with others its part."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    (part,) = [line for line in rollup.splitlines() if line.startswith("Pss:")]
    return int(part.split()[1]) / 1024


def test_a_killed_worker_loses_no_answered_move(
    server: Server, times: Callable[[int, int], int]
) -> None:
    rng = random.Random("kill")
    kills = times(4, 200)
    with a_class(server.url, "kill") as noted:
        for number in range(kills):
            noted.wait_for_moves(rng.randrange(20, 60))
            workers = sorted(server.workers())
            # First the new one each time: no worker may be killed once too often.
            kill(server, rng.choice(workers[1:] if number < 3 else workers))
    finished = check_nothing_lost(Settings(data=server.database.parent), noted)
    print(
        f"kills {kills}, moves {len(noted.played)}, finished {finished}, "
        f"asked again {noted.retries}, longest wait {max(noted.waits):.2f} s, "
        f"memory {max(map(mebibytes, server.workers())):.0f} MiB"
    )
    assert noted.retries, "nobody noticed that anything was killed"
    assert finished > kills
    assert max(map(mebibytes, server.workers())) < MEMORY


def test_a_server_whose_workers_cannot_live_gives_up(tmp_path: Path) -> None:
    engine = tmp_path / "mine.py"
    engine.write_text("def best(board, mark):\n    return board.index('.')\n")
    server = Server(tmp_path / "data", {"TTT_ENGINE": f"{engine}:best"})
    (tmp_path / "data" / "functions.json").unlink()
    for worker in server.workers():
        os.kill(worker, signal.SIGKILL)
    assert server.ends() == 1  # some starts of a worker later


def test_a_server_that_is_killed_as_a_whole_goes_on_after_its_next_start(
    server: Server, times: Callable[[int, int], int]
) -> None:
    rng = random.Random("parent")
    with a_class(server.url, "parent") as noted:
        for _ in range(times(1, 20)):
            noted.wait_for_moves(rng.randrange(30, 60))
            server.kill_parent()
            server.start()
        noted.wait_for_moves(30)
    assert check_nothing_lost(Settings(data=server.database.parent), noted)
    assert noted.retries


def test_after_a_worker_was_replaced_all_workers_tell_the_same(server: Server) -> None:
    with a_class(server.url, "same", alone=2, pairs=1) as noted:
        noted.wait_for_moves(20)
        kill(server, min(server.workers()))
        noted.wait_for_moves(20)
    visitor = Player(server.url)

    def agree(path: str) -> bool:
        return len({visitor.get(path).text for _ in range(12)}) == 1

    for path in ("/class", "/class/board", f"/games/{noted.played[-1].game}", "/opponents", "/lab"):
        until(partial(agree, path), f"the workers disagree about {path}")
