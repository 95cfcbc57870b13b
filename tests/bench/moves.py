"""Moves of returning players: as fast as it goes beside a bare Flask route, and at their pace."""

import asyncio
import multiprocessing
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench import servers
from tests.bench.client import Player, by_turns, leave
from tests.bench.plan import Databases, Plan, progress, spread, table
from tests.bench.servers import Server
from webapp.engines.registry import ENGINES
from webapp.engines.rules import LAB_RULES

CROWD = 150
"""How many players take turns: enough that none of them asks more often than the limits allow."""

COLUMNS = "requests/s | ratio | CPU µs/request | ratio by CPU | bytes"


@dataclass
class Line:
    """One line of a comparison, filled round by round.

    In a round each player starts a game, which is not measured, and makes the moves to its end,
    which are; eight requests are on their way at any time.

    :param beside: what it is compared with, if not with itself
    :ivar rounds: requests, bytes, and seconds on the clock and of the server's processor
    """

    title: str
    server: Server
    beside: "Line | None" = None
    players: list[Player] = field(default_factory=list)
    work: Callable[[Player], Awaitable[object]] = Player.play_on
    rounds: list[tuple[int, int, float, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.players = self.players or [Player(self.server) for _ in range(CROWD)]

    async def round(self) -> None:
        if self.work is Player.play_on:
            await by_turns(self.players, Player.start)
        for player in self.players:
            player.requests = player.received = 0
        wall, cpu = self.server.clocks()
        await by_turns(self.players, self.work)
        later, more = self.server.clocks()
        requests = sum(player.requests for player in self.players)
        received = sum(player.received for player in self.players)
        self.rounds.append((requests, received, later - wall, more - cpu))

    def figures(self) -> list[str]:
        """What stands below :data:`COLUMNS`; the rates are medians over the rounds."""
        beside = self.beside or self
        rates, others = ([each[0] / each[2] for each in line.rounds] for line in (self, beside))
        (requests, received, _, cpu), (other, _, _, its_cpu) = (
            map(sum, zip(*line.rounds, strict=True)) for line in (self, beside)
        )
        return [
            f"{statistics.median(rates):,.0f}",
            f"{statistics.median(a / b for a, b in zip(rates, others, strict=True)):.2f}",
            f"{cpu / requests * 1e6:,.0f}",
            f"{its_cpu / other / (cpu / requests):.2f}",
            f"{received / requests:,.0f}",
        ]


async def compare(lines: Sequence[Line], seconds: float, rounds: int = 1_000) -> None:
    """Fill these lines by turns, so that whatever drifts meets them all alike."""
    for line in lines:  # each worker gets to know its players, and compiles what it needs
        await line.round()
        line.rounds.clear()
    end = time.monotonic() + seconds
    while not lines[0].rounds or (time.monotonic() < end and len(lines[0].rounds) < rounds):
        for line in lines:
            await line.round()
    await leave(player for line in lines for player in line.players)


async def speed(plan: Plan, databases: Databases) -> str:
    """Compare moves with the bare route, served by as many processes."""
    progress(f"Moves beside the bare route, {plan.comparing:.0f} s.")
    lines: list[Line] = []
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        for kind, make in databases.items():
            settings = make()
            move = Line(f"move, {kind}", stack.enter_context(servers.game(settings)))
            await move.players[0].start()
            page.write_text((await move.players[0].move()).text, encoding="utf-8")
            server = stack.enter_context(servers.bare(page, settings.processes))
            move.beside = Line(f"bare Flask route beside {kind}", server, work=_ask_bare_route)
            lines += [move.beside, move]
        await compare(lines, plan.comparing)
    return table(f"as fast as it goes | {COLUMNS}", ((e.title, *e.figures()) for e in lines))


async def _ask_bare_route(player: Player) -> None:
    for version in range(4):  # about as many as moves in a game
        await player.ask("POST /", f"version={version}&cell=4")


async def pace(plan: Plan, databases: Databases) -> str:
    """Let crowds, classes and single players move, in the end with a visitor of the lab."""
    rows = list[list[str]]()
    # In a process of its own, or it would hold up the clock that moves are measured by.
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as visitor:
        visitor.submit(list_of_rules).result()  # it is there, and has imported what it needs
        for kind, make in databases.items():
            with servers.game(make()) as server:
                await compare([Line("", server)], 0)
                for case in plan.paces:
                    rows += await _at_a_pace(kind, server, case)
                # Last, because what the lab keeps stays in memory.
                rows += await _at_a_pace(kind, server, plan.paces[0], visitor)
    heads = "at their pace | moves | p50 | p99 | longest | server, of one core | MiB a worker"
    return table(heads, rows)


async def _at_a_pace(
    where: str, server: Server, case: tuple[int, float, float], visitor: Executor | None = None
) -> list[list[str]]:
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
    rows = [[title, f"{len(times):,}", *spread(times), share, memory]]
    beside = ["… the lab's pages meanwhile", f"{len(pages):,} pages", *spread(pages), "", ""]
    return [*rows, beside] if visitor else rows


def _visit(server: Server, seconds: float) -> list[float]:
    """Ask the lab for page after page; return how long each took, in seconds."""

    async def visit() -> list[float]:
        found, end, addresses = list[float](), time.perf_counter() + seconds, _addresses()
        browsers = [Player(server) for _ in range(12)]  # or the limits would refuse some pages
        while (start := time.perf_counter()) < end:
            await random.choice(browsers).ask(f"GET {next(addresses)}", htmx=False)
            found.append(time.perf_counter() - start)
        await leave(browsers)
        return found

    return asyncio.run(visit())


def _addresses() -> Iterator[str]:
    """Pages by turns, such that hardly any answer is known from an earlier question."""
    number = random.randrange
    while True:
        yield f"/lab?x=rules:{list_of_rules()}&o={random.choice(list(ENGINES))}"
        yield f"/lab/rules?list={list_of_rules()}&from={list_of_rules()}"
        yield f"/lab/experiment?x=hard&o=rules:{list_of_rules()}&games=10000&seed={number(9**9)}"
        yield f"/review/0{number(1, 4)}4{number(5, 8)}?values=1&at={number(4)}"
        yield "/opponents"
        yield f"/opponents/{random.choice(list(ENGINES))}"


def list_of_rules() -> str:
    """A list in any order; `any` would cut it short."""
    rules = [slug for slug in LAB_RULES if slug != "any"]
    return ",".join(random.sample(rules, random.randint(5, len(rules))))
