"""The wall on a projector, and the class page of a class that is large: all of it can be read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
import sqlalchemy as sa
from playwright.sync_api import expect

from tests.e2e.server import Server
from tests.e2e.tab import Visitor
from webapp.config import Settings
from webapp.core.game import Game, Kind
from webapp.store import Database, prepare
from webapp.store import games as store_games
from webapp.store.schema import players, records

LONG = ("W" * 20, "\U0001f98a\U0001f419" * 10, "Donaudampfschifffahr", "Www Wwwwww Wwwwwwwww")
"""Names that a player may choose: the widest letters, emoji, one word, and several."""

ANIMALS = ("Chameleon", "Greyhound", "Barracuda")
WIDEST = tuple(map(" ".join, product(("Luminous", "Generous", "Turquoise"), ANIMALS)))
"""Of the names dealt those that take the most room."""

PROJECTORS = ((1920, 1080), (1280, 720), (1024, 768))

TOKEN = "a" * 43
LAST = hashlib.sha256(TOKEN.encode()).hexdigest()
"""The player whose cookie has this token: the last in the standings."""

NOW = 2_000_000_000  # never too long ago

# What lies outside of the screen or of its own column.
OUTSIDE = """() => [...document.querySelectorAll("main :is(h2, p, li, td, th, svg)")]
  .filter((part) => {
    const room = part.closest("section, .scan, .way-in").getBoundingClientRect();
    const { left, right, top, bottom } = part.getBoundingClientRect();
    return left < room.left - 1 || right > room.right + 1 || top < 0 || bottom > innerHeight;
  })
  .map((part) => part.textContent)"""

Fill = Callable[..., Server]


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Fill]:
    """Start a server whose class is there already."""
    started = []

    def start(people: int, names: tuple[str, ...], playing: int = 0, waiting: int = 0) -> Server:
        """Start it with so many in the standings, so many games and so many challenges."""
        settings = Settings(data=tmp_path / "data")
        settings.data.mkdir()
        prepare(settings)
        database = Database(settings)
        with database.write() as connection:
            _fill(connection, people, names, playing, waiting)
        database.close()
        started.append(Server(settings.data))
        return started[-1]

    yield start
    for server in started:
        server.stop()


def _row(table: sa.Table, **values: object) -> sa.Insert:
    """Insert a row; what it must have and is not given is empty."""
    empty = {one.name: one.type.python_type() for one in table.c if not one.nullable}
    return sa.insert(table).values({**empty, **values})


def _fill(
    connection: sa.Connection, people: int, names: tuple[str, ...], playing: int, waiting: int
) -> None:
    """Fill the tables; the first players have these names."""
    several = [f"{number:064}" for number in range(max(people, 2 * playing, waiting))]
    if people:
        several[people - 1] = LAST
    run = connection.execute
    named = (*names, *(f"Pupil {number}" for number in range(len(several))))
    seen = {"opponent": "easy", "mark": "x", "seen_at": NOW}
    for player, name in zip(several, named, strict=False):
        run(_row(players, id=player, name=name, name_key=name, **seen))
    for player in several[:people]:
        recent = "llldl" if player == LAST else "wwdwl"
        run(_row(records, player=player, opponent="medium", recent=recent, won=3, lost=1))
    live = Game(kind=Kind.TWO_DEVICES)
    for number in range(playing):
        x, o = several[2 * number : 2 * number + 2]
        store_games.insert(connection, replace(live, id=f"game{number}", x_seat=x, o_seat=o), NOW)
    for number, x in enumerate(several[:waiting]):
        waits = replace(live, id=f"open{number}", x_seat=x, code=f"{222222 + number}")
        store_games.insert(connection, waits, NOW)


@pytest.mark.parametrize("people", [0, 3, 38])
def test_the_wall_fits_on_every_projector_and_no_word_is_broken(
    people: int, full: Fill, visitor: Visitor
) -> None:
    busy = {"playing": 15, "waiting": 15} if people > 3 else {}
    wall = visitor(full(people, (*LONG, *WIDEST), **busy).url).open("/class/board")
    expect(wall.standings).to_have_count(min(people, 10))
    for width, height in PROJECTORS:
        wall.page.set_viewport_size({"width": width, "height": height})
        where = f"{width} × {height}"
        size = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        assert wall.page.evaluate(size) == [width, height]
        assert wall.page.evaluate(OUTSIDE) == [], where
        assert wall.broken_words() == [], where
        letters = "parseFloat(getComputedStyle(document.querySelector('.wall section')).fontSize)"
        assert wall.page.evaluate(letters) >= height / 35, where
        code = wall.qr.bounding_box()
        assert code is not None
        assert code["width"] >= height / 4, where


def test_the_widest_names_that_are_dealt_are_whole_and_a_late_place_is_seen_with_the_first(
    full: Fill, visitor: Visitor
) -> None:
    server = full(200, WIDEST, playing=4, waiting=5)
    one = visitor(server.url)
    one.page.context.add_cookies([{"name": "player", "value": TOKEN, "url": server.url}])
    one.open("/class/board")
    for width, height in PROJECTORS:
        one.page.set_viewport_size({"width": width, "height": height})
        names = one.page.evaluate(
            """() => [...document.querySelectorAll(".wall bdi")]
              .map((name) => [name.textContent, name.scrollWidth > name.clientWidth])"""
        )
        assert len(names) == 10 + 2 * 4 + 5
        assert [name for name, cut_off in names if cut_off] == [], f"{width} × {height}"
    one.open("/class")
    for width in (1280, 820, 390, 320):
        one.page.set_viewport_size({"width": width, "height": 844})
        assert one.broken_words() == [], f"{width} px"
        one.standings.first.evaluate("(row) => row.scrollIntoView()")
        expect(one.standings.first).to_be_in_viewport()
        expect(one.standings.last.locator("th")).to_contain_text("(you)")
        expect(one.standings.last.locator("th")).to_be_in_viewport()
