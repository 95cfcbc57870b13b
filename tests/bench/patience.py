"""What players feel of one visitor who asks for the most expensive pages without end."""

import asyncio
import multiprocessing
import random
import secrets
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import product
from typing import NamedTuple

from tests.bench import servers
from tests.bench.client import Player, by_turns, leave
from tests.bench.moves import list_of_rules
from tests.bench.plan import Databases, Plan, progress, spread, table
from tests.bench.servers import BenchError, Server

PLAYERS, CONNECTIONS, COOKIES = 30, 100, 50

ATTACKS: dict[str, Callable[[], str]] = {
    "lists of rules": lambda: f"GET /lab/rules?list={list_of_rules()}&from={list_of_rules()}",
    "experiments": lambda: (
        f"GET /lab/experiment?x=hard&o=rules:{list_of_rules()}"
        f"&games=10000&seed={secrets.token_hex(4)}"
    ),
    "QR codes": lambda: f"GET /qr.svg?code={''.join(random.choices('23456789ABCDEFGH', k=6))}",
    "new games": lambda: "POST /games",
    "waits for news": lambda: "GET /?since=0",  # until the games are paused
}


class Found(NamedTuple):
    """How long each move of the class took, in seconds, and what the attack got."""

    times: list[float]
    answered: int
    refused: int


async def patience(plan: Plan, databases: Databases) -> str:
    """Let a class play beside each attack, from many cookies and from one."""
    rows = list[list[str]]()
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as aside:
        for kind, make in databases.items():
            for attack, cookies in [("", 0), *product(ATTACKS, (COOKIES, 1))]:
                with servers.game(make()) as server:
                    found = await beside(aside, server, attack, cookies, plan.patience)
                title = f"{kind}: {attack or 'nobody'}, {cookies} cookies"
                figures = spread(found.times), f"{found.answered}", f"{found.refused}"
                rows.append([title, f"{len(found.times)}", *figures[0], *figures[1:]])
    heads = f"{PLAYERS} players, a move a second each, beside | moves | p50 | p99 | longest"
    return table(f"{heads} | answered there | refused there", rows)


async def beside(
    aside: Executor,
    server: Server,
    attack: str,
    cookies: int,
    seconds: float,
    *,
    connections: int = CONNECTIONS,
) -> Found:
    """Let a class play for so long beside an attack; none of its moves may be refused."""
    progress(f"{PLAYERS} players beside {attack or 'nobody'}.")
    players, times = [Player(server) for _ in range(PLAYERS)], list[float]()
    await by_turns(players, Player.start)
    attacking = (server, attack, cookies if attack else 0, seconds + 1, connections)
    end = time.perf_counter() + seconds + 1
    other = asyncio.get_running_loop().run_in_executor(aside, _attack, *attacking)

    async def sit(player: Player) -> None:
        await asyncio.sleep(1 + random.random())
        while not times or time.perf_counter() < end:
            start = time.perf_counter()
            if player.over:
                await player.start()
            else:
                await player.move()
                times.append(time.perf_counter() - start)
            await asyncio.sleep(max(0.0, start + 1 - time.perf_counter()))

    try:
        await asyncio.gather(*map(sit, players))
    finally:
        await leave(players)
    answers = await other
    refused = answers[429] + answers[503]
    return Found(times, answers.total() - refused, refused)


def _attack(
    server: Server, attack: str, cookies: int, seconds: float, connections: int
) -> Counter[int]:
    """Ask on all connections, without a pause; return how often which status came back."""

    async def ask() -> Counter[int]:
        found, end = Counter[int](), time.perf_counter() + seconds
        known = [Player(server) for _ in range(cookies)]
        await by_turns(known, lambda player: player.ask("GET /"))

        async def go(player: Player) -> None:
            while (left := end - time.perf_counter()) > 0:
                what = ATTACKS[attack]()
                cell = f"opponent=easy&mark=x&cell=4&key={secrets.token_urlsafe(16)}"
                body = cell if what.startswith("POST") else ""
                try:
                    async with asyncio.timeout(left if attack == "waits for news" else None):
                        answer = await player.ask(what, body, (200, 303, 409, 429, 503))
                except TimeoutError:  # still waits in the end, as it would for some seconds
                    found[204] += 1
                except BenchError:  # closed, as it waited for too long
                    await leave([player])
                    found[503] += 1
                else:
                    found[answer.status] += 1

        shared = [Player(server, known[n % cookies].cookie) for n in range(connections) if cookies]
        await asyncio.gather(*map(go, shared))
        await leave([*known, *shared])
        return found

    return asyncio.run(ask())
