"""Players and their browsers, on connections that stay open: they ask for what their page says.

The client of the other tests makes a connection for each request, and waits for each answer.
"""

import asyncio
import html
import random
import re
import secrets
import zlib
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlsplit

_GAME = re.compile(r'<div id="game" data-game="([^"]+)" data-version="(\d+)" data-outcome="(\w*)"')
_NEWS = re.compile(r'<div id="(\w+)"[^>]* hx-get="([^"]+)" hx-trigger="news"')
_LEAD = re.compile(r'data-lead="(/games/[^"]+)"')
_FREE = re.compile(r'<button id="c(\d)"(?![^>]*aria-disabled)')
_CODE = re.compile(r'class="code">(\w+)<')

# What Chromium and htmx send to a server on the same computer, or in the same classroom.
_HEADERS = (
    "Host: {0}\r\nConnection: keep-alive\r\n"
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0\r\n"
    "Accept: text/html\r\nAccept-Language: en-GB,en;q=0.9\r\nAccept-Encoding: gzip, deflate\r\n"
    "Origin: http://{0}\r\nSec-Fetch-Site: same-origin\r\n"
)
_HTMX = "HX-Request: true\r\nHX-Request-Type: partial\r\nHX-Target: div#{}\r\n"
_FORM = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n"

_AT_ONCE, _LATER = 0.02, 1.0
"""After how many seconds a page asks for news again where the server has held it, and where not."""


class Answer(NamedTuple):
    """What came back; the text is unpacked."""

    status: int
    headers: dict[str, str]
    text: str


