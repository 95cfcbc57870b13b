"""The pictures in `docs/pictures`, of the running program, and the icons: `script/pictures`.

Not tests: pytest collects this file only when it is named. It is here because it uses the browser,
the server and the people of the tests.
"""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.pair import count_tenfold, sit_down
from tests.e2e.plans import LOST, Level, Result, plan
from tests.e2e.server import ROOT, Server
from tests.e2e.tab import Tab, Visitor
from webapp.analysis.review import review
from webapp.core.board import Mark

_FOLDER = ROOT / "docs" / "pictures"
_STATIC = ROOT / "static"
_ICON_STYLE = """<!doctype html><style>
  body { margin: 0; background: #faf6ee; }
  svg { display: block; width: 80vw; margin: 10vw; }
</style>"""
_LARGEST = 60_000  # bytes, so that the README appears at once
_WHERE = "http://192.168.1.20:8000"

# How each pupil has done against the computer.
_CLASS: dict[str, dict[Level, Result]] = {
    "Ada": {"easy": "won", "medium": "won", "hard": "drawn"},
    "Bilal": {"easy": "won", "medium": "drawn", "hard": "drawn"},
    "Chiara": {"medium": "won"},
    "Dmitri": {"easy": "won", "medium": "drawn"},
    "Emma": {"easy": "won", "hard": "lost"},
    "Femi": {"easy": "won"},
    "Grace": {"medium": "drawn"},
    "Hugo": {"easy": "drawn"},
    "Ines": {"easy": "drawn"},
    "Jonas": {},
    "Kaya": {},
    "Luis": {},
}

# Who plays whom as X: games that are over, and those that go on.
_GAMES = {
    ("Jonas", "Kaya"): "03142",
    ("Luis", "Emma"): "402635178",
    ("Ada", "Chiara"): "40",
    ("Femi", "Bilal"): "048",
    ("Kaya", "Emma"): "4826",
    ("Hugo", "Ines"): "0",
    ("Dmitri", "Grace"): "40281",
    ("Luis", "Jonas"): "14",
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server in a classroom, for one picture."""
    server = Server(tmp_path / "data", {"TTT_NAMES": "own", "TTT_PUBLIC_URL": _WHERE})
    yield server
    server.stop()


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> str:
    """Whether the viewer's device is set to light or dark."""
    return str(request.param)


@pytest.fixture
def camera(visitor: Visitor, scheme: str) -> Tab:
    """A tab for a picture."""
    return visitor(color_scheme=scheme, reduced_motion="reduce")


def _take(tab: Tab, name: str, width: int, height: int) -> None:
    tab.page.set_viewport_size({"width": width, "height": height})
    tab.page.mouse.move(0, 0)
    tab.page.evaluate("document.activeElement.blur()")
    _save(tab, _FOLDER / f"{name}.png")


def _save(tab: Tab, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    picture = _small(tab.page.screenshot(animations="disabled"))
    assert len(picture) <= _LARGEST, f"{file.name} has {len(picture)} bytes"
    file.write_bytes(picture)


def _small(picture: bytes) -> bytes:
    """Write a PNG of 8-bit RGB with its 256 most frequent colours: a third of the bytes."""
    chunks: dict[bytes, bytes] = {}
    at = 8
    while at < len(picture):
        (size,), kind = struct.unpack_from(">I", picture, at), picture[at + 4 : at + 8]
        chunks[kind] = chunks.get(kind, b"") + picture[at + 8 : at + 8 + size]
        at += size + 12
    width, height, *kind_of_png = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert kind_of_png == [8, 2, 0, 0, 0]
    rows = _rows(zlib.decompress(chunks[b"IDAT"]), 3 * width)
    pixels = [tuple(row[i : i + 3]) for row in rows for i in range(0, len(row), 3)]
    colours = Counter(pixels)
    palette = [colour for colour, _ in colours.most_common(256)]
    nearest = {
        colour: min(
            range(len(palette)),
            key=lambda i: sum((a - b) ** 2 for a, b in zip(colour, palette[i], strict=True)),
        )
        for colour in colours
    }
    indexes = bytes(map(nearest.__getitem__, pixels))
    lines = (b"\0" + indexes[i : i + width] for i in range(0, len(indexes), width))
    written = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", bytes(value for colour in palette for value in colour)),
        (b"IDAT", zlib.compress(b"".join(lines), 9)),
        (b"IEND", b""),
    )
    return picture[:8] + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in written
    )


def _rows(data: bytes, length: int) -> Iterator[bytes]:
    """Undo the filter of each row of pixels, of three bytes each."""
    above = bytes(length)
    for start in range(0, len(data), length + 1):
        method, row = data[start], bytearray(data[start + 1 : start + 1 + length])
        for i in range(length):
            left, corner = (row[i - 3], above[i - 3]) if i >= 3 else (0, 0)
            guesses = (0, left, above[i], (left + above[i]) // 2, 0)
            guess = guesses[method]
            if method == 4:
                near = left + above[i] - corner
                guess = min((left, above[i], corner), key=lambda one: abs(near - one))
            row[i] = (row[i] + guess) % 256
        above = bytes(row)
        yield above


def test_the_board(camera: Tab, scheme: str) -> None:
    camera.start("medium")
    camera.play(4, 0)
    _take(camera, f"board-{scheme}", 1080, 690)


def test_a_review(camera: Tab, scheme: str) -> None:
    moves = "".join(map(str, LOST.moves))
    mistake = (review(LOST.moves).turning_point or 0) + 1
    camera.open(f"/review/{moves}?at={mistake}&opponent=medium&mark=x")
    _take(camera, f"review-{scheme}", 1080, 690)


def test_the_wall(visitor: Visitor, camera: Tab, server: Server, scheme: str) -> None:
    pupils = {name: visitor() for name in _CLASS}
    for name, results in _CLASS.items():
        pupils[name].post("/you/name", {"name": name})
        for level, result in results.items():
            _play(pupils[name], level, result)
            count_tenfold(server)
    for (x, o), moves in _GAMES.items():
        sit_down(pupils[x], pupils[o], moves)
    _take(camera.open("/class/board"), f"wall-{scheme}", 1280, 720)


def test_the_icons(visitor: Visitor) -> None:
    """For a phone's home screen: on paper, and small enough for any shape that it is cut to."""
    tab = visitor()
    icon = (_STATIC / "icon.svg").read_text(encoding="utf-8")
    for side in (180, 192, 512):
        tab.page.set_viewport_size({"width": side, "height": side})
        tab.page.set_content(f"{_ICON_STYLE}{icon}")
        _save(tab, _STATIC / f"icon-{side}.png")


def _play(pupil: Tab, level: Level, result: Result) -> None:
    first, *more = plan(level, Mark.X, result).mine
    fields: dict[str, str | float | bool] = {
        "opponent": level,
        "mark": "x",
        "cell": first,
        "key": level,
    }
    start = pupil.post("/games", fields)
    for version, cell in enumerate(more, 1):
        pupil.play_elsewhere(cell, version, start.headers["location"])
