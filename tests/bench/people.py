"""A class that plays itself: everyone arrives at once, and then many games go on at a time.

Each browser does what its page says: a page that waits for the other player asks for news, as often
as it says, and a finished game goes on with a rematch.
"""

import asyncio
import random
import re
import time
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field, replace

from tests.bench import servers
from tests.bench.client import Player, leave
from tests.bench.plan import Databases, Plan, progress, spread, table
from tests.bench.servers import Server
from tests.support.patience import PATIENCE

_STATIC = re.compile(r'(?:href|src)="(/static/[^"]+)"')
_THOUGHT = 3.0  # seconds between two moves in a live game, on the average
# Seconds from one game to the next: a player may begin eight in ten.
_BETWEEN = 1.5


async def lesson(plan: Plan, databases: Databases) -> str:
    """Let a class play itself, on a server as ``script/server`` starts it, and just started."""
    rows, pressed, arrivals = list[list[object]](), list[list[object]](), ""
    for kind, make in databases.items():
        with servers.game(make()) as server:
            arrivals = arrivals or await _arrivals(server, *plan.arrivals)
            pressed += [await _pressing(kind, server, *case) for case in plan.pressing]
        # More sit down at once than one address may.
        with servers.game(replace(make(), limits="off")) as server:
            rows += [await live(kind, server, *case) for case in plan.live]
    found = "from the press to both boards | games | p50 | p99 | longest"
    heads = "from a move to the other one's page | moves | p50 | p99 | longest"
    heads += " | server, of one core | without moves | MiB a worker"
    return f"{arrivals}\n\n{table(found, pressed)}\n\n{table(heads, rows)}"


async def _arrivals(server: Server, number: int, within: float) -> str:
    """Let browsers without a cookie open the class, and find an opponent.

    No one pauses to think: what they wait for is the server, their page's own interval, or a player
    who is not there yet.
    """
    title = f"{number} players from one address within {within:g} s, `FULL`"
    progress(f"{title}.")
    async with asyncio.timeout(within + PATIENCE):
        comes = (_come(server, random.uniform(0, within)) for _ in range(number))
        found = await asyncio.gather(*comes)
    times = [each for some in zip(*found, strict=True) for each in spread(some, (50, 100))]
    heads = "just started | `/class` there: p50 | longest | playing: p50 | longest"
    return table(heads, [[title, *times]])


async def _come(server: Server, moment: float) -> tuple[float, float]:
    """Arrive and play; return when the page of the class was there, and when the first move."""
    await asyncio.sleep(moment)
    player, arrival = Player(server, cookie=""), time.perf_counter()
    needed = set(_STATIC.findall((await player.ask("GET /class", htmx=False)).text))
    await asyncio.gather(*(player.ask(f"GET {one}", htmx=False, lane=one) for one in needed))
    loaded = time.perf_counter() - arrival
    await player.find()
    while player.version <= 2:  # the version in which the free seat has just been taken
        await (player.move() if player.cells else player.look())
    await leave([player])
    return loaded, time.perf_counter() - arrival


async def _pressing(
    kind: str, server: Server, number: int, within: float, rounds: int
) -> list[object]:
    """Let so many look for an opponent within so many seconds, and give their games up again.

    Counted is from the press of the second of two. The last two of a round may have just played
    each other: then they wait for three seconds.
    """
    title = f"{kind}: {number} {f'within {within:g} s' if within else 'in one moment'}"
    progress(f"{title}, {rounds} times.")
    players, times = [Player(server) for _ in range(number)], list[float]()

    async def press(player: Player) -> tuple[float, float]:
        await asyncio.sleep(random.uniform(0, within))
        pressed = time.perf_counter()
        await player.find()
        return pressed, time.perf_counter()

    for _ in range(rounds):
        random.shuffle(players)
        for lane in ("", "news"):  # so that connections are open, to workers who know them
            for player in players:
                await player.ask("GET /class", htmx=False, lane=lane)
        games = defaultdict[str, list[tuple[float, float]]](list)
        async with asyncio.timeout(within + PATIENCE):
            found = await asyncio.gather(*map(press, players))
        for player, moments in zip(players, found, strict=True):
            games[player.game].append(moments)
        for game, ((pressed, shown), (pressed_too, shown_too)) in games.items():
            times.append(max(shown, shown_too) - max(pressed, pressed_too))
            player = next(one for one in players if one.game == game)
            await player.ask(f"POST /games/{game}/resign", f"version={player.version}")
        await asyncio.sleep(_BETWEEN)
    await leave(players)
    return [title, len(times), *spread(times)]


