"""No change is missed: streams are cut, the server is stopped and killed, and all tabs see it."""

import asyncio
import random
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from tests.e2e.server import Server
from tests.support.http import MISSING, Player, run
from tests.support.patience import PATIENCE, Times
from tests.support.relay import Relay
from webapp.store import topics

SOON_S = 2.0  # how long after a change, and on a working line, a page shows it at the latest


class Tab:
    """A page of a game, which asks as its script does: at each hello, and when it is told to."""

    def __init__(self, player: Player, game: str) -> None:
        self._player, self._game, self.seen = player, game, 0

    async def _ask(self) -> None:
        self.seen = (await self._player.ask("GET", self._game)).version

    async def run(self) -> None:
        topic = topics.game(self._game.removeprefix("/games/"))
        while True:
            try:
                async with self._player.listening(topic, page=f"{id(self)}"[:16]) as said:
                    async for event in said:
                        if event in ("hello", topic):
                            await self._ask()
                        while event == "full":
                            await self._ask()
                            await asyncio.sleep(SOON_S / 2)
            except (*MISSING, AssertionError):
                await asyncio.sleep(0.1)


async def after(seconds: float, act: Callable[[], object]) -> None:
    await asyncio.sleep(seconds)
    await asyncio.to_thread(act)


async def move(mover: Player, form: dict[str, int], seconds: float) -> None:
    await asyncio.sleep(seconds)
    while True:
        with suppress(*MISSING):
            await mover.ask("POST", f"{mover.game}/moves", form)
            return
        await asyncio.sleep(0.05)


def test_no_wake_up_is_lost(tmp_path: Path, times: Times) -> None:
    rng, late = random.Random("wake"), list[float]()

    async def main() -> None:
        mover = Player(server.url)
        await asyncio.to_thread(mover.start)
        browsers = [(Player(through), number) for number in (1, 2, 6)]  # of so many tabs
        tabs = [Tab(player, mover.game) for player, number in browsers for _ in range(number)]
        for player, _ in browsers:
            await player.ask("GET", "/")
        watching = [asyncio.create_task(tab.run()) for tab in tabs]
        for _ in range(times(6, 1500)):
            page = await mover.ask("GET", mover.game)
            if not page.playable:
                await mover.ask("POST", f"{mover.game}/undo", {"version": page.version})
            else:
                form = {"cell": page.playable[0], "version": page.version}
                fault = rng.choice((list, relay.cut, relay.cut, restart, kill))
                moment, moved = rng.uniform(0, 0.02), rng.uniform(0, 0.02)
                await asyncio.gather(after(moment, fault), move(mover, form, moved))
            version, began = (await mover.ask("GET", mover.game)).version, time.monotonic()
            async with asyncio.timeout(PATIENCE):
                while any(tab.seen < version for tab in tabs):
                    await asyncio.sleep(0.01)
            late.append(time.monotonic() - began)
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)

    def restart() -> None:
        server.stop()
        server.start()

    def kill() -> None:
        server.kill()
        server.start()

    server = Server(tmp_path / "data")
    with Relay(urlsplit(server.url).port or 0) as relay:
        through = f"http://127.0.0.1:{relay.server_address[1]}"
        threading.Thread(target=relay.serve_forever).start()
        try:
            run(main())
        finally:
            relay.shutdown()
    server.stop()
    if len(late) > 1000:  # nothing else runs beside it
        assert max(late) < SOON_S
