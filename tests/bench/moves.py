"""Moves of returning players, as fast as it goes: beside a bare Flask route."""

import statistics
import time
from collections.abc import Awaitable, Callable

from tests.bench.client import Browser, by_turns
from tests.bench.measured import Make, Measured, Row, serving

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
def patched(*given, **options):
    app = create_app(*given, **options)
    app.wsgi_app = bare.wsgi_app
    return app
webapp.web.create_app = patched
"""
"""A patch: all that the server does is to read a form and send a compressed page of this size."""


class Line:
    """One line of a comparison, filled round by round: of games' moves, but not their starts."""

    def __init__(
        self, server: Measured, title: str, work: Callable[[Browser], Awaitable[object]]
    ) -> None:
        self.server, self.title, self.work = server, title, work
        self.players = [Browser(server.url) for _ in range(CROWD)]
        self.forget()

    def forget(self) -> None:
        self.rates = list[float]()  # requests a second, round by round
        self.requests, self.received, self.cpu = 0, 0, 0.0

    async def round(self) -> None:
        if self.work is Browser.plays_on:
            await by_turns(self.players, Browser.begins)
        for player in self.players:
            player.requests = player.received = 0
        wall, cpu = self.server.clocks()
        await by_turns(self.players, self.work)
        later, more = self.server.clocks()
        requests = sum(player.requests for player in self.players)
        self.rates.append(requests / (later - wall))
        self.requests += requests
        self.received += sum(player.received for player in self.players)
        self.cpu += more - cpu


async def speed(make: Make, quick: bool) -> list[Row]:
    """Compare moves with the bare route, measured by turns; rates are medians over the rounds."""
    with serving(make()) as server:
        move = Line(server, "move", Browser.plays_on)
        await move.players[0].begins()
        await move.players[0].moves()
        page = move.players[0].page
        with serving(make(), f"PAGE = {page!r}\n{_BARE}") as other:
            bare = Line(other, "bare Flask route", _ask_bare_route)
            for line in (bare, move):  # a worker gets to know its players, and compiles its pages
                await line.round()
                line.forget()
            end = time.monotonic() + (3 if quick else 20)
            while not bare.rates or time.monotonic() < end:
                await bare.round()
                await move.round()
    rows = list[Row]()
    for line in (bare, move):
        await by_turns(line.players, Browser.leave)
        ratios = [one / other for one, other in zip(line.rates, bare.rates, strict=True)]
        rates = f"{statistics.median(line.rates):,.0f}", f"{statistics.median(ratios):.2f}"
        cost, least = line.cpu / line.requests, bare.cpu / bare.requests
        size = f"{line.received / line.requests:,.0f}"
        rows.append((line.title, *rates, f"{cost * 1e6:,.0f}", f"{least / cost:.2f}", size))
    return rows


async def _ask_bare_route(player: Browser) -> None:
    for version in range(4):  # about as many as moves in a game
        await player.asks("POST /", {"version": version, "cell": 4})
