"""A tournament in browsers: whatever players look at, it leads them to each game and to the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from math import ceil
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.server import NEWS_COME_SOON, NO_MOVE_IS_LATE, Server
from tests.e2e.tab import Tab, Visitor
from tests.e2e.test_every_page import expect_it_fits
from tests.e2e.test_look import box

LONG_REST = "webapp.tournament.due.REST_MS = 600_000\n"
"""A patch: what comes after a game stays for as long as a test looks at it."""

# For the clocks of a page.
STANDS_STILL = """
const began = Date.now();
window.passed = 0;
Date.now = () => began + window.passed;
"""

# What the strip counts, and what it says to a screen reader.
NOTES = """
window.counted = [];
new MutationObserver(() => {
  const said = document.querySelector("#calls[data-counting] .seconds")?.textContent;
  if (said && said !== window.counted.at(-1)) window.counted.push(said);
}).observe(document, { childList: true, subtree: true, attributes: true });
window.addEventListener("pagehide", () => sessionStorage.setItem("counted", window.counted));
"""

CLOUDS = """() => {
  window.clouds = 0;
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node.matches?.(".cloud")) window.clouds++;
  }).observe(document.body, { childList: true, subtree: true });
}"""
"""Counts what flies over the wall."""

WON = "03142"
GAME = re.compile("/games/")


@pytest.fixture
def own_server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    patch = NEWS_COME_SOON + NO_MOVE_IS_LATE + getattr(request, "param", "")
    server = Server(tmp_path / "data", {"TTT_NAMES": "own"}, patch=patch)
    yield server
    server.stop()


def make(
    host: Tab, *, opening: str = "The empty board", form: str = "Arena", rounds: str = "5"
) -> str:
    """Make a tournament by the host's form; return its address."""
    host.open("/host")
    host.page.get_by_text("Openings and clock").click()
    for name in (form, opening):
        host.page.get_by_role("radio", name=name, exact=True).check()
    if form == "Swiss":
        host.page.get_by_label("Rounds").fill(rounds)
    host.page.get_by_label("Seconds a move").select_option("30")
    host.button("Make a tournament").click()
    expect(host.title).to_have_text("Tournament")
    return host.path


def start(host: Tab) -> None:
    host.open("/host")
    with host.no_reload():
        host.button("Start").click()
        expect(host.button("Start")).to_have_count(0)
        expect(host.page.locator("[data-onward]")).to_be_focused()


def strip(one: Tab) -> Locator:
    return one.page.locator("#calls .line")


def join(one: Tab, address: str = "/class") -> None:
    """Join by the button of the tournament's page, or that of the class."""
    one.open(address)
    one.button("Join the tournament").click()
    expect(one.page.get_by_text("You are in.")).to_be_visible()


def page_of(url: str) -> str:
    """An address without its question: pages without scripts add one when they load again."""
    return url.partition("?")[0]


def at_a_board(players: list[Tab], before: str = "") -> None:
    for one in players:
        one.page.wait_for_url(lambda url: bool(GAME.search(url)) and page_of(url) != before)
        expect(one.page.locator("#versus")).to_contain_text("You")


def seated(pair: list[Tab]) -> tuple[Tab, Tab]:
    """Wait until their game has opened by itself for both; return who has X and O."""
    at_a_board(pair)
    own = "#versus .side:nth-child(2) .x"
    x, o = sorted(pair, key=lambda one: one.page.locator(own).count(), reverse=True)
    expect(x.heading).to_have_text("Your turn")
    return x, o


def end(host: Tab) -> None:
    host.page.get_by_text("End the tournament").click()
    host.button("End it").click()


def move(one: Tab, cell: int) -> None:
    """Play with the mouse, or with the keyboard where the board has the focus."""
    expect(one.heading).to_have_text("Your turn")
    if one.scripted and cell % 2:
        one.press(str(cell + 1))
    else:
        one.cell(cell).click()


def play_out(pair: list[Tab]) -> str:
    """Play a game that X wins; return its address."""
    address = page_of(pair[0].page.url)
    x, o = seated(pair)
    for ply, cell in enumerate(map(int, WON)):
        move(o if ply % 2 else x, cell)
    expect(o.heading).to_have_text(re.compile("wins: top row$"))
    return address


def at_the_podium(one: Tab) -> None:
    expect(one.title).to_have_text("Tournament")
    expect(one.page.locator(".podium")).to_be_visible()
    expect(one.page.get_by_text(re.compile("^You are number [1-4].$"))).to_be_visible()
    expect(one.page.locator("main").get_by_text("next game")).to_have_count(0)


