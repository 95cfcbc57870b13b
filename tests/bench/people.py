"""A class that plays itself: everyone arrives at once, and then many games go on at a time.

Each browser does what its page says: a page that waits for the other player asks for news, as often
as it says, and a finished game goes on with a rematch.
"""

import asyncio
import random
import re
import time
from contextlib import suppress

from tests.bench import servers
from tests.bench.client import Player, leave
from tests.bench.plan import Databases, Plan, progress, spread, table
from tests.bench.servers import BenchError, Server
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
            if not arrivals:
                arrivals = await _arrivals(server, *plan.arrivals)
            pressed += [await _pressing(kind, server, *case) for case in plan.pressing]
            for case in plan.live:
                rows += await live(kind, server, *case)
    found = "from the press to both boards | games | p50 | p99 | longest"
    heads = "from a move to the other one's page | moves | p50 | p99 | longest"
    heads += " | moves answered: p99 | server, of one core | MiB a worker"
    return f"{arrivals}\n\n{table(found, pressed)}\n\n{table(heads, rows)}"


async def _arrivals(server: Server, number: int, within: float) -> str:
    """Let browsers without a cookie open the class, and find an opponent.

    No one pauses to think: what they wait for is the server, their page's own interval, or a player
    who is not there yet.
    """
    title = f"{number} players from one address within {within:g} s, `FULL`"
    progress(f"{title}.")
    moments = sorted(random.uniform(0, within) for _ in range(number))
    async with asyncio.timeout(within + PATIENCE):
        found = await asyncio.gather(*(_come(server, each) for each in moments))
    times = [each for some in zip(*found, strict=True) for each in spread(some, (50, 100))]
    heads = "just started | `/class` there: p50 | longest | playing: p50 | longest"
    return table(heads, [[title, *times]])


async def _come(server: Server, moment: float) -> tuple[float, float]:
    """Arrive and play; return when the page of the class was there, and when the first move."""
    await asyncio.sleep(moment)
    player, arrival = Player(server, cookie=""), time.perf_counter()
    needed = set(_STATIC.findall((await player.ask("GET /class", htmx=False)).text))
    lanes = {path: Player(server, player.cookie) for path in needed}
    await asyncio.gather(*(lane.ask(f"GET {path}", htmx=False) for path, lane in lanes.items()))
    loaded = time.perf_counter() - arrival
    await player.find()
    while player.version <= 2:  # the version in which the free seat has just been taken
        await (player.move() if player.cells else player.look())
    playing = time.perf_counter() - arrival
    await leave((player, *lanes.values()))
    return loaded, playing


async def _pressing(
    kind: str, server: Server, number: int, within: float, rounds: int
) -> list[object]:
    """Let so many look for an opponent within so many seconds, and give their games up again.

    Counted is from the press of the second of two. The last two of a round may have just played
    each other: then they wait for three seconds.
    """
    title = f"{kind}: {number} {f'within {within:g} s' if within else 'in one moment'}"
    progress(f"{title}, {rounds} times.")
    players = [Player(server) for _ in range(number)]
    times = list[float]()

    async def press(player: Player) -> tuple[Player, float, float]:
        await asyncio.sleep(random.uniform(0, within))
        pressed = time.perf_counter()
        await player.find()
        return player, pressed, time.perf_counter()

    for _ in range(rounds):
        random.shuffle(players)
        for lane in ("", "news"):  # so that connections are open, to workers who know them
            for player in players:
                await player.ask("GET /class", htmx=False, lane=lane)
        games = dict[str, list[tuple[Player, float, float]]]()
        async with asyncio.timeout(within + PATIENCE):
            for found in await asyncio.gather(*map(press, players)):
                games.setdefault(found[0].game, []).append(found)
        for pair in games.values():
            if len(pair) != 2:
                raise BenchError("A player sits alone, or in a game of others.")
            (player, *_), _ = pair
            _, pressed, shown = zip(*pair, strict=True)
            times.append(max(shown) - max(pressed))
            await player.ask(f"POST /games/{player.game}/resign", f"version={player.version}")
        await asyncio.sleep(_BETWEEN)
    await leave(players)
    return [title, len(times), *spread(times)]


