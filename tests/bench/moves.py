"""Moves of returning players, as fast as it goes: beside a bare Flask route, and many games."""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

from tests.bench.client import Player, by_turns, leave
from tests.bench.plan import Make, Plan, Row, spread
from tests.bench.servers import Measured, serving
from tests.bench.stored import RIVAL, fill

CROWD = 150
"""How many players take turns: enough that none of them asks more often than the limits allow."""

_VETERANS, _ROUNDS = 10, 30

COLUMNS = "requests/s | ratio | CPU µs/request | ratio by CPU | bytes"

_BARE = """
import gzip, webapp.web
from flask import Flask, Response, request
bare, create_app = Flask("bare"), webapp.web.create_app
@bare.post("/")
def move():
    page = PAGE + f"<!-- {request.form['cell']} {request.form['version']} -->"
    return Response(gzip.compress(page.encode(), 1), headers={"Content-Encoding": "gzip"})
def patched(**options):
    app = create_app(**options)
    app.wsgi_app = bare.wsgi_app
    return app
webapp.web.create_app = patched
"""
"""A patch: the server has one route, which reads a form, and sends a page of the same size.

It compresses as the game does, and has no cookie, security, database, engine or template.
"""


@dataclass
class Line:
    """One line of a comparison, filled round by round.

    In a round each player starts a game, which is not measured, and makes the moves to its end,
    which are; eight requests are on their way at any time.

    :ivar rounds: requests, bytes, and seconds on the clock and of the server's processor
    """

    server: Measured
    title: str = ""
    players: list[Player] = field(default_factory=list)
    work: Callable[[Player], Awaitable[object]] = Player.play_on
    rounds: list[tuple[int, int, float, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.players = self.players or [Player(self.server.url) for _ in range(CROWD)]

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


async def _compare(lines: Sequence[Line], seconds: float, rounds: int = 1_000) -> list[Row]:
    """Fill lines by turns, so that whatever drifts meets them all alike; compare with the first.

    :return: titles, and what stands below :data:`COLUMNS`; the rates are medians over the rounds
    """
    for line in lines:  # each worker gets to know its players, and compiles what it needs
        await line.round()
        line.rounds.clear()
    end = time.monotonic() + seconds
    while not lines[0].rounds or (time.monotonic() < end and len(lines[0].rounds) < rounds):
        for line in lines:
            await line.round()
    rates = [[requests / wall for requests, _, wall, _ in line.rounds] for line in lines]
    sums = [list(map(sum, zip(*line.rounds, strict=True))) for line in lines]
    costs = [cpu / requests for requests, _, _, cpu in sums]
    ratios = [[a / b for a, b in zip(each, rates[0], strict=True)] for each in rates]
    await leave(player for line in lines for player in line.players)
    return [
        (
            line.title,
            f"{statistics.median(rates[n]):,.0f}",
            f"{statistics.median(ratios[n]):.2f}",
            f"{costs[n] * 1e6:,.0f}",
            f"{costs[0] / costs[n]:.2f}",
            f"{sums[n][1] / sums[n][0]:,.0f}",
        )
        for n, line in enumerate(lines)
    ]


async def speed(make: Make, plan: Plan) -> list[Row]:
    """Compare moves with the bare route, served by as many processes."""
    with serving(make()) as server:
        move = Line(server, "move")
        await move.players[0].start()
        page = (await move.players[0].move()).text
        with serving(make(), f"PAGE = {page!r}\n{_BARE}") as bare:
            beside = Line(bare, "bare Flask route", work=_ask_bare_route)
            return await _compare([beside, move], plan.of(3, 20))


async def _ask_bare_route(player: Player) -> None:
    for version in range(4):  # about as many as moves in a game
        await player.ask("POST /", f"version={version}&cell=4", region="game")


async def growth(make: Make, plan: Plan) -> list[Row]:
    """Compare servers that have few games and very many."""
    with ExitStack() as stack:
        lines = []
        for number in plan.of((1_000, 10_000), (1_000, 100_000), (1_000, 100_000, 1_000_000)):
            fill(settings := make(), number)
            lines.append(Line(stack.enter_context(serving(settings)), f"{number:,} games"))
        rows = await _compare(lines, plan.of(2, 12, 30))
        return [
            [*row, *await _class_page(line.server)] for row, line in zip(rows, lines, strict=True)
        ]


async def _class_page(server: Measured) -> Row:
    """How long it takes, how long the server took to start, and what it holds."""
    visitor, looks = Player(server.url), []
    for _ in range(12):
        start = time.perf_counter()
        await visitor.ask("GET /class")
        looks.append(time.perf_counter() - start)
        await asyncio.sleep(0.25)
    await visitor.leave()
    return *spread(looks)[::2], f"{server.started * 1e3:.0f} ms", f"{server.memory():.0f}"


async def veterans(make: Make, plan: Plan) -> list[Row]:
    """Compare players who have finished very many games against an engine with newcomers."""
    cookies, own = [f"{n:043}" for n in range(_VETERANS)], plan.of(1_000, 10_000)
    # Ten players who never pause begin more games than the limits let them.
    fill(settings := replace(make(), limits="off"), 1_000, cookies, own)
    with serving(settings) as server:
        new = [Player(server.url, opponent=RIVAL) for _ in cookies]
        old = [Player(server.url, cookie, RIVAL) for cookie in cookies]
        title = f"players with {own:,} games against the same opponent"
        lines = Line(server, "newcomers", new), Line(server, title, old)
        return await _compare(lines, plan.of(2, 12), _ROUNDS)


async def memory(make: Make, plan: Plan) -> list[Row]:
    """Make many moves, and look twice at what the worker holds."""
    rows, many = list[Row](), plan.of(500, 10_000, 100_000)
    with serving(make()) as server:
        line = Line(server)
        for moves in (many // 10, many):
            while (made := sum(requests for requests, *_ in line.rounds)) < moves:
                await line.round()
            rows.append((f"after {made:,} moves", f"{server.memory():.1f}"))
        await leave(line.players)
    return rows
