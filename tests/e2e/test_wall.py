"""The wall on a projector, and the class page of a class that is large: all of it can be read."""

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
import sqlalchemy as sa
from playwright.sync_api import Locator, Route, expect

from tests.e2e.server import Server
from tests.e2e.sight import misfits, resize
from tests.e2e.tab import Tab, Visitor
from tests.support.patience import until
from webapp.classroom import ALL, CLASS, Wall
from webapp.config import Settings
from webapp.core.game import Game, Kind
from webapp.service import teacher, tournaments
from webapp.service.site import Site as Service
from webapp.store import games
from webapp.store.schema import players, records
from webapp.tournament.event import Format, Opening

# Names that a player may choose: the widest letters of two scripts, one word, and several.
LONG = ("W" * 20, "\u0429" * 20, "Donaudampfschifffahr", "Www Wwwwww Wwwwwwwww")
# Of the names dealt those that take the most room.
WIDEST = (
    *("Flammen-Mustang", "Kometen-Tümmler", "Guepardo Optimista", "Kangourou Splendide"),
    *("Luminous Chameleon", "Luminous Barracuda", "Turquoise Chameleon", "Turquoise Barracuda"),
)
PEOPLE, GAMES = 200, 15
TOKENS = "a" * 43, "b" * 43
FIRST, LAST = (hashlib.sha256(token.encode()).hexdigest() for token in TOKENS)
"""The players whose cookies have these tokens: one has beaten a class, one is the last of it."""

SEVERAL = [FIRST, *(f"{number:02x}".ljust(64, "0") for number in range(PEOPLE - 2)), LAST]
NOW = 2_000_000_000  # never too long ago


def _fill(connection: sa.Connection) -> None:
    def insert(table: sa.Table, **values: object) -> None:
        empty = {one.name: one.type.python_type() for one in table.c if not one.nullable}
        connection.execute(sa.insert(table).values({**empty, **values}))

    names = (*LONG, *WIDEST, *(f"Pupil {number}" for number in range(PEOPLE)))
    for player, name in zip(SEVERAL, names, strict=False):
        seen = {"opponent": "easy", "mark": "x", "seen_at": NOW}
        insert(players, id=player, name=name, name_key=name, **seen)
        recent = "llldl" if player == LAST else "wwdwl"
        insert(records, player=player, opponent="medium", recent=recent, won=9, lost=1)
    for beaten in SEVERAL[1:30]:
        insert(records, player=FIRST, opponent=beaten, recent="w", won=1)
    for number in range(GAMES):
        x, o = SEVERAL[2 * number : 2 * number + 2]
        game = Game(kind=Kind.TWO_DEVICES, x_seat=x, o_seat=o)
        games.insert(connection, replace(game, id=f"game{number}".ljust(22, "-")), NOW)


@pytest.fixture
def full(own_server: Server) -> Iterator[Service]:
    service = Service(Settings(data=own_server.database.parent))
    with service.database.write() as connection:
        _fill(connection)
    teacher.show(service, Wall(tournament=CLASS))
    teacher.choose(service, places=ALL)
    yield service
    service.database.close()


@pytest.fixture
def wall(full: Service, come: Visitor) -> Iterator[Tab]:
    wall = come()
    wall.page.clock.install()
    wall.noise.expect("htmx:error: timeout")  # its clock outruns the server
    yield wall
    wall.page.close()


def expect_it_fits(wall: Tab) -> None:
    """Check that all can be read, but for the longest names, which are cut off."""
    found = misfits(wall.page)
    assert [what for what in found if not any(name in what for name in LONG)] == []


def become(tab: Tab, token: str) -> None:
    tab.page.context.clear_cookies(name=re.compile("player-.*"))
    tab.page.context.add_cookies([{"name": "player", "value": token, "url": tab.server}])


def ranks(wall: Tab) -> Locator:
    return wall.page.locator(".ranks li")


def test_very_many_are_shown_by_turns_and_a_late_place_with_the_first(wall: Tab) -> None:
    wall.open("/class/board")
    expect(wall.items("Games in progress").filter(visible=True)).to_have_count(6)
    expect_it_fits(wall)
    names = wall.page.locator(".leads bdi").filter(visible=True)
    shown = set(names.all_inner_texts())
    assert len(shown) == 5

    def all_were() -> bool:  # a look that comes late misses one for a round
        wall.page.clock.fast_forward(1000)
        shown.update(names.all_inner_texts())
        return len(shown) == 100

    until(all_were)
    become(wall, TOKENS[1])
    resize(wall.open("/class").page, (320, 844))
    wall.standings.first.evaluate("(row) => row.scrollIntoView()")
    expect(wall.standings.first).to_be_in_viewport()
    expect(wall.standings.last).to_contain_text("(you)")
    expect(wall.standings.last).to_be_in_viewport()


