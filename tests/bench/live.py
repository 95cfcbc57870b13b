"""Two people at each of many boards; each page holds a stream, and asks when it is told."""

import asyncio
import random
import re
import time
from dataclasses import replace

from tests.bench.client import Browser, by_turns
from tests.bench.measured import Make, Measured, Row, serving, spread

_CODE = re.compile(r'class="code">(\w+)<')
QUICK, LONG = [(60, 3.0)], [(300, 15.0), (60, 10.0)]
"""How many pairs play, and for how many seconds."""
THOUGHT = 3.0  # seconds between two moves in a game, on the average


async def live(make: Make, quick: bool) -> list[Row]:
    """Let them play and rematch; more sit down at once than one address may."""
    with serving(replace(make(), limits="off")) as server:
        return [await _live(server, *case) for case in (QUICK if quick else LONG)]


async def _live(server: Measured, number: int, seconds: float) -> Row:
    sent, arrived = dict[tuple[str, int], float](), list[float]()

    async def sit(player: Browser) -> None:
        while True:
            if player.over:
                await player.show(await player.asks(f"POST /games/{player.game}/again"))
            pause = random.uniform(0, 2) * THOUGHT if player.free else None
            if await player.looks(pause if moving.is_set() else None):
                moment = sent.get((player.game, player.version))
                arrived.extend([time.perf_counter() - moment] if moment else [])
            elif moving.is_set():
                sent[player.game, player.version + 1] = time.perf_counter()
                await player.moves()

    players, moving = list[Browser](), asyncio.Event()
    while len(players) < 2 * number:  # in the middle of games, so that not all end at once
        some = range(min(30, number - len(players) // 2))
        for pair in await asyncio.gather(*(_opened(server, n % 5) for n in some)):
            players += pair
    moving.set()
    async with asyncio.TaskGroup() as group:
        sitting = [group.create_task(sit(player)) for player in players]
        await asyncio.sleep(2)
        start = server.clocks()
        await asyncio.sleep(seconds)
        while len(arrived) < 2:
            await asyncio.sleep(0.1)
        share, start = server.share_since(start), server.clocks()
        moving.clear()
        await asyncio.sleep(seconds)
        idle, memory = server.share_since(start), f"{server.memory():.0f}"
        for task in sitting:
            task.cancel()
    await by_turns(players, Browser.leave)
    title = f"{2 * number} pages, {number / THOUGHT:.0f} moves/s"
    return [title, *spread(arrived), share, idle, memory]


async def _opened(server: Measured, moves: int) -> tuple[Browser, Browser]:
    host, guest = Browser(server.url), Browser(server.url)
    await host.asks("POST /challenges", {"mark": "random"})
    (code,) = _CODE.findall((await host.asks("GET /class")).text)
    joined = await guest.asks(f"POST /join/{code}", allowed=(303,))
    for player in (guest, host):
        await player.show(joined)
    for _ in range(moves):
        mover, other = (host, guest) if host.free else (guest, host)
        await mover.moves()
        await other.looks()
    return host, guest
