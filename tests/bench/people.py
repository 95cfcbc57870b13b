"""A class that plays itself: everyone arrives at once, and then many games go on at a time.

Each browser does what its page says: a page that waits for the other player asks for news, as often
as it says, and a finished game goes on with a rematch.
"""

import asyncio
import random
import re
import time
from collections import defaultdict
from dataclasses import replace

from tests.bench.client import Player, leave
from tests.bench.plan import Make, Plan, Row, spread
from tests.bench.servers import Measured, serving
from tests.support.patience import PATIENCE

_STATIC = re.compile(r'(?:href|src)="(/static/[^"]+)"')
_THOUGHT = 3.0  # seconds between two moves in a live game, on the average
# Seconds from one game to the next: a player may begin eight in ten.
_BETWEEN = 1.5

HELD = "of one core | without moves | MiB a process"


async def arrivals(make: Make, plan: Plan) -> list[Row]:
    """Let browsers without a cookie open the class of a server that has just started, and play.

    No one pauses to think: what they wait for is the server, their page's own interval, or a player
    who is not there yet.
    """
    number, within = plan.of((10, 1), (30, 5))
    with serving(make()) as server:
        async with asyncio.timeout(within + PATIENCE):
            comes = (_come(server, random.uniform(0, within)) for _ in range(number))
            found = await asyncio.gather(*comes)
    times = [each for some in zip(*found, strict=True) for each in spread(some)[::2]]
    return [(f"{number} players from one address within {within} s", *times)]


async def _come(server: Measured, moment: float) -> tuple[float, float]:
    """Arrive and play; return when the page of the class was there, and when the first move."""
    await asyncio.sleep(moment)
    player, arrival = Player(server.url, cookie=""), time.perf_counter()
    needed = set(_STATIC.findall((await player.ask("GET /class")).text))
    await asyncio.gather(*(player.ask(f"GET {file}", lane=file) for file in needed))
    loaded = time.perf_counter() - arrival
    await player.find()
    while player.version <= 2:  # the version in which the free seat has just been taken
        await (player.move() if player.cells else player.look())
    await player.leave()
    return loaded, time.perf_counter() - arrival


async def pressing(make: Make, plan: Plan) -> list[Row]:
    """Let 60 look for an opponent, within a second or in one moment."""
    with serving(make()) as server:
        rounds = plan.of(1, 9)
        one_moment = "60 in one moment", *spread(await _pressing(server, 0, rounds))
        return [one_moment, ("60 within a second", *spread(await _pressing(server, 1, rounds)))]


async def _pressing(server: Measured, within: float, rounds: int) -> list[float]:
    """Let them look for an opponent within so many seconds, and give their games up again.

    Counted is from the press of the second of two. The last two of a round may have just played
    each other: then they wait for three seconds.
    """
    players, times = [Player(server.url) for _ in range(60)], list[float]()

    async def press(player: Player) -> tuple[Player, float, float]:
        await asyncio.sleep(random.uniform(0, within))
        pressed = time.perf_counter()
        await player.find()
        return player, pressed, time.perf_counter()

    for _ in range(rounds):
        random.shuffle(players)
        for lane in ("", "news"):  # so that connections are open, to workers who know them
            for player in players:
                await player.ask("GET /class", lane=lane)
        games = defaultdict[str, list[tuple[Player, float, float]]](list)
        async with asyncio.timeout(within + PATIENCE):
            for found in await asyncio.gather(*map(press, players)):
                games[found[0].game].append(found)
        for game, ((player, pressed, shown), (_, pressed_too, shown_too)) in games.items():
            times.append(max(shown, shown_too) - max(pressed, pressed_too))
            given_up = f"POST /games/{game}/resign", f"version={player.version}"
            await player.ask(*given_up, region="game")
        await asyncio.sleep(_BETWEEN)
    await leave(players)
    return times


async def live(make: Make, plan: Plan) -> list[Row]:
    """Let two people play at each of many boards; more sit down at once than one address may."""
    with serving(replace(make(), limits="off")) as server:
        return [await _live(server, *case) for case in plan.of([(60, 3)], [(300, 15), (60, 10)])]


async def _live(server: Measured, number: int, seconds: float) -> Row:
    """Let so many pairs play for so long, one move there every three seconds.

    Then no one moves for as long.
    """
    sent, arrived = dict[tuple[str, int], float](), list[float]()

    async def sit(player: Player) -> None:
        """Move where it is the player's turn, and hold the page."""
        while True:
            if player.over:
                answer = await player.ask(f"POST /games/{player.game}/again", region="game")
                await player.show(answer)
            pause = random.uniform(0, 2) * _THOUGHT if player.cells else None
            if await player.look(pause if moving.is_set() else None):
                moment = sent.get((player.game, player.version))
                arrived.extend([time.perf_counter() - moment] if moment else [])
            elif moving.is_set():
                sent[player.game, player.version + 1] = time.perf_counter()
                await player.move()

    players, moving = list[Player](), asyncio.Event()
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
        share, start = server.share_since(start), server.clocks()
        moving.clear()
        await asyncio.sleep(seconds)
        idle, memory = server.share_since(start), f"{server.memory():.0f}"
        for task in sitting:
            task.cancel()
    await leave(players)
    title = f"{2 * number} pages held, {number / _THOUGHT:.0f} moves/s"
    return [title, *spread(arrived), share, idle, memory]


async def _opened(server: Measured, moves: int) -> tuple[Player, Player]:
    """Two pages of a game with so many moves."""
    host, guest = Player(server.url), Player(server.url)
    await host.ask("GET /class")
    await host.show(await host.ask("POST /challenges", "mark=random", (303,)))
    await guest.show(await guest.ask(f"POST /join/{host.code}", "", (303,)))
    await host.look()
    for _ in range(moves):
        mover, other = (host, guest) if host.cells else (guest, host)
        await mover.move()
        await other.look()
    return host, guest
