"""Requests as no browser sends them, at the real server: refused or dropped, others unaffected."""

from __future__ import annotations

import asyncio
import http.client
import re
import secrets
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import urlencode

import pytest

from tests.e2e.server import Server
from tests.support.malformed import Malformed, malformed
from tests.support.pace import slowness

AT_ONCE = 24
"""How many requests are under way at the same time; there are two workers."""

QUIET = 0.2
"""After how many seconds without a byte one says that nothing more comes."""

PATIENCE = 20.0
DRAW = "048176253"

_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3}) ")
_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)

Stored: TypeAlias = dict[str, list[tuple[Any, ...]]]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that in the end has had nothing to complain about."""
    server = Server(tmp_path_factory.mktemp("server") / "data", {"TTT_LIMITS": "off"})
    try:
        yield server
    except BaseException:
        server.kill()
        raise
    server.stop()


# --- those who send them ------------------------------------------------------------------------


async def answer_to(port: int, request: Malformed) -> bytes:
    """Send a request on a connection of its own; return all that comes until it is closed.

    :raises TimeoutError: if the server neither answers nor closes
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    received = b""
    try:
        with suppress(ConnectionError):
            for piece in request.pieces:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0.001)
            if request.half_closed:
                _done(writer)
            while part := await _next(reader, writer, received, request):
                received += part
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
    return received


async def _next(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, received: bytes, request: Malformed
) -> bytes:
    """The next bytes; after a whole answer, or a moment of silence, one says that one has done."""
    if not (_whole(received) and request.kind != "pipelined"):
        with suppress(TimeoutError):
            return await asyncio.wait_for(reader.read(65536), QUIET)
    _done(writer)
    return await asyncio.wait_for(reader.read(65536), PATIENCE)


def _done(writer: asyncio.StreamWriter) -> None:
    """Say that nothing more comes, unless the server has gone already."""
    with suppress(OSError):
        writer.write_eof()


def _whole(received: bytes) -> bool:
    head, end, body = received.partition(b"\r\n\r\n")
    length = _LENGTH.search(head)
    return bool(end and length) and len(body) >= int(length[1] if length else 0)


@dataclass
class Outcome:
    """What came of many requests.

    :param failures: the requests that something was wrong with, and what
    """

    statuses: Counter[int] = field(default_factory=Counter)
    closed: int = 0
    failures: list[str] = field(default_factory=list)

    def note(self, request: Malformed, answer: bytes) -> None:
        statuses = [int(found) for found in _STATUS.findall(answer)]
        self.statuses.update(statuses)
        self.closed += not statuses
        if any(status >= 500 for status in statuses) or b"Traceback" in answer:
            self.failures.append(f"{statuses} to {request}")


async def send_all(port: int, requests: Iterator[Malformed]) -> Outcome:
    """Send many requests, some of them at the same time."""
    outcome = Outcome()

    async def send_one_after_the_other() -> None:
        for request in requests:
            try:
                outcome.note(request, await answer_to(port, request))
            except TimeoutError:
                outcome.failures.append(f"no answer, and not closed: {request}")

    await asyncio.gather(*(send_one_after_the_other() for _ in range(AT_ONCE)))
    return outcome


# --- those who play meanwhile -------------------------------------------------------------------


class Friends(threading.Thread):
    """Two friends at one device, who play one game after the other.

    :ivar cookie: who they are
    :ivar answered: how many moves of each game were answered
    :ivar seconds: how long each answer took
    """

    def __init__(self, port: int) -> None:
        super().__init__()
        self._port = port
        self._enough = threading.Event()
        self.cookie = f"player={secrets.token_urlsafe(32)}"
        self.answered: dict[str, int] = {}
        self.seconds: list[float] = []
        self.fault: Exception | None = None

    def run(self) -> None:
        try:
            with closing(http.client.HTTPConnection("127.0.0.1", self._port, 60)) as connection:
                while not self._enough.is_set():
                    self._play(connection)
        except Exception as error:  # noqa: BLE001 - it is raised again where somebody looks
            self.fault = error

    def stop(self) -> None:
        """Let them finish their game; what went wrong is raised here."""
        self._enough.set()
        self.join(60)
        assert not self.is_alive()
        if self.fault:
            raise self.fault

    def _play(self, connection: http.client.HTTPConnection) -> None:
        game = self._post(connection, "/games", opponent="friend", mark="x")
        self.answered[game] = 0
        for version, cell in enumerate(DRAW, 1):
            self._post(connection, f"/games/{game}/moves", cell=cell, version=version)
            self.answered[game] += 1

    def _post(self, connection: http.client.HTTPConnection, address: str, **fields: object) -> str:
        headers = {"Cookie": self.cookie, "Content-Type": "application/x-www-form-urlencoded"}
        start = time.perf_counter()
        connection.request("POST", address, urlencode(fields), headers)
        answer = connection.getresponse()
        answer.read()
        self.seconds.append(time.perf_counter() - start)
        assert answer.status == 303, answer.status
        return (answer.getheader("Location") or "").removeprefix("/games/")


