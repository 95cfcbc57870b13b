"""Connections that say nothing, or begin and do not end: others play on, and these are closed."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import pytest

from tests.e2e.server import Server
from tests.faults.test_malformed import answer_to, friends_play, port_of
from tests.support.pace import slowness
from webapp.config import Settings
from webapp.server import SILENCE, STALLED
from webapp.web import create_app
from webapp.web.turns import OF_A_PLAYER, OF_NEWCOMERS, OF_STRANGERS

resource = pytest.importorskip("resource", reason="Windows limits no files")

SILENT, SLOW = 1_100, 500
SOONER = 3, 6
"""What takes the place of SILENCE and STALLED without ``--long``."""

_SET = """
import webapp.server
webapp.server.SILENCE, webapp.server.STALLED = {}, {}
"""
_HEAD = b"GET /class HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
_FORM = (
    b"POST /games HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n"
)
_BODY = _FORM + b"Content-Length: 100\r\n\r\nopponent="
_CHUNKS = _FORM + b"Transfer-Encoding: chunked\r\n\r\n9\r\nopponent=\r\n"


@dataclass(frozen=True)
class Limited:
    """A server with its usual limits, and when it lets go of whom."""

    server: Server
    silence: int
    stalled: int


@pytest.fixture
def limited(tmp_path: Path, times: Callable[[int, int], int]) -> Iterator[Limited]:
    """It may open 1,024 files at first, as from most shells."""
    silence, stalled = map(times, SOONER, (SILENCE, STALLED))
    (tmp_path / "sitecustomize.py").write_text(_SET.format(silence, stalled))
    settings = {"TTT_LIMITS": "on", "PYTHONPATH": str(tmp_path)}
    before, allowed = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, allowed))
    server = Server(tmp_path / "data", settings)
    # The senders are of this process.
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(before, 2 * (SILENT + SLOW)), allowed))
    yield Limited(server, silence, stalled)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before, allowed))
    server.stop()


async def until_closed(port: int, beginning: bytes) -> tuple[float, bytes]:
    """Begin a request and wait; return after how many seconds it was closed, and the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    began = time.monotonic()
    writer.write(beginning)
    received = b""
    with suppress(ConnectionError):
        received = await asyncio.wait_for(reader.read(), 4 * STALLED)
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return time.monotonic() - began, received


async def many(port: int) -> tuple[list[tuple[float, bytes]], list[tuple[float, bytes]]]:
    """Silent connections and slow forms from one address; what became of each."""
    heads = [until_closed(port, (b"", _HEAD)[number % 2]) for number in range(SILENT)]
    forms = [until_closed(port, (_BODY, _CHUNKS)[number % 2]) for number in range(SLOW)]
    ends = await asyncio.gather(*heads, *forms)
    return ends[:SILENT], ends[SILENT:]


def test_a_visitor_who_sends_nothing_holds_nobody_up_and_is_let_go(limited: Limited) -> None:
    with friends_play(limited.server.url, pause=0.2) as (games, took):
        heads, forms = asyncio.run(many(port_of(limited.server)))
    assert games
    assert max(took) < 2 * slowness()
    late = 5 * slowness()
    assert max(seconds for seconds, _ in heads) < limited.silence + late
    # In each of two workers there is room for some, which wait a while.
    refused = [seconds for seconds, answer in forms if answer.startswith(b"HTTP/1.1 429 ")]
    assert len(refused) >= SLOW - 2 * OF_STRANGERS
    assert max(refused) < late
    if sys.platform == "linux":
        assert max(seconds for seconds, _ in forms) < limited.stalled + late


def test_a_form_that_breaks_off_is_refused(server: Server) -> None:
    head = _FORM + b"Content-Length: 100\r\n\r\n"
    answer = asyncio.run(answer_to(port_of(server), head + b"opponent=friend&mark=x&cell=4"))
    assert answer.startswith(b"HTTP/1.1 400 ")


class Endless(BytesIO):
    """A body of which nothing comes until the end of the test."""

    def __init__(self, came: threading.Semaphore, end: threading.Event) -> None:
        super().__init__(b"opponent=friend")
        self._came, self._end = came, end

    def read(self, size: int | None = -1, /) -> bytes:
        self._came.release()
        self._end.wait(60)
        return super().read(size)


def test_slow_forms_of_newcomers_leave_room_for_players_and_those_of_a_player_for_others(
    tmp_path: Path,
) -> None:
    app = create_app(Settings(data=tmp_path))
    came, end = threading.Semaphore(0), threading.Event()

    form = {"opponent": "friend", "mark": "x", "cell": "4"}

    def post(player: int, body: BytesIO | None = None) -> int:
        client = app.test_client()
        client.set_cookie("player", f"{player:043}")
        if body is None:
            return client.post("/games", data=form).status_code
        return client.post("/games", input_stream=body, content_length=15).status_code

    known = range(2)
    assert {post(player) for player in known} == {303}
    senders = [0] * OF_A_PLAYER + list(range(2, 2 + OF_NEWCOMERS))
    with ThreadPoolExecutor(len(senders)) as pool:
        try:
            for player in senders:
                pool.submit(post, player, Endless(came, end))
            for _ in senders:
                assert came.acquire(timeout=30)
            assert [post(player) for player in (0, 1, 1000)] == [429, 303, 429]
        finally:
            end.set()
    assert post(0) == post(1000) == 303
    app.extensions["database"].close()