class _Page:
    """The page of a live game: it asks for news all the time.

    :ivar seen_at: when it last showed some
    """

    def __init__(self, player: Player) -> None:
        self.player = player
        self.shown, self.seen_at = asyncio.Event(), 0.0
        self._asking: asyncio.Task[None] | None = None

    async def _follow(self) -> None:
        while self.player.news:
            if await self.player.look():
                self.seen_at = time.perf_counter()
                self.shown.set()

    def ask(self) -> None:
        """Begin to ask for news."""
        self._asking = asyncio.create_task(self._follow())

    async def stop(self) -> None:
        """Call off what is asked for, as a move does and a page that is closed."""
        if self._asking and not self._asking.done():
            self._asking.cancel()
            with suppress(asyncio.CancelledError):
                await self._asking
            await self.player.close("news")
        elif self._asking:
            self._asking.result()


async def live(kind: str, server: Server, number: int, seconds: float) -> list[list[object]]:
    """Let two people play at each of so many boards, one move there every three seconds.

    Then no one moves for as long.
    """
    title = f"{kind}: {2 * number} pages of live games held"
    progress(f"{title}, for {seconds:g} s with moves and as long without.")
    arrived, answered = list[float](), list[float]()

    async def play(pages: tuple[_Page, _Page], due: float) -> None:
        """Let the one whose turn it is move, and note when the other one sees it."""
        one, other = pages
        while due < end:
            if one.player.over:
                for page in pages:
                    await page.stop()
                    await page.player.show(
                        await page.player.ask(f"POST /games/{page.player.game}/again")
                    )
                await one.player.show(await one.player.ask(f"GET /games/{one.player.game}"))
                for page in pages:
                    page.ask()
            mover, watcher = (one, other) if one.player.cells else (other, one)
            await asyncio.sleep(due - time.perf_counter())
            await mover.stop()
            watcher.shown.clear()
            sent = time.perf_counter()
            due += random.uniform(0.7, 1.3) * _THOUGHT
            await mover.player.move()
            answered.append(time.perf_counter() - sent)
            mover.ask()
            while watcher.player.version < mover.player.version:  # else the other one is away
                await asyncio.wait_for(watcher.shown.wait(), PATIENCE)
                watcher.shown.clear()
            arrived.append(watcher.seen_at - sent)

    pairs = list[tuple[_Page, _Page]]()
    while len(pairs) < number:  # in the middle of games, so that not all end at once
        some = range(min(30, number - len(pairs)))
        found = await asyncio.gather(*(opened(server, n % 5) for n in some))
        pairs += [(_Page(host), _Page(guest)) for host, guest in found]
    for page in (page for pair in pairs for page in pair):
        page.ask()
    await asyncio.sleep(2)
    start = server.clocks()
    end = start[0] + seconds
    playing = [play(pair, start[0] + random.uniform(0, _THOUGHT)) for pair in pairs]
    await asyncio.gather(asyncio.sleep(seconds), *playing)
    share, memory = server.share_since(start), f"{server.memory():.0f}"
    start = server.clocks()
    await asyncio.sleep(seconds)
    idle = server.share_since(start)
    for page in (page for pair in pairs for page in pair):
        await page.stop()
    await leave(page.player for pair in pairs for page in pair)
    moves = f"{title}, {number / _THOUGHT:.0f} moves/s", f"{len(arrived):,}"
    return [
        [*moves, *spread(arrived), *spread(answered, (99,)), share, memory],
        [f"{title}, no moves", *[""] * 5, idle, memory],
    ]


async def opened(server: Server, moves: int) -> tuple[Player, Player]:
    """Two players in a game with so many moves."""
    host, guest = Player(server), Player(server)
    await host.ask("GET /class", htmx=False)
    await host.show(await host.ask("POST /challenges", "mark=random", (303,), htmx=False))
    await guest.show(await guest.ask(f"POST /join/{host.code}", "", (303,), htmx=False))
    await host.show(await host.ask(f"GET /games/{host.game}"))
    for _ in range(moves):
        mover, other = (host, guest) if host.cells else (guest, host)
        await mover.move()
        await other.show(await other.ask(f"GET /games/{other.game}"))
    return host, guest