def pairs(players: list[Tab]) -> list[list[Tab]]:
    return [
        [one for one in players if page_of(one.page.url) == url]
        for url in sorted({page_of(one.page.url) for one in players})
    ]


def test_from_four_pages_to_the_podium(host: Tab, come: Visitor) -> None:
    size = {"width": 320, "height": 568}
    wall = come().open("/class/board")
    address = make(host, form="Swiss", rounds="1")
    friend = come(viewport=size)
    without = come(viewport=size, java_script_enabled=False)
    others = [come(viewport=size) for _ in range(3)]
    players = [without, *others]
    reader, partner, soloist = others
    code = friend.open_challenge("o")
    game = partner.open("/class").post(f"/join/{code}", {}).headers["location"]
    friend.page.wait_for_url(f"**{game}")
    for one in players:
        join(one, address)
    said = f"Your game with {friend.name} is given up when the tournament begins."
    expect(partner.page.get_by_text(said)).to_be_visible()
    expect(reader.page.get_by_text("is given up when")).to_have_count(0)
    without.open("/class")
    expect(without.button("Find an opponent")).to_have_count(0)
    reader.open("/learn")
    partner.open(game).play(4)
    soloist.page.add_init_script(NOTES)
    soloist.open().play(0)
    kept = soloist.page.url
    for one in players:
        expect(strip(one)).to_contain_text("Your first tournament game opens by itself.")
        expect(one.a("Learn", "Site")).to_be_in_viewport(ratio=1)

    start(host)
    at_a_board(players)
    counted = soloist.page.evaluate("sessionStorage.counted").split(",")
    assert counted[0] == "5"
    assert counted == sorted(counted, reverse=True)
    expect(wall.items("Games in progress")).to_have_count(2)
    # The player who stays learns that the game is over.
    expect(friend.game).not_to_have_attribute("data-outcome", "")
    for one in players:
        for part in ("#board", "#turn", "#clock", "#resign", ".side >> nth=0", ".side >> nth=1"):
            expect(one.page.locator(part)).to_be_in_viewport(ratio=1)
        expect(one.page.get_by_role("navigation")).to_have_count(0)

    wall.page.evaluate(CLOUDS)
    first_games = [(pair, play_out(pair)) for pair in pairs(players)]
    for pair, before in first_games:
        at_a_board(pair, before)
        expect(pair[0].page.locator("#versus")).to_contain_text("game 2 of 2")
        play_out(pair)
    expect(wall.items("The first three").first).to_contain_text("point")
    wall.page.wait_for_function("() => window.clouds === 1")
    for one in players:
        at_the_podium(one)
    # The game with the computer has waited.
    soloist.open()
    soloist.page.get_by_role("link", name=re.compile("^Continue your game")).click()
    assert soloist.page.url == kept
    soloist.play(next(cell for cell in (1, 2) if soloist.cell(cell).locator(".ghost").count()))
    # It was celebrated once, whatever else the wall is told of.
    expect(wall.page.locator(".podium")).to_be_visible()
    assert wall.page.evaluate("window.clouds") == 1


def test_of_several_tabs_the_one_that_is_seen_leads_and_not_while_a_form_is_in_use(
    host: Tab, come: Visitor
) -> None:
    address = make(host)
    one, other = come(), come()
    hidden, older = (Tab(one.page.context.new_page(), one.server, one.noise) for _ in range(2))
    older.open("/privacy").hide(True)
    for player in (one, other):
        join(player, address)
    # What was loaded before the player joined learns of it when it is seen.
    expect(older.calls).to_be_hidden()
    older.hide(False)
    expect(strip(older)).to_be_visible()
    older.page.close()

    hidden.open("/learn").hide(True)
    one.page.add_init_script(NOTES)
    one.open("/class").code_field.fill("AB")
    start(host)
    at_a_board([one, other])
    assert one.page.evaluate("sessionStorage.counted").startswith("5,")
    # The other tab may go there, but does not by itself as long as one shows the board.
    hidden.hide(False)
    expect(strip(hidden)).to_contain_text("Your tournament game has begun.")
    expect(hidden.page.locator("#calls .in")).to_be_hidden()
    expect(hidden.a("Go to your board")).to_have_attribute("href", one.path)
    expect(hidden.page).to_have_title("Your tournament game has begun")
    board = one.page.url
    assert hidden.path == "/learn"
    one.page.close()
    hidden.page.wait_for_url(board)


