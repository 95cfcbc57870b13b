"""Players and their browsers, on one connection each: they ask for what their page says."""

import asyncio
import html
import random
import re
import secrets
import zlib
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from tests.bench.servers import BenchError, Server

_GAME = re.compile(r'<div id="game" data-game="([^"]+)" data-version="(\d+)" data-outcome="(\w*)"')
_NEWS = re.compile(r'<div id="(\w+)"[^>]* hx-get="([^"]+)" hx-trigger="news"')
_LEAD = re.compile(r'data-lead="(/games/[^"]+)"')
_FREE = re.compile(r'<button id="c(\d)"(?![^>]*aria-disabled)')
_CODE = re.compile(r'class="code">(\w+)<')

# What Chromium and htmx send to a server on the same computer, or in the same classroom.
_HEADERS = (
    "Host: 127.0.0.1:{0}\r\nConnection: keep-alive\r\n"
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0\r\n"
    "Accept: text/html\r\nAccept-Language: en-GB,en;q=0.9\r\nAccept-Encoding: gzip, deflate\r\n"
    "Origin: http://127.0.0.1:{0}\r\nSec-Fetch-Site: same-origin\r\n"
)
_HTMX = "HX-Request: true\r\nHX-Request-Type: partial\r\nHX-Target: div#{}\r\n"
_FORM = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n"

_AT_ONCE, _LATER = 0.02, 1.0
"""After how many seconds a page asks for news again where the server has held it, and where not."""

_Streams: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Answer(NamedTuple):
    """What came back; the text is unpacked."""

    status: int
    headers: dict[str, str]
    text: str


@dataclass
class Player:
    """A browser with a cookie, connections that stay open, and the page of a game.

    :param cookie: empty for a newcomer, who keeps the first that comes
    :ivar received: the bodies of the answers so far, in bytes as sent
    :ivar news: the address that the page asks for news, if it does
    :ivar pause: after how many seconds it asks again
    :ivar code: of a challenge that no one has taken
    """

    server: Server
    cookie: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    opponent: str = field(default_factory=lambda: random.choice(("easy", "medium")))
    requests: int = 0
    received: int = 0
    game: str = ""
    version: int = 0
    over: bool = False
    cells: list[str] = field(default_factory=list)
    news: str = ""
    pause: float = _AT_ONCE
    code: str = ""
    _streams: dict[str, _Streams] = field(default_factory=dict)

    async def ask(
        self,
        what: str,
        body: str = "",
        allowed: Sequence[int] = (200,),
        *,
        htmx: bool = True,
        target: str = "game",
        lane: str = "",
    ) -> Answer:
        """Ask for a page or send a form, such as ``POST /games``, as htmx or the browser itself.

        :param target: the id of what the answer is put in the place of
        :param lane: which of the connections to use
        """
        head = f"{what} HTTP/1.1\r\n{_HEADERS.format(self.server.port)}"
        head += _HTMX.format(target) if htmx else ""
        head += f"Cookie: player={self.cookie}\r\n" if self.cookie else ""
        head += _FORM.format(len(body)) if what.startswith("POST") else ""
        request = f"{head}\r\n{body}".encode()
        for kept in (lane in self._streams, False):
            if not kept:
                await self.close(lane)
                address = "127.0.0.1", self.server.port
                self._streams[lane] = await asyncio.open_connection(*address)
            reader, writer = self._streams[lane]
            writer.write(request)
            try:
                first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()
                break
            except (asyncio.IncompleteReadError, ConnectionError) as error:
                if not kept:  # else it has long heard nothing, and browsers try again
                    raise BenchError("The server closed a connection.") from error
        headers = dict(line.split(": ", 1) for line in lines if line)
        content = await reader.readexactly(int(headers.get("content-length", 0)))
        if (status := int(first.split()[1])) not in allowed:
            raise BenchError(f"{what} was answered with {status}.")
        self.requests += 1
        self.received += len(content)
        if not self.cookie and "set-cookie" in headers:
            self.cookie = headers["set-cookie"].removeprefix("player=").partition(";")[0]
        unpacked = zlib.decompress(content, 31) if "content-encoding" in headers else content
        return Answer(status, headers, unpacked.decode(errors="replace"))

    async def show(self, answer: Answer) -> None:
        """Show a game: the answer's own, or where it sends the browser to."""
        address = answer.headers.get("location") or answer.headers.get("hx-redirect")
        text = (await self.ask(f"GET {address}", htmx=False) if address else answer).text
        game, code = _GAME.search(text), _CODE.search(text)
        if game is None:
            raise BenchError("An answer came without a game.")
        self.game, self.version, self.over = game[1], int(game[2]), bool(game[3])
        self.cells, self.code = _FREE.findall(text), code[1] if code else ""
        self.news = html.unescape(dict(_NEWS.findall(text)).get("game", ""))

    async def start(self) -> None:
        """Click a cell of the empty board on the front page, which the first time is looked at."""
        if not self.requests:
            await self.ask("GET /", htmx=False)
        body = f"opponent={self.opponent}&mark=x&key={secrets.token_urlsafe(16)}"
        await self.show(await self.ask("POST /games", f"{body}&cell={random.randrange(9)}"))

    async def move(self, allowed: Sequence[int] = (200,)) -> Answer:
        """Click any free cell; the move must be accepted, unless 409 is allowed too."""
        after = (self.game, self.version + 1)
        body = f"version={self.version}&cell={random.choice(self.cells)}"
        answer = await self.ask(f"POST /games/{self.game}/moves", body, allowed)
        await self.show(answer)
        if answer.status == 200 and (self.game, self.version) != after:
            raise BenchError("A move was answered without being accepted.")
        return answer

    async def play_on(self) -> None:
        """Make moves to the end of the game."""
        while not self.over:
            await self.move()

    async def find(self) -> None:
        """Press "Find an opponent" on the page of the class, and follow it to the game."""
        await self._be_led("class", await self.ask("POST /seeks", target="class"))

    async def wait_for_a_game(self) -> None:
        """Follow the strip of any page to a game."""
        self.news, self.pause = "/calls?since=0", _AT_ONCE
        answer = await self.ask(f"GET {self.news}", "", (200, 204), target="calls")
        await self._be_led("calls", answer)

    async def _be_led(self, target: str, answer: Answer) -> None:
        """Ask until a part of the page leads to a game."""
        while not (lead := _LEAD.search(answer.text)) and "hx-redirect" not in answer.headers:
            if news := dict(_NEWS.findall(answer.text)).get(target):
                self.news = html.unescape(news)
            answer = await self.ask_for_news(target)
        await self.show(await self.ask(f"GET {lead[1]}", htmx=False) if lead else answer)

    async def look(self) -> bool:
        """Ask for news when the page does; return whether there are any."""
        answer = await self.ask_for_news("game")
        if news := answer.status == 200:
            await self.show(answer)
        return news

    async def ask_for_news(self, target: str) -> Answer:
        """Ask when the page does, which depends on whether the server has held it before."""
        await asyncio.sleep(self.pause)
        answer = await self.ask(f"GET {self.news}", "", (200, 204), target=target, lane="news")
        self.pause = _AT_ONCE if "waited" in answer.headers else _LATER
        return answer

    async def reload(self) -> None:
        """Look at the game again."""
        await self.show(await self.ask(f"GET /games/{self.game}"))

    async def close(self, lane: str) -> None:
        """Close a connection, as browsers do to call off what they have asked."""
        if lane in self._streams:
            _, writer = self._streams.pop(lane)
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


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
        for lane in list(player._streams):
            await player.close(lane)
