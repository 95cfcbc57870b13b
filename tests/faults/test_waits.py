"""Very many pages wait for news: each of its share, and none leaves anything behind."""

from __future__ import annotations

import asyncio
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tests.bench import client, people, servers
from tests.bench.patience import PLAYERS, beside
from tests.e2e.server import WAITS_FOR_EVER, Server
from tests.support.http import Player
from tests.support.loops import run
from tests.support.patience import PATIENCE
from tests.support.waiting import Answer, ask, asking, cookies
from webapp.config import Settings
from webapp.live.topics import MOST, MOST_OF_A_PLAYER
from webapp.web.turns import PLAYER, WINDOW

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

TABS = 6
HUNDREDS, THOUSAND = 300, 1000
KEY = "given-to-several-machines"

WAVE, ABANDONED = 600, 60
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


async def begin(
    server: Server, game: str, cookies: list[str], since: str = "1.0.0.0"
) -> list[asyncio.Task[Answer]]:
    """Let so many pages of a game that has just begun ask, until all wait or are answered."""
    before = server.noted()
    asks = [
        asyncio.create_task(ask(server.url, f"{game}?since={since}", cookie)) for cookie in cookies
    ]

    async def all_are_there() -> None:
        while server.noted() - before < len(asks) - refused(asks):
            await asyncio.sleep(0.02)

    await asyncio.wait_for(all_are_there(), PATIENCE)
    return asks


def waiting(asks: list[asyncio.Task[Answer]]) -> int:
    return sum(not one.done() for one in asks)


def refused(asks: list[asyncio.Task[Answer]]) -> int:
    return sum(one.done() and one.result().status == 429 for one in asks)


