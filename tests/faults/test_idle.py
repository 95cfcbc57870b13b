"""Connections that say nothing, or begin and do not end: others play on, and these are closed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.e2e.server import Server
from tests.support.http import Player, run
from tests.support.patience import PATIENCE, until
from webapp.config import Settings
from webapp.server import SILENCE, STALLED
from webapp.web import create_app, turns
from webapp.web.turns import OF_A_PLAYER

resource = pytest.importorskip("resource", reason="Windows limits no files")

FILES, SILENT, SLOW = 256, 300, 100
SOONER = 6, 9
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

_DRAW = "048176253"


@contextmanager
def friends_play(url: str) -> Iterator[dict[str, str]]:
    """Let two friends at one device play one game after the other meanwhile.

    :return: the moves that were answered, by game
    """
    enough, games, friends = threading.Event(), dict[str, str](), Player(url)

    def post(address: str, **fields: object) -> str:
        enough.wait(0.2)  # no faster than the limits allow
        answer = friends.post(address, **fields)
        assert answer.status == 303, answer.status
        return str(answer.headers["Location"])

    def play() -> None:
        while not enough.is_set():
            game = post("/games", opponent="friend", mark="x", cell=_DRAW[0])
            games[game] = _DRAW[0]
            for version, cell in enumerate(_DRAW[1:], 1):
                post(f"{game}/moves", cell=cell, version=version)
                games[game] += cell

    with ThreadPoolExecutor(1) as aside:
        playing = aside.submit(play)
        try:
            yield games
            before = len(games)
            until(lambda: len(games) > before or playing.done(), "they play no more")
        finally:
            enough.set()
    playing.result()


async def until_closed(url: str, *pieces: bytes, quiet: float = PATIENCE) -> bytes:
    """Send pieces on a connection of their own; return all that comes until it is closed.

    :param quiet: after how many seconds without a byte to say that nothing more comes
    :raises TimeoutError: if it stays open even then
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(url).port)
    received = b""
    with suppress(ConnectionError):
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0.001)
        try:
            while part := await asyncio.wait_for(reader.read(65536), quiet):
                received += part
        except TimeoutError:
            with suppress(OSError):
                writer.write_eof()
            received += await asyncio.wait_for(reader.read(), PATIENCE)
    writer.close()
    return received


def test_a_visitor_who_sends_nothing_holds_nobody_up_and_is_let_go(
    tmp_path: Path, times: Callable[[int, int], int]
) -> None:
    """They are more than the files that the server may open at first, as from a shell."""
    silence, stalled = map(times, SOONER, (SILENCE, STALLED))
    before, allowed = resource.getrlimit(resource.RLIMIT_NOFILE)

    async def many() -> None:
        heads = [until_closed(server.url, (b"", _HEAD)[n % 2]) for n in range(SILENT)]
        forms = [until_closed(server.url, (_BODY, _CHUNKS)[n % 2]) for n in range(SLOW)]
        await asyncio.gather(*heads, *forms)

    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, allowed))
        limits = {"TTT_LIMITS": "on"}
        server = Server(tmp_path / "data", limits, patch=_SET.format(silence, stalled))
        # The senders are of this process.
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(before, 2 * (SILENT + SLOW)), allowed))
        with friends_play(server.url):
            run(many())
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (before, allowed))
    server.stop()


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

    assert {post(player) for player in (0, 1)} == {303}
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
