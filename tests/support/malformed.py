"""Requests as no browser sends them, drawn at random; the same seed and number make the same one.

None of them may change anything: where the address would take a form, something in it is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from urllib.parse import quote_from_bytes

KIB = 1024

GARBAGE: tuple[bytes, ...] = (
    b"",
    b" ",
    b"\x00",
    b"%00",
    b"%",
    b"%%",
    b"%zz",
    b"%f",
    b"%u0041",
    b"\xff\xfe",
    b"%ff%fe",
    b"\xed\xa0\x80",
    b"%ED%A0%80",
    b"%C0%AE%C0%AE/",
    b"\xf0\x9f\x90\xbc",
    b"%F0%9F%90%BC",
    b"\xd9\xa3",
    b"-1",
    b"1e9",
    b"99999999999999999999999",
    b"9" * 5000,
    b"0x4",
    b"4.0",
    b" 4",
    b"[4]",
    b"NaN",
    b"None",
    b"true",
    b"../../../etc/passwd",
    b"..%2f..%2f..%2fetc%2fpasswd",
    b"<script>alert(1)</script>",
    b"' OR 1=1 --",
    b"'; DROP TABLE games; --",
    b"{{7*7}}",
    b"${jndi:ldap://127.0.0.1/a}",
    b"__proto__",
    b"rules:",
    b"rules:win,win",
    b"rules:" + b"win," * 300,
    b"nobody",
    b"X",
    b"\r\n\r\n",
    b"%0d%0aSet-Cookie:%20a=b",
    b"\xe2\x80\xae",
    b"a" * 3000,
)
"""None of them is a value that a form, an address or a cookie could rightly have."""

_METHODS = (
    b"get", b"Post", b"GETT", b"BREW", b"PROPFIND", b"TRACE", b"CONNECT", b"DELETE", b"PUT",
    b"PATCH", b"OPTIONS", b"HEAD", b"", b" ", b"G\x00T", b"G T", b"\xffGET", b"G" * 10_000, b"PRI",
    b"GET\t", b"@", b"(GET)",
)  # fmt: skip
_VERSIONS = (
    b"", b"HTTP", b"HTTP/", b"HTTP/0.9", b"HTTP/1", b"HTTP/1.2", b"HTTP/2.0", b"HTTP/9.9",
    b"HTTP/1.1.1", b"http/1.1", b"HTTP/1.1 HTTP/1.1", b"HTTPS/1.1", b"HTTP/-1.1", b"\x00",
)  # fmt: skip
_TARGETS = (
    b"*", b"", b"//", b"///etc/passwd", b"/..", b"/../..", b"/./.", b"/%2e%2e/", b"/\x00", b"/\xff",
    b"/%", b"/%0", b"/#", b"/?", b"/?%", b"/?=&=&&;", b"/?" + b"a=b&" * 3000, b"/" + b"a" * 70_000,
    b"/\\", b"\\", b"http://", b"http://[", b"http://evil.example/", b"https://127.0.0.1:0/",
    b"127.0.0.1:80", b"evil.example:443", b"file:///etc/passwd", b"javascript:alert(1)", b"/ /",
    b"/\t", b"/static/../webapp/config.py", b"/static/%2e%2e/pyproject.toml", b"/static/",
    b"/static/vendor", b"/static//etc/passwd", b"/static/app.css/", b"/static/app.css%00.svg",
)  # fmt: skip
_PLACES = (
    b"/games/%s", b"/games/%s?since=1", b"/join/%s", b"/review/%s", b"/opponents/%s", b"/lab/%s",
    b"/%s", b"/static/%s", b"/class/%s", b"/healthz/%s", b"/join?code=%s", b"/?opponent=%s",
    b"/?mark=%s", b"/?opponent=easy&opponent=%s", b"/review/40281?at=%s",
    b"/review/40281?values=%s", b"/lab/rules?list=%s",
    b"/review/4?opponent=%s", b"/review/4?mark=%s", b"/lab?x=%s", b"/lab?o=%s",
    b"/lab/rules?from=%s", b"/lab/experiment?games=%s", b"/lab/experiment?seed=%s",
    b"/lab/experiment?x=%s", b"/class?%s=%s", b"/you?%s", b"/privacy?forgotten=%s",
    b"/games/{game}?since=%s", b"/games/{game}?phase=%s", b"/games/{game}?since=1&since=%s",
    b"/games/{game}/%s", b"/static/app.css?v=%s",
)  # fmt: skip
_FORMS = (
    b"/games", b"/games/{game}/moves", b"/games/{game}/undo", b"/games/{game}/hint",
    b"/games/{game}/again", b"/games/{game}/resign", b"/games/{game}/claim", b"/games/no/undo",
    b"/challenges", b"/join/AAAAAA", b"/join/%00", b"/", b"/class", b"/lab", b"/review/4", b"/no",
)  # fmt: skip
_FIELDS = (
    b"opponent", b"mark", b"cell", b"version", b"key", b"moves", b"name", b"code", b"", b"\x00",
    b"%", b"\xff", b"a[b]", b"__proto__", b"x" * 1000,
)  # fmt: skip
_TYPES = (
    b"application/x-www-form-urlencoded",
    b"application/x-www-form-urlencoded; charset=utf-16",
    b"application/x-www-form-urlencoded; charset=\xff",
    b"application/x-www-form-urlencoded; charset=nonsense",
    b"application/json",
    b"multipart/form-data",
    b"multipart/form-data; boundary=",
    b"multipart/form-data; boundary=b",
    b"multipart/form-data; boundary=\x80",
    b"multipart/form-data; boundary=" + b"b" * 500,
    b"multipart/mixed; boundary=b",
    b"text/plain",
    b"nonsense",
    b"",
    b";;;=",
    b"\xff",
)
_ODD_HEADERS = (
    b"No-Colon", b": no name", b"Bad Name: x", b"Bad\x00Name: x", b"Name : x", b" folded: x",
    b"\tfolded", b"N\xff: x", b"A: \x00", b"A: \x7f", b"A: \xff\xfe", b"A:" + b" " * 5000,
    b"Host: ", b"Host: \xff", b"Host: evil.example", b"Host: [", b"Host: [::1", b"Host: a b",
    b"Host: a/b", b"Host: a:b:c", b"Host: 127.0.0.1:99999999", b"Host: " + b"h" * 5000,
    b"Host: " + b".".join([b"h" * 60] * 60),
    b"Host: '\"><script>", b"Host: \xd9\xa3", b"Expect: 100-continue", b"Expect: nonsense",
    b"Connection: Upgrade", b"Upgrade: websocket", b"Upgrade: h2c", b"HTTP2-Settings: AAA",
    b"Range: bytes=0-", b"Range: bytes=9999999-", b"Range: bytes=-1,-2,-3", b"Range: nonsense=1",
    b"Range: bytes=" + b"0-1," * 500, b"If-Range: \"a", b"If-None-Match: W/\"", b"If-None-Match: *",
    b"If-Match: \"nothing\"", b"If-Modified-Since: nonsense",
    b"If-Modified-Since: Sat, 99 Foo 99999 99:99:99 GMT",
    b"If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT", b"Accept-Encoding: br;q=x, gzip;q=9,,;",
    b"Accept-Encoding: " + b"gzip," * 1000, b"Accept: \xff", b"Accept-Language: %%%",
    b"Authorization: Basic \xff", b"Authorization: Digest a=b=c,\"", b"Authorization: Bearer",
    b"Content-Encoding: gzip", b"Content-Type: \xff", b"HX-Request: maybe", b"HX-Request: true",
    b"HX-Request-Type: \x01", b"HX-History-Restore-Request: true", b"HX-Current-URL: \xff",
    b"Origin: http://[", b"Origin: null", b"Origin: \xff", b"Origin: //", b"Referer: \xff",
    b"Sec-Fetch-Site: cross-site", b"Sec-Fetch-Site: \xff", b"X-Forwarded-For: nonsense, ,\xff",
    b"X-Forwarded-Proto: https", b"X-Forwarded-Host: evil.example", b"Forwarded: for=\"[::",
    b"X-HTTP-Method-Override: DELETE", b"X-Original-URL: /you", b"User-Agent: " + b"\xff" * 100,
    b"Transfer-Encoding: identity", b"Trailer: Host", b"TE: trailers", b"Keep-Alive: timeout=x",
    b"Date: nonsense", b"Via: \x01", b"Max-Forwards: -1", b"Cookie: ", b"Cookie: =",
)  # fmt: skip
_FRAMINGS = (
    (b"Content-Length: 5\r\nContent-Length: 6\r\n", b"a=b&c=d"),
    (b"Content-Length: 5\r\nContent-Length: 5\r\n", b"a=b&c"),
    (b"Content-Length: 5, 5\r\n", b"a=b&c"),
    (b"Content-Length: -1\r\n", b"a=b"),
    (b"Content-Length: +3\r\n", b"a=b"),
    (b"Content-Length: 0x3\r\n", b"a=b"),
    (b"Content-Length: \r\n", b"a=b"),
    (b"Content-Length: 3 \r\n", b"a=b"),
    (b"Content-Length: 99999999999999999999\r\n", b"a=b"),
    (b"Content-Length: 100\r\n", b"a=b"),
    (b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", b"3\r\na=b\r\n0\r\n\r\n"),
    (b"Transfer-Encoding: chunked, chunked\r\n", b"3\r\na=b\r\n0\r\n\r\n"),
    (b"Transfer-Encoding: gzip\r\n", b"a=b"),
    (b"Transfer-Encoding: gzip, chunked\r\n", b"3\r\na=b\r\n0\r\n\r\n"),
    (b"Transfer-Encoding: \x0bchunked\r\n", b"3\r\na=b\r\n0\r\n\r\n"),
    (b"Transfer-Encoding: chunked\r\n", b""),
    (b"Transfer-Encoding: chunked\r\n", b"zz\r\na=b\r\n0\r\n\r\n"),
    (b"Transfer-Encoding: chunked\r\n", b"-3\r\na=b\r\n0\r\n\r\n"),
    (b"Transfer-Encoding: chunked\r\n", b"ffffffffffffffff\r\na=b\r\n"),
    (b"Transfer-Encoding: chunked\r\n", b"fffffffffffffffffffff\r\na=b\r\n"),
    (b"Transfer-Encoding: chunked\r\n", b"3;ext=" + b"x" * 20_000 + b"\r\na=b\r\n0\r\n\r\n"),
    (b"Transfer-Encoding: chunked\r\n", b"5\r\na=b\r\n0\r\n\r\n"),
    (b"Transfer-Encoding: chunked\r\n", b"3\r\na=b0\r\n\r\n"),
    (b"Transfer-Encoding: chunked\r\n", b"3\na=b\n0\n\n"),
    (b"Transfer-Encoding: chunked\r\n", b"0\r\nHost: evil.example\r\n\r\n"),
    (b"Transfer-Encoding: chunked\r\n", b"0\r\n" + b"T: x\r\n" * 500 + b"\r\n"),
    (b"Transfer-Encoding: chunked\r\n", b"1\r\na\r\n" * 300 + b"0\r\n\r\n"),
)
_OTHER_PROTOCOLS = (
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\xff\xff\x01\x05\x00\x00\x00\x01" + b"\xff" * 50,
    # The beginning of a TLS handshake, as from a browser that was given https:// by mistake.
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)) * 2,
    b"\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00",
    b"\x80\x2e\x01\x03\x01\x00",
    b"SSH-2.0-OpenSSH_9.2\r\n",
    b"EHLO localhost\r\n",
    b"*1\r\n$4\r\nPING\r\n",
    b"\x00\x00\x00\x08\x04\xd2\x16\x2f",
    b"PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
    b"\r\n" * 2000,
    b"\n",
    b"\x00" * 4000,
)


@dataclass(frozen=True)
class Malformed:
    """A request, and how it is sent.

    :param kind: which of the functions below made it
    :param pieces: what is sent, one after the other with a moment between them
    :param half_closed: whether the sender says at once that nothing more comes
    """

    kind: str
    pieces: tuple[bytes, ...]
    half_closed: bool = False

    def __str__(self) -> str:
        closed = ", then half closed" if self.half_closed else ""
        return f"{self.kind}{closed}: {b''.join(self.pieces)!r}"


def malformed(seed: int, number: int, game: str) -> Malformed:
    """Make one of a row of requests.

    :param game: the id of a game that the sender has no seat in
    """
    rng = Random(f"{seed}:{number}")
    maker = _MAKERS[number % len(_MAKERS)]
    pieces = tuple(piece.replace(b"{game}", game.encode()) for piece in maker(rng))
    if len(pieces) == 1 and rng.random() < 0.05:
        cut = rng.randrange(len(pieces[0]) + 1)
        pieces = (pieces[0][:cut], pieces[0][cut:])
    return Malformed(maker.__name__.strip("_"), pieces, half_closed=rng.random() < 0.1)


def _head(method: bytes, target: bytes, *more: bytes, version: bytes = b"HTTP/1.1") -> bytes:
    lines = [method + b" " + target + b" " + version, b"Host: localhost", *more]
    return b"\r\n".join(lines) + b"\r\n"


def _methods(rng: Random) -> Iterator[bytes]:
    target = rng.choice((b"/", b"/games", b"/games/{game}", b"/static/app.css", b"/healthz", b"*"))
    yield _head(rng.choice(_METHODS), target) + b"\r\n"


def _request_lines(rng: Random) -> Iterator[bytes]:
    version = rng.choice(_VERSIONS) if rng.random() < 0.3 else b"HTTP/1.1"
    end = rng.choice((b"\r\n", b"\r\n", b"\r\n", b"\n", b"\r", b""))
    yield _head(b"GET", rng.choice(_TARGETS), version=version) + end


def _places(rng: Random) -> Iterator[bytes]:
    place = rng.choice(_PLACES)
    while b"%s" in place:
        place = place.replace(b"%s", _written(rng), 1)
    more = rng.choice(((), (), (b"HX-Request: true",)))
    yield _head(rng.choice((b"GET", b"GET", b"GET", b"HEAD", b"POST")), place, *more) + b"\r\n"


def _forms(rng: Random) -> Iterator[bytes]:
    yield _post(rng, _form(rng), _TYPES[0])


def _bodies(rng: Random) -> Iterator[bytes]:
    kind = rng.choice(_TYPES)
    body = rng.choice((_form, _multipart, _json))(rng)
    yield _post(rng, body, kind)


def _large_bodies(rng: Random) -> Iterator[bytes]:
    body = b"opponent=easy&mark=x&cell=4&filler=" + b"x" * rng.randrange(17 * KIB, 80 * KIB)
    head = (rng.choice(_FORMS), b"Content-Type: " + rng.choice(_TYPES[:8]))
    if rng.random() < 0.5:
        length = b"Content-Length: %d" % len(body)
        yield _head(b"POST", *head, length) + b"\r\n"
        yield body
    else:
        yield _head(b"POST", *head, b"Transfer-Encoding: chunked") + b"\r\n"
        yield b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)


def _odd_headers(rng: Random) -> Iterator[bytes]:
    headers = rng.choices(_ODD_HEADERS, k=rng.randrange(1, 6))
    target = rng.choice(
        (
            b"/", b"/games/{game}", b"/static/app.css", b"/class", b"/class/board", b"/nothing",
            b"/join/A",
        )
    )  # fmt: skip
    head = _head(b"GET", target, *headers)
    if rng.random() < 0.2:
        head = head.replace(b"Host: localhost\r\n", b"", 1)
    yield head + b"\r\n"


def _many_headers(rng: Random) -> Iterator[bytes]:
    count, length = rng.choice(
        ((90, 10), (101, 10), (2000, 10), (1, 9_000), (1, 70_000), (1, 500_000))
    )
    names = (rng.choice((b"X-%d", b"Accept", b"Cookie")) for _ in range(count))
    lines = (
        (name % number if b"%" in name else name) + b": " + b"h" * length
        for number, name in enumerate(names)
    )
    yield _head(b"GET", b"/", *lines) + b"\r\n"


def _cookies(rng: Random) -> Iterator[bytes]:
    values = [rng.choice(GARBAGE) for _ in range(rng.choice((1, 2, 5, 300)))]
    names = (b"player", b"__Host-player", b"", b"\xff", b"player ", b"$Version", b"Player")
    pairs = (rng.choice(names) + rng.choice((b"=", b"", b'=="')) + value for value in values)
    line = b"Cookie: " + rng.choice((b"; ", b";", b",", b" ")).join(pairs).replace(b"\r\n", b"")
    if rng.random() < 0.1:
        line = b"Cookie: " + b"; ".join(b"c%d=v" % number for number in range(3000))
    target = rng.choice((b"/", b"/games/{game}", b"/class", b"/you", b"/nothing"))
    yield _head(b"GET", target, line) + b"\r\n"


def _framings(rng: Random) -> Iterator[bytes]:
    framing, body = rng.choice(_FRAMINGS)
    head = _head(b"POST", rng.choice(_FORMS), b"Content-Type: " + _TYPES[0])
    yield head + framing + b"\r\n" + body


def _pipelined(rng: Random) -> Iterator[bytes]:
    kinds = rng.choices((_methods, _places, _forms, _odd_headers, _framings), k=rng.randrange(2, 9))
    plain = _head(b"GET", b"/healthz") + b"\r\n"
    yield b"".join(piece for kind in kinds for piece in (plain, *kind(rng)))


def _broken_off(rng: Random) -> Iterator[bytes]:
    (whole,) = rng.choice((_forms, _odd_headers, _cookies))(rng)
    yield whole[: rng.randrange(1, len(whole))]


def _damaged(rng: Random) -> Iterator[bytes]:
    """A move in somebody else's game, with a few bytes that are wrong."""
    body = b"cell=4&version=1"
    more = (b"Content-Type: " + _TYPES[0], b"Content-Length: %d" % len(body))
    whole = bytearray(_head(b"POST", b"/games/{game}/moves", *more) + b"\r\n" + body)
    for _ in range(rng.randrange(1, 6)):
        place = rng.randrange(len(whole))
        if rng.random() < 0.5:
            whole[place] = rng.randrange(256)
        elif rng.random() < 0.5:
            del whole[place]
        else:
            whole[place:place] = rng.randbytes(rng.randrange(1, 9))
    yield bytes(whole)