async def only_so_many_wait(asks: list[asyncio.Task[Answer]], most: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while waiting(asks) > most:
            await asyncio.sleep(0.02)


# --- how many wait --------------------------------------------------------------------------------


def test_of_six_tabs_of_a_browser_two_wait_and_the_others_are_answered_at_once(
    tmp_path: Path,
) -> None:
    async def open_tabs() -> Counter[Answer]:
        player = Player(server.url)
        player.start()
        tabs = await begin(server, player.game, cookies(1) * TABS)
        with asking(tabs):
            await only_so_many_wait(tabs, MOST_OF_A_PLAYER)
            await asyncio.to_thread(player.move)
            return Counter(await asyncio.gather(*tabs))

    with serving(tmp_path) as server:
        assert run(open_tabs()) == {(204, False): TABS - MOST_OF_A_PLAYER, (200, True): 2}


def test_in_a_process_that_is_full_the_oldest_give_way_to_the_others(tmp_path: Path) -> None:
    async def fill() -> Counter[Answer]:
        player = Player(server.url)
        player.start()
        pages = await begin(server, player.game, cookies(MOST + 100))
        with asking(pages):
            await only_so_many_wait(pages, MOST)
            other = Player(server.url)
            for act in (other.start, other.move, other.move):
                assert (await asyncio.to_thread(act)).status == 303
            await asyncio.to_thread(player.move)
            return Counter(await asyncio.gather(*pages))

    with serving(tmp_path) as server:
        assert run(fill()) == {(204, False): 100, (200, True): MOST}


def test_a_thousand_waits_with_one_cookie_are_answered_and_then_refused(tmp_path: Path) -> None:
    async def open_tabs() -> Counter[Answer]:
        player = Player(server.url)
        player.start()
        (cookie,) = cookies(1)
        await ask(server.url, "/class", cookie)  # so that it is known
        tabs = await begin(server, player.game, [cookie] * THOUSAND)
        with asking(tabs):
            await asyncio.to_thread(player.move)
            return Counter(await asyncio.gather(*tabs))

    with serving(tmp_path, TTT_LIMITS="on") as server:
        begun = time.monotonic()
        found = run(open_tabs())
        windows = 1 + (time.monotonic() - begun) / WINDOW
    held = sum(number for answer, number in found.items() if answer.held)
    assert held == MOST_OF_A_PLAYER
    assert THOUSAND - found[Answer(429, held=False)] <= windows * PLAYER
    assert {204, 429} <= {answer.status for answer in found} <= {200, 204, 429}


@pytest.mark.parametrize("cookies", [1, 150])
def test_a_class_plays_on_beside_hundreds_of_waits(
    cookies: int, tmp_path: Path, attacker: Executor, times: Times, waits_for_locks: None
) -> None:
    with servers.game(Settings(data=tmp_path / "data")) as server:
        seconds, what = times(4, 7), "waits for news"
        attack = beside(attacker, server, what, cookies, seconds, connections=HUNDREDS)
        found = run(asyncio.wait_for(attack, seconds + PATIENCE))
    assert found.answered + found.refused >= HUNDREDS
    assert len(found.times) >= PLAYERS, "each has moved"


def test_a_class_of_60_behind_one_address_is_refused_nothing_when_it_begins(
    tmp_path: Path, times: Times, waits_for_locks: None
) -> None:
    """Each of them has a live game open, and the page of the class; any refusal is an error.

    That takes a little longer than requests are counted for, and with ``--long`` half a minute.
    """
    seconds = times(5, 15)  # with moves, and as long without
    assert 2 * seconds >= WINDOW

    async def follow_class(player: client.Player) -> None:
        pause, path = 0.0, "/class"
        while True:
            answer = await player.ask(f"GET {path}", allowed=(200, 204))
            if answer.status == 200:
                (path,) = re.findall(r'hx-get="(/class\?since=[^"]+)"', answer.text)
            pause = 0.02 if "waited" in answer.headers else 1.0
            await asyncio.sleep(pause)

    async def play(server: servers.Server) -> int:
        classes = [client.Player(server) for _ in range(60)]
        pages = [asyncio.create_task(follow_class(player)) for player in classes]
        rows = await people.live("SQLite", server, 30, seconds)
        for page in pages:
            assert not page.done(), page.exception()
            page.cancel()
        await asyncio.gather(*pages, return_exceptions=True)
        await client.leave(classes)
        return int(str(rows[0][1]))

    with servers.game(Settings(data=tmp_path / "data")) as server:
        assert run(play(server)), "they have moved"


# --- another process ------------------------------------------------------------------------------


def test_a_move_is_seen_by_the_pages_of_every_process(
    tmp_path: Path, database_url: str | None
) -> None:
    async def watch() -> None:
        player = Player(server.url)
        player.start()
        pages = await begin(server, player.game, cookies(24))
        with asking(pages):
            assert waiting(pages) == len(pages)
            page = await asyncio.to_thread(player.get, player.game)
            fields = {"cell": page.playable[0], "version": 1}
            await asyncio.to_thread(player.post, f"{player.game}/moves", **fields)
            assert set(await asyncio.gather(*pages)) == {(200, True)}

    url = {} if database_url is None else {"TTT_DATABASE_URL": database_url}
    with serving(tmp_path, **url) as server:
        run(asyncio.wait_for(watch(), PATIENCE))


def test_a_pause_and_its_end_are_seen_by_the_pages_of_every_process(
    tmp_path: Path, database_url: str | None
) -> None:
    async def watch() -> None:
        player, teacher = Player(server.url), Player(server.url)
        player.start()
        teacher.signs_in(KEY)
        # The page that is told of the pause waits for its end.
        for act, since in (("pause", "1.0.0.0"), ("resume", "1.0.0.1")):
            pages = await begin(server, player.game, cookies(24), since)
            with asking(pages):
                assert waiting(pages) == len(pages)
                await asyncio.to_thread(teacher.post, f"/host/{act}")
                assert set(await asyncio.gather(*pages)) == {(200, True)}

    url = {} if database_url is None else {"TTT_DATABASE_URL": database_url}
    with serving(tmp_path, TTT_HOST_KEY=KEY, **url) as server:
        run(asyncio.wait_for(watch(), PATIENCE))


# --- what is left ---------------------------------------------------------------------------------


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
        for _ in range(times(2, 30)):
            run(wave())
        workers = sorted(server.workers())
        before, open_before = [held_by(pid) for pid in workers], connections()
        waited = sum(run(wave()) for _ in range(times(2, 170)))
        after, open_after = [held_by(pid) for pid in workers], connections()
    print(f"{waited} waits; MiB, files and threads of processes: {before} before, {after} after;")
    print(f"{open_before} connections to the database before, {open_after} after")  # with -s
    assert waited > times(2, 170) * (WAVE - ABANDONED) * 0.9
    more = [[b - a for a, b in zip(*each, strict=True)] for each in zip(before, after, strict=True)]
    for memory, files, threads in more:
        assert memory < MORE_MEMORY
        assert files < MORE_FILES
        assert threads < MORE_THREADS
    assert open_after <= 2 * (8 + 2 + 1)
