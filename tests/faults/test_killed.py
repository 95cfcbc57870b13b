"""``kill -9`` of the process that answers, and of the whole server, while a class plays."""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.server import Server
from tests.support.class_under_fire import a_class, check_nothing_lost
from tests.support.http import answers
from tests.support.patience import until
from webapp.config import Settings

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

MEMORY = 80


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that may complain about the deaths of its process."""
    # One heap, as script/server and the examples of deploy/ have it.
    server = Server(tmp_path / "data", {"TTT_LIMITS": "off", "MALLOC_ARENA_MAX": "1"})
    yield server
    server.kill()


def kill(server: Server) -> None:
    """Kill the process that answers; wait for the new one."""
    (victim,) = server.workers()
    os.kill(victim, signal.SIGKILL)
    server.wait_for_workers(without=victim)
    until(lambda: answers(server.url))


def mebibytes(pid: int) -> float:
    """The memory of a process, of what it shares with others its part."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    (part,) = [line for line in rollup.splitlines() if line.startswith("Pss:")]
    return int(part.split()[1]) / 1024


def test_a_process_or_a_whole_server_that_is_killed_loses_no_answered_move(
    server: Server, times: Callable[[int, int], int]
) -> None:
    rng = random.Random("kill")
    kills = times(4, 200)
    with a_class(server.url, "kill") as noted:
        for number in range(kills):
            noted.wait_for_moves(rng.randrange(20, 60))
            if number % 4 < 3:
                kill(server)
            else:
                server.kill_parent()
                server.start()
        noted.wait_for_moves(30)
    finished = check_nothing_lost(Settings(data=server.database.parent), noted)
    print(
        f"kills {kills}, moves {len(noted.played)}, finished {finished}, "
        f"asked again {noted.retries}, longest wait {max(noted.waits):.2f} s, "
        f"memory {max(map(mebibytes, server.workers())):.0f} MiB"
    )
    assert noted.retries, "nobody noticed that anything was killed"
    assert finished > kills
    assert max(map(mebibytes, server.workers())) < MEMORY


def test_a_server_whose_process_cannot_live_gives_up(tmp_path: Path) -> None:
    engine = tmp_path / "mine.py"
    engine.write_text("def best(board, mark):\n    return board.index('.')\n")
    server = Server(tmp_path / "data", {"TTT_ENGINE": f"{engine}:best"})
    (tmp_path / "data" / "functions.json").unlink()
    for worker in server.workers():
        os.kill(worker, signal.SIGKILL)
    assert server.ends() == 1  # some starts later
