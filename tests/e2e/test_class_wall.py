"""The wall on a projector, and the class page of a class that is large: all of it can be read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
import sqlalchemy as sa
from playwright.sync_api import Locator, Route, expect

from tests.e2e.server import Server
from tests.e2e.tab import Tab, Visitor
from webapp.classroom import Wall
from webapp.config import Settings
from webapp.core.game import Game, Kind
from webapp.service import teacher as acts
from webapp.service import tournaments
from webapp.service.site import Site as Service
from webapp.store import games as store_games
from webapp.store.schema import players, records
from webapp.tournament.event import Format, Opening

LONG = ("W" * 20, "\u0429" * 20, "Donaudampfschifffahr", "Www Wwwwww Wwwwwwwww")
"""Names that a player may choose: the widest letters of two scripts, one word, and several."""

ANIMALS = ("Chameleon", "Greyhound", "Barracuda")
WIDEST = (
    *("Flammen-Mustang", "Kometen-Tümmler", "Guepardo Optimista", "Kangourou Splendide"),
    *map(" ".join, product(("Luminous", "Generous", "Turquoise"), ANIMALS)),
)
"""Of the names dealt those that take the most room."""

PROJECTORS = ((1920, 1080), (1280, 720), (1024, 768))

PEOPLE, GAMES, CHALLENGES = 200, 15, 15
TOKEN = "a" * 43
LAST = hashlib.sha256(TOKEN.encode()).hexdigest()
"""The player whose cookie has this token: the last in the standings."""

SEVERAL = [*(f"{number:02x}".ljust(64, "0") for number in range(PEOPLE - 1)), LAST]
NOW = 2_000_000_000  # never too long ago

# What is larger than the screen, lies outside of it or of its own part, or is hard to read: no
# letters are smaller than 25 px where the screen is 1920 px wide.
WRONG = """() => {
  const { scrollWidth, scrollHeight } = document.documentElement;
  const parts = ".boards > li, .leads, .top, .way-in, .clock, .table, .joining, .ceremony, .status";
  const wrong = [...document.querySelectorAll("main :is(h2, p, li, bdi, b, svg)")]
    .filter((one) => one.checkVisibility() && !one.closest(".visually-hidden"))
    .filter((one) => {
      const room = (one.closest(parts) ?? document.body).getBoundingClientRect();
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return left < room.left - 1 || right > room.right + 1 || top < 0 || bottom > innerHeight;
    })
    .map((one) => `outside: ${one.outerHTML}`);
  if (scrollWidth > innerWidth || scrollHeight > innerHeight) wrong.push("the page");
  const least = 25 * Math.min(innerWidth / 1920, innerHeight / 1080) - 0.1;
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement: one } = texts.currentNode;
    if (!data.trim() || !one.checkVisibility() || one.closest(".visually-hidden")) continue;
    if (parseFloat(getComputedStyle(one).fontSize) < least) wrong.push(`small letters: ${data}`);
  }
  return wrong;
}"""
_CUT_OFF = """() => [...document.querySelectorAll(".wall bdi")]
  .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
    scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 3)
  .map((part) => `${part.textContent} in ${part.closest("[class]:not(li)").className}`)"""
# Which boards lie on each other, or on their neighbours' names.
_COVERED = """() => {
  const boxes = [...document.querySelectorAll(".boards > li > *")]
    .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect());
  return boxes.filter((one, n) => boxes.slice(n + 1).some((other) =>
    one.left < other.right - 1 && other.left < one.right - 1
    && one.top < other.bottom - 3 && other.top < one.bottom - 3)).length;
}"""


def expect_it_fits(wall: Tab, *, code: bool = True) -> None:
    """Check that on every projector all can be read, and the code be scanned."""
    for width, height in PROJECTORS:
        wall.page.set_viewport_size({"width": width, "height": height})
        where = f"{width} × {height}"
        assert wall.page.evaluate(WRONG) == [], where
        assert wall.broken_words() == [], where
        assert wall.page.evaluate(_COVERED) == 0, where
        for text in wall.page.evaluate(_CUT_OFF):
            assert any(name in text for name in LONG), (where, text)
        if code:
            box = wall.qr.bounding_box()
            assert box is not None
            assert box["width"] >= height / 4, where


def _row(table: sa.Table, **values: object) -> sa.Insert:
    """Insert a row; what it must have and is not given is empty."""
    empty = {one.name: one.type.python_type() for one in table.c if not one.nullable}
    return sa.insert(table).values({**empty, **values})


def _id(name: str) -> str:
    """An id as long as every game's is."""
    return name.ljust(22, "-")


