"""The pictures in `docs/pictures`, the icons, and sheets of all states.

Not tests: pytest collects this file only when it is named.
"""

import os
import sqlite3
import struct
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import closing
from html import escape
from pathlib import Path

import pytest

from tests.e2e.games import LOST, beat_easy, sit_down
from tests.e2e.scenes import SCENES, Seen, World
from tests.e2e.server import LONG_REST, ROOT, Server
from tests.e2e.sight import PHONE, resize
from tests.e2e.tab import Tab, Visitor
from tests.support.patience import PATIENCE
from webapp.analysis.review import review

_FOLDER = ROOT / "docs" / "pictures"
_STATIC = ROOT / "static"
_ICON_STYLE = """<!doctype html><style>
  body { margin: 0; background: #faf6ee; }
  svg { display: block; width: 80vw; margin: 10vw; }
</style>"""
_LARGEST = 120_000  # bytes, so that the README appears at once
_WHERE = "http://192.168.1.20:8000"

_GAMES = {
    ("Jonas", "Kaya"): "03142", ("Luis", "Emma"): "402635178", ("Ada", "Chiara"): "40",
    ("Femi", "Bilal"): "048", ("Kaya", "Emma"): "4826", ("Hugo", "Ines"): "0",
    ("Dmitri", "Grace"): "40281", ("Luis", "Jonas"): "14",
}  # fmt: skip
# How often each has won against Easy: the tables know them from ten games on.
_WON = {"Ada": 30, "Bilal": 24, "Chiara": 18, "Dmitri": 15, "Emma": 12, "Femi": 10}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path / "data", {"TTT_NAMES": "own", "TTT_PUBLIC_URL": _WHERE})
    yield server
    server.stop()


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def camera(server: Server, visitor: Visitor, scheme: str) -> Tab:
    return visitor(color_scheme=scheme, reduced_motion="reduce")


def _take(tab: Tab, name: str, width: int, height: int) -> None:
    resize(tab.page, (width, height))
    tab.page.mouse.move(0, 0)
    tab.page.evaluate("document.activeElement.blur()")
    _save(tab, _FOLDER / f"{name}.png")


def _save(tab: Tab, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    picture = _small(tab.page.screenshot(animations="disabled"))
    assert len(picture) <= _LARGEST, f"{file.name} has {len(picture)} bytes"
    file.write_bytes(picture)


def _small(picture: bytes) -> bytes:
    """Compress the rows of a PNG again, and harder."""
    chunks, at = list[tuple[bytes, bytes]](), 8
    while at < len(picture):
        (size,), kind = struct.unpack_from(">I", picture, at), picture[at + 4 : at + 8]
        chunks.append((kind, picture[at + 8 : at + 8 + size]))
        at += size + 12
    rows = zlib.decompress(b"".join(data for kind, data in chunks if kind == b"IDAT"))
    written = (chunks[0], (b"IDAT", zlib.compress(rows, 9)), chunks[-1])
    return picture[:8] + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in written
    )


def test_the_board(camera: Tab, scheme: str) -> None:
    camera.open()
    camera.play(4, 0)
    _take(camera, f"board-{scheme}", 1080, 690)


def test_a_review(camera: Tab, scheme: str) -> None:
    moves = "".join(map(str, LOST.moves))
    mistake = (review(LOST.moves).turning_point or 0) + 1
    camera.open(f"/review/{moves}?at={mistake}&opponent=medium&mark=x")
    _take(camera, f"review-{scheme}", 1080, 690)


def test_the_wall(server: Server, visitor: Visitor, camera: Tab, scheme: str) -> None:
    pupils = {name: visitor() for name in sorted({*sum(_GAMES, ())})}
    for name, pupil in pupils.items():
        pupil.do("/you/name", name=name)
        beat_easy(pupil)
        with closing(sqlite3.connect(server.database, timeout=PATIENCE)) as connection, connection:
            won = "(SELECT id FROM players WHERE name = ?)"
            connection.execute(
                f"UPDATE records SET won = ? WHERE player = {won}",  # noqa: S608
                (_WON.get(name, 1), name),
            )
    for (x, o), moves in _GAMES.items():  # with whose results the server hears of it
        sit_down(pupils[x], pupils[o], moves)
    _take(camera.open("/class/board"), f"wall-{scheme}", 1280, 720)


def test_the_icons(visitor: Visitor) -> None:
    tab = visitor()
    icon = (_STATIC / "icon.svg").read_text(encoding="utf-8")
    for side in (180, 192, 512):
        resize(tab.page, (side, side))
        tab.page.set_content(f"{_ICON_STYLE}{icon}")
        _save(tab, _STATIC / f"icon-{side}.png")


_SHEET_STYLE = """<!doctype html><style>
  body { margin: 12px; background: #777; color: white; font: 20px sans-serif; }
  body { display: grid; grid-template-columns: 1790px 1790px; gap: 36px 12px; }
  figure { margin: 0; display: flex; flex-wrap: wrap; gap: 12px; place-items: start;
    align-content: start; }
  figcaption { width: 100%; }
</style>"""
_WIDTHS = {390: 270, 1280: 600, 1920: 870}  # how wide a page of so many pixels is on a sheet
_LOW = 1800  # pixels of a page: what is below is not on the sheet


@pytest.mark.parametrize("own_server", [LONG_REST], indirect=True, ids=["all"])
@pytest.mark.parametrize("scene", SCENES)
def test_a_sheet(scene: Callable[[World], Iterator[Seen]], world: World, visitor: Visitor) -> None:
    figures = list[str]()
    for at, seen in enumerate(scene(world)):
        page, shown = seen.tab.page, list[str]()
        seen.act()
        on_the_wall = seen.tab.path == "/class/board"
        with seen.tab.still():
            for size in ((1920, 1080),) if on_the_wall else ((390, 844), (1280, 800)):
                resize(page, size)
                high = min(_LOW, page.evaluate("document.documentElement.scrollHeight"))
                for scheme in ("light", "dark"):
                    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
                    whole = {"x": 0, "y": 0, "width": size[0], "height": high}
                    taken = page.screenshot(type="jpeg", quality=80, full_page=True, clip=whole)  # type: ignore[arg-type]
                    source = f"data:image/jpeg;base64,{b64encode(taken).decode()}"
                    shown.append(f'<img src="{source}" width="{_WIDTHS[size[0]]}">')
        page.emulate_media(color_scheme="light")
        resize(page, PHONE)
        name = escape(f"{scene.__name__} {at}: {seen.tab.path} · {page.title()}")
        figures.append(f"<figure>{''.join(shown)}<figcaption>{name}</figcaption></figure>")
    sheet = world.come(viewport={"width": 3640, "height": 900}).page
    sheet.set_content(_SHEET_STYLE + "".join(figures))
    file = Path(os.environ["PICTURES"]) / f"{scene.__name__}.png"
    file.write_bytes(sheet.screenshot(full_page=True))
