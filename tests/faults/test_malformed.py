"""Requests as no browser sends them change nothing and hold nobody up."""

import asyncio
import re
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import quantiles
from urllib.parse import quote_from_bytes, urlsplit

import pytest

from tests.e2e.server import WAITS_FOR_LOCKS, Server
from tests.support.http import Player, run
from tests.support.patience import PATIENCE, Times, until
from webapp.server import SILENCE
from webapp.server.bridge import BODY_S

resource = pytest.importorskip("resource", reason="Windows limits no files")
START = {"opponent": "friend", "mark": "x"}
FORM, TYPE = b"opponent=friend&mark=x&cell=4", "application/x-www-form-urlencoded"
BEGUN = f"POST /games HTTP/1.1\r\nHost: localhost\r\nContent-Type: {TYPE}\r\n".encode()
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
GARBAGE = (
    *(b"", b"\x00", b"%00", b"%", b"%zz", b"\xff\xfe", b"%ED%A0%80", b"\xd9\xa3", b"-1", b"1e9"),
    *(b"9" * 5000, b"4.0", b" 4", b"NaN", b"None", b"nobody", b"X", b"a" * 3000, b"a" * 70_000),
    *(b"../../../etc/passwd", b"..%2f..%2fetc%2fpasswd", b"<script>alert(1)</script>", b"[::1"),
    *(b"'; DROP TABLE games; --", b"{{7*7}}", b"%0d%0aSet-Cookie:%20a=b", b"//[", b"http://["),
    *(b"rules:" + b"win," * 300, b"evil.example", b"bytes=0-1,-2", b"chunked"),
)
"""Which no form, address or cookie could rightly have."""

TARGETS = (
    *(b"/games/%s", b"/events?topic=%s", b"/games/{game}/%s", b"/join/%s", b"/review/%s"),
    *(b"/review/40281?at=%s", b"/opponents/%s", b"/lab?x=%s", b"/lab/rules?list=%s", b"/%s"),
    *(b"/lab/experiment?games=%s", b"/?opponent=%s", b"/?mark=%s", b"/static/%s", b"/class?%s=%s"),
    *(b"/static/../webapp/config.py", b"%s", b"/%s#?"),
)
FORMS = (
    *(b"/games", b"/games/{game}/moves", b"/games/{game}/undo", b"/games/{game}/hint", b"/class"),
    *(b"/games/{game}/again", b"/games/{game}/resign", b"/join/AAAAAA", b"/no"),
)
METHODS = (*[b"GET"] * 9, b"HEAD", b"get", b"BREW", b"TRACE", b"CONNECT", b"", b"G\x00T")
VERSIONS = (*[b"HTTP/1.1"] * 20, b"HTTP/1.0", b"HTTP/9.9", b"", b"\x00")
FIELDS = (b"opponent", b"mark", b"cell", b"version", b"key", b"moves", b"name", b"\x00", b"%")
TYPES = (*[b"application/x-www-form-urlencoded"] * 3, b"multipart/form-data; boundary=b", b"\xff")
NAMES = (
    *(b"Host", b"Cookie", b"Origin", b"Sec-Fetch-Site", b"HX-Request", b"Range", b"If-None-Match"),
    *(b"If-Modified-Since", b"Accept-Encoding", b"Expect", b"Connection", b"Upgrade", b"N\xff"),
    *(b"X-Forwarded-For", b"X-Forwarded-Host", b"Content-Encoding", b"Bad Name", b"", b" folded"),
)
BODIES = (  # from where the headers end
    *(b"Content-Length: 5\r\nContent-Length: 6\r\n\r\na=b&c=d", b"Content-Length: -1\r\n\r\na=b"),
    *(b"Content-Length: 99999999999999999999\r\n\r\na=b", b"Content-Length: 100\r\n\r\na=b"),
    *(b"Content-Length: 3\r\n" + CHUNKED + b"3\r\na=b\r\n0\r\n\r\n", b"\r\n"),
    *(CHUNKED + b"zz\r\na=b\r\n0\r\n\r\n", CHUNKED + b"f" * 21 + b"\r\na=b\r\n"),
    *(CHUNKED + b"5\r\na=b\r\n0\r\n\r\n", CHUNKED + b"0\r\n" + b"T: x\r\n" * 500 + b"\r\n"),
    CHUNKED + b"11170\r\n" + b"x" * 70_000 + b"\r\n0\r\n\r\n",
)
OTHER_PROTOCOLS = (
    *(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"SSH-2.0-OpenSSH_9.2\r\n", b"\r\n" * 2000),
    # The beginning of a TLS handshake, as from a browser that was given https:// by mistake.
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)) * 2,
)