def _other_protocols(rng: Random) -> Iterator[bytes]:
    yield rng.choice(_OTHER_PROTOCOLS) if rng.random() < 0.7 else rng.randbytes(rng.randrange(2000))


_MAKERS: tuple[Callable[[Random], Iterator[bytes]], ...] = (
    _methods, _request_lines, _places, _places, _forms, _forms, _bodies, _large_bodies,
    _odd_headers, _odd_headers, _many_headers, _cookies, _framings, _framings, _pipelined,
    _broken_off, _damaged, _other_protocols,
)  # fmt: skip


def _written(rng: Random) -> bytes:
    """A value that is none: as it is, or as a browser would write it into an address."""
    value = rng.choice(GARBAGE)
    return value if rng.random() < 0.3 else quote_from_bytes(value, safe="%").encode()


def _form(rng: Random) -> bytes:
    pairs = [
        rng.choice(_FIELDS) + rng.choice((b"=", b"=", b"=", b"", b"==")) + _written(rng)
        for _ in range(rng.choice((0, 1, 2, 5, 40)))
    ]
    # One right value among them opens nothing.
    pairs += rng.choice(((), (b"opponent=easy",), (b"version=1",), (b"mark=x%00",)))
    rng.shuffle(pairs)
    return rng.choice((b"&", b"&", b"&", b";", b"&&")).join(pairs)[: 15 * KIB]


