"""Moves of returning players, as fast as it goes: beside a bare Flask route."""

import statistics
import time
from collections.abc import Awaitable, Callable, Sequence

from tests.bench.client import Browser, by_turns, leave
from tests.bench.measured import Make, Measured, Plan, Row, serving

CROWD = 150
"""How many players take turns: enough that none of them asks more often than the limits allow."""

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


class Line:
    """One line of a comparison, filled round by round.

    In a round each player starts a game, which is not measured, and makes the moves to its end,
    which are; eight requests are on their way at any time.

    :ivar rounds: requests, bytes, and seconds on the clock and of the server's processor
    """

    def __init__(
        self,
        server: Measured,
        title: str = "",
        work: Callable[[Browser], Awaitable[object]] = Browser.plays_on,
    ) -> None:
        self.server, self.title, self.work = server, title, work
        self.players = [Browser(server.url) for _ in range(CROWD)]
        self.rounds = list[tuple[int, int, float, float]]()

    async def round(self) -> None:
        if self.work is Browser.plays_on:
            await by_turns(self.players, Browser.begins)
        for player in self.players:
            player.requests = player.received = 0
        wall, cpu = self.server.clocks()
        await by_turns(self.players, self.work)
        later, more = self.server.clocks()
        requests = sum(player.requests for player in self.players)
        received = sum(player.received for player in self.players)
        self.rounds.append((requests, received, later - wall, more - cpu))


async def _compare(lines: Sequence[Line], seconds: float) -> list[Row]:
    """Fill lines by turns, so that whatever drifts meets them all alike; compare with the first.

    :return: titles, and what stands below :data:`COLUMNS`; the rates are medians over the rounds
    """
    for line in lines:  # each worker gets to know its players, and compiles what it needs
        await line.round()
        line.rounds.clear()
    end = time.monotonic() + seconds
    while not lines[0].rounds or time.monotonic() < end:
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
        await move.players[0].begins()
        await move.players[0].moves()
        page = move.players[0].page
        with serving(make(), f"PAGE = {page!r}\n{_BARE}") as bare:
            beside = Line(bare, "bare Flask route", _ask_bare_route)
            return await _compare([beside, move], plan.of(3, 20))


async def _ask_bare_route(player: Browser) -> None:
    for version in range(4):  # about as many as moves in a game
        await player.asks("POST /", {"version": version, "cell": 4})