def test_an_album_is_printed_on_one_page(wall: Tab) -> None:
    become(wall, TOKENS[0])
    page = wall.open("/you").page
    expect(page.locator(".signs li")).to_have_count(11)
    page.emulate_media(color_scheme="dark", media="print")
    expect(page.locator(".totals").first).to_be_visible()
    for hidden in ("header", "footer", "#calls", ".account"):
        expect(page.locator(hidden).first).not_to_be_visible()
    expect(page.locator("body")).to_have_css("color", "rgb(29, 36, 51)")
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 1


def test_a_tournament_of_thirty_can_be_read(full: Service, wall: Tab) -> None:
    id_ = tournaments.create(full, Format.SWISS, Opening.EMPTY, 30, 7)
    for player in SEVERAL[:30]:
        tournaments.join(full, id_, player)
    wall.open("/class/board")
    expect(wall.page.locator(".joining .figures")).to_have_attribute("aria-label", "30")
    expect_it_fits(wall)
    tournaments.start(full, id_)
    # The server, which is not told of it, may show what it has seen a moment ago.
    boards = wall.page.locator(".boards > li")
    until(lambda: ranks(wall.open("/class/board")).count() > 0 and boards.count() > 1)
    expect(boards.filter(visible=True)).to_have_count(4)
    expect(ranks(wall).filter(visible=True)).to_have_count(22)
    expect_it_fits(wall)
    tournaments.end(full, id_)
    until(lambda: wall.open("/class/board").page.locator(".ceremony").count() > 0)
    expect_it_fits(wall)


def hears(wall: Tab) -> Callable[[str], None]:
    """Let the wall ask for nothing but what is told it, after a script has changed a copy of it."""
    news = [""]

    def answer(route: Route) -> None:
        route.fulfill(content_type="text/html", body=news[0])

    def tell(change: str) -> None:
        news[0] = wall.page.evaluate(
            f"""() => {{
              const wall = document.getElementById("class").cloneNode(true);
              {change}
              return wall.outerHTML;
            }}"""
        )
        wall.page.clock.fast_forward(1500)
        with wall.page.expect_response(lambda response: "/class/board" in response.url):
            wall.page.evaluate("() => { htmx.trigger('#class', 'news') }")
        wall.page.evaluate("async () => { await new Promise(requestAnimationFrame); }")

    wall.page.route("**/class/board?at=**", answer)
    wall.page.add_init_script("addEventListener('DOMContentLoaded', probe.deafen)")
    return tell


def test_a_board_stays_for_six_seconds_and_the_others_stand_still(wall: Tab) -> None:
    tell = hears(wall)
    boards = wall.open("/class/board").page.locator(".boards > li")

    def in_view() -> list[str | None]:
        return [one.get_attribute("id") for one in boards.filter(visible=True).all()]

    expect(boards.filter(visible=True)).to_have_count(6)
    before, waits = in_view(), boards.nth(6).get_attribute("id") or ""
    # The server lists another game first meanwhile, and no longer this one as one that goes on.
    tell(
        """const list = wall.querySelector(".boards"), over = list.children[1];
        list.prepend(list.children[6]);
        over.classList.add("over");
        list.append(over);"""
    )
    expect(wall.page.locator(".boards .over")).to_have_id(before[1] or "")
    assert in_view() == before
    wall.page.clock.fast_forward(6000)
    expect(boards.nth(1)).to_have_id(waits)
    assert in_view() == [before[0], waits, *before[2:]]


def test_a_row_slides_to_its_place_and_says_how_far_it_has_risen(full: Service, wall: Tab) -> None:
    id_ = tournaments.create(full, Format.ARENA, Opening.EMPTY, 30, 7)
    for player in SEVERAL[20:25]:
        tournaments.join(full, id_, player)
    tournaments.start(full, id_)
    wall.page.add_init_script("probe.countEffects()")
    tell = hears(wall)
    expect(ranks(wall.open("/class/board"))).to_have_count(5)
    row = ranks(wall).nth(4).get_attribute("id")
    last = wall.page.locator(f"#{row}")
    for played, place, change in ((0, 5, ""), (1, 1, "4 up"), (1, 3, "2 up"), (2, 4, "1 down")):
        if played == 2:
            assert wall.page.evaluate("window.flown") > 0
            wall.page.emulate_media(reduced_motion="reduce")
            wall.page.evaluate("window.flown = 0")
        # Until the next game ends, whatever the others do.
        tell(
            f"""const last = wall.querySelector("#{row}");
            const rows = [...wall.querySelectorAll(".ranks li")].filter((row) => row !== last);
            rows.splice({place - 1}, 0, last);
            rows.forEach((row, n) => {{ row.dataset.place = n + 1; }});
            last.dataset.games = {played};
            wall.querySelector(".ranks").replaceChildren(...rows);"""
        )
        expect(last).to_have_attribute("data-place", str(place))
        expect(last.locator(".change")).to_have_text([change] if change else [])
        expect(wall.page.locator(".ranks .risen")).to_have_count(int("up" in change))
    assert wall.page.evaluate("window.flown") == 0