def _fill(connection: sa.Connection) -> None:
    """Fill the tables; the first players have the longest names."""
    names = (*LONG, *WIDEST, *(f"Pupil {number}" for number in range(PEOPLE)))
    for player, name in zip(SEVERAL, names, strict=False):
        seen = {"opponent": "easy", "mark": "x", "seen_at": NOW}
        connection.execute(_row(players, id=player, name=name, name_key=name, **seen))
        recent = "llldl" if player == LAST else "wwdwl"
        record = {"opponent": "medium", "recent": recent, "won": 9, "lost": 1}
        connection.execute(_row(records, player=player, **record))
    live = Game(kind=Kind.TWO_DEVICES)
    for number in range(GAMES):
        x, o = SEVERAL[2 * number : 2 * number + 2]
        store_games.insert(
            connection, replace(live, id=_id(f"game{number}"), x_seat=x, o_seat=o), NOW
        )
    for number, (x, o) in enumerate((SEVERAL[5:7], SEVERAL[:2], SEVERAL[7:9])):
        over = replace(live, id=f"over{number}", x_seat=x, o_seat=o)
        for cell in (0, 3, 1, 4, 2):
            over = over.play(cell)
        store_games.insert(connection, over, NOW)
    for number, x in enumerate(SEVERAL[:CHALLENGES]):
        waits = replace(live, id=f"open{number}", x_seat=x, code=f"{222222 + number}")
        store_games.insert(connection, waits, NOW)


@pytest.fixture
def full(own_server: Server) -> Iterator[Service]:
    """A server with a class that is large, and what a test does to its database."""
    host = Service(Settings(data=own_server.database.parent))
    with host.database.write() as connection:
        _fill(connection)
    own_server.kill()  # it would not hear of them
    own_server.start()
    yield host
    host.database.close()


def every_name_is_shown_within_a_minute(wall: Tab) -> None:
    """Check that the table turns its pages."""
    names = wall.page.locator(".leads bdi")
    shown = set(names.filter(visible=True).all_inner_texts())
    assert len(shown) == 5
    for _second in range(59):
        wall.let_pass(1000)
        shown.update(names.filter(visible=True).all_inner_texts())
    assert shown == {*names.all_text_contents()}
    assert len(shown) == 100


def test_the_wall_can_be_read_with_nobody_there(own_server: Server, visitor: Visitor) -> None:
    expect_it_fits(visitor(own_server.url).open("/class/board"))


def test_the_wall_and_the_class_page_can_be_read_with_very_many(
    own_server: Server, full: Service, visitor: Visitor
) -> None:
    wall = visitor(own_server.url)
    wall.page.context.add_cookies([{"name": "player", "value": TOKEN, "url": wall.server}])
    wall.own_clock().open("/class/board")
    expect(wall.items("Games in progress").filter(visible=True)).to_have_count(6)
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
    acts.pause(full)
    for shown in (Wall(game=_id("game0")), Wall(moves="03142", at=2, values=True)):
        acts.show(full, shown)
        wall.open("/class/board")
        expect(wall.page.locator(".paused")).to_be_visible()
        expect_it_fits(wall)
        for width, height in PROJECTORS:
            wall.page.set_viewport_size({"width": width, "height": height})
            board = wall.board.bounding_box()
            assert board is not None
            assert board["width"] > height / 2, f"{width} × {height}"


@pytest.mark.parametrize("form", Format)
def test_a_tournament_of_thirty_can_be_read_on_the_wall(
    own_server: Server, full: Service, visitor: Visitor, form: Format
) -> None:
    id_ = tournaments.create(full, form, Opening.EMPTY, 30, 7)
    for player in SEVERAL[:30]:
        tournaments.join(full, id_, player)
    if form is Format.ARENA:  # whose players would have to be here
        with full.database.write() as connection:
            for number in range(0, 20, 2):
                x, o = SEVERAL[number : number + 2]
                game = Game(kind=Kind.TWO_DEVICES, x_seat=x, o_seat=o, tournament=id_)
                game = replace(game, id=_id(f"arena{number}"))
                store_games.insert(connection, game, NOW)
    wall = visitor(own_server.url).open("/class/board")
    expect(wall.page.locator(".joining .figures")).to_have_attribute("aria-label", "30")
    expect_it_fits(wall)
    tournaments.start(full, id_)
    wall.open("/class/board")
    expect(wall.items("Games in progress").filter(visible=True)).to_have_count(4)
    expect(ranks(wall).filter(visible=True)).to_have_count(22)
    expect_it_fits(wall, code=False)
    tournaments.end(full, id_)
    expect(wall.open("/class/board").page.locator(".ceremony")).to_be_visible()
    expect_it_fits(wall, code=False)


# --- what moves -----------------------------------------------------------------------------------


def ranks(wall: Tab) -> Locator:
    return wall.page.locator(".ranks li")


