"""``kill -9`` of the process that answers, and of the whole server, while a class plays."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.e2e.server import Server
from tests.support.class_under_fire import Noted, Person, a_class, check_nothing_lost
from tests.support.http import Player, answers
from tests.support.patience import until
from webapp.config import Settings
from webapp.polls import tally
from webapp.service.key import HostKey

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


def test_a_process_that_is_killed_loses_no_answer_to_a_question(server: Server) -> None:
    host, noted = Player(server.url), Noted()
    host.signs_in(HostKey(Settings(data=server.database.parent)).read())
    asked = host.post("/host/questions", moves="").headers["Location"]
    pupils = [Person(server.url, noted) for _ in range(60)]

    def answer(number: int) -> int:
        return pupils[number].post(f"{asked}/answer", cell=number % 9).status

    with ThreadPoolExecutor(12) as pool:
        answering = [pool.submit(answer, number) for number in range(60)]
        until(lambda: sum(one.done() for one in answering) >= 20)
        kill(server)
    assert {one.result() for one in answering} == {303}
    assert noted.retries, "nobody noticed that anything was killed"
    told = json.loads(host.get(f"{asked}.json").text)
    assert told["cells"] == [*tally(number % 9 for number in range(60))]


def test_a_server_whose_process_cannot_live_gives_up(tmp_path: Path) -> None:
    engine = tmp_path / "mine.py"
    engine.write_text("def best(board, mark):\n    return board.index('.')\n")
    server = Server(tmp_path / "data", {"TTT_ENGINE": f"{engine}:best"})
    (tmp_path / "data" / "functions.json").unlink()
    for worker in server.workers():
        os.kill(worker, signal.SIGKILL)
    assert server.ends() == 1  # some starts later