def _multipart(rng: Random) -> bytes:
    parts = [
        b"--b\r\n"
        + rng.choice(
            (
                b'Content-Disposition: form-data; name="mark"\r\n\r\n',
                b'Content-Disposition: form-data; name="\xff"\r\n\r\n',
                b"Content-Disposition: form-data\r\n\r\n",
                b'Content-Disposition: form-data; name="cell"; filename="a"\r\n\r\n',
                b"Content-Disposition: \x00\r\n\r\n",
                b"\r\n",
                b"",
                b"A" * 9000,
            )
        )
        + rng.choice(GARBAGE)
        + b"\r\n"
        for _ in range(rng.choice((1, 3, 30)))
    ]
    return (b"".join(parts) + rng.choice((b"--b--\r\n", b"--b--", b"--", b"")))[: 15 * KIB]


def _json(rng: Random) -> bytes:
    return rng.choice(
        (
            b'{"opponent": "easy", "mark": "x"}', b"[" * 8000, b'{"a":' * 1500, b'"\\ud800"',
            b"NaN",
            b'{"cell": 4, "version": 1e999}', b"\xff", b"",
        )
    )  # fmt: skip


def _post(rng: Random, body: bytes, kind: bytes) -> bytes:
    head = _head(b"POST", rng.choice(_FORMS), b"Content-Type: " + kind)
    more = rng.choice((b"", b"", b"HX-Request: true\r\n", b"Origin: http://localhost\r\n"))
    return head + more + b"Content-Length: %d\r\n\r\n" % len(body) + body
