"""A class that plays itself: everyone arrives at once, and then many games go on at a time.

Each browser does what its page says: a page that waits for the other player asks for news, as often
as it says, and a finished game goes on with a rematch.
"""

import asyncio
import random
import re
import time
from dataclasses import dataclass

from tests.bench import servers
from tests.bench.client import Player, leave
from tests.bench.plan import Databases, Plan, progress, spread, table
from tests.bench.servers import Server

_STATIC = re.compile(r'(?:href|src)="(/static/[^"]+)"')
_OPEN = re.compile(r'action="(/join/\w+)"')
# Seconds between two moves in a live game, on the average; and how long the last ones may take.
_THOUGHT, _PATIENCE = 3.0, 15.0


async def lesson(plan: Plan, databases: Databases) -> str:
    """Let a class play itself, on a server as ``script/server`` starts it, and just started."""
    with servers.game(next(iter(databases.values()))(), workers=2) as server:
        return f"{await _arrivals(server, *plan.arrivals)}\n\n{await _live(server, *plan.live)}"


async def _arrivals(server: Server, number: int, within: float) -> str:
    """Let browsers without a cookie arrive; every second opens a game, the others join one.

    No one pauses to think: what they wait for is the server, their page's own interval, or a player
    who is not there yet.
    """
    title = f"{number} players from one address within {within:g} s, `FULL`"
    progress(f"{title}.")
    moments = sorted(random.uniform(0, within) for _ in range(number))
    async with asyncio.timeout(within + _PATIENCE):
        found = await asyncio.gather(*(_come(server, n, each) for n, each in enumerate(moments)))
    times = [each for some in zip(*found, strict=True) for each in spread(some, (50, 100))]
    heads = "two workers, just started | `/class` there: p50 | longest | playing: p50 | longest"
    return table(heads, [[title, *times]])


async def _come(server: Server, number: int, moment: float) -> tuple[float, float]:
    """Arrive and play; return when the page of the class was there, and when the first move."""
    await asyncio.sleep(moment)
    player, arrival = Player(server, cookie=""), time.perf_counter()
    needed = set(_STATIC.findall((await player.ask("GET /", htmx=False)).text))
    lanes = {path: Player(server, player.cookie) for path in needed}
    await asyncio.gather(*(lane.ask(f"GET {path}", htmx=False) for path, lane in lanes.items()))
    seats = _OPEN.findall((await player.ask("GET /class", htmx=False)).text)
    loaded = time.perf_counter() - arrival
    if number % 2 == 0:
        await player.show(await player.ask("POST /challenges", "mark=random", (303,), htmx=False))
    while not player.game:
        if seats:
            answer = await player.ask(f"POST {random.choice(seats)}", "", (303, 409), htmx=False)
            if answer.status == 303:
                await player.show(answer)
                break  # else another player was quicker
        await asyncio.sleep(0.3)
        seats = _OPEN.findall((await player.ask("GET /class", htmx=False)).text)
    while player.version <= 2:  # the version in which the free seat has just been taken
        await (player.look() if player.news else player.move())
    playing = time.perf_counter() - arrival
    await leave((player, *lanes.values()))
    return loaded, playing


@dataclass
class _Table:
    """What two players have in common.

    :ivar due: the date of the next move, kept however long the news of the last one took
    :ivar moved: game, version, player and date of a move that the other player has not seen
    """

    due: float
    moved: tuple[str, int, Player, float] | None = None


async def _live(server: Server, number: int, seconds: float) -> str:
    """Let two people play at each of so many boards, one move there every three seconds."""
    title = f"{number} live games, {2 * number} players, {number / _THOUGHT:.0f} moves/s, `FULL`"
    progress(f"{title}, for {seconds:g} s.")
    arrived, answered, looked = list[float](), list[float](), list[float]()

    async def sit(player: Player, shared: _Table) -> None:
        """Do what the page says, until the time is up and the other player's move has come."""
        asked_again = ""
        await asyncio.sleep(random.random())  # no two pages ask at the same moments
        while time.perf_counter() < end or (shared.moved and shared.moved[2] is not player):
            if player.over and asked_again != player.game:
                asked_again = player.game
                await player.show(await player.ask(f"POST /games/{player.game}/again"))
            elif player.news:
                looked.append(await player.look())
            else:
                await asyncio.sleep(shared.due - time.perf_counter())
                sent = time.perf_counter()
                shared.moved = (player.game, player.version + 1, player, sent)
                shared.due += random.uniform(0.7, 1.3) * _THOUGHT
                await player.move()
                answered.append(time.perf_counter() - sent)
            if shared.moved is not None:
                game, version, mover, sent = shared.moved
                if mover is not player and player.game == game and player.version >= version:
                    arrived.append(time.perf_counter() - sent)
                    shared.moved = None

    pairs = list[tuple[Player, Player]]()
    while len(pairs) < number:  # in the middle of games, so that not all end at once
        some = range(min(30, number - len(pairs)))
        pairs += await asyncio.gather(*(_opened(server, n % 5) for n in some))
    start = server.clocks()
    end = start[0] + seconds
    tables = [_Table(start[0] + 1 + random.uniform(0, _THOUGHT)) for _ in pairs]
    sitting = asyncio.gather(
        *(sit(player, each) for pair, each in zip(pairs, tables, strict=True) for player in pair)
    )
    await asyncio.sleep(seconds)
    share = server.share_since(start)
    async with asyncio.timeout(_PATIENCE):
        await sitting
    await leave(player for pair in pairs for player in pair)
    heads = "two workers, from a move to the other one's page | moves | p50 | p99 | longest"
    heads += " | moves answered: p99 | news: p99 | server, of one core"
    answers = (*spread(answered, (99,)), *spread(looked, (99,)))
    return table(heads, [[title, f"{len(arrived):,}", *spread(arrived), *answers, share]])


async def _opened(server: Server, moves: int) -> tuple[Player, Player]:
    """Two players in a game with so many moves."""
    host, guest = Player(server), Player(server)
    await host.ask("GET /class", htmx=False)
    await host.show(await host.ask("POST /challenges", "mark=random", (303,), htmx=False))
    await guest.show(await guest.ask(f"POST /join/{host.code}", "", (303,), htmx=False))
    await host.show(await host.ask(f"GET {host.news}"))
    for _ in range(moves):
        mover, other = (guest, host) if host.news else (host, guest)
        await mover.move()
        await other.show(await other.ask(f"GET {other.news}"))
    return host, guest
