"""Requests as no browser sends them, at the real server: refused or dropped, others unaffected."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from typing import Any

from tests.e2e.server import Server
from tests.support.http import Player
from tests.support.loops import run
from tests.support.malformed import Malformed, malformed
from tests.support.patience import PATIENCE, until

AT_ONCE = 24
"""How many requests are under way at the same time."""

QUIET = 0.1
"""After how many seconds without a byte the sender says that nothing more comes."""

DRAW = "048176253"

_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3}) ")


def port_of(server: Server) -> int:
    return int(server.url.rpartition(":")[2])


async def answer_to(
    port: int, *pieces: bytes, half_closed: bool = False, quiet: float = QUIET
) -> bytes:
    """Send pieces on a connection of their own; return all that comes until it is closed.

    :raises TimeoutError: if the server neither answers nor closes
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    received = b""
    with suppress(ConnectionError):
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0.001)
        while not half_closed:
            try:
                part = await asyncio.wait_for(reader.read(65536), quiet)
            except TimeoutError:
                break
            received += part
            if not part:
                break
        with suppress(OSError):
            writer.write_eof()
        received += await asyncio.wait_for(reader.read(), PATIENCE)
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return received


async def send_all(port: int, requests: Iterator[Malformed]) -> Counter[int]:
    """Send many requests, some of them at the same time; return how often which status came."""
    statuses: Counter[int] = Counter()

    async def send_one_after_the_other() -> None:
        for request in requests:
            answer = await answer_to(port, request.text, half_closed=request.half_closed)
            found = [int(status) for status in _STATUS.findall(answer)]
            assert not [status for status in found if status >= 500], request
            assert b"Traceback" not in answer, request
            statuses.update(found)

    await asyncio.gather(*(send_one_after_the_other() for _ in range(AT_ONCE)))
    return statuses


@contextmanager
def friends_play(url: str, pause: float = 0) -> Iterator[dict[str, str]]:
    """Let two friends at one device play one game after the other meanwhile.

    :param pause: seconds before each request
    :return: the moves that were answered, by game
    """
    enough, games = threading.Event(), dict[str, str]()
    friends = Player(url)

    def post(address: str, **fields: object) -> str:
        enough.wait(pause)
        answer = friends.post(address, **fields)
        assert answer.status == 303, answer.status
        return str(answer.headers["Location"])

    def play() -> None:
        while not enough.is_set():
            game = post("/games", opponent="friend", mark="x", cell=DRAW[0])
            games[game] = DRAW[0]
            for version, cell in enumerate(DRAW[1:], 1):
                post(f"{game}/moves", cell=cell, version=version)
                games[game] += cell

    with ThreadPoolExecutor(1) as aside:
        playing = aside.submit(play)
        try:
            yield games
        finally:
            enough.set()
    playing.result()


@contextmanager
def nothing_but_what_friends_play(server: Server) -> Iterator[None]:
    """Let two friends play meanwhile: no move is lost, and nothing else is stored.

    Names are: each time that someone new looks at the class.
    """
    before = stored(server)
    with friends_play(server.url) as games:
        yield
        until(lambda: len(games) > 2, "they play no more")
    after = stored(server)
    players = {row["x_seat"] for row in after["games"] if f"/games/{row['id']}" in games}
    played = [row for row in after["games"] if row["x_seat"] in players]
    assert {f"/games/{row['id']}": row["moves"] for row in played} == games
    assert [row for row in after["games"] if row not in played] == before["games"]
    known = {row["id"] for row in before["players"]}
    assert [row for row in after["players"] if row["id"] in known] == before["players"]
    for row in after["players"]:
        assert row["id"] in known | players or row["last_mark"] is None


def stored(server: Server) -> dict[str, list[dict[str, Any]]]:
    with closing(sqlite3.connect(server.database)) as connection:
        connection.row_factory = sqlite3.Row
        return {
            table: [dict(row) for row in connection.execute(f"SELECT * FROM {table} ORDER BY id")]  # noqa: S608
            for table in ("games", "players")
        }


def test_malformed_requests_are_refused_store_nothing_and_hold_nobody_up(
    server: Server, times: Callable[[int, int], int]
) -> None:
    player = Player(server.url)
    player.start()
    game = player.game.removeprefix("/games/")
    requests = (malformed(number, game) for number in range(times(1_500, 20_000)))
    with nothing_but_what_friends_play(server):
        statuses = run(send_all(port_of(server), requests))
    assert {200, 400, 403, 404, 405, 413, 422} <= set(statuses)


_FORM = (
    b"POST /games HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n"
)


def test_a_body_that_comes_in_pieces_is_read_to_its_end(server: Server) -> None:
    form = b"opponent=friend&mark=x&cell=4"
    announced = (_FORM + b"Content-Length: 29\r\n\r\n", *(bytes([byte]) for byte in form))
    chunks = (b"1\r\n%c\r\n" % byte for byte in form)
    unannounced = (_FORM + b"Transfer-Encoding: chunked\r\n\r\n", *chunks, b"0\r\n\r\n")
    for pieces in (announced, unannounced):
        answer = run(answer_to(port_of(server), *pieces, quiet=PATIENCE))
        assert answer.startswith(b"HTTP/1.1 303 ")
