"""Moves of returning players: as fast as it goes beside a bare Flask route, and at their pace."""

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench import servers
from tests.bench.client import Player, by_turns, leave
from tests.bench.patience import another_process, ask_without_end
from tests.bench.plan import Databases, Plan, progress, spread, table
from tests.bench.servers import Server

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
    with another_process() as visitor:
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
    asked = server, "the lab", 12, seconds, 1  # with one cookie the limits would refuse some
    visit = loop.run_in_executor(visitor, ask_without_end, *asked) if visitor else None
    dates = sorted(start[0] + random.uniform(0, seconds) for _ in range(round(rate * seconds)))
    await asyncio.gather(*(sit(each, dates[n::number]) for n, each in enumerate(players)))
    pages = [took for _, took in await visit] if visit else []
    await leave(players)
    share, memory = server.share_since(start), f"{server.memory():.0f}"
    rows = [[title, f"{len(times):,}", *spread(times), share, memory]]
    beside = ["… the lab's pages meanwhile", f"{len(pages):,} pages", *spread(pages), "", ""]
    return [*rows, beside] if visitor else rows
