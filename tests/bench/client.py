"""Players and their browsers, on connections that stay open, which do what pages do."""

import asyncio
import html
import random
import re
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from urllib.parse import urlsplit

from tests.support.http import FRAGMENT, Answer, Player

_PART = re.compile(
    r'<div id="game"[^>]*\shx-get="([^"]+)"\s+hx-trigger="news"[^>]*\sdata-topic="([^"]*)"'
)
_FREE = re.compile(r'<button id="c(\d)"(?![^>]*aria-disabled)')
# What Chromium and htmx send to a server on the same computer, or in the same classroom.
_HEADERS = {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0",
    "Accept": "text/html", "Accept-Language": "en-GB,en;q=0.9", "Accept-Encoding": "gzip, deflate",
    "Sec-Fetch-Site": "same-origin",
}  # fmt: skip


class Browser(Player):
    stays = True

    def __init__(self, url: str) -> None:
        super().__init__(url, **_HEADERS, Origin=url)
        self.opponent = random.choice(("easy", "medium"))
        self.requests = self.version = 0
        self.over, self.page, self._id = False, "", secrets.token_hex(6)
        self.free = list[str]()  # the cells that can be clicked
        self._told: tuple[str, asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def asks(
        self, what: str, fields: Mapping[str, object] | None = None,
        *, allowed: Sequence[int] = (200,), lane: str = "",
    ) -> Answer:  # fmt: skip
        method, where = what.split()
        headers = FRAGMENT | {"HX-Target": "div#game", "Page-Id": self._id}
        form = (fields or {}) if method == "POST" else None
        answer = await self.ask(method, where, form, headers, lane)
        assert answer.status in allowed, f"{what} was answered with {answer.status}"
        self.requests += 1
        return answer

    async def show(self, answer: Answer) -> None:
        address = answer.headers["Location"] or answer.headers["HX-Redirect"]
        answer = await self.asks(f"GET {address}") if address else answer
        self.page, self.game, self.version = answer.text, answer.game[1], answer.version
        self.over, self.free = bool(answer.outcome), _FREE.findall(self.page)

    async def begins(self) -> None:
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
        """Ask when the stream tells of anything; tell whether the game changed, in so long."""
        shown = self.game, self.version
        while (self.game, self.version) == shown:
            part = _PART.search(self.page)
            assert part, "a page of a game asks for nothing"
            try:
                async with asyncio.timeout(seconds):
                    reader = await self._stream(part[2])
                    await reader.readuntil(b"data: ")
            except TimeoutError:
                return False
            await self.show(await self.asks(f"GET {html.unescape(part[1])}"))
        return True

    async def _stream(self, topics: str) -> asyncio.StreamReader:
        if self._told and self._told[0] == topics:
            return self._told[1]
        if self._told:
            self._told[2].close()
        where = urlsplit(self.url)
        reader, writer = await asyncio.open_connection(where.hostname, where.port)
        query = "".join(f"topic={topic}&" for topic in topics.split())
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        writer.write(
            f"GET {where.path}/events?{query}page={self._id}&here=1 HTTP/1.1\r\n"
            f"Host: {where.netloc}\r\nCookie: {cookies}\r\n\r\n".encode()
        )
        self._told = topics, reader, writer
        return reader

    async def leave(self) -> None:
        if self._told:
            self._told[2].close()
        await super().leave()


async def by_turns(players: Iterable[Browser], act: Callable[[Browser], Awaitable[object]]) -> None:
    waiting = iter(players)

    async def lane() -> None:
        for player in waiting:
            await act(player)

    await asyncio.gather(*(lane() for _ in range(8)))
