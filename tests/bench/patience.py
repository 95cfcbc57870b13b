"""Moves at the pace of people, also beside one visitor who asks without end."""

import asyncio
import multiprocessing
import random
import secrets
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import suppress
from typing import NamedTuple

from tests.bench.client import Browser, by_turns, leave
from tests.bench.measured import Make, Measured, Plan, Row, serving, spread
from tests.bench.moves import Line
from webapp.engines.rules import LAB_RULES

PLAYERS = 30
_REFUSED = 429, 503
_ALLOWED = 200, 204, 303, *_REFUSED


class Attack(NamedTuple):
    """What one visitor asks for, with how many cookies, on how many connections."""

    what: str
    cookies: int
    connections: int = 100


def _rules() -> str:
    """A list in any order; `any` would cut it short."""
    rules = [slug for slug in LAB_RULES if slug != "any"]
    return ",".join(random.sample(rules, random.randint(5, len(rules))))


_ASKED: dict[str, Callable[[], str]] = {
    "lists of rules": lambda: f"GET /lab/rules?list={_rules()}&from={_rules()}",
    "experiments": lambda: (
        f"GET /lab/experiment?x=hard&o=rules:{_rules()}&games=10000&seed={secrets.token_hex(4)}"
    ),
    "new games": lambda: "POST /games",
    "news": lambda: "GET /?since=0",  # until the games are paused
}
"""What is asked for; hardly any answer is known from an earlier question."""


class _Found(NamedTuple):
    """The seconds that each move took, and each answer to the visitor beside them; refusals."""

    times: list[float]
    pages: list[float]
    refused: int


def _another_process() -> ProcessPoolExecutor:
    """A process that attacks, and so holds up no clock that moves are measured by."""
    aside = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
    aside.submit(_rules).result()  # it is there, and has imported what it needs
    return aside


async def pace(make: Make, plan: Plan) -> list[Row]:
    """Let crowds and classes move, in the end with a visitor of the lab."""
    rows, crowd = list[Row](), (300, 100, plan.of(1.5, 9.0))
    with _another_process() as aside, serving(make()) as server:
        warm = Line(server)
        await warm.round()
        await leave(warm.players)
        # The lab last, because what it keeps stays in memory. With one cookie the limits would
        # refuse some pages.
        lab = Attack("lists of rules", 12, 1)
        for case, attack in ((crowd, None), ((30, 20, 5.0), None), (crowd, lab)):
            start = server.clocks()
            found = await _at_a_pace(aside, server, attack, case)
            title = f"{case[0]} players, {case[1]} moves/s{', one at the lab' * bool(attack)}"
            used = server.share_since(start), f"{server.memory():.0f}"
            rows.append((title, *spread(found.times), *used))
    return rows


async def patience(make: Make, plan: Plan) -> list[Row]:
    """Let a class play beside each attack; none of its moves may be refused."""
    rows, case = list[Row](), (PLAYERS, PLAYERS, plan.of(1.0, 4.0))
    with _another_process() as aside:
        for attack in (None, *(Attack(what, n) for what in _ASKED for n in (50, 1))):
            with serving(make()) as server:
                found = await _at_a_pace(aside, server, attack, case)
            title = f"{attack.what}, cookies: {attack.cookies}" if attack else "no attack"
            rows.append((title, *spread(found.times), f"{len(found.pages)} / {found.refused}"))
    return rows


async def _at_a_pace(
    aside: Executor, server: Measured, attack: Attack | None, case: tuple[int, int, float]
) -> _Found:
    """Let players move at random moments, so many moves a second in all, answered or not.

    A move is due at its moment even if the server, or the player's connection, is not ready: it
    waits, and the wait counts. A finished game is followed by the next at once; starting games is
    load besides, and no figure.
    """
    number, rate, seconds = case
    players, times = [Browser(server.url) for _ in range(number)], list[float]()

    async def sit(player: Browser, dates: Sequence[float]) -> None:
        for date in dates:
            if player.over:
                await player.begins()
            due = max(date, time.perf_counter())
            await asyncio.sleep(due - time.perf_counter())
            await player.moves()
            times.append(time.perf_counter() - due)

    await by_turns(players, Browser.begins)
    begun, asking = time.perf_counter() + (1 if attack else 0), None
    dates = sorted(begun + random.uniform(0, seconds) for _ in range(round(rate * seconds)))
    if attack:
        asking = aside.submit(_ask_without_end, server.url, attack, 1 + seconds)
    await asyncio.gather(*(sit(each, dates[n::number]) for n, each in enumerate(players)))
    await leave(players)
    asked = await asyncio.wrap_future(asking) if asking else []
    pages = [took for status, took in asked if status not in _REFUSED]
    return _Found(times, pages, len(asked) - len(pages))


def _ask_without_end(url: str, attack: Attack, seconds: float) -> list[tuple[int, float]]:
    """Ask on all connections, without a pause; return each status, and the seconds it took.

    Each of the cookies has been answered before.
    """
    found = list[tuple[int, float]]()

    async def go(player: Browser, known: Sequence[Browser]) -> None:
        while True:
            asked, start = _ASKED[attack.what](), time.perf_counter()
            key, player.cookies = secrets.token_urlsafe(16), random.choice(known).cookies
            fields = {"opponent": "easy", "mark": "x", "cell": 4, "key": key}
            try:
                status = (await player.asks(asked, fields, allowed=_ALLOWED)).status
            except (EOFError, ConnectionError):  # closed, as it waited for too long
                status = 503
            found.append((status, time.perf_counter() - start))

    async def ask() -> None:
        known = [Browser(url) for _ in range(attack.cookies)]
        await by_turns(known, lambda player: player.asks("GET /"))
        shared = [Browser(url) for _ in range(attack.connections)]
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.gather(*(go(player, known) for player in shared))
        await leave([*known, *shared])

    asyncio.run(ask())
    return found
