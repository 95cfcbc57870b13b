"""The wall on a projector, and the class page of a class that is large: all of it can be read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from playwright.sync_api import Page, expect

from tests.e2e.class_pages import Classmates
from tests.e2e.server import Server
from webapp.config import Settings
from webapp.core.game import Game, Kind
from webapp.names import ADJECTIVES, ANIMALS
from webapp.store import Database, prepare
from webapp.store import games as stored_games
from webapp.store.schema import players, records

LONG = ("W" * 20, "\U0001f98a\U0001f419" * 10, "Donaudampfschifffahr", "Www Wwwwww Wwwwwwwww")
"""Names that somebody may choose: the widest letters, emoji, one word, and several."""

DEALT = tuple(f"{one} {another}" for one, another in product(ADJECTIVES, ANIMALS))
WIDEST = tuple(
    f"{one} {another}"
    for one in ("Luminous", "Generous", "Turquoise")
    for another in ("Chameleon", "Greyhound", "Barracuda")
)
"""Of the names dealt those that take the most room."""

PROJECTORS = ((1920, 1080), (1280, 720), (1024, 768))

TOKEN = "a" * 43
LAST = hashlib.sha256(TOKEN.encode()).hexdigest()
"""Whoever has the cookie of this token has the last place."""

NOW = 2_000_000_000  # never too long ago

# Which words are broken, and what lies outside of the screen or of its own column.
BROKEN = r"""() => {
  const found = [];
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (!text.parentElement.checkVisibility() || text.parentElement.closest(".visually-hidden"))
      continue;
    for (const word of text.data.matchAll(/[\p{L}\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word[0]);
    }
  }
  return found;
}"""
OUTSIDE = """() => [...document.querySelectorAll("main :is(h2, p, li, td, th, svg)")]
  .filter((part) => {
    const room = part.closest("section, .scan, .way-in").getBoundingClientRect();
    const { left, right, top, bottom } = part.getBoundingClientRect();
    return left < room.left - 1 || right > room.right + 1 || top < 0 || bottom > innerHeight;
  })
  .map((part) => part.textContent)"""

# Of the names in the standings, in pixels.
LETTERS = "parseFloat(getComputedStyle(document.querySelector('.wall section')).fontSize)"

Fill = Callable[..., Server]


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Fill]:
    """Start a server whose class is there already."""
    started = []

    def start(people: int, names: tuple[str, ...], playing: int = 0, waiting: int = 0) -> Server:
        """Start it with so many in the standings, so many games and so many challenges.

        :param names: the first ones; the others are dealt
        """
        settings = Settings(data=tmp_path / "data")
        settings.data.mkdir()
        prepare(settings)
        database = Database(settings)
        with database.write() as connection:
            _fill(connection, people, (*names, *DEALT), playing, waiting)
        database.close()
        started.append(Server(settings.data))
        return started[-1]

    yield start
    for server in started:
        server.stop()


def _fill(
    connection: sa.Connection, people: int, names: tuple[str, ...], playing: int, waiting: int
) -> None:
    several = [f"{number:064}" for number in range(max(people, 2 * playing, waiting))]
    if people:
        several[people - 1] = LAST
    for player, name in zip(several, names, strict=False):
        row: dict[str, Any] = {"id": player, "name": name, "name_key": name}
        row |= {"opponent": "easy", "mark": "x", "created_at": NOW, "seen_at": NOW}
        connection.execute(sa.insert(players), row)
    for player in several[:people]:
        recent = "llldl" if player == LAST else "wwdwl"
        row = {"player": player, "opponent": "medium", "recent": recent, "run": 0, "best_run": 2}
        connection.execute(sa.insert(records), row | {"won": 3, "drawn": 1, "lost": 1})
    for number in range(playing):
        x, o = several[2 * number : 2 * number + 2]
        game = Game(kind=Kind.TWO_DEVICES, x_seat=x, o_seat=o, id=f"game{number}")
        stored_games.insert(connection, game, NOW)
    for number in range(waiting):
        game = Game(
            kind=Kind.TWO_DEVICES,
            x_seat=several[number],
            id=f"open{number}",
            code=f"{222222 + number}",
        )
        stored_games.insert(connection, game, NOW)


def looked_at(page: Page, path: str, width: int, height: int) -> Page:
    """Open a page on a screen of this size."""
    page.set_viewport_size({"width": width, "height": height})
    page.goto(path)
    return page


@pytest.mark.parametrize("people", [0, 3, 38, 200])
def test_the_wall_fits_on_every_projector_and_no_word_is_broken(
    people: int, full: Fill, classmate: Classmates
) -> None:
    busy = {"playing": 15, "waiting": 15} if people > 3 else {}
    server = full(people, (*LONG, *WIDEST), **busy)
    wall = classmate(server.url)
    for width, height in PROJECTORS:
        page = looked_at(wall.page, f"{server.url}/class/board", width, height)
        where = f"{width} × {height}"
        assert page.evaluate("[document.documentElement.scrollWidth, innerWidth]") == [width] * 2
        assert page.evaluate("document.documentElement.scrollHeight") == height, where
        assert page.evaluate(OUTSIDE) == [], where
        assert page.evaluate(BROKEN) == [], where
        expect(wall.standings).to_have_count(min(people, 10))
        assert page.evaluate(LETTERS) >= height / 35, where
        code = wall.qr.bounding_box()
        assert code is not None
        assert code["width"] >= height / 4, where


def test_the_widest_names_that_are_dealt_are_whole_on_the_wall(
    full: Fill, classmate: Classmates
) -> None:
    server = full(9, WIDEST, playing=4, waiting=5)
    wall = classmate(server.url)
    for width, height in PROJECTORS:
        page = looked_at(wall.page, f"{server.url}/class/board", width, height)
        cut_off = page.evaluate(
            """() => [...document.querySelectorAll(".wall bdi")]
              .filter((name) => name.scrollWidth > name.clientWidth)
              .map((name) => name.textContent)"""
        )
        assert cut_off == [], f"{width} × {height}"


def test_on_the_class_page_names_break_between_words_only(
    full: Fill, classmate: Classmates
) -> None:
    server = full(9, WIDEST, playing=4, waiting=5)
    one = classmate(server.url)
    one.page.context.add_cookies([{"name": "player", "value": TOKEN, "url": server.url}])
    for width in (1280, 820, 390, 320):
        page = looked_at(one.page, f"{server.url}/class", width, 844)
        assert page.evaluate(BROKEN) == [], f"{width} px"


def test_whoever_has_a_late_place_sees_it_with_the_first_ones(
    full: Fill, classmate: Classmates
) -> None:
    server = full(200, ())
    one = classmate(server.url)
    one.page.context.add_cookies([{"name": "player", "value": TOKEN, "url": server.url}])
    looked_at(one.page, f"{server.url}/class", 390, 844)
    one.standings.first.evaluate("(row) => row.scrollIntoView()")
    expect(one.standings.first).to_be_in_viewport()
    expect(one.standings.last.locator("th")).to_contain_text("(you)")
    expect(one.standings.last.locator("th")).to_be_in_viewport()