def places(pair: list[Tab], *seen: str) -> list[object]:
    """Where board and turn are on each screen, the narrowest last, with all of this in view."""
    found = list[object]()
    for width, height in ((1366, 625), (390, 664), (667, 375), (320, 568)):
        for one in pair:
            one.page.set_viewport_size({"width": width, "height": height})
            for part in map(one.page.locator, seen):
                expect(part).to_be_in_viewport(ratio=1)
            board, turn = (box(one.page.locator(part)) for part in ("#board", "#turn"))
            found += [board, turn["x"], turn["y"]]
    return found


@pytest.mark.parametrize("own_server", [LONG_REST], indirect=True)
def test_in_a_game_all_is_in_view_and_after_it_its_page_says_what_it_brought_and_what_comes(
    host: Tab, come: Visitor
) -> None:
    address = make(host)
    pair = [come(viewport={"width": 320, "height": 568}) for _ in range(2)]
    for one, name in zip(pair, ("Turquoise Chameleon", "Luminous Greyhound"), strict=True):
        join(one, address)
        assert one.post("/you/name", {"name": name}).status == 303
    start(host)
    at_a_board(pair)
    # During a game the tournament's page says so first, and leads back whether or not it asks.
    loser, winner = pair
    names = {one: one.page.locator(".side").nth(1).inner_text() for one in pair}
    board = loser.page.url
    loser.a("Tournament").click()
    loser.pause.click()
    expect(loser.page.locator("#mine-now")).to_contain_text(f"playing against {names[loser]}.")
    expect(loser.page.locator("#to-board")).to_be_visible()
    expect(loser.page.get_by_text("You lose the game that is going on")).to_be_visible()
    loser.page.wait_for_url(board)

    for one in pair:
        one.record_announcements()
    loser.page.once("dialog", lambda dialog: dialog.accept())
    before = places(pair, "#board", "#turn", "#clock", "#resign")
    loser.resign.click()
    for one, brought in ((winner, "+2 points. You are number 1."), (loser, "No points.")):
        card = one.page.locator("#onward")
        expect(card).to_contain_text(brought)
        expect(card).to_contain_text(re.compile(r"The second game begins in \d+ s\."))
        expect(card.locator("tr.me")).to_contain_text("You")
        expect(card.locator(".next")).to_contain_text(names[one])
        for part in (".result", ".standings", ".next", ".countdown"):
            expect(card.locator(part)).to_be_in_viewport(ratio=1)
        expect(one.a("Review")).to_have_count(0)
        expect(one.button("Sit out a game")).to_have_count(0)
        expect(one.page.locator("#versus")).to_contain_text("2 points · 1st")
    assert places(pair, "#board", "#turn") == before
    assert winner.announcements()[0].startswith("+2 points. ")

    # There is no next game for anyone who has left for now, nor for anyone after the end.
    loser.open(address).button("Leave for now").click()
    expect(loser.page.get_by_text("You have left for now. You can come back.")).to_be_visible()
    end(host)
    expect(winner.title).to_have_text("Tournament")
    expect(winner.page.locator("main").get_by_text("next game")).to_have_count(0)


def test_the_longest_names_cover_nothing_in_a_phones_first_screen(host: Tab, come: Visitor) -> None:
    make(host)
    pair = [come(viewport={"width": 390, "height": 664}) for _ in range(2)]
    for one, name in zip(pair, ("W" * 20, "M" * 20), strict=True):
        join(one)
        assert one.post("/you/name", {"name": name}).status == 303
    start(host)
    for one in seated(pair):
        parts = [".side > svg:first-child >> nth=0", ".side b >> nth=0", ".side b >> nth=1"]
        parts += [".points >> nth=0", ".points >> nth=1", "#board", "#turn", "#clock", ".about"]
        for part in map(one.page.locator, parts):
            expect(part).to_be_in_viewport(ratio=1)
        for first, other in combinations(map(box, map(one.page.locator, parts)), 2):
            across = min(first["right"], other["right"]) - max(first["left"], other["left"])
            down = min(first["bottom"], other["bottom"]) - max(first["top"], other["top"])
            assert min(across, down) <= 0, (first, other)


