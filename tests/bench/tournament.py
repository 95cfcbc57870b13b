"""Tournaments of a class that plays at ten times the speed of people."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import sqlalchemy as sa

from tests.bench.client import Player, leave
from tests.bench.plan import Make, Plan, Row, spread
from tests.bench.servers import Measured, serving
from webapp.config import Settings
from webapp.store import schema


class Cup(NamedTuple):
    """A tournament.

    :param length: the seconds of an arena, or the rounds of a Swiss
    :param late: how many come when a part of it is over; ``leaving``: and how many go then
    """

    format: str
    players: int
    length: int
    late: int = 0
    leaving: int = 0


THOUGHT = 0.4  # seconds for a move, on the average: a tenth of a person's
_KEY = "a key for the bench alone, 4711"
QUICK, _USUAL = (
    (Cup("arena", 6, 8), Cup("swiss", 5, 2, 1, 1)),
    (Cup("arena", 30, 90), Cup("swiss", 40, 5, 10, 10), Cup("arena", 100, 60)),
)
_OF = {"arena": "s", "swiss": "rounds"}
PLAYED = (
    "waits between games: p50 | p99 | games each | matches | rematches | a player missing"
    " | of one core"
)
PATCH = ""
"""Python that the servers run first, such as a shorter rest between two games for a test."""


async def tournament(make: Make, plan: Plan) -> list[Row]:
    """Let a class play tournaments; a hundred join at once, which one address may not."""
    return [
        await _played(replace(make(), limits="off", host_key=_KEY), cup)
        for cup in plan.of(QUICK, _USUAL)
    ]


@dataclass
class _Event:
    """The one tournament of a server.

    :ivar waits: the seconds from the end of a game on a player's page to the next one there
    """

    server: Measured
    host: Player
    database: sa.Engine
    address: str = ""
    waits: list[float] = field(default_factory=list)

    def rows(self, table: sa.Table) -> Sequence[Any]:
        with self.database.connect() as connection:
            return connection.execute(sa.select(table)).all()

    async def press(self, player: Player, what: str) -> None:
        """Press a button; with the next round, the server may have been quicker."""
        where = f"/host{self.address}" if player is self.host else self.address
        await player.ask(f"POST {where}/{what}", "", (303, 409))

    async def make(self, cup: Cup) -> None:
        """Sign in as the host, and choose."""
        await self.host.ask("GET /")
        answer = await self.host.ask("POST /host", f"key={_KEY}", (303,))
        self.host.cookie += f"; {answer.headers['set-cookie'].partition(';')[0]}"
        chosen = f"format={cup.format}&opening=sharp&clock=10&minutes=1&rounds={cup.length}"
        made = await self.host.ask("POST /host/tournaments", chosen, (303,))
        self.address = made.headers["location"].removeprefix("/host")
        if cup.format == "arena":
            with self.database.begin() as connection:
                connection.execute(sa.update(schema.tournaments).values(length=1000 * cup.length))

    async def play(self, cup: Cup) -> None:
        """Let everyone play to the end."""
        players = [Player(self.server.url) for _ in range(cup.players)]
        here, late, leaving = players[cup.late :], players[: cup.late], cup.leaving
        playing = await self._join(here)
        await asyncio.sleep(2.5 * THOUGHT)  # until all wait
        await self.press(self.host, "start")
        while (now := (await asyncio.to_thread(self.rows, schema.tournaments))[0]).state != "over":
            for task in filter(asyncio.Task.done, playing):
                task.result()
            if cup.format == "swiss" and now.round_over is not None:
                await self.press(self.host, "next")
            if now.round > 1 or (cup.format == "arena" and now.elapsed > now.length / 4):
                await _call_off(playing[:leaving], here[:leaving])
                for player in here[:leaving]:
                    await self.press(player, "leave")
                playing = [*playing[leaving:], *await self._join(late)]
                late, leaving = [], 0
            await asyncio.sleep(0.2)
        await _call_off(playing, [*players, self.host])

    async def _join(self, players: Sequence[Player]) -> list[asyncio.Task[None]]:
        await asyncio.gather(*(self.press(player, "join") for player in players))
        return [asyncio.create_task(self._sit(player)) for player in players]

    async def _sit(self, player: Player) -> None:
        """Wait for a game and play it, again and again, as the pages lead."""
        over_at = 0.0
        while True:
            await player.be_called()
            self.waits.extend([time.perf_counter() - over_at] if over_at else [])
            while not player.over:
                pause = random.uniform(0.3, 1.7) * THOUGHT if player.cells else None
                if not await player.look(pause):
                    await player.move((200, 409))  # it may have ended, as the other one has left
            over_at = time.perf_counter()


async def _played(settings: Settings, cup: Cup) -> Row:
    with serving(settings, PATCH) as server:
        event = _Event(server, Player(server.url, cookie=""), sa.create_engine(settings.url))
        await event.make(cup)
        start = server.clocks()
        await event.play(cup)
        share, figures = server.share_since(start), _figures(event)
        event.database.dispose()
    title = f"{cup.format} of {cup.players}, {cup.length} {_OF[cup.format]}"
    title += f", {cup.late} late, {cup.leaving} leave" if cup.late else ""
    return [title, *spread(event.waits)[:2], *figures, share]


async def _call_off(playing: Sequence[asyncio.Task[None]], players: Sequence[Player]) -> None:
    """Let these players close their pages."""
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    await leave(players)


def _figures(event: _Event) -> list[object]:
    """The games of each player, the matches, the rematches, and those that one never came to."""
    games = {game.id: game for game in event.rows(schema.games)}
    pairs = [match for match in event.rows(schema.matches) if match.other]
    met = Counter(frozenset((match.one, match.other)) for match in pairs)
    firsts = [games[match.first_game] for match in pairs]
    missing = sum(
        game.ending in ("time", "resign") and len(game.moves) - game.given < 2 for game in firsts
    )
    seats = Counter(player for game in games.values() for player in (game.x_seat, game.o_seat))
    each = f"{min(seats.values())} to {max(seats.values())}"
    return [each, len(pairs), len(pairs) - len(met), missing]
