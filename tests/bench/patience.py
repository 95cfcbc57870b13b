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

from tests.bench.client import Player, by_turns, leave
from tests.bench.moves import Line
from tests.bench.plan import Make, Plan, Row, spread
from tests.bench.servers import Measured, serving
from webapp.engines.registry import ENGINES
from webapp.engines.rules import LAB_RULES

PLAYERS = 30
_REFUSED = 429, 503


class Attack(NamedTuple):
    """What one visitor asks for, with how many cookies, on how many connections."""

    what: str
    cookies: int
    connections: int = 100


_ATTACKS = (
    Attack("lists of rules", 50),
    Attack("lists of rules", 1),
    Attack("experiments", 50),
    Attack("QR codes", 50),
    Attack("QR codes", 1),
    Attack("new games", 50),
    Attack("new games", 1),
    Attack("news", 1),
)


def _rules() -> str:
    """A list in any order; `any` would cut it short."""
    rules = [slug for slug in LAB_RULES if slug != "any"]
    return ",".join(random.sample(rules, random.randint(5, len(rules))))


def _page_of_the_lab() -> str:
    number, engine = random.randrange, random.choice(list(ENGINES))
    review = f"GET /review/0{number(1, 4)}4{number(5, 8)}?values=1&at={number(4)}"
    pages = f"GET /lab?x=rules:{_rules()}&o={engine}", review, f"GET /opponents/{engine}"
    known = _ASKED["lists of rules"](), _ASKED["experiments"](), "GET /opponents"
    return random.choice((*pages, *known))


_ASKED: dict[str, Callable[[], str]] = {
    "lists of rules": lambda: f"GET /lab/rules?list={_rules()}&from={_rules()}",
    "experiments": lambda: (
        f"GET /lab/experiment?x=hard&o=rules:{_rules()}&games=10000&seed={secrets.token_hex(4)}"
    ),
    "QR codes": lambda: f"GET /qr.svg?code={''.join(random.choices('23456789ABCDEFGH', k=6))}",
    "new games": lambda: "POST /games",
    "news": lambda: "GET /?since=0",  # until the games are paused
    "the lab": _page_of_the_lab,
}
"""What is asked for; hardly any answer is known from an earlier question."""


def another_process() -> ProcessPoolExecutor:
    """A process that attacks, and so holds up no clock that moves are measured by."""
    aside = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
    aside.submit(_rules).result()  # it is there, and has imported what it needs
    return aside


class Pace(NamedTuple):
    """How many players make how many moves a second in all, for how many seconds."""

    players: int
    rate: float
    seconds: float


class Found(NamedTuple):
    """How long each move took, in seconds, and what the visitor beside them got.

    :param pages: the seconds that each answer to the visitor took
    :param refused: how many others they got
    """

    times: list[float]
    pages: list[float]
    refused: int


async def pace(make: Make, plan: Plan) -> list[Row]:
    """Let crowds and classes move, in the end with a visitor of the lab."""
    rows, crowd, found = list[Row](), Pace(300, 100, plan.of(1.5, 9)), Found([], [], 0)
    with another_process() as aside, serving(make()) as server:
        warm = Line(server)
        await warm.round()
        await leave(warm.players)
        lab = Attack("the lab", 12, 1)
        # The lab last, because what it keeps stays in memory. With one cookie the limits would
        # refuse some pages.
        for case, attack in ((crowd, None), (Pace(30, 20, 5), None), (crowd, lab)):
            start = server.clocks()
            found = await at_a_pace(aside, server, case, attack)
            title = f"{case.players} players, {case.rate} moves/s"
            title += ", a visitor at the lab" if attack else ""
            used = server.share_since(start), f"{server.memory():.0f}"
            rows.append((title, *spread(found.times), *used))
    title = f"… pages of the lab meanwhile: {len(found.pages)}"
    return [*rows, (title, *spread(found.pages), "", "")]


async def patience(make: Make, plan: Plan) -> list[Row]:
    """Let a class play beside each attack; none of its moves may be refused."""
    rows = list[Row]()
    with another_process() as aside:
        for attack in (None, *_ATTACKS):
            with serving(make()) as server:
                case = Pace(PLAYERS, PLAYERS, plan.of(1, 4))
                found = await at_a_pace(aside, server, case, attack)
            title = f"{attack.what}, cookies: {attack.cookies}" if attack else "no attack"
            rows.append((title, *spread(found.times), f"{len(found.pages)} / {found.refused}"))
    return rows


async def at_a_pace(
    aside: Executor, server: Measured, case: Pace, attack: Attack | None = None
) -> Found:
    """Let players move at random moments, so many moves a second in all, answered or not.

    A move is due at its moment even if the server, or the player's connection, is not ready: it
    waits, and the wait counts. A finished game is followed by the next at once; starting games is
    load besides, and no figure.
    """
    players, times = [Player(server.url) for _ in range(case.players)], list[float]()

    async def sit(player: Player, dates: Sequence[float]) -> None:
        for date in dates:
            if player.over:
                await player.start()
            await asyncio.sleep(date - time.perf_counter())
            await player.move()
            times.append(time.perf_counter() - date)

    await by_turns(players, Player.start)
    begun, asking = time.perf_counter() + (1 if attack else 0), None
    moves = range(round(case.rate * case.seconds))
    dates = sorted(begun + random.uniform(0, case.seconds) for _ in moves)
    if attack:
        asking = aside.submit(_ask_without_end, server.url, attack, 1 + case.seconds)
    await asyncio.gather(*(sit(each, dates[n :: case.players]) for n, each in enumerate(players)))
    await leave(players)
    asked = await asyncio.wrap_future(asking) if asking else []
    pages = [took for status, took in asked if status not in _REFUSED]
    return Found(times, pages, len(asked) - len(pages))


def _ask_without_end(url: str, attack: Attack, seconds: float) -> list[tuple[int, float]]:
    """Ask on all connections, without a pause; return each status, and the seconds it took."""
    found = list[tuple[int, float]]()

    async def ask() -> None:
        known = [Player(url) for _ in range(attack.cookies)]
        await by_turns(known, lambda player: player.ask("GET /"))

        async def go(player: Player) -> None:
            while True:
                asked, start = _ASKED[attack.what](), time.perf_counter()
                key = f"opponent=easy&mark=x&cell=4&key={secrets.token_urlsafe(16)}"
                body = key if asked.startswith("POST") else ""
                player.cookie = random.choice(known).cookie
                try:
                    answer = await player.ask(
                        asked, body, (200, 303, 409, *_REFUSED), region="game"
                    )
                    status = answer.status
                except (EOFError, ConnectionError):  # closed, as it waited for too long
                    await player.leave()
                    status = 503
                found.append((status, time.perf_counter() - start))

        shared = [Player(url) for _ in range(attack.connections)]
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.gather(*map(go, shared))
        await leave([*known, *shared])

    asyncio.run(ask())
    return found
