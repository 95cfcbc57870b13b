"""Moves at the pace of people, also beside one visitor who asks without end."""

import asyncio
import multiprocessing
import random
import secrets
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import product
from typing import NamedTuple

from tests.bench import servers
from tests.bench.client import Player, by_turns, leave
from tests.bench.moves import Line, compare
from tests.bench.plan import Databases, Pace, Plan, progress, spread, table
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


class Attack(NamedTuple):
    """What one visitor asks for, with how many cookies, on how many connections."""

    what: str
    cookies: int
    connections: int = CONNECTIONS


class Found(NamedTuple):
    """How long each move took, in seconds, and what the visitor beside them got.

    :param asked: each status, and the seconds that it took
    :param share: of one core
    """

    times: list[float]
    asked: list[tuple[int, float]]
    share: str

    @property
    def refused(self) -> int:
        return sum(status in REFUSED for status, _ in self.asked)

    @property
    def answered(self) -> int:
        return len(self.asked) - self.refused


async def pace(plan: Plan, databases: Databases) -> str:
    """Let crowds, classes and single players move, in the end with a visitor of the lab."""
    rows = list[list[str]]()
    with another_process() as aside:
        for kind, make in databases.items():
            with servers.game(make()) as server:
                await compare([Line("", server)], 0)
                # The lab last, because what it keeps stays in memory.
                for case, lab in [*((case, False) for case in plan.paces), (plan.paces[0], True)]:
                    title = f"{kind}: {case.players} players, {case.rate:g} moves/s"
                    title += ", one at the lab" if lab else ""
                    # With one cookie the limits would refuse some pages.
                    attack = Attack("the lab", 12, 1) if lab else None
                    found = await at_a_pace(server, case, aside, attack)
                    figures = *spread(found.times), found.share, f"{server.memory():.0f}"
                    rows.append([title, f"{len(found.times):,}", *figures])
                pages = [took for _, took in found.asked]
                figures = *spread(pages), "", ""
                rows.append(["… the lab's pages meanwhile", f"{len(pages):,}", *figures])
    heads = "at their pace | moves | p50 | p99 | longest | server, of one core | MiB a worker"
    return table(heads, rows)


async def patience(plan: Plan, databases: Databases) -> str:
    """Let a class play beside each attack, from many cookies and from one."""
    rows = list[list[str]]()
    with another_process() as aside:
        for kind, make in databases.items():
            for attack, cookies in [("", 0), *product(ATTACKS, (COOKIES, 1))]:
                with servers.game(make()) as server:
                    found = await beside(aside, server, attack, cookies, plan.patience)
                figures = *spread(found.times), f"{found.answered}", f"{found.refused}"
                title = f"{kind}: {attack or 'nobody'}, {cookies} cookies"
                rows.append([title, f"{len(found.times)}", *figures])
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
    other = Attack(attack, cookies, connections) if attack else None
    return await at_a_pace(server, Pace(PLAYERS, PLAYERS, seconds), aside, other)


async def at_a_pace(
    server: Server, case: Pace, aside: Executor, attack: Attack | None = None
) -> Found:
    """Let players move at random moments, so many moves a second in all, answered or not.

    A move is due at its moment even if the server, or the player's connection, is not ready: it
    waits, and the wait counts. A finished game is followed by the next at once; starting games is
    load besides, and no figure.
    """
    progress(f"{case}, beside {attack or 'nobody'}.")
    players, times = [Player(server) for _ in range(case.players)], list[float]()

    async def sit(player: Player, dates: Sequence[float]) -> None:
        for date in dates:
            if player.over:
                await player.start()
            await asyncio.sleep(date - time.perf_counter())
            await player.move()
            times.append(time.perf_counter() - date)

    await by_turns(players, Player.start)
    start, loop = server.clocks(), asyncio.get_running_loop()
    begun = start[0] + (1 if attack else 0)
    moves = range(round(case.rate * case.seconds))
    dates = sorted(begun + random.uniform(0, case.seconds) for _ in moves)
    other = (
        loop.run_in_executor(aside, ask_without_end, server, attack, 1 + case.seconds)
        if attack
        else None
    )
    try:
        await asyncio.gather(
            *(sit(each, dates[n :: case.players]) for n, each in enumerate(players))
        )
    finally:
        await leave(players)
    return Found(times, await other if other else [], server.share_since(start))


def ask_without_end(server: Server, attack: Attack, seconds: float) -> list[tuple[int, float]]:
    """Ask on all connections, without a pause; return each status, and the seconds it took."""

    async def ask() -> list[tuple[int, float]]:
        found, end = list[tuple[int, float]](), time.perf_counter() + seconds
        known = [Player(server) for _ in range(attack.cookies)]
        await by_turns(known, lambda player: player.ask("GET /"))

        async def go(player: Player) -> None:
            while (left := end - (start := time.perf_counter())) > 0:
                asked, cell = (ATTACKS | LAB)[attack.what](), f"key={secrets.token_urlsafe(16)}"
                body = f"opponent=easy&mark=x&cell=4&{cell}" if asked.startswith("POST") else ""
                player.cookie = random.choice(known).cookie
                try:
                    async with asyncio.timeout(left if attack.what == "waits for news" else None):
                        answer = await player.ask(asked, body, (200, 303, 409, *REFUSED))
                        status = answer.status
                except TimeoutError:  # still waits in the end, as it would for some seconds
                    status = 204
                except BenchError:  # closed, as it waited for too long
                    await leave([player])
                    status = 503
                found.append((status, time.perf_counter() - start))

        shared = [Player(server) for _ in range(attack.connections)]
        await asyncio.gather(*map(go, shared))
        await leave([*known, *shared])
        return found

    return asyncio.run(ask())