def test_the_ring_of_the_clock_empties_and_five_seconds_are_announced_once(
    host: Tab, come: Visitor
) -> None:
    make(host)
    players = [come(), come()]
    for one in players:
        join(one)
        one.page.add_init_script(STANDS_STILL)
    start(host)
    x, o = seated(players)
    o.page.reload()  # it may have been made before X opened the game, and let X's clock wait
    for one in players:
        one.record_announcements()

    def there_are(left: float) -> None:
        """Let the clocks of both pages go on until so many seconds are left."""
        for one in players:
            ring = one.page.locator(".side").nth(int(one is o)).locator(".left")
            ring.evaluate("(ring) => { ring.removeAttribute('stroke-dashoffset'); }")
            shown = one.page.wait_for_function(
                "(ring) => Number(ring.getAttribute('stroke-dashoffset') ?? NaN) + 1",
                arg=ring.element_handle(),
            ).json_value()
            passed = 30 * (2 - shown) - left
            one.page.evaluate("(more) => { window.passed += 1000 * more; }", passed)
            figures = one.page.locator("#clock .figures")
            expect(figures).to_have_attribute("aria-label", str(ceil(left)))
            expect(ring).to_have_attribute("stroke-dashoffset", re.compile(f"^{1 - left / 30}"[:5]))
            expect(ring).to_be_visible()
            expect(one.page.locator(".side .left >> visible=true")).to_have_count(1)

    there_are(5.5)
    expect(x.page.locator("#clock.short")).to_have_count(0)
    there_are(4.5)
    expect(x.page.locator("#clock.short")).to_be_visible()
    assert x.announcements() == ["5 seconds left."]
    place = o.heading.bounding_box()
    there_are(1.5)
    assert x.page.evaluate("window.announcements") == []
    assert "5 seconds left." not in o.page.evaluate("window.announcements")
    x.cell(4).click()
    expect(o.heading).to_have_text("Your turn")
    assert o.heading.bounding_box() == place
    left = o.page.locator("#clock .figures")
    expect(left).to_have_attribute("aria-label", re.compile("^([12].|30)$"))
    expect(o.page.locator("#clock.short")).to_have_count(0)
    # What a screen reader has of it: no region that speaks by itself.
    assert o.page.locator("[aria-live] #clock, [role=status] #clock").count() == 0
    # A lost connection is told below the turn: the clock goes on.
    o.noise.expect_no_answer()
    o.page.context.set_offline(True)
    expect(o.refusal).to_have_text("Connection lost, trying again.")
    expect(left).to_be_visible()
    o.page.context.set_offline(False)
    expect(o.refusal).to_have_count(0)
    expect(left).to_be_visible()


def test_what_is_open_and_what_is_typed_stay_when_news_come(host: Tab, come: Visitor) -> None:
    host.open("/host")
    host.page.get_by_label("Minutes").fill("7")
    host.page.get_by_role("radio", name="Swiss", exact=True).check()
    name = come().open("/class").name
    expect(host.items("Who is here").filter(has_text=name)).to_be_visible()
    expect(host.page.get_by_label("Minutes")).to_have_value("7")
    expect(host.page.locator("[value=swiss]")).to_be_checked()

    one = come().open(make(host))
    one.page.get_by_text("Tie-breaks").wait_for(state="detached")
    for _ in range(2):
        join(come())
    one.page.get_by_text("Tie-breaks").click()
    join(come())
    expect(one.standings).to_have_count(3)
    expect(one.page.locator("#tie-breaks")).to_have_attribute("open", "")


def test_it_fits_can_be_touched_and_tabbed_through_and_axe_finds_nothing(
    host: Tab, sign_in: Visitor, come: Visitor
) -> None:
    def check(one: Tab, *paths: str) -> None:
        for path in paths:
            expect_it_fits(one.open(path))

    one, desk = come(has_touch=True), sign_in(has_touch=True)
    address = make(host, form="Swiss", opening="Sharp openings")
    check(one, "/class")
    players = [come(), come()]
    for player in players:
        join(player)
    check(one, address, "/class/board")
    start(host)
    at_a_board(players)
    # An opening has one, two or three moves: either may begin.
    (first,) = (one for one in players if one.heading.text_content() == "Your turn")
    first.page.locator("button.cell:has(.ghost)").first.click()
    expect(first.heading).to_contain_text("is thinking")
    check(one, first.path, address, "/class/board")
    desk.open("/host").page.locator("#rare > summary").click()
    desk.page.get_by_text("Players of the tournament (2)").click()
    expect_it_fits(desk)
    first.page.once("dialog", lambda dialog: dialog.accept())
    first.resign.click()
    expect(host.page.locator("#just-finished li")).to_have_count(1)
    end(host)
    expect(host.button("Make a tournament")).to_be_visible()
    check(one, address, "/class/board")
    check(desk, "/host")  # before a pupil leaves it for a page where one is alone
    check(one, "/openings")
