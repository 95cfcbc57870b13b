"""Players and their browsers, on connections that stay open: they ask for what their page says."""

import asyncio
import html
import random
import re
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

from tests.support.http import FRAGMENT, Answer, Player

_NEWS = re.compile(r'<div id="game"[^>]* hx-get="([^"]+)" hx-trigger="news"')
_FREE = re.compile(r'<button id="c(\d)"(?![^>]*aria-disabled)')
# What Chromium and htmx send to a server on the same computer, or in the same classroom.
_HEADERS = {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0",
    "Accept": "text/html",
    "Accept-Language": "en-GB,en;q=0.9",
    "Accept-Encoding": "gzip, deflate",
    "Sec-Fetch-Site": "same-origin",
}
_AT_ONCE, _LATER = 0.02, 1.0
"""After how many seconds a page asks for news again where the server has held it, and where not."""


class Browser(Player):
    stays = True

    def __init__(self, url: str) -> None:
        super().__init__(url, **_HEADERS, Origin=url)
        self.opponent = random.choice(("easy", "medium"))
        self.requests = self.version = 0
        self.over, self.page, self._pause = False, "", _AT_ONCE
        self.free = list[str]()  # the cells that can be clicked

    async def asks(
        self,
        what: str,
        fields: Mapping[str, object] | None = None,
        *,
        allowed: Sequence[int] = (200,),
        lane: str = "",
    ) -> Answer:
        method, where = what.split()
        headers = FRAGMENT | {"HX-Target": "div#game"}
        form = (fields or {}) if method == "POST" else None
        answer = await self.ask(method, where, form, headers, lane)
        assert answer.status in allowed, f"{what} was answered with {answer.status}"
        self.requests += 1
        return answer

    async def show(self, answer: Answer) -> None:
        """Show a game: the answer's own, or where it sends the browser to."""
        address = answer.headers["Location"] or answer.headers["HX-Redirect"]
        answer = await self.asks(f"GET {address}") if address else answer
        self.page, self.game, self.version = answer.text, answer.game[1], answer.version
        self.over, self.free = bool(answer.outcome), _FREE.findall(self.page)

    async def begins(self) -> None:
        """Click a cell of the empty board on the front page, which the first time is looked at."""
        if not self.requests:
            await self.asks("GET /")
        key, cell = secrets.token_urlsafe(16), random.randrange(9)
        fields = {"opponent": self.opponent, "mark": "x", "cell": cell, "key": key}
        await self.show(await self.asks("POST /games", fields))

    async def moves(self) -> None:
        what, after = f"POST /games/{self.game}/moves", self.version + 1
        fields = {"version": self.version, "cell": random.choice(self.free)}
        await self.show(await self.asks(what, fields))
        assert self.version == after, "it was not accepted"

    async def plays_on(self) -> None:
        while not self.over:
            await self.moves()

    async def looks(self, seconds: float | None = None) -> bool:
        """Ask for news of the game until there are any; tell whether there were, in so long."""
        news = _NEWS.search(self.page)
        assert news, "a page of a game asks for nothing"
        what, answer = f"GET {html.unescape(news[1])}", None
        try:
            async with asyncio.timeout(seconds):
                while answer is None or answer.status == 204:
                    # It asks when the page does, which depends on whether the server has held it.
                    await asyncio.sleep(self._pause)
                    answer = await self.asks(what, allowed=(200, 204), lane="news")
                    self._pause = _AT_ONCE if answer.held else _LATER
        except TimeoutError:
            return False
        await self.show(answer)
        return True


async def by_turns(players: Iterable[Browser], act: Callable[[Browser], Awaitable[object]]) -> None:
    """Let every player do this, eight of them at a time."""
    waiting = iter(players)

    async def lane() -> None:
        for player in waiting:
            await act(player)

    await asyncio.gather(*(lane() for _ in range(8)))