class News:
    """What the server of a wall tells it: what the test has made of the wall that is shown.

    It answers "nothing new" otherwise.
    """

    def __init__(self, wall: Tab, path: str = "/class/board") -> None:
        self.wall, self._next = wall, ""
        wall.page.route(f"**{path}?*", self._answer)

    def _answer(self, route: Route) -> None:
        news, self._next = self._next, ""
        route.fulfill(status=200 if news else 204, content_type="text/html", body=news)

    def tell(self, change: str) -> None:
        """Tell of the wall after a script has changed a copy of it, ``wall``."""
        self._next = self.wall.page.evaluate(
            f"""() => {{
              const wall = document.getElementById("class").cloneNode(true);
              {change}
              wall.dataset.told = Number(wall.dataset.told ?? 0) + 1;
              return wall.outerHTML;
            }}"""
        )
        told = self._next.partition('data-told="')[2].partition('"')[0]
        with self.wall.page.expect_response(lambda response: response.status == 200):
            self.wall.let_pass(1500)
        expect(self.wall.class_region).to_have_attribute("data-told", told)


def test_a_board_stays_for_six_seconds_and_the_others_stand_still(
    own_server: Server, full: Service, visitor: Visitor
) -> None:
    wall = visitor(own_server.url).own_clock()
    news = News(wall)
    wall.open("/class/board")
    boards = wall.page.locator(".boards > li")

    def in_view() -> list[str | None]:
        return [one.get_attribute("id") for one in boards.filter(visible=True).all()]

    before = in_view()
    waits = boards.nth(6).get_attribute("id")
    assert len(before) == 6
    # The server lists another game first meanwhile, and no longer this one as one that goes on.
    news.tell(
        """const list = wall.querySelector(".boards"), over = list.children[1];
        list.prepend(list.children[6]);
        over.classList.add("over");
        list.append(over);"""
    )
    assert in_view() == before
    wall.let_pass(3000)
    assert in_view() == before
    wall.let_pass(3000)
    expect(boards.nth(1)).to_have_id(waits or "")
    assert in_view() == [before[0], waits, *before[2:]]
    # One that is gone makes room at once.
    news.tell("""wall.querySelectorAll(".boards li")[3].remove();""")
    after = in_view()
    assert len(after) == 6
    assert [one for one in after if one in before] == [before[0], before[2], *before[4:]]


_NOTES_SLIDES = """window.slid = [];
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...how) {
    window.slid.push(this.id);
    return animate.apply(this, how);
  };"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_row_slides_to_its_new_place_on_the_class_page(
    own_server: Server, full: Service, visitor: Visitor, motion: str
) -> None:
    one = visitor(own_server.url, reduced_motion=motion).own_clock()
    one.page.add_init_script(_NOTES_SLIDES)
    news = News(one, "/class")
    one.open("/class")
    first, second = (str(row.get_attribute("id")) for row in one.items("Standings").all()[:2])
    news.tell(f"wall.querySelector('#{first}').before(wall.querySelector('#{second}'));")
    expect(one.items("Standings").nth(1)).to_have_id(first)
    slid = one.page.evaluate("window.slid.sort()")
    assert slid == (sorted([first, second]) if motion == "no-preference" else [])


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_row_slides_to_its_new_place_and_says_by_how_many_it_has_risen(
    own_server: Server, full: Service, visitor: Visitor, motion: str
) -> None:
    id_ = tournaments.create(full, Format.ARENA, Opening.EMPTY, 30, 7)
    for player in SEVERAL[20:25]:
        tournaments.join(full, id_, player)
    tournaments.start(full, id_)
    wall = visitor(own_server.url, reduced_motion=motion).own_clock()
    wall.page.add_init_script(_NOTES_SLIDES)
    news = News(wall)
    wall.open("/class/board")
    expect(ranks(wall)).to_have_count(5)
    row = ranks(wall).nth(4)
    fifth = wall.page.locator(f"#{row.get_attribute('id')}")

    def order(places: str, games: int) -> str:
        """Give the rows these places, and the one that was last so many games."""
        return f"""const rows = [...wall.querySelectorAll(".ranks li")];
          const last = rows.find((row) => row.id === "{row_id}");
          const others = rows.filter((row) => row !== last);
          last.dataset.games = {games};
          const places = {places};
          [last, ...others].forEach((row, n) => {{ row.dataset.place = places[n]; }});
          const sorted = rows.sort((one, other) => one.dataset.place - other.dataset.place);
          wall.querySelector(".ranks").replaceChildren(...sorted);"""

    row_id = row.get_attribute("id")
    change = fifth.locator(".change")
    news.tell(order("[5, 1, 2, 3, 4]", 0))
    expect(change).to_have_count(0)
    news.tell(order("[1, 2, 3, 4, 5]", 1))
    expect(change).to_have_text("4 up")
    expect(ranks(wall).locator(".change")).to_have_count(1)
    expect(ranks(wall).first).to_have_class("risen")
    assert len(wall.page.evaluate("window.slid")) == (5 if motion == "no-preference" else 0)
    # Until the next game ends, whatever the others do.
    news.tell(order("[3, 1, 2, 4, 5]", 1))
    expect(change).to_have_text("2 up")
    expect(fifth).to_have_class("risen")
    news.tell(order("[4, 1, 2, 3, 5]", 2))
    expect(change).to_have_text("1 down")
    expect(fifth).not_to_have_class("risen")
