"""Requests as no browser sends them, at the real server: refused or dropped, others unaffected.

A right request with something wrong put into one of its places, then perhaps damaged or cut off.
None of them may change anything: where the address would take a form, something in it is wrong.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from random import Random
from urllib.parse import quote_from_bytes

import pytest

from tests.e2e.server import WAITS_FOR_LOCKS, Server
from tests.faults.test_idle import friends_play, until_closed
from tests.support.http import Player, run

AT_ONCE = 24
"""How many requests are under way at the same time."""

GARBAGE = (
    *(b"", b"\x00", b"%00", b"%", b"%zz", b"\xff\xfe", b"%ED%A0%80", b"\xd9\xa3", b"-1", b"1e9"),
    *(b"9" * 5000, b"4.0", b" 4", b"NaN", b"None", b"nobody", b"X", b"a" * 3000, b"a" * 70_000),
    *(b"../../../etc/passwd", b"..%2f..%2fetc%2fpasswd", b"<script>alert(1)</script>", b"[::1"),
    *(b"'; DROP TABLE games; --", b"{{7*7}}", b"%0d%0aSet-Cookie:%20a=b", b"//[", b"http://["),
    *(b"rules:" + b"win," * 300, b"evil.example", b"bytes=0-1,-2", b"chunked"),
)
"""None of them is a value that a form, an address or a cookie could rightly have."""

TARGETS = (
    *(b"/games/%s", b"/games/{game}?since=%s", b"/games/{game}/%s", b"/join/%s", b"/review/%s"),
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
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
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
    """Make one of a row of requests; the same number makes the same one.

    :param game: the id of a game that the sender has no seat in
    """
    rng = Random(number)
    other = rng.choice((*OTHER_PROTOCOLS, rng.randbytes(rng.randrange(2000))))
    text = rng.choice((looks(rng), looks(rng), posts(rng), posts(rng), posts(rng), other))
    text = text.replace(b"{game}", game.encode())
    if rng.random() < 0.15:  # several on one connection
        text = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n" + text + looks(rng)
    if rng.random() < 0.15:
        text = text[: rng.randrange(len(text) + 1)]
    elif rng.random() < 0.15 and text:
        at = rng.randrange(len(text))
        text = text[:at] + rng.randbytes(rng.randrange(9)) + text[at + rng.randrange(3) :]
    return text


def looks(rng: Random) -> bytes:
    return head(rng, rng.choice(METHODS), rng.choice(TARGETS)) + b"\r\n"


def posts(rng: Random) -> bytes:
    begun = head(rng, b"POST", rng.choice(FORMS)) + b"Content-Type: %s\r\n" % rng.choice(TYPES)
    if rng.random() < 0.4:
        return begun + rng.choice(BODIES)
    fields = rng.choice((0, 1, 2, 5, 40))
    pairs = [rng.choice(FIELDS) + b"=" + written(rng) for _ in range(fields)]
    # One right value among them opens nothing.
    pairs += rng.choice(((), (b"opponent=easy",), (b"version=1",), (b"mark=x%00",)))
    rng.shuffle(pairs)
    body = rng.choice((b"&", b"&", b";", b"&&")).join(pairs)
    return begun + b"Content-Length: %d\r\n\r\n" % len(body) + body


def head(rng: Random, method: bytes, target: bytes) -> bytes:
    address = target.replace(b"%s", written(rng))
    lines = [method + b" " + address + b" " + rng.choice(VERSIONS), b"Host: localhost"]
    lines += [
        rng.choice(NAMES) + rng.choice((b": ", b"=", b" : ")) + rng.choice(GARBAGE)
        for _ in range(rng.choice((0, 0, 1, 3)) if rng.random() < 0.95 else 300)
    ]
    return b"\r\n".join(lines[: None if rng.random() < 0.95 else 1]) + b"\r\n"


def written(rng: Random) -> bytes:
    """A value that is none: as it is, or as a browser would write it into an address."""
    value = rng.choice(GARBAGE)
    return value if rng.random() < 0.3 else quote_from_bytes(value, safe="%").encode()


async def send_all(url: str, requests: Iterator[bytes]) -> Counter[int]:
    """Send many requests, some of them at the same time; return how often which status came."""
    statuses = Counter[int]()

    async def send_one_after_the_other() -> None:
        for request in requests:
            answer = await until_closed(url, request, quiet=0.1)
            found = [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3}) ", answer)]
            assert not [status for status in found if status >= 500], request
            assert b"Traceback" not in answer, request
            statuses.update(found)

    await asyncio.gather(*(send_one_after_the_other() for _ in range(AT_ONCE)))
    return statuses


def stored(server: Server) -> dict[str, dict[str, str]]:
    with closing(sqlite3.connect(server.database)) as connection:
        games = dict(connection.execute("SELECT '/games/' || id, moves FROM games"))
        return {"games": games, "names": dict(connection.execute("SELECT id, name FROM players"))}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("server") / "data", patch=WAITS_FOR_LOCKS)
    yield server
    server.stop()  # and it must not have complained


def test_malformed_requests_are_refused_store_nothing_and_hold_nobody_up(
    server: Server, times: Callable[[int, int], int]
) -> None:
    player = Player(server.url)
    player.start()
    game, before = player.game.removeprefix("/games/"), stored(server)
    requests = (malformed(number, game) for number in range(times(400, 20_000)))
    with friends_play(server.url) as games:
        statuses = run(send_all(server.url, requests))
    after = stored(server)
    assert after["games"] == before["games"] | games
    assert before["names"].items() <= after["names"].items()
    assert {200, 400, 403, 404, 405, 413, 422} <= set(statuses)


def test_a_body_that_comes_in_pieces_is_read_to_its_end_and_one_that_breaks_off_is_refused(
    server: Server,
) -> None:
    lines = "POST /games HTTP/1.1", "Host: localhost", "Connection: close"
    form, kind = b"opponent=friend&mark=x&cell=4", "application/x-www-form-urlencoded"
    begun = "\r\n".join([*lines, f"Content-Type: {kind}", ""]).encode()
    announced = (begun + b"Content-Length: 29\r\n\r\n", *(bytes([byte]) for byte in form))
    chunks = (b"1\r\n%c\r\n" % byte for byte in form)
    unannounced = (begun + CHUNKED, *chunks, b"0\r\n\r\n")
    for pieces in (announced, unannounced):
        assert run(until_closed(server.url, *pieces)).startswith(b"HTTP/1.1 303 ")
    broken_off = run(until_closed(server.url, *announced[:-1], quiet=0.1))
    assert broken_off.startswith(b"HTTP/1.1 400 ")