def malformed(number: int, game: str) -> bytes:
    """Make a request; the same number makes the same one, about a game of others."""
    rng = Random(number)
    chance, one_of = rng.random, rng.choice

    def value() -> bytes:
        """One that is none: as it is, or as a browser would write it into an address."""
        garbage = one_of(GARBAGE)
        return garbage if chance() < 0.3 else quote_from_bytes(garbage, safe="%").encode()

    def head(method: bytes, target: bytes) -> bytes:
        first = b"%s %s %s" % (method, target.replace(b"%s", value()), one_of(VERSIONS))
        more = [
            one_of(NAMES) + one_of((b": ", b"=", b" : ")) + one_of(GARBAGE)
            for _ in range(one_of((0, 0, 1, 3)) if chance() < 0.95 else 300)
        ]
        lines = [first, b"Host: localhost", *more]
        return b"\r\n".join(lines[: None if chance() < 0.95 else 1]) + b"\r\n"

    def look() -> bytes:
        return head(one_of(METHODS), one_of(TARGETS)) + b"\r\n"

    def post() -> bytes:
        begun = head(b"POST", one_of(FORMS)) + b"Content-Type: %s\r\n" % one_of(TYPES)
        if chance() < 0.4:
            return begun + one_of(BODIES)
        pairs = [one_of(FIELDS) + b"=" + value() for _ in range(one_of((0, 1, 2, 5, 40)))]
        # One right value among them opens nothing.
        pairs += one_of(((), (b"opponent=easy",), (b"version=1",), (b"mark=x%00",)))
        rng.shuffle(pairs)
        body = one_of((b"&", b"&", b";", b"&&")).join(pairs)
        return begun + b"Content-Length: %d\r\n\r\n" % len(body) + body

    other = one_of((*OTHER_PROTOCOLS, rng.randbytes(rng.randrange(2000))))
    text = one_of((look(), look(), post(), post(), post(), other)).replace(b"{game}", game.encode())
    if chance() < 0.15:  # several on one connection
        text = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n" + text + look()
    if chance() < 0.15:
        return text[: rng.randrange(len(text) + 1)]
    if chance() < 0.15 and text:
        at = rng.randrange(len(text))
        return text[:at] + rng.randbytes(rng.randrange(9)) + text[at + rng.randrange(3) :]
    return text


@contextmanager
def friends_play(url: str) -> Iterator[dict[str, str]]:
    """Let two friends at one device play meanwhile; yield the moves that were answered, by game."""
    enough, games, friends = threading.Event(), dict[str, str](), Player(url)

    def play() -> None:
        game = ""
        for version, cell in cycle(enumerate("048176253")):
            if enough.wait(0.2):  # no faster than the limits allow
                return
            address, start = (f"{game}/moves", {}) if version else ("/games", START)
            answer = friends.post(address, cell=cell, version=version, **start)
            assert answer.status == 303, answer.status
            game = str(answer.headers["Location"])
            games[game] = games.get(game, "") + cell

    with ThreadPoolExecutor(1) as aside:
        playing = aside.submit(play)
        try:
            yield games
            before = dict(games)
            until(lambda: games != before or playing.done(), "they play no more")
        finally:
            enough.set()
    playing.result()


async def until_closed(
    url: str, *pieces: bytes, quiet: float = PATIENCE, source: str = "127.0.0.1"
) -> bytes:
    """Send pieces on a connection; return all that comes until it is closed, or quiet so long."""
    port = urlsplit(url).port
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
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


