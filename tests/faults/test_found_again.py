"""Pages wait for news while something breaks: after its end they find back by themselves."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.bench.client import Player, leave
from tests.bench.people import opened
from tests.e2e.server import Server
from tests.support.http import answers
from tests.support.loops import run
from tests.support.patience import PATIENCE, until
from tests.support.postgres import Cluster
from tests.support.relay import Relay, relay
from tests.support.waiting import Page, ask, cookies, insist, seen_from_here

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

PAIRS = 8
AWAY = 4.0
"""For how many seconds a fault lasts."""

Times = Callable[[int, int], int]


@dataclass(frozen=True)
class School:
    """A server, and the way by which its pages come to it.

    :param away: for how many seconds that is closed, if it is
    """

    server: Server
    way: Relay
    away: float

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.way.port}"

    def answers(self) -> bool:
        return answers(self.url)


@contextmanager
def opened_school(folder: Path, away: float, **settings: str) -> Iterator[School]:
    server = Server(folder / "data", {"TTT_LIMITS": "on", **settings})
    try:
        with relay(urlsplit(server.url).port or 0) as way:
            yield School(server, way, away)
    finally:
        server.kill_if_alive()


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory, times: Times) -> Iterator[School]:
    with opened_school(tmp_path_factory.mktemp("school"), times(4, 10)) as found:
        yield found


@pytest.fixture(scope="module")
def postgres_school(
    tmp_path_factory: pytest.TempPathFactory, durable: Cluster, times: Times
) -> Iterator[School]:
    settings = {"TTT_DATABASE_URL": durable.database()}
    with opened_school(tmp_path_factory.mktemp("school"), times(4, 10), **settings) as found:
        yield found


def kill_workers(school: School) -> None:
    """Kill all; it ends when another one answers."""
    for worker in school.server.workers():
        os.kill(worker, signal.SIGKILL)
    until(school.answers)


def restart(school: School) -> None:
    school.server.stop()
    school.server.start()


def lock(school: School) -> None:
    """Let another program write to the file of the database."""
    with closing(sqlite3.connect(school.server.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        time.sleep(AWAY)
        other.execute("ROLLBACK")


def no_network(school: School) -> None:
    school.way.closed = True
    school.way.cut()
    time.sleep(school.away)
    school.way.closed = False


FAULTS: dict[str, Callable[[School], None]] = {
    "its process killed": kill_workers,
    "server stopped and started": restart,
    "database locked": lock,
    "no network": no_network,
}


async def recovers(school: School, fault: Callable[[School], None]) -> None:
    """Let pages wait while a fault comes and goes, then move, and wait until all have the move."""
    server = seen_from_here(school.url)
    pairs = await asyncio.gather(*(opened(server, number % 3) for number in range(PAIRS)))
    pages = [[Page(player) for player in pair] for pair in pairs]
    following = [asyncio.create_task(page.follow()) for pair in pages for page in pair]
    await asyncio.sleep(1)
    await asyncio.to_thread(fault, school)

    async def one_moves(pair: list[Page]) -> None:
        (mover,) = (page.player for page in pair if page.player.cells)
        # Another tab of that player: its page waits as well, and has the move like the other one's.
        tab = Player(server, mover.cookie, game=mover.game, version=mover.version)
        tab.cells = mover.cells
        version = await insist(tab)
        while any(page.player.version < version for page in pair):
            await asyncio.sleep(0.01)
        await leave([tab])

    try:
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*map(one_moves, pages))
    finally:
        for one in following:
            one.cancel()
        await asyncio.gather(*following, return_exceptions=True)
        await leave(page.player for pair in pages for page in pair)


@pytest.mark.parametrize("fault", FAULTS)
def test_pages_have_the_next_move_when_it_is_over(school: School, fault: str, times: Times) -> None:
    for _ in range(times(1, 20)):
        run(recovers(school, FAULTS[fault]))


@pytest.mark.parametrize("fault", ["stopped and started", "connections cut", "workers killed"])
def test_with_postgresql_they_have_it_as_well(
    postgres_school: School, durable: Cluster, fault: str, times: Times
) -> None:
    def restart_database(_: School) -> None:
        durable.stop()
        time.sleep(AWAY)
        durable.start()

    faults: dict[str, Callable[[School], None]] = {
        "stopped and started": restart_database,
        "connections cut": lambda _: durable.cut(),
        "workers killed": kill_workers,
    }
    for _ in range(times(1, 20)):
        run(recovers(postgres_school, faults[fault]))


def test_behind_a_pooler_that_drops_what_a_process_listens_to_they_ask_every_second(
    tmp_path: Path, durable: Cluster
) -> None:
    async def waits(url: str) -> bool:
        asks = (ask(url, "/?since=0.0.0.0", cookie) for cookie in cookies(8))
        return any(answer.held for answer in await asyncio.gather(*asks))

    database = durable.database()
    with relay(durable.port) as pooler:
        pooler.swaps = b"LISTEN tictactoe", b"LISTEN elsewhere"
        through = database.replace(f":{durable.port}/", f":{pooler.port}/")
        settings = {"TTT_DATABASE_URL": through, "TTT_LIMITS": "off"}
        with opened_school(tmp_path, 0, **settings) as school:
            until(lambda: not run(waits(school.url)))
            run(recovers(school, lambda _: None))
            school.server.stop()
