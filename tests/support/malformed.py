"""Requests as no browser sends them, drawn at random; the same number makes the same one.

A right request with something wrong put into one of its places, then perhaps damaged or cut off.
None of them may change anything: where the address would take a form, something in it is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from urllib.parse import quote_from_bytes

GARBAGE = (
    *(b"", b" ", b"\x00", b"%00", b"%", b"%zz", b"%u0041", b"\xff\xfe", b"%ff%fe", b"%ED%A0%80"),
    *(b"\xd9\xa3", b"\xf0\x9f\x90\xbc", b"-1", b"1e9", b"9" * 5000, b"0x4", b"4.0", b" 4", b"[4]"),
    *(b"NaN", b"None", b"true", b"nobody", b"X", b"a" * 3000, b"a" * 70_000, b"rules:win,win"),
    *(b"../../../etc/passwd", b"..%2f..%2fetc%2fpasswd", b"<script>alert(1)</script>", b"[::1"),
    *(b"'; DROP TABLE games; --", b"{{7*7}}", b"__proto__", b"%0d%0aSet-Cookie:%20a=b", b"//["),
    *(b"rules:" + b"win," * 300, b"evil.example", b"http://[", b"bytes=0-1,-2", b"chunked"),
    b"gzip",
)
"""None of them is a value that a form, an address or a cookie could rightly have."""

_TARGETS = (
    *(b"/games/%s", b"/games/{game}?since=%s", b"/games/{game}/%s", b"/join/%s", b"/review/%s"),
    *(b"/review/40281?at=%s", b"/opponents/%s", b"/lab?x=%s", b"/lab/rules?list=%s", b"/%s"),
    *(b"/lab/experiment?games=%s", b"/?opponent=%s", b"/?mark=%s", b"/static/%s", b"/class?%s=%s"),
    *(b"/static/app.css?v=%s", b"/static/../webapp/config.py", b"/healthz/%s", b"%s", b"/%s#?"),
)
_FORMS = (
    *(b"/games", b"/games/{game}/moves", b"/games/{game}/undo", b"/games/{game}/hint", b"/class"),
    *(b"/games/{game}/again", b"/games/{game}/resign", b"/games/no/undo", b"/join/AAAAAA", b"/no"),
)
_METHODS = (b"GET", b"GET", b"HEAD", b"POST", b"get", b"BREW", b"TRACE", b"CONNECT", b"", b"G\x00T")
_VERSIONS = (b"HTTP/1.1", b"HTTP/1.1", b"HTTP/1.0", b"HTTP/9.9", b"", b"http/1.1", b"\x00")
_FIELDS = (b"opponent", b"mark", b"cell", b"version", b"key", b"moves", b"name", b"", b"\x00", b"%")
_TYPES = (
    *(b"application/x-www-form-urlencoded", b"application/x-www-form-urlencoded; charset=utf-16"),
    *(b"application/json", b"multipart/form-data", b"multipart/form-data; boundary=b"),
    *(b"\xff", b""),
)
_NAMES = (
    *(b"Host", b"Cookie", b"Origin", b"Referer", b"Sec-Fetch-Site", b"HX-Request", b"Range"),
    *(b"If-None-Match", b"If-Modified-Since", b"Accept-Encoding", b"Expect", b"Connection"),
    *(b"Upgrade", b"Forwarded", b"X-Forwarded-For", b"X-Forwarded-Host", b"Content-Encoding"),
    *(b"Bad Name", b"N\xff", b"", b" folded", b"Cookie: player", b"Cookie: __Host-player"),
)
_CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
_BODIES = (  # from where the headers end
    *(b"Content-Length: 5\r\nContent-Length: 6\r\n\r\na=b&c=d", b"Content-Length: -1\r\n\r\na=b"),
    *(b"Content-Length: 0x3\r\n\r\na=b", b"Content-Length: 99999999999999999999\r\n\r\na=b"),
    *(b"Content-Length: 100\r\n\r\na=b", b"Transfer-Encoding: gzip\r\n\r\na=b"),
    b"Content-Length: 3\r\n" + _CHUNKED + b"3\r\na=b\r\n0\r\n\r\n",
    *(_CHUNKED, _CHUNKED + b"zz\r\na=b\r\n0\r\n\r\n", _CHUNKED + b"-3\r\na=b\r\n0\r\n\r\n"),
    *(_CHUNKED + b"f" * 21 + b"\r\na=b\r\n", _CHUNKED + b"3;ext=" + b"x" * 20_000 + b"\r\na=b\r\n"),
    *(_CHUNKED + b"5\r\na=b\r\n0\r\n\r\n", _CHUNKED + b"0\r\n" + b"T: x\r\n" * 500 + b"\r\n"),
    *(_CHUNKED + b"11170\r\n" + b"x" * 70_000 + b"\r\n0\r\n\r\n", b"\r\n", b""),
    _CHUNKED + b"1\r\na\r\n" * 300 + b"0\r\n\r\n",
)
_OTHER_PROTOCOLS = (
    *(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"SSH-2.0-OpenSSH_9.2\r\n", b"\r\n" * 2000),
    b"\x00" * 4000,
    # The beginning of a TLS handshake, as from a browser that was given https:// by mistake.
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)) * 2,
    b"PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
)


@dataclass(frozen=True)
class Malformed:
    """A request, and whether the sender says at once that nothing more comes."""

    text: bytes
    half_closed: bool = False


def malformed(number: int, game: str) -> Malformed:
    """Make one of a row of requests.

    :param game: the id of a game that the sender has no seat in
    """
    rng = Random(number)
    kinds = (_looks, _looks, _posts, _posts, _posts, _other)
    text = rng.choice(kinds)(rng).replace(b"{game}", game.encode())
    if rng.random() < 0.15:  # several on one connection
        text = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n" + text + rng.choice(kinds)(rng)
    if rng.random() < 0.15:
        text = text[: rng.randrange(len(text) + 1)]
    elif rng.random() < 0.15 and text:
        at = rng.randrange(len(text))
        text = text[:at] + rng.randbytes(rng.randrange(9)) + text[at + rng.randrange(3) :]
    return Malformed(text, half_closed=rng.random() < 0.1)


def _looks(rng: Random) -> bytes:
    method = rng.choice(_METHODS) if rng.random() < 0.3 else b"GET"
    return _head(rng, method, rng.choice(_TARGETS)) + b"\r\n"


def _posts(rng: Random) -> bytes:
    kind = _TYPES[0] if rng.random() < 0.5 else rng.choice(_TYPES)
    head = _head(rng, b"POST", rng.choice(_FORMS)) + b"Content-Type: " + kind + b"\r\n"
    if rng.random() < 0.4:
        return head + rng.choice(_BODIES)
    body = rng.choice((_form, _form, _parts))(rng)
    return head + b"Content-Length: %d\r\n\r\n" % len(body) + body


def _other(rng: Random) -> bytes:
    return (
        rng.choice(_OTHER_PROTOCOLS) if rng.random() < 0.7 else rng.randbytes(rng.randrange(2000))
    )


def _head(rng: Random, method: bytes, target: bytes) -> bytes:
    version = rng.choice(_VERSIONS) if rng.random() < 0.1 else b"HTTP/1.1"
    lines = [method + b" " + target.replace(b"%s", _written(rng)) + b" " + version]
    lines += [b"Host: localhost"] if rng.random() < 0.95 else []
    for _ in range(rng.choice((0, 0, 1, 3)) if rng.random() < 0.95 else 300):
        lines.append(rng.choice(_NAMES) + rng.choice((b": ", b"=", b" : ")) + rng.choice(GARBAGE))
    return b"\r\n".join(lines) + b"\r\n"


def _form(rng: Random) -> bytes:
    pairs = [
        rng.choice(_FIELDS) + b"=" + _written(rng) for _ in range(rng.choice((0, 1, 2, 5, 40)))
    ]
    # One right value among them opens nothing.
    pairs += rng.choice(((), (b"opponent=easy",), (b"version=1",), (b"mark=x%00",)))
    rng.shuffle(pairs)
    return rng.choice((b"&", b"&", b";", b"&&")).join(pairs)


def _parts(rng: Random) -> bytes:
    name = b'Content-Disposition: form-data; name="' + rng.choice((*_FIELDS, b"\xff")) + b'"'
    heads = (name, name + b"; filename=a", b"Content-Disposition: \x00", b"A" * 9000, b"")
    parts = (b"--b\r\n" + rng.choice(heads) + b"\r\n\r\n" + rng.choice(GARBAGE) for _ in range(3))
    return b"\r\n".join(parts) + rng.choice((b"--b--\r\n", b"--", b""))


def _written(rng: Random) -> bytes:
    """A value that is none: as it is, or as a browser would write it into an address."""
    value = rng.choice(GARBAGE)
    return value if rng.random() < 0.3 else quote_from_bytes(value, safe="%").encode()