async def send_all(url: str, requests: Iterator[bytes]) -> Counter[int]:
    statuses = Counter[int]()

    async def send_one_after_the_other() -> None:
        for request in requests:
            answer = await until_closed(url, request, quiet=0.1)
            found = [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3}) ", answer)]
            assert max(found, default=0) < 500, request
            assert b"Traceback" not in answer, request
            statuses.update(found)

    await asyncio.gather(*(send_one_after_the_other() for _ in range(24)))
    return statuses


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("server") / "data", patch=WAITS_FOR_LOCKS)
    yield server
    server.stop()  # and it must not have complained


def test_malformed_requests_store_nothing_and_hold_nobody_up(server: Server, times: Times) -> None:
    player = Player(server.url)
    player.start()
    game = player.game.removeprefix("/games/")
    requests = (malformed(number, game) for number in range(times(400, 20_000)))
    with closing(sqlite3.connect(server.database)) as database:
        moves, players = "SELECT '/games/' || id, moves FROM games", "SELECT id, name FROM players"
        stored, known = dict(database.execute(moves)), {*database.execute(players)}
        with friends_play(server.url) as played:
            statuses = run(send_all(server.url, requests))
        assert dict(database.execute(moves)) == stored | played
        assert len({*database.execute(players)} - known) == 1, "the friends at one device"
    assert {200, 400, 403, 404, 405, 413, 422} <= set(statuses)


def test_a_body_in_pieces_is_read_to_its_end_and_a_broken_one_refused(server: Server) -> None:
    begun = BEGUN + b"Connection: close\r\n"
    announced = begun + b"Content-Length: 29\r\n\r\n", *(bytes([byte]) for byte in FORM)
    chunks = (b"1\r\n%c\r\n" % byte for byte in FORM)
    for pieces in (announced, (begun + CHUNKED, *chunks, b"0\r\n\r\n")):
        assert run(until_closed(server.url, *pieces)).startswith(b"HTTP/1.1 303 ")
    broken_off = run(until_closed(server.url, *announced[:-1], quiet=0.1))
    assert broken_off.startswith(b"HTTP/1.1 400 ")


def test_senders_of_nothing_or_half_a_form_hold_nobody_up(tmp_path: Path, times: Times) -> None:
    """They come from two addresses, and are more than the files that it may open at first."""
    patch = f"""
import webapp.server
from webapp.server import bridge
webapp.server.SILENCE, bridge.BODY_S = {times(4, SILENCE)}, {times(5, BODY_S)}
"""
    before, allowed = resource.getrlimit(resource.RLIMIT_NOFILE)
    number, head = times(200, 1000), b"GET /class HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
    bodies = b"Content-Length: 100\r\n\r\nopponent=", CHUNKED + b"9\r\nopponent=\r\n"
    begun = b"", head, BEGUN + bodies[0], BEGUN + bodies[1]

    async def send_nothing_more(server: Server) -> list[float]:
        """Return how long each move took meanwhile."""
        senders = [
            asyncio.create_task(until_closed(server.url, piece, source=f"127.0.0.{2 + at % 2}"))
            for at, piece in enumerate(begun * (number // 2))
        ]
        took, player = list[float](), Player(server.url)
        await asyncio.to_thread(player.start)
        while not all(sender.done() for sender in senders):
            if not (page := await player.ask("GET", player.game)).playable:
                await asyncio.to_thread(player.start)
                continue
            began, fields = time.monotonic(), {"cell": page.playable[0], "version": page.version}
            moved = await player.ask("POST", f"{player.game}/moves", fields)
            assert moved.status == 303
            took.append(time.monotonic() - began)
            await asyncio.sleep(0.2)
        return took

    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, allowed))
        server = Server(tmp_path / "data", {"TTT_LIMITS": "on"}, patch=patch)
        # The senders are of this process.
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(before, 2400), allowed))
        with friends_play(server.url):
            took = run(send_nothing_more(server))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (before, allowed))
    server.stop()
    if number == 1000:  # only then nothing else runs beside it
        assert quantiles(took, n=20)[-1] < 0.05
