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

from tests.bench.client import Browser, by_turns
from tests.bench.measured import Make, Measured, Row, serving, spread
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
    ), "new games": lambda: "POST /games", "the class": lambda: "GET /class",
}  # fmt: skip
"""What is asked for; hardly any answer is known from an earlier question."""


def _another_process() -> ProcessPoolExecutor:
    """A process that attacks, and so holds up no clock that moves are measured by."""
    aside = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
    aside.submit(_rules).result()  # it is there, and has imported what it needs
    return aside


async def pace(make: Make, quick: bool) -> list[Row]:
    rows, crowd = list[Row](), (300, 100, 1.5 if quick else 9.0)
    with _another_process() as aside, serving(make()) as server:
        await _at_a_pace(aside, server, None, (100, 100, 3.0))  # it compiles what it needs
        # The lab last, because what it keeps stays in memory. With one cookie the limits would
        # refuse some pages.
        lab = Attack("lists of rules", 12, 1)
        for case, attack in ((crowd, None), ((30, 20, 5.0), None), (crowd, lab)):
            start = server.clocks()
            times, _ = await _at_a_pace(aside, server, attack, case)
            title = f"{case[0]} players, {case[1]} moves/s{', one at the lab' * bool(attack)}"
            used = server.share_since(start), f"{server.memory():.0f}"
            rows.append((title, *spread(times), *used))
    return rows


async def patience(make: Make, quick: bool) -> list[Row]:
    rows, case = list[Row](), (PLAYERS, PLAYERS, 1.0 if quick else 4.0)
    with _another_process() as aside:
        for attack in (None, *(Attack(what, n) for what in _ASKED for n in (50, 1))):
            with serving(make()) as server:
                times, statuses = await _at_a_pace(aside, server, attack, case)
            title = f"{attack.what}, cookies: {attack.cookies}" if attack else "no attack"
            refused = sum(status in _REFUSED for status in statuses)
            rows.append((title, *spread(times), f"{len(statuses) - refused} / {refused}"))
    return rows


async def _at_a_pace(
    aside: Executor, server: Measured, attack: Attack | None, case: tuple[int, int, float]
) -> tuple[list[float], list[int]]:
    """Let players move at random moments, so many moves a second in all; a wait counts.

    :return: the seconds that each move took, and the status of each answer to the attack
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
    await by_turns(players, Browser.leave)
    return times, await asyncio.wrap_future(asking) if asking else []


def _ask_without_end(url: str, attack: Attack, seconds: float) -> list[int]:
    statuses = list[int]()

    async def go(player: Browser, known: Sequence[Browser]) -> None:
        while True:
            key, player.cookies = secrets.token_urlsafe(16), random.choice(known).cookies
            fields = {"opponent": "easy", "mark": "x", "cell": 4, "key": key}
            try:
                answer = await player.asks(_ASKED[attack.what](), fields, allowed=_ALLOWED)
                statuses.append(answer.status)
            except (EOFError, ConnectionError):  # closed, as it waited for too long
                statuses.append(503)

    async def ask() -> None:
        known = [Browser(url) for _ in range(attack.cookies)]
        await by_turns(known, lambda player: player.asks("GET /"))
        shared = [Browser(url) for _ in range(attack.connections)]
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.gather(*(go(player, known) for player in shared))
        await by_turns([*known, *shared], Browser.leave)

    asyncio.run(ask())
    return statuses
