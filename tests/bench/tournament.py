"""Tournaments of a class that plays at ten times the speed of people."""

import asyncio
import html
import random
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tests.bench import servers
from tests.bench.client import _AT_ONCE, _LATER, Player, leave
from tests.bench.plan import Cup, Databases, Plan, progress, spread, table
from tests.bench.servers import BenchError, Server
from tests.support import http
from tests.support.recompute import Row, Stored, check_matches, recomputed, stored
from webapp.config import Settings
from webapp.live import Live
from webapp.service.clock import Clock
from webapp.service.tournaments import Tournaments
from webapp.store import Database
from webapp.store import tournaments as stored_tournaments
from webapp.tournament.event import Format, State

_NEWS = re.compile(r'hx-get="(/calls[^"]+)"')
_LEAD = re.compile(r'data-lead="(/games/[^"]+)"')
_THOUGHT = 0.4  # seconds for a move, on the average: a tenth of a person's
_CLOCK = 10
_KEY = "quiet-violet-lantern-27"


@dataclass
class _Event:
    """A tournament that is played.

    :param tournaments: those that are stored, to look at beside the server
    :ivar waits: the seconds from the end of a game on a player's page to the next one there
    :ivar pairings: the seconds that the beginning of a tournament or of a round took
    """

    id: str
    server: Server
    teacher: http.Player
    tournaments: Tournaments
    waits: list[float] = field(default_factory=list)
    pairings: list[float] = field(default_factory=list)


async def tournament(plan: Plan, databases: Databases) -> str:
    """Let a class play tournaments; what is stored of them is computed again."""
    rows = [
        await _played(kind, make(), cup) for kind, make in databases.items() for cup in plan.cups
    ]
    heads = "moves at ten times the speed | waits between games | p50 | p99"
    heads += " | games each | matches | rematches | byes | a player missing"
    heads += " | a pairing: p50 | longest | server, of one core"
    return table(heads, rows)


async def _played(kind: str, settings: Settings, cup: Cup) -> list[object]:
    title = f"{kind}: {_title(cup)}"
    progress(f"{title}.")
    settings = replace(settings, host_key=_KEY)
    with servers.game(settings) as server, _opened(settings) as (database, tournaments):
        teacher = http.Player(f"http://127.0.0.1:{server.port}")
        teacher.signs_in(_KEY)
        length = {"minutes": 1} if cup.format == "arena" else {"rounds": int(cup.length)}
        chosen = {"format": cup.format, "opening": "sharp", "clock": _CLOCK, **length}
        made = teacher.post("/host/tournaments", **chosen)
        id_ = made.headers["Location"].removeprefix("/tournaments/")
        event = _Event(id_, server, teacher, tournaments)
        if cup.format == "arena":
            with database.write(stored_tournaments.ABOUT) as connection:
                found = stored_tournaments.find(connection, event.id)
                if found:
                    shorter = replace(found, length=int(1000 * cup.length))
                    stored_tournaments.save(connection, shorter)
        share = await _play(event, cup)
        found_rows = stored(settings.database_url or settings.data / "tictactoe.db", event.id)
        check_matches(found_rows)
        standing = tournaments.standing(event.id)
        if sorted(Row(*line) for line in standing.table) != sorted(recomputed(found_rows)):
            raise BenchError("The table is not the one that is computed again.")
    return [title, len(event.waits), *spread(event.waits, (50, 99)), *_figures(found_rows),
            *spread(event.pairings, (50, 100)), share]  # fmt: skip


def _title(cup: Cup) -> str:
    title = f"{cup.format} of {cup.players}, {cup.length:g}"
    title += " s" if cup.format == "arena" else " rounds"
    return f"{title}, {cup.late} late, {cup.leaving} leave" if cup.late else title


@contextmanager
def _opened(settings: Settings) -> Iterator[tuple[Database, Tournaments]]:
    database = Database(settings)
    try:
        yield database, Tournaments(database, Live(database), Clock())
    finally:
        database.close()


