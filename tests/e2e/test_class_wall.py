"""The wall on a projector, and the class page of a class that is large: all of it can be read."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from itertools import product

import sqlalchemy as sa
from playwright.sync_api import expect

from tests.e2e.server import Server
from tests.e2e.tab import Tab, Visitor
from webapp.classroom import Wall
from webapp.config import Settings
from webapp.core.game import Game, Kind
from webapp.service import teacher as acts
from webapp.service.site import Site as Service
from webapp.store import games as store_games
from webapp.store.schema import players, records

LONG = ("W" * 20, "\u0429" * 20, "Donaudampfschifffahr", "Www Wwwwww Wwwwwwwww")
"""Names that a player may choose: the widest letters of two scripts, one word, and several."""

ANIMALS = ("Chameleon", "Greyhound", "Barracuda")
WIDEST = tuple(map(" ".join, product(("Luminous", "Generous", "Turquoise"), ANIMALS)))
"""Of the names dealt those that take the most room."""

PROJECTORS = ((1920, 1080), (1280, 720), (1024, 768))

PEOPLE, GAMES, CHALLENGES = 200, 15, 15
TOKEN = "a" * 43
LAST = hashlib.sha256(TOKEN.encode()).hexdigest()
"""The player whose cookie has this token: the last in the standings."""

NOW = 2_000_000_000  # never too long ago

# What is larger than the screen, lies outside of it or of its own column, or is hard to read.
_WRONG = """() => {
  const { scrollWidth, scrollHeight } = document.documentElement;
  const wrong = [...document.querySelectorAll("main :is(h2, p, li, td, th, svg)")]
    .filter((part) => part.checkVisibility())
    .filter((part) => {
      const room = part.closest("section, .scan, .way-in, .paused").getBoundingClientRect();
      const { left, right, top, bottom } = part.getBoundingClientRect();
      return left < room.left - 1 || right > room.right + 1 || top < 0 || bottom > innerHeight;
    })
    .map((part) => part.textContent);
  if (scrollWidth > innerWidth || scrollHeight > innerHeight) wrong.push("the page");
  const letters = getComputedStyle(document.querySelector(".wall section")).fontSize;
  if (parseFloat(letters) < innerHeight / 35) wrong.push("small letters");
  return wrong;
}"""
_CUT_OFF = """() => [...document.querySelectorAll(".wall bdi, .results li")]
  .filter((part) => part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight)
  .map((part) => part.textContent)"""


def expect_it_fits(wall: Tab) -> None:
    """Check that on every projector all can be read, and the code be scanned."""
    for width, height in PROJECTORS:
        wall.page.set_viewport_size({"width": width, "height": height})
        where = f"{width} × {height}"
        assert wall.page.evaluate(_WRONG) == [], where
        assert wall.broken_words() == [], where
        for text in wall.page.evaluate(_CUT_OFF):
            assert any(name in text for name in LONG), (where, text)
        code = wall.qr.bounding_box()
        assert code is not None
        assert code["width"] >= height / 4, where


def _row(table: sa.Table, **values: object) -> sa.Insert:
    """Insert a row; what it must have and is not given is empty."""
    empty = {one.name: one.type.python_type() for one in table.c if not one.nullable}
    return sa.insert(table).values({**empty, **values})


def _id(name: str) -> str:
    """An id as long as every game's is."""
    return name.ljust(22, "-")


def _fill(connection: sa.Connection) -> None:
    """Fill the tables; the first players have the longest names."""
    several = [*(f"{number:064}" for number in range(PEOPLE - 1)), LAST]
    names = (*LONG, *WIDEST, *(f"Pupil {number}" for number in range(PEOPLE)))
    for player, name in zip(several, names, strict=False):
        seen = {"opponent": "easy", "mark": "x", "seen_at": NOW}
        connection.execute(_row(players, id=player, name=name, name_key=name, **seen))
        recent = "llldl" if player == LAST else "wwdwl"
        record = {"opponent": "medium", "recent": recent, "won": 9, "lost": 1}
        connection.execute(_row(records, player=player, **record))
    live = Game(kind=Kind.TWO_DEVICES)
    for number in range(GAMES):
        x, o = several[2 * number : 2 * number + 2]
        store_games.insert(
            connection, replace(live, id=_id(f"game{number}"), x_seat=x, o_seat=o), NOW
        )
    for number, (x, o) in enumerate((several[5:7], several[:2], several[7:9])):
        over = replace(live, id=f"over{number}", x_seat=x, o_seat=o)
        for cell in (0, 3, 1, 4, 2):
            over = over.play(cell)
        store_games.insert(connection, over, NOW)
    for number, x in enumerate(several[:CHALLENGES]):
        waits = replace(live, id=f"open{number}", x_seat=x, code=f"{222222 + number}")
        store_games.insert(connection, waits, NOW)


def every_name_is_shown_within_a_minute(wall: Tab) -> None:
    """Check that the table turns its pages, says how many are left out, and can rest."""
    names, more = wall.page.locator(".best tbody th"), wall.page.locator(".best .more")
    expect(more).to_have_text("and 90 more")
    shown = set(names.filter(visible=True).all_inner_texts())
    for _second in range(59):
        wall.let_pass(1000)
        shown.update(names.filter(visible=True).all_inner_texts())
        expect(more).to_have_text("and 90 more")
    assert shown == {*names.all_text_contents()}
    assert len(shown) == 100
    wall.pause.click()
    before = names.filter(visible=True).all_inner_texts()
    wall.let_pass(30_000)
    assert names.filter(visible=True).all_inner_texts() == before
    wall.pause.click()
    wall.let_pass(6000)
    expect(names.filter(visible=True).first).not_to_have_text(before[0])


def test_the_wall_and_the_class_page_can_be_read_with_nobody_there_and_with_very_many(
    own_server: Server, visitor: Visitor
) -> None:
    wall = visitor(own_server.url).open("/class/board")
    expect_it_fits(wall)
    host = Service(Settings(data=own_server.database.parent))
    with host.database.write() as connection:
        _fill(connection)
    wall.page.goto("about:blank")
    own_server.kill()  # it would not hear of them
    own_server.start()
    wall.page.context.add_cookies([{"name": "player", "value": TOKEN, "url": wall.server}])
    wall.own_clock().open("/class/board")
    expect(wall.standings.filter(visible=True)).to_have_count(10)
    expect(wall.page.locator(".results li")).to_have_count(2)
    expect_it_fits(wall)
    every_name_is_shown_within_a_minute(wall)

    # A late place is seen with the first.
    wall.open("/class")
    for width in (1280, 820, 390, 320):
        wall.page.set_viewport_size({"width": width, "height": 844})
        assert all(word in " ".join(LONG) for word in wall.broken_words()), f"{width} px"
        wall.standings.first.evaluate("(row) => row.scrollIntoView()")
        expect(wall.standings.first).to_be_in_viewport()
        expect(wall.standings.last).to_contain_text("(you)")
        expect(wall.standings.last).to_be_in_viewport()

    # One board on the wall is as large as it can be.
    wall = visitor(own_server.url)
    acts.pause(host)
    for shown in (Wall(game=_id("game0")), Wall(moves="03142", at=2, values=True)):
        acts.show(host, shown)
        wall.open("/class/board")
        expect(wall.page.locator(".paused")).to_be_visible()
        expect_it_fits(wall)
        for width, height in PROJECTORS:
            wall.page.set_viewport_size({"width": width, "height": height})
            board = wall.board.bounding_box()
            assert board is not None
            assert board["width"] > height / 2, f"{width} × {height}"
    host.database.close()
