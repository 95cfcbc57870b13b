"""Requests that wait for news at a real server, and pages that follow a game whatever happens."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlsplit

from tests.bench.client import Player
from tests.bench.servers import BenchError, Server

AFTER_ERRORS = (0.25, 0.5, 1.0, 2.0)
"""How the script of the site pauses after errors, in seconds."""

_TIMEOUT = 14.0
"""After how many seconds it gives a request up, its pause included."""

_RETRY = 0.05


def seen_from_here(url: str) -> Server:
    """The server at an address, as the bench's players know it."""
    return Server(urlsplit(url).port or 0)


# --- single requests ------------------------------------------------------------------------------


class Answer(NamedTuple):
    """What came back.

    :param status: 0 if the connection was closed without an answer
    :param held: whether the server says that the request has waited
    """

    status: int
    held: bool


def request(address: str, cookie: str) -> bytes:
    """What a page sends that asks for news."""
    return (
        f"GET {address} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        f"HX-Request: true\r\nHX-Request-Type: partial\r\nCookie: player={cookie}\r\n\r\n"
    ).encode()


def read(received: bytes) -> Answer:
    """Read an answer."""
    head = received.partition(b"\r\n\r\n")[0].decode().lower()
    return Answer(int(head.split()[1]) if head else 0, "\r\nwaited: yes" in head)


async def ask(url: str, address: str, cookie: str) -> Answer:
    """Ask by a connection of its own, and wait for the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(url).port)
    try:
        writer.write(request(address, cookie))
        return read(await reader.read())
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


def cookies(number: int) -> list[str]:
    """So many that no server knows yet."""
    return [secrets.token_urlsafe(32) for _ in range(number)]


@contextmanager
def asking(asks: list[asyncio.Task[Answer]]) -> Iterator[None]:
    """Call off in the end what has no answer yet."""
    try:
        yield
    finally:
        for one in asks:
            one.cancel()


# --- pages ----------------------------------------------------------------------------------------


@dataclass
class Page:
    """The page of a game: it asks for news as the script does, also after errors.

    :ivar errors: how often there was no answer
    """

    player: Player
    errors: int = 0

    async def follow(self) -> None:
        """Ask without end."""
        in_a_row = 0
        while self.player.news:
            try:
                async with asyncio.timeout(_TIMEOUT):
                    await self.player.look()
            except (BenchError, OSError):
                await self.player.close("news")
                self.player.pause = AFTER_ERRORS[min(in_a_row, len(AFTER_ERRORS) - 1)]
                in_a_row, self.errors = in_a_row + 1, self.errors + 1
            else:
                in_a_row = 0


async def insist(player: Player) -> int:
    """Make a move until it is answered; return the version that comes of it."""
    body = f"version={player.version}&cell={player.cells[0]}"
    while True:
        try:
            await player.ask(f"POST /games/{player.game}/moves", body, (200, 409))
        except (BenchError, OSError):
            await player.close("")
            await asyncio.sleep(_RETRY)
        else:
            return player.version + 1
