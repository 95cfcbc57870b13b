"""Moves at people's pace, and what becomes of them while a visitor of the lab never pauses."""

import asyncio
import multiprocessing
import random
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor

from tests.bench import servers
from tests.bench.client import Player, by_turns, leave
from tests.bench.moves import Line, compare
from tests.bench.plan import Databases, Plan, progress, spread, table
from tests.bench.servers import Server
from webapp.engines.registry import ENGINES
from webapp.engines.rules import LAB_RULES


async def pace(plan: Plan, databases: Databases) -> str:
    """Let crowds, classes and single players move, in the end with a visitor of the lab."""
    rows = list[Sequence[str]]()
    # In a process of its own, or it would hold up the clock that moves are measured by.
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as visitor:
        visitor.submit(_rules).result()  # it is there, and has imported what it needs
        for kind, make in databases.items():
            for workers in (1, 2):
                where = f"{kind}, {workers} worker{'s' * (workers > 1)}"
                with servers.game(make(), workers) as server:
                    await compare([Line("", server)], 0)
                    for case in plan.paces:
                        rows += await _at_a_pace(where, server, case)
                    if workers > 1:  # and last, because what the lab keeps stays in memory
                        rows += await _at_a_pace(where, server, plan.paces[0], visitor)
    heads = "at their pace | moves | p50 | p99 | longest | server, of one core | MiB a worker"
    return table(heads, rows)


async def _at_a_pace(
    where: str, server: Server, case: tuple[int, float, float], visitor: Executor | None = None
) -> Iterator[Sequence[str]]:
    """Let players move at random moments, so many moves a second in all, answered or not.

    A move is due at its moment even if the server, or the player's connection, is not ready: it
    waits, and the wait counts. A finished game is followed by the next at once; starting games is
    load besides, and no figure.
    """
    number, rate, seconds = case
    title = f"{where}: {number} player{'s' * (number > 1)}, {rate:g} moves/s"
    title += ", one at the lab" if visitor else ""
    progress(f"{title}.")
    players, times = [Player(server) for _ in range(number)], list[float]()

    async def sit(player: Player, dates: Sequence[float]) -> None:
        for date in dates:
            if player.over:
                await player.start()
            await asyncio.sleep(date - time.perf_counter())
            await player.move()
            times.append(time.perf_counter() - date)

    await by_turns(players, Player.start)
    start, loop = server.clocks(), asyncio.get_running_loop()
    visit = loop.run_in_executor(visitor, _visit, server, seconds) if visitor else None
    dates = sorted(start[0] + random.uniform(0, seconds) for _ in range(round(rate * seconds)))
    await asyncio.gather(*(sit(each, dates[n::number]) for n, each in enumerate(players)))
    pages = await visit if visit else []
    await leave(players)
    share, memory = server.share_since(start), f"{server.memory():.0f}"
    rows = [(title, f"{len(times):,}", *spread(times), share, memory)]
    if visitor:
        rows.append(("… the lab's pages meanwhile", f"{len(pages):,}", *spread(pages), "", ""))
    return iter(rows)


def _visit(server: Server, seconds: float) -> list[float]:
    return asyncio.run(_ask(server, seconds))


async def _ask(server: Server, seconds: float) -> list[float]:
    """Ask the lab for page after page; return how long each took, in seconds."""
    found, end = list[float](), time.perf_counter() + seconds
    browsers = [Player(server) for _ in range(6)]  # as many connections as a browser opens
    for address in _addresses():
        start = time.perf_counter()
        await random.choice(browsers).get(address)
        found.append(time.perf_counter() - start)
        if time.perf_counter() > end:
            break
    await leave(browsers)
    return found


def _addresses() -> Iterator[str]:
    """Pages by turns, such that hardly any answer is known from an earlier question."""
    number = random.randrange
    while True:
        yield f"/lab?x={_engine()}&o={_engine()}"
        yield f"/lab/rules?list={_rules()}&from={_rules()}"
        yield f"/lab/experiment?x={_engine()}&o={_engine()}&games=10000&seed={number(9**9)}"
        yield f"/review/0{number(1, 4)}4{number(5, 8)}?values=1&at={number(4)}"
        yield "/opponents"
        yield f"/opponents/{random.choice(list(ENGINES))}"


def _rules() -> str:
    """A list in any order; `any` would cut it short."""
    rules = [slug for slug in LAB_RULES if slug != "any"]
    return ",".join(random.sample(rules, random.randint(5, len(rules))))


def _engine() -> str:
    """One that everyone knows, or as often one that no one does."""
    return random.choice((random.choice(list(ENGINES)), f"rules:{_rules()}"))