async def _play(event: _Event, cup: Cup) -> str:
    """Let everyone play to the end; return what part of a core the server has used."""
    players = [Player(event.server) for _ in range(cup.players)]
    there, late = players[: cup.players - cup.late], players[cup.players - cup.late :]
    await asyncio.gather(*(_join(event, player) for player in there))
    playing = [asyncio.create_task(_sit(event, player)) for player in there]
    await asyncio.sleep(1)
    start, changed = event.server.clocks(), False
    await _timed(event, "start")
    while (found := await asyncio.to_thread(event.tournaments.latest)) is not None:
        if found.state is State.OVER:
            break
        for task in playing:
            if task.done():
                task.result()
        if found.format is Format.SWISS and found.round_over is not None:
            await _timed(event, "next")
        part = found.elapsed / found.length > 1 / 4
        if not changed and (part if found.format is Format.ARENA else found.round > 1):
            changed = True
            await _leave(event, there[: cup.leaving], playing[: cup.leaving])
            del playing[: cup.leaving]
            for player in late:
                await _join(event, player)
                playing.append(asyncio.create_task(_sit(event, player)))
        await asyncio.sleep(0.2)
    share = event.server.share_since(start)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    await leave(players)
    return share


async def _leave(
    event: _Event, some: Sequence[Player], playing: Sequence[asyncio.Task[None]]
) -> None:
    """Let these players press the button and close their pages."""
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    await leave(some)
    for player in some:
        await player.ask(f"POST /tournaments/{event.id}/leave", "", (303,), htmx=False)


async def _timed(event: _Event, begin: str) -> None:
    """Begin a tournament or a round, and note how long that took."""
    start = time.perf_counter()
    path = f"/host/tournaments/{event.id}/{begin}"
    answer = await asyncio.to_thread(event.teacher.post, path)
    if answer.status == 303:  # else the server was quicker
        event.pairings.append(time.perf_counter() - start)


async def _join(event: _Event, player: Player) -> None:
    await player.ask(f"POST /tournaments/{event.id}/join", "", (303,), htmx=False)


async def _sit(event: _Event, player: Player) -> None:
    """Wait for a game and play it, again and again, as the pages lead."""
    over_at = 0.0
    while True:
        await _next_game(player)
        if over_at:
            event.waits.append(time.perf_counter() - over_at)
        while not player.over:
            if player.cells:
                await asyncio.sleep(random.uniform(0.3, 1.7) * _THOUGHT)
                await _move(player)
            elif player.news:
                await player.look()
            else:
                raise BenchError("A page of a game that goes on asks for nothing.")
        over_at = time.perf_counter()


async def _next_game(player: Player) -> None:
    """Ask as the strip of any page does until it leads to a game."""
    player.pause, address = _AT_ONCE, "/calls?since=0"
    while True:
        await asyncio.sleep(player.pause)
        answer = await player.ask(f"GET {address}", "", (200, 204), target="calls", lane="news")
        player.pause = _AT_ONCE if "waited" in answer.headers or answer.status == 200 else _LATER
        if lead := _LEAD.search(answer.text):
            await player.show(await player.ask(f"GET {lead[1]}", htmx=False))
            return
        if found := _NEWS.search(answer.text):
            address = html.unescape(found[1])


async def _move(player: Player) -> None:
    """Click any free cell; the game may have ended meanwhile, as the other one has left."""
    body = f"version={player.version}&cell={random.choice(player.cells)}"
    await player.show(await player.ask(f"POST /games/{player.game}/moves", body, (200, 409)))


class _Figures(NamedTuple):
    """What is stored of a tournament, in figures."""

    games: str
    matches: int
    rematches: int
    byes: int
    missing: int


def _figures(found: Stored) -> _Figures:
    pairs = [(one["one"], one["other"]) for one in found.matches if one["other"]]
    met = Counter(map(frozenset, pairs))
    seats = Counter(game[seat] for game in found.games.values() for seat in ("x_seat", "o_seat"))
    each = sorted(seats.values())
    missing = sum(_misses(found, one["first_game"]) for one in found.matches if one["other"])
    return _Figures(
        f"{each[0]} to {each[-1]}" if each else "0",
        len(pairs),
        sum(times - 1 for times in met.values()),
        len(found.matches) - len(pairs),
        missing,
    )


def _misses(found: Stored, game_id: str) -> bool:
    """Whether one of two never came to their first game."""
    game = found.games[game_id]
    turn = len(game["moves"]) - game["given"]
    return game["ending"] in ("time", "resign") and turn < 2
