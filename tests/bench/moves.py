"""Moves of returning players, as fast as it goes, beside a bare Flask route."""

import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench import servers
from tests.bench.client import Player, by_turns, leave
from tests.bench.plan import Databases, Plan, progress, table
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
