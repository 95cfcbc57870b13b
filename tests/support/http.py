"""A player at a real server: ``ask`` is for many at a time, ``send`` waits for the answer."""

import asyncio
import http.client
import re
import secrets
import ssl
import threading
import zlib
from collections import deque
from collections.abc import AsyncIterator, Coroutine, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cache, cached_property
from http.cookies import SimpleCookie
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode, urljoin, urlsplit

from tests.support.html import Element, parse
from tests.support.patience import PATIENCE
from webapp.live import sealed

T = TypeVar("T")
_GAME = re.compile(r'data-game="([\w-]*)"\s+data-version="(\d+)"\s+data-outcome="(\w*)"')
_PLAYABLE = re.compile(r'name="cell"\s+value="(\d)"(?!\s+type)')
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
FRAGMENT = {"HX-Request": "true", "HX-Request-Type": "partial"}
MISSING = (OSError, EOFError)  # what a client meets whose server dies


@dataclass(frozen=True)
class Answer:
    """What came back; the text is unpacked."""

    url: str
    status: int
    head: bytes
    text: str

    @cached_property
    def headers(self) -> http.client.HTTPMessage:
        return http.client.parse_headers(BytesIO(self.head.partition(b"\r\n")[2]))

    @property
    def document(self) -> Element:
        return parse(self.text)

    @property
    def location(self) -> str:
        return urljoin(self.url, str(self.headers["Location"]))

    @property
    def version(self) -> int:
        return int(self.game[2])

    @property
    def outcome(self) -> str:
        return self.game[3]

    @property
    def game(self) -> re.Match[str]:
        found = _GAME.search(self.text)
        assert found, f"no game at {self.url}: {self.status} {self.text[:300]}"
        return found

    @property
    def playable(self) -> list[int]:
        return [int(cell) for cell in _PLAYABLE.findall(self.text)]

    def the(self, identifier: str) -> Element:
        return self.document.the(identifier)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return loop


def begin(coroutine: Coroutine[Any, Any, T]) -> Future[T]:
    """Let it run, on a thread: Playwright keeps a loop going on a test's own."""
    return asyncio.run_coroutine_threadsafe(coroutine, _loop())


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    return begin(coroutine).result()


