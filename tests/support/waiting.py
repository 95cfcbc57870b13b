"""Requests that wait for news at a real server."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple
from urllib.parse import urlsplit


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