@dataclass
class _Page(Player):
    """The page of a live game: it asks for news all the time.

    :ivar seen_at: when it last showed some
    """

    seen_at: float = 0.0
    _shown: asyncio.Event = field(default_factory=asyncio.Event)
    _asking: asyncio.Task[None] | None = None

    async def _follow(self) -> None:
        while self.news:
            if await self.look():
                self.seen_at = time.perf_counter()
                self._shown.set()

    def follow(self) -> None:
        """Begin to ask for news."""
        self._asking = asyncio.create_task(self._follow())

    async def stop(self) -> None:
        """Call off what is asked for, as a move does and a page that is closed."""
        if self._asking and not self._asking.done():
            self._asking.cancel()
            with suppress(asyncio.CancelledError):
                await self._asking
            await self.close("news")
        elif self._asking:
            self._asking.result()

    async def until(self, version: int) -> None:
        """Wait until it shows this version."""
        while self.version < version:  # else the player is away
            self._shown.clear()
            await asyncio.wait_for(self._shown.wait(), PATIENCE)


async def live(kind: str, server: Server, number: int, seconds: float) -> list[object]:
    """Let two people play at each of so many boards, one move there every three seconds.

    Then no one moves for as long.
    """
    title = f"{kind}: {2 * number} pages held, {number / _THOUGHT:.0f} moves/s"
    progress(f"{title}, for {seconds:g} s with moves and as long without.")
    arrived = list[float]()

    async def play(pages: tuple[_Page, _Page], due: float) -> None:
        """Let the one whose turn it is move, and note when the other one sees it."""
        one, other = pages
        while due < end:
            if one.over:
                for page in pages:
                    await page.stop()
                    await page.show(await page.ask(f"POST /games/{page.game}/again"))
                await one.reload()
                for page in pages:
                    page.follow()
            mover, watcher = (one, other) if one.cells else (other, one)
            await asyncio.sleep(due - time.perf_counter())
            await mover.stop()
            sent = time.perf_counter()
            due += random.uniform(0.7, 1.3) * _THOUGHT
            await mover.move()
            mover.follow()
            await watcher.until(mover.version)
            arrived.append(watcher.seen_at - sent)

    pairs = list[tuple[_Page, _Page]]()
    while len(pairs) < number:  # in the middle of games, so that not all end at once
        some = range(min(30, number - len(pairs)))
        pairs += await asyncio.gather(*(_opened(server, n % 5) for n in some))
    pages = [page for pair in pairs for page in pair]
    for page in pages:
        page.follow()
    await asyncio.sleep(2)
    start = server.clocks()
    end = start[0] + seconds
    playing = [play(pair, start[0] + random.uniform(0, _THOUGHT)) for pair in pairs]
    await asyncio.gather(asyncio.sleep(seconds), *playing)
    share, start = server.share_since(start), server.clocks()
    await asyncio.sleep(seconds)
    idle, memory = server.share_since(start), f"{server.memory():.0f}"
    for page in pages:
        await page.stop()
    await leave(pages)
    return [title, len(arrived), *spread(arrived), share, idle, memory]


async def _opened(server: Server, moves: int) -> tuple[_Page, _Page]:
    """Two pages of a game with so many moves."""
    host, guest = _Page(server), _Page(server)
    await host.ask("GET /class", htmx=False)
    await host.show(await host.ask("POST /challenges", "mark=random", (303,), htmx=False))
    await guest.show(await guest.ask(f"POST /join/{host.code}", "", (303,), htmx=False))
    await host.reload()
    for _ in range(moves):
        mover, other = (host, guest) if host.cells else (guest, host)
        await mover.move()
        await other.reload()
    return host, guest