class Player:
    """Sends what a browser would; ``received`` counts the bytes of the bodies so far."""

    stays = False  # whether connections are kept open, one for each lane

    def __init__(self, url: str, **headers: str) -> None:
        self.url = url
        self.cookies = {"player": secrets.token_urlsafe(32)}
        self.answers = deque[Answer](maxlen=100)
        self.game = ""
        self.received = 0
        self._headers = headers
        self._options: dict[str, Any] = {}
        self._streams = dict[str, tuple[asyncio.StreamReader, asyncio.StreamWriter]]()

    async def ask(
        self, method: str, where: str, fields: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None, lane: str = "",
    ) -> Answer:  # fmt: skip
        """Send to a path of the site, or a whole address; `lane`: on which of the connections."""
        url = where if "://" in where else self.url + where
        request = self._written(method, url, fields, headers or {})
        head, content = await self._exchange(url, request, lane)
        self.received += len(content)
        if b"\r\ncontent-encoding: gzip" in head.lower():
            content = zlib.decompress(content, 31)
        text = content.decode(errors="replace" if b"image/png" in head else "strict")
        answer = Answer(url, int(head.split()[1]), head, text)
        self.answers.append(answer)
        if b"\r\nset-cookie" in head.lower():
            for cookie in answer.headers.get_all("Set-Cookie", []):
                self.cookies |= {name: one.value for name, one in SimpleCookie(cookie).items()}
        return answer

    @asynccontextmanager
    async def listening(self, *topics: str, page: str = "a") -> AsyncIterator[AsyncIterator[str]]:
        """Hold a stream of events; yield changed topics, ``hello``, ``beat`` and ``full``."""
        names = {sealed(topic): topic for topic in topics}
        query = urlencode({"topic": list(names), "page": page, "here": 1}, doseq=True)
        url = f"{self.url}/events?{query}"
        reader, writer = await self._connect(url)
        try:
            writer.write(self._written("GET", url, None, {"Connection": "close"}))
            head = await reader.readuntil(b"\r\n\r\n")
            if head.split()[1] != b"200":
                raise ConnectionRefusedError(head)
            yield _said(reader, names)
        finally:
            writer.close()

    def _written(
        self, method: str, url: str, fields: Mapping[str, object] | None, more: Mapping[str, str]
    ) -> bytes:
        parts, body = urlsplit(url), urlencode(fields or {}).encode()
        sent = {"Host": parts.netloc, "Connection": "keep-alive" if self.stays else "close"}
        sent |= {**self._headers, **more}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if fields is not None:
            sent["Content-Type"] = "application/x-www-form-urlencoded"
            sent["Content-Length"] = str(len(body))
        target = f"{parts.path or '/'}?{parts.query}".rstrip("?")
        lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        return f"{method} {target} HTTP/1.1\r\n{lines}\r\n".encode() + body

    async def _connect(self, url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        return await asyncio.open_connection(parts.hostname, port, **self._options)

    async def _exchange(self, url: str, request: bytes, lane: str) -> tuple[bytes, bytes]:
        kept = self._streams.pop(lane, None)
        while True:
            stream = kept or await self._connect(url)
            reader, writer = stream
            try:
                writer.write(request)
                read = await _read(reader, request)
            except BaseException as error:
                writer.close()
                if kept is None or not isinstance(error, EOFError | ConnectionError):
                    raise
                kept = None  # it has long heard nothing, and browsers try again
                continue
            if self.stays:
                self._streams[lane] = stream
            else:
                writer.close()
            return read

    async def leave(self) -> None:
        for _, writer in self._streams.values():
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
        self._streams.clear()

    def send(self, method: str, where: str, *more: Any, **named: Any) -> Answer:
        return run(asyncio.wait_for(self.ask(method, where, *more, **named), PATIENCE))

    def get(self, where: str = "/", **headers: str) -> Answer:
        return self.send("GET", where, headers=headers)

    def post(self, where: str, **fields: object) -> Answer:
        return self.send("POST", where, fields)

    def go(self, where: str, **fields: object) -> Answer:
        """Send a form as a page of this site does, and go where it leads."""
        parts = urlsplit(self.url)
        answer = self.send("POST", where, fields, {"Origin": f"{parts.scheme}://{parts.netloc}"})
        if answer.status == 303:
            answer = self.get(answer.location)
            assert answer.status == 200, f"{answer.url}: {answer.status}"
        return answer

    def start(self, cell: int = 4) -> Answer:
        answer = self.post("/games", opponent="easy", mark="x", cell=cell)
        if answer.status == 303:
            self.game = answer.headers["Location"]
        return answer

    def move(self) -> Answer:
        page = self.get(self.game)
        return self.post(f"{self.game}/moves", cell=page.playable[0], version=page.version)

    def play(self, page: Answer, cell: int) -> Answer:
        return self.go(f"{page.url}/moves", cell=cell, version=page.version)


async def _said(reader: asyncio.StreamReader, names: Mapping[str, str]) -> AsyncIterator[str]:
    event = ""
    async for line in reader:
        field, _, value = line.decode().strip().partition(": ")
        if field == "event":
            event = value
        elif field == "data":
            for name in [event] if event else value.split():
                yield names.get(name, name)
            event = ""


async def _read(reader: asyncio.StreamReader, request: bytes) -> tuple[bytes, bytes]:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as error:
        if error.partial:
            raise
        raise ConnectionResetError("closed without an answer") from None
    if request.startswith(b"HEAD") or head.split()[1] in (b"204", b"304"):
        return head, b""
    if length := _LENGTH.search(head):
        return head, await reader.readexactly(int(length[1]))
    if b"\r\ntransfer-encoding: chunked" not in head.lower():
        return head, await reader.read()
    content = b""
    while size := int(await reader.readuntil(b"\r\n"), 16):
        content += (await reader.readexactly(size + 2))[:-2]
    await reader.readuntil(b"\r\n")
    return head, content


def newcomer(url: str, certificate: Path, source: str = "127.0.0.1") -> Player:
    """A player without a cookie, who believes a certificate and asks from one of our addresses."""
    player = Player(url)
    player.cookies.clear()
    player._options["local_addr"] = source, 0
    player._options["ssl"] = ssl.create_default_context(cafile=certificate)
    return player


def sit_down(x: Player, o: Player) -> Answer:
    """Let ``x`` challenge, and ``o`` join by the link; return the game as ``x`` sees it."""
    waiting = x.go("/challenges", mark="x")
    invitation = o.get(waiting.the("invitation").text)
    (form,) = [one for one in invitation.document.all("form") if "/join/" in one.get("action")]
    return x.get(o.go(urljoin(invitation.url, form.get("action"))).url)


def answers(url: str, path: str = "/healthz") -> bool:
    with suppress(*MISSING):
        return Player(url).get(path).status == 200
    return False
