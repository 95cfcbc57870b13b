"""Very many pages wait for news, or ask for what is expensive: a class plays on beside them."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tests.bench.patience import PLAYERS, Attack, Pace, at_a_pace
from tests.bench.servers import serving as measured
from tests.e2e.server import WAITS_FOR_EVER, WAITS_FOR_LOCKS, Server
from tests.support.http import Player
from tests.support.loops import run
from tests.support.patience import PATIENCE
from tests.support.waiting import Answer, ask, asking, cookies
from webapp.config import Settings

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

HUNDREDS = 300
"""How many connections an attack has."""

WAVE, ABANDONED = 300, 30
"""How many wait at a time, so that they end together; and how many of these do not stay for it."""

MORE_MEMORY, MORE_FILES, MORE_THREADS = 30, 30, 100
"""How many MiB, open files and threads a process may have more than after the first waves:
two do not always share them alike, and a thread needs more once it has answered with a page. A
hundred thousand waits, with ``--long``, would make much more of what each left."""

Times = Callable[[int, int], int]


@contextmanager
def serving(folder: Path, **settings: str) -> Iterator[Server]:
    server = Server(folder / "data", settings, patch=WAITS_FOR_EVER)
    try:
        yield server
    finally:
        server.stop()


async def begin(server: Server, game: str, cookies: list[str]) -> list[asyncio.Task[Answer]]:
    """Let so many pages of a game that has just begun ask, until all wait."""
    before, address = server.noted(), f"{game}?since=1.0.0.0"
    asks = [asyncio.create_task(ask(server.url, address, cookie)) for cookie in cookies]

    async def all_are_there() -> None:
        while server.noted() - before < len(asks):
            await asyncio.sleep(0.02)

    await asyncio.wait_for(all_are_there(), PATIENCE)
    return asks


@pytest.mark.parametrize("attack", ["experiments", "news"])
def test_a_class_plays_on_beside_an_attack_and_no_move_is_refused(
    attack: str, tmp_path: Path, attacker: Executor, times: Times
) -> None:
    """The bench measures for longer, and how long a move takes then."""
    case, other = Pace(PLAYERS, PLAYERS, times(3, 7)), Attack(attack, HUNDREDS // 2, HUNDREDS)
    with measured(Settings(data=tmp_path / "data"), WAITS_FOR_LOCKS) as server:
        attacked = at_a_pace(attacker, server, case, other)
        found = run(asyncio.wait_for(attacked, case.seconds + PATIENCE))
    assert found.pages, "there was an attack"
    assert len(found.times) >= PLAYERS, "each has moved"


def held_by(pid: int) -> tuple[float, int, int]:
    """The memory of a process in MiB, its open files and its threads."""
    process = Path(f"/proc/{pid}")
    (memory,) = re.findall(r"\nPss: +(\d+) kB", (process / "smaps_rollup").read_text())
    files, threads = (len(list((process / of).iterdir())) for of in ("fd", "task"))
    return int(memory) / 1024, files, threads


def test_waits_leave_no_thread_memory_file_or_connection_behind(
    tmp_path: Path, database_url: str | None, times: Times
) -> None:
    known = cookies(WAVE // 2)

    async def wave() -> int:
        """Let many wait; some leave, and the others have the move. Return how many waited."""
        player = Player(server.url)
        await asyncio.to_thread(player.start)
        pages = await begin(server, player.game, known * 2)
        with asking(pages):
            for page in pages[:ABANDONED]:
                page.cancel()
            await asyncio.to_thread(player.move)
            ends = await asyncio.gather(*pages[ABANDONED:])
        # Those of the wave before that are just leaving may keep a few from waiting.
        assert {answer.status for answer in ends if answer.held} == {200}
        return sum(answer.held for answer in ends)

    def connections() -> int:
        if database_url is None:
            return 0
        with psycopg.connect(database_url) as other:
            query = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'tictactoe'"
            (number,) = other.execute(query).fetchone() or (0,)
            return int(number)

    settings = {"MALLOC_ARENA_MAX": "1"}
    settings |= {} if database_url is None else {"TTT_DATABASE_URL": database_url}
    with serving(tmp_path, **settings) as server:
        for _ in range(times(2, 60)):
            run(wave())
        workers = sorted(server.workers())
        before, open_before = [held_by(pid) for pid in workers], connections()
        waited = sum(run(wave()) for _ in range(times(2, 340)))
        after, open_after = [held_by(pid) for pid in workers], connections()
    print(f"{waited} waits; MiB, files and threads of processes: {before} before, {after} after;")
    print(f"{open_before} connections to the database before, {open_after} after")  # with -s
    assert waited > times(2, 340) * (WAVE - ABANDONED) * 0.9
    more = [[b - a for a, b in zip(*each, strict=True)] for each in zip(before, after, strict=True)]
    for memory, files, threads in more:
        assert memory < MORE_MEMORY
        assert files < MORE_FILES
        assert threads < MORE_THREADS
    assert open_after <= 2 * (8 + 2 + 1)