@dataclass
class Player:
    """A browser with a cookie, connections that stay open, and the page of a game.

    :param url: where the site begins, without a slash at the end
    :param cookie: empty for a newcomer, who keeps the first that comes
    :ivar received: the bodies of the answers so far, in bytes as sent
    :ivar code: of a challenge that no one has taken
    """

    url: str
    cookie: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    opponent: str = field(default_factory=lambda: random.choice(("easy", "medium")))
    requests: int = 0
    received: int = 0
    game: str = ""
    version: int = 0
    over: bool = False
    cells: list[str] = field(default_factory=list)
    code: str = ""
    _news: str = ""  # the address that the page asks for news, if it does
    _pause: float = _AT_ONCE
    _streams: dict[str, tuple[asyncio.StreamReader, asyncio.StreamWriter]] = field(
        default_factory=dict
    )

    async def ask(
        self,
        what: str,
        body: str = "",
        allowed: Sequence[int] = (200,),
        *,
        region: str = "",
        lane: str = "",
    ) -> Answer:
        """Ask for a page or send a form, such as ``POST /games``.

        :param region: the id of what htmx puts the answer in the place of, if it is htmx that asks
        :param lane: which of the connections to use
        """
        address = urlsplit(self.url)
        head = f"{what} HTTP/1.1\r\n{_HEADERS.format(address.netloc)}"
        head += _HTMX.format(region) if region else ""
        head += f"Cookie: player={self.cookie}\r\n" if self.cookie else ""
        head += _FORM.format(len(body)) if what.startswith("POST") else ""
        for kept in (lane in self._streams, False):
            if not kept:
                await self.close(lane)
                self._streams[lane] = await asyncio.open_connection(address.hostname, address.port)
            reader, writer = self._streams[lane]
            writer.write(f"{head}\r\n{body}".encode())
            try:
                first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()
                break
            except (EOFError, ConnectionError):
                if not kept:  # else it has long heard nothing, and browsers try again
                    raise
        headers = dict(line.split(": ", 1) for line in lines if line)
        content = await reader.readexactly(int(headers.get("content-length", 0)))
        status = int(first.split()[1])
        assert status in allowed, f"{what} was answered with {status}"
        self.requests += 1
        self.received += len(content)
        if not self.cookie and "set-cookie" in headers:
            self.cookie = headers["set-cookie"].removeprefix("player=").partition(";")[0]
        unpacked = zlib.decompress(content, 31) if "content-encoding" in headers else content
        return Answer(status, headers, unpacked.decode(errors="replace"))

    async def show(self, answer: Answer) -> None:
        """Show a game: the answer's own, or where it sends the browser to."""
        address = answer.headers.get("location") or answer.headers.get("hx-redirect")
        text = (await self.ask(f"GET {address}") if address else answer).text
        game, code = _GAME.search(text), _CODE.search(text)
        assert game, "an answer came without a game"
        self.game, self.version, self.over = game[1], int(game[2]), bool(game[3])
        self.cells, self.code = _FREE.findall(text), code[1] if code else ""
        self._news = html.unescape(dict(_NEWS.findall(text)).get("game", ""))

    async def start(self) -> None:
        """Click a cell of the empty board on the front page, which the first time is looked at."""
        if not self.requests:
            await self.ask("GET /")
        body = f"opponent={self.opponent}&mark=x&key={secrets.token_urlsafe(16)}"
        body += f"&cell={random.randrange(9)}"
        await self.show(await self.ask("POST /games", body, region="game"))

    async def move(self, allowed: Sequence[int] = (200,)) -> Answer:
        """Click any free cell; the move must be accepted, unless 409 is allowed too."""
        after = (self.game, self.version + 1)
        body = f"version={self.version}&cell={random.choice(self.cells)}"
        answer = await self.ask(f"POST /games/{self.game}/moves", body, allowed, region="game")
        await self.show(answer)
        assert answer.status != 200 or (self.game, self.version) == after, "it was not accepted"
        return answer

    async def play_on(self) -> None:
        """Make moves to the end of the game."""
        while not self.over:
            await self.move()

    async def find(self) -> None:
        """Press "Find an opponent" on the page of the class, and follow it to the game."""
        await self._be_led("class", await self.ask("POST /seeks", region="class"))

    async def be_called(self) -> None:
        """Follow the strip of any page to a game."""
        self._news, self._pause = "/calls?since=0", 0
        await self._be_led("calls", await self._ask_for_news("calls"))

    async def _be_led(self, region: str, answer: Answer) -> None:
        """Ask until a part of the page leads to a game."""
        while not (lead := _LEAD.search(answer.text)) and "hx-redirect" not in answer.headers:
            if news := dict(_NEWS.findall(answer.text)).get(region):
                self._news = html.unescape(news)
            answer = await self._ask_for_news(region)
        await self.show(await self.ask(f"GET {lead[1]}") if lead else answer)

    async def look(self, seconds: float | None = None) -> bool:
        """Ask for news of the game until there are any; tell whether there were, in so long."""
        assert self._news, "a page of a game asks for nothing"
        try:
            async with asyncio.timeout(seconds):
                while (answer := await self._ask_for_news("game")).status == 204:
                    pass
        except TimeoutError:
            await self.close("news")  # as a move does
            return False
        await self.show(answer)
        return True

    async def _ask_for_news(self, region: str) -> Answer:
        """Ask when the page does, which depends on whether the server has held it before."""
        await asyncio.sleep(self._pause)
        self._pause = _AT_ONCE
        what, allowed = f"GET {self._news}", (200, 204)
        answer = await self.ask(what, allowed=allowed, region=region, lane="news")
        self._pause = _AT_ONCE if "waited" in answer.headers else _LATER
        return answer

    async def close(self, lane: str) -> None:
        """Close a connection, as browsers do to call off what they have asked."""
        if lane in self._streams:
            _, writer = self._streams.pop(lane)
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def leave(self) -> None:
        """Close all connections."""
        for lane in list(self._streams):
            await self.close(lane)


async def by_turns(players: Iterable[Player], act: Callable[[Player], Awaitable[object]]) -> None:
    """Let every player do this, eight at a time."""
    waiting = iter(players)

    async def lane() -> None:
        for player in waiting:
            await act(player)

    await asyncio.gather(*(lane() for _ in range(8)))


async def leave(players: Iterable[Player]) -> None:
    """Let players close their connections."""
    for player in players:
        await player.leave()
