"""Connections that say nothing, or begin and do not end: others play on, and these are closed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import pytest

from tests.e2e.server import Server
from tests.faults.test_malformed import answer_to, friends_play, port_of
from tests.support.loops import run
from tests.support.patience import PATIENCE
from webapp.config import Settings
from webapp.server import SILENCE, STALLED
from webapp.web import create_app, turns
from webapp.web.turns import BODIES, OF_A_PLAYER

resource = pytest.importorskip("resource", reason="Windows limits no files")

SILENT, SLOW = 1_100, 700
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


@pytest.fixture
def limited(tmp_path: Path, times: Callable[[int, int], int]) -> Iterator[Server]:
    """It may open 1,024 files at first, as from most shells."""
    silence, stalled = map(times, SOONER, (SILENCE, STALLED))
    before, allowed = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, allowed))
    patch = _SET.format(silence, stalled)
    server = Server(tmp_path / "data", {"TTT_LIMITS": "on"}, patch=patch)
    # The senders are of this process.
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(before, 2 * (SILENT + SLOW)), allowed))
    yield server
    resource.setrlimit(resource.RLIMIT_NOFILE, (before, allowed))
    server.stop()


async def until_closed(port: int, beginning: bytes) -> bytes:
    """Begin a request and wait until it is closed; return the answer.

    :raises TimeoutError: if it stays open
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(beginning)
    received = b""
    with suppress(ConnectionError):
        received = await asyncio.wait_for(reader.read(), PATIENCE)
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return received


async def many(port: int) -> list[bytes]:
    """Silent connections and slow forms from one address; the answers to the forms."""
    heads = [until_closed(port, (b"", _HEAD)[number % 2]) for number in range(SILENT)]
    forms = [until_closed(port, (_BODY, _CHUNKS)[number % 2]) for number in range(SLOW)]
    return (await asyncio.gather(*heads, *forms))[SILENT:]


def test_a_visitor_who_sends_nothing_holds_nobody_up_and_is_let_go(limited: Server) -> None:
    with friends_play(limited.url, pause=0.2) as games:
        answers = run(many(port_of(limited)))
    assert games
    # Half of the room is for one address, and they wait a while.
    refused = sum(answer.startswith(b"HTTP/1.1 429 ") for answer in answers)
    assert refused >= SLOW - BODIES


def test_a_form_that_breaks_off_is_refused(server: Server) -> None:
    head = _FORM + b"Content-Length: 100\r\n\r\n"
    answer = run(answer_to(port_of(server), head + b"opponent=friend&mark=x&cell=4"))
    assert answer.startswith(b"HTTP/1.1 400 ")


class Endless(BytesIO):
    """A body of which nothing comes until the end of the test."""

    def __init__(self, came: threading.Semaphore, end: threading.Event) -> None:
        super().__init__(b"opponent=friend")
        self._came, self._end = came, end

    def read(self, size: int | None = -1, /) -> bytes:
        self._came.release()
        self._end.wait(PATIENCE)
        return super().read(size)


def test_slow_forms_of_newcomers_leave_half_of_the_room_and_those_of_a_player_nearly_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "BODIES", room := 16)
    app = create_app(Settings(data=tmp_path))
    came, end = threading.Semaphore(0), threading.Event()

    form = {"opponent": "friend", "mark": "x", "cell": "4"}

    def post(player: int, body: BytesIO | None = None, address: str = "192.0.2.1") -> int:
        client = app.test_client()
        client.environ_base["REMOTE_ADDR"] = address
        client.set_cookie("player", f"{player:043}")
        if body is None:
            return client.post("/games", data=form).status_code
        return client.post("/games", input_stream=body, content_length=15).status_code

    known = range(2)
    assert {post(player) for player in known} == {303}
    newcomers = range(2, 2 + (room - OF_A_PLAYER) // 2)
    senders = [0] * OF_A_PLAYER + list(newcomers)
    with ThreadPoolExecutor(len(senders)) as pool:
        try:
            for player in senders:
                pool.submit(post, player, Endless(came, end))
            for _ in senders:
                assert came.acquire(timeout=PATIENCE)
            assert [post(player) for player in (0, 1, 1000)] == [429, 303, 429]
            assert post(1001, address="192.0.2.2") == 303
        finally:
            end.set()
    assert post(0) == post(1000) == 303
    app.extensions["site"].database.close()