@contextmanager
def friends(port: int) -> Iterator[Friends]:
    """Let them play for as long as the block takes; not one of their moves may be late."""
    playing = Friends(port)
    playing.start()
    try:
        yield playing
    finally:
        playing.stop()
    assert len(playing.seconds) > 20
    assert max(playing.seconds) < 5 * slowness()


def port_of(server: Server) -> int:
    return int(server.url.rpartition(":")[2])


def stored(server: Server, without: str = "nobody") -> Stored:
    """Everything that is stored, but for the games and the name of one player."""
    with closing(sqlite3.connect(server.database)) as connection:
        found = {
            table: connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()  # noqa: S608
            for table in ("games", "players", "records")
        }
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return {table: [row for row in rows if without not in row] for table, rows in found.items()}


def somebodys_game(server: Server) -> str:
    """Start a game that nobody who sends nonsense has a seat in."""
    starting = Friends(port_of(server))
    with closing(http.client.HTTPConnection("127.0.0.1", port_of(server), 60)) as connection:
        starting.cookie = f"player={'s' * 43}"
        return starting._post(connection, "/games", opponent="easy", mark="x", cell=4)


def player_of(playing: Friends, server: Server) -> str:
    """The friends as the database knows them."""
    with closing(sqlite3.connect(server.database)) as connection:
        game = next(iter(playing.answered))
        (seat,) = connection.execute("SELECT x_seat FROM games WHERE id = ?", (game,)).fetchone()
    return str(seat)


# --- the tests ----------------------------------------------------------------------------------


def test_malformed_requests_are_refused_store_nothing_and_hold_nobody_up(
    server: Server, times: Callable[[int, int], int], record_property: Callable[[str, object], None]
) -> None:
    game, port = somebodys_game(server), port_of(server)
    before = stored(server)
    requests = (malformed(2026, number, game) for number in range(times(1_500, 20_000)))
    with friends(port) as playing:
        outcome = asyncio.run(send_all(port, requests))
    assert not outcome.failures, "\n".join(outcome.failures[:20])
    assert stored(server, player_of(playing, server)) == before
    rows = {row[0]: row for row in stored(server)["games"]}
    for played, answered in playing.answered.items():
        assert DRAW[:answered] in rows[played]
    # The seconds are for those who want to know; what is too slow has failed above.
    record_property("statuses", dict(sorted(outcome.statuses.items())))
    assert {200, 400, 403, 404, 405, 413, 422} <= set(outcome.statuses)


_FORM = (
    b"POST /games HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n"
)
SLOWLY = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    _FORM + b"Content-Length: 1000\r\n\r\nopponent=",
    _FORM + b"Transfer-Encoding: chunked\r\n\r\n9\r\nopponent=\r\n",
    b"",
)
"""How a request begins that takes for ever: in its head, in its body, in chunks, or not at all."""


@pytest.mark.parametrize("slow", [40, 160])
def test_who_sends_a_byte_a_second_holds_nobody_up(server: Server, slow: int) -> None:
    port, before = port_of(server), stored(server)

    async def send_slowly(beginning: bytes, enough: asyncio.Event) -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(beginning)
        while not enough.is_set():
            if beginning:
                writer.write(b"1\r\na\r\n" if b"chunked" in beginning else b"a")
            with suppress(TimeoutError):
                await asyncio.wait_for(enough.wait(), 1)
        writer.close()

    async def everybody() -> Friends:
        enough = asyncio.Event()
        sending = [
            asyncio.create_task(send_slowly(SLOWLY[number % len(SLOWLY)], enough))
            for number in range(slow)
        ]
        await asyncio.sleep(0.2)
        with friends(port) as playing:
            await asyncio.sleep(2)
        enough.set()
        await asyncio.gather(*sending)
        return playing

    playing = asyncio.run(everybody())
    after = stored(server, player_of(playing, server))
    assert after == before


def test_a_body_that_comes_in_pieces_is_read_to_its_end(server: Server) -> None:
    form = b"opponent=friend&mark=x"
    announced = (_FORM + b"Content-Length: 22\r\n\r\n", *(bytes([byte]) for byte in form))
    chunks = (b"1\r\n%c\r\n" % byte for byte in form)
    unannounced = (_FORM + b"Transfer-Encoding: chunked\r\n\r\n", *chunks, b"0\r\n\r\n")
    for pieces in (announced, unannounced):
        answer = asyncio.run(answer_to(port_of(server), Malformed("in pieces", pieces)))
        assert answer.startswith(b"HTTP/1.1 303 ")
