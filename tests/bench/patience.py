"""What players feel of one visitor who asks for the most expensive pages without end."""

import asyncio
import multiprocessing
import random
import secrets
import time
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import product
from typing import NamedTuple

from tests.bench import servers
from tests.bench.client import Player, by_turns, leave
from tests.bench.plan import Databases, Plan, progress, spread, table
from tests.bench.servers import BenchError, Server
from webapp.engines.registry import ENGINES
from webapp.engines.rules import LAB_RULES

PLAYERS, CONNECTIONS, COOKIES = 30, 100, 50
REFUSED = 429, 503


def _rules() -> str:
    """A list in any order; `any` would cut it short."""
    rules = [slug for slug in LAB_RULES if slug != "any"]
    return ",".join(random.sample(rules, random.randint(5, len(rules))))


def _lists() -> str:
    return f"GET /lab/rules?list={_rules()}&from={_rules()}"


def _experiment() -> str:
    return f"GET /lab/experiment?x=hard&o=rules:{_rules()}&games=10000&seed={secrets.token_hex(4)}"


def _page_of_the_lab() -> str:
    number, engine = random.randrange, random.choice(list(ENGINES))
    review = f"GET /review/0{number(1, 4)}4{number(5, 8)}?values=1&at={number(4)}"
    pair = f"GET /lab?x=rules:{_rules()}&o={engine}"
    pages = pair, _lists(), _experiment(), review, "GET /opponents", f"GET /opponents/{engine}"
    return random.choice(pages)


ATTACKS: dict[str, Callable[[], str]] = {
    "lists of rules": _lists,
    "experiments": _experiment,
    "QR codes": lambda: f"GET /qr.svg?code={''.join(random.choices('23456789ABCDEFGH', k=6))}",
    "new games": lambda: "POST /games",
    "waits for news": lambda: "GET /?since=0",  # until the games are paused
}
"""What is asked for; hardly any answer is known from an earlier question."""
LAB = {"the lab": _page_of_the_lab}


def another_process() -> ProcessPoolExecutor:
    """A process that attacks, and so holds up no clock that moves are measured by."""
    aside = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
    aside.submit(_rules).result()  # it is there, and has imported what it needs
    return aside


class Found(NamedTuple):
    """How long each move of the class took, in seconds, and what the attack got."""

    times: list[float]
    answered: int
    refused: int


async def patience(plan: Plan, databases: Databases) -> str:
    """Let a class play beside each attack, from many cookies and from one."""
    rows = list[list[str]]()
    with another_process() as aside:
        for kind, make in databases.items():
            for attack, cookies in [("", 0), *product(ATTACKS, (COOKIES, 1))]:
                with servers.game(make()) as server:
                    found = await beside(aside, server, attack, cookies, plan.patience)
                title = f"{kind}: {attack or 'nobody'}, {cookies} cookies"
                times, *counts = found
                rows.append([title, f"{len(times)}", *spread(times), *map(str, counts)])
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
    asked = (server, attack, cookies, seconds + 1, connections if attack else 0)
    end = time.perf_counter() + seconds + 1
    other = asyncio.get_running_loop().run_in_executor(aside, ask_without_end, *asked)

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
    refused = sum(status in REFUSED for status, _ in answers)
    return Found(times, len(answers) - refused, refused)


def ask_without_end(
    server: Server, what: str, cookies: int, seconds: float, connections: int
) -> list[tuple[int, float]]:
    """Ask on all connections, without a pause; return each status, and the seconds it took."""

    async def ask() -> list[tuple[int, float]]:
        found, end = list[tuple[int, float]](), time.perf_counter() + seconds
        known = [Player(server) for _ in range(cookies)]
        await by_turns(known, lambda player: player.ask("GET /"))

        async def go(player: Player) -> None:
            while (left := end - (start := time.perf_counter())) > 0:
                asked, cell = (ATTACKS | LAB)[what](), f"key={secrets.token_urlsafe(16)}"
                body = f"opponent=easy&mark=x&cell=4&{cell}" if asked.startswith("POST") else ""
                player.cookie = random.choice(known).cookie
                try:
                    async with asyncio.timeout(left if what == "waits for news" else None):
                        answer = await player.ask(asked, body, (200, 303, 409, *REFUSED))
                        status = answer.status
                except TimeoutError:  # still waits in the end, as it would for some seconds
                    status = 204
                except BenchError:  # closed, as it waited for too long
                    await leave([player])
                    status = 503
                found.append((status, time.perf_counter() - start))

        shared = [Player(server) for _ in range(connections)]
        await asyncio.gather(*map(go, shared))
        await leave([*known, *shared])
        return found

    return asyncio.run(ask())
