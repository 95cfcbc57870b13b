"""Tournaments of a class that plays at ten times the speed of people."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tests.bench import servers
from tests.bench.client import Player, leave
from tests.bench.plan import Cup, Databases, Plan, progress, spread, table
from tests.bench.servers import BenchError, Server
from tests.support.recompute import Stored
from tests.support.recompute import stored as rows
from webapp.config import Settings
from webapp.store import Database
from webapp.store import tournaments as stored
from webapp.tournament.event import Format, State, Tournament

_THOUGHT = 0.4  # seconds for a move, on the average: a tenth of a person's
_CLOCK = 10
_KEY = "a key for the bench alone, 4711"


@dataclass
class _Event:
    """A tournament that is played.

    :ivar waits: the seconds from the end of a game on a player's page to the next one there
    """

    id: str
    host: Player
    database: Database
    waits: list[float] = field(default_factory=list)

    def state(self) -> Tournament:
        with self.database.read() as connection:
            found = stored.find(connection, self.id)
        if found is None:
            raise BenchError("A tournament is gone.")
        return found


async def tournament(plan: Plan, databases: Databases) -> str:
    """Let a class play tournaments."""
    lines = [
        # A hundred join at once, which one address may not.
        await _played(kind, replace(make(), limits="off"), cup)
        for kind, make in databases.items()
        for cup in plan.cups
    ]
    heads = "moves at ten times the speed | waits between games | p50 | p99 | games each"
    return table(f"{heads} | matches | rematches | a player missing | server, of one core", lines)


async def _played(kind: str, settings: Settings, cup: Cup) -> list[object]:
    title = f"{kind}: {cup.format} of {cup.players}, {cup.length:g}"
    title += " s" if cup.format == "arena" else " rounds"
    title += f", {cup.late} late, {cup.leaving} leave" if cup.late else ""
    progress(f"{title}.")
    settings = replace(settings, host_key=_KEY)
    with servers.game(settings) as server:
        host, database = await _host(server), Database(settings)
        chosen = f"format={cup.format}&opening=sharp&clock={_CLOCK}&minutes=1&rounds={cup.length:g}"
        made = await host.ask("POST /host/tournaments", chosen, (303,), htmx=False)
        event = _Event(made.headers["location"].rpartition("/")[2], host, database)
        if cup.format == "arena":
            with database.write(stored.ABOUT) as connection:
                stored.save(connection, replace(event.state(), length=int(1000 * cup.length)))
        share = await _play(event, cup)
        await leave([host])
        figures = _figures(rows(settings.database_url or settings.data / "tictactoe.db", event.id))
        database.close()
    return [title, len(event.waits), *spread(event.waits, (50, 99)), *figures, share]


async def _host(server: Server) -> Player:
    """Sign in as the host."""
    host = Player(server, cookie="")
    await host.ask("GET /", htmx=False)
    answer = await host.ask("POST /host", f"key={_KEY}", (303,), htmx=False)
    host.cookie += f"; {answer.headers['set-cookie'].partition(';')[0]}"
    return host


async def _play(event: _Event, cup: Cup) -> str:
    """Let everyone play to the end; return what part of a core the server has used."""
    server = event.host.server
    players = [Player(server) for _ in range(cup.players)]
    there, late = players[: cup.players - cup.late], players[cup.players - cup.late :]
    playing = await _join(event, there)
    await asyncio.sleep(1)
    start, changed = server.clocks(), False
    await _press(event, event.host, "host/tournaments", "start")
    while (found := await asyncio.to_thread(event.state)).state is not State.OVER:
        for task in playing:
            if task.done():
                task.result()
        if found.format is Format.SWISS and found.round_over is not None:
            await _press(event, event.host, "host/tournaments", "next")
        part = found.elapsed / found.length > 1 / 4
        if not changed and (part if found.format is Format.ARENA else found.round > 1):
            changed = True
            await _call_off(playing[: cup.leaving], there[: cup.leaving])
            for player in there[: cup.leaving]:
                await _press(event, player, "tournaments", "leave")
            playing = [*playing[cup.leaving :], *await _join(event, late)]
        await asyncio.sleep(0.2)
    share = server.share_since(start)
    await _call_off(playing, players)
    return share


async def _press(event: _Event, player: Player, where: str, what: str) -> None:
    """Press a button of the tournament; with the next round, the server may have been quicker."""
    await player.ask(f"POST /{where}/{event.id}/{what}", "", (303, 409), htmx=False)


async def _join(event: _Event, players: Sequence[Player]) -> list[asyncio.Task[None]]:
    await asyncio.gather(*(_press(event, player, "tournaments", "join") for player in players))
    return [asyncio.create_task(_sit(event, player)) for player in players]


async def _call_off(playing: Sequence[asyncio.Task[None]], players: Sequence[Player]) -> None:
    """Let these players close their pages."""
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    await leave(players)


async def _sit(event: _Event, player: Player) -> None:
    """Wait for a game and play it, again and again, as the pages lead."""
    over_at = 0.0
    while True:
        await player.wait_for_a_game()
        if over_at:
            event.waits.append(time.perf_counter() - over_at)
        while not player.over:
            if player.cells:
                await asyncio.sleep(random.uniform(0.3, 1.7) * _THOUGHT)
                await player.move((200, 409))  # it may have ended, as the other one has left
            elif player.news:
                await player.look()
            else:
                raise BenchError("A page of a game that goes on asks for nothing.")
        over_at = time.perf_counter()


def _figures(found: Stored) -> list[object]:
    """The games of each player, the matches, the rematches, and those that one never came to."""
    pairs = [match for match in found.matches if match["other"]]
    met = Counter(frozenset((match["one"], match["other"])) for match in pairs)
    games = [found.games[match["first_game"]] for match in pairs]
    missing = sum(
        game["ending"] in ("time", "resign") and len(game["moves"]) - game["given"] < 2
        for game in games
    )
    seats = Counter(game[seat] for game in found.games.values() for seat in ("x_seat", "o_seat"))
    rematches = sum(times - 1 for times in met.values())
    each = f"{min(seats.values())} to {max(seats.values())}"
    return [each, len(pairs), rematches, missing]
