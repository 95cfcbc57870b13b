"""A tournament in browsers: whatever players look at, it leads them to each game and to the end."""

import re
from math import ceil

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.pair import at_a_board, begin, join, make, page_of, play_out, seated, start
from tests.e2e.server import LONG_REST
from tests.e2e.tab import Tab, Visitor, box

# For the clocks of a page.
STANDS_STILL = """
const began = Date.now();
window.passed = 0;
Date.now = () => began + window.passed;
"""

# Let the clock go on until so many seconds are left; an answer may set it anew meanwhile.
GO_ON = """
(left) => {
  const ring = document.querySelector("#versus .left[stroke-dashoffset]");
  const more = ring ? 30 * (1 - ring.getAttribute("stroke-dashoffset")) - left : NaN;
  if (more > 0.1) window.passed += 1000 * more;
  return Math.abs(more) <= 0.1;
}
"""

# What the strip counts.
NOTES = """
window.counted = [];
new MutationObserver(() => {
  const said = document.querySelector("#calls[data-counting] .seconds")?.textContent;
  if (said && said !== window.counted.at(-1)) window.counted.push(said);
}).observe(document, { childList: true, subtree: true, attributes: true });
window.addEventListener("pagehide", () => sessionStorage.setItem("counted", window.counted));
"""

# Counts what flies over the wall.
CLOUDS = """() => {
  window.clouds = 0;
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node.matches?.(".cloud")) window.clouds++;
  }).observe(document.body, { childList: true, subtree: true });
}"""


def strip(one: Tab) -> Locator:
    return one.page.locator("#calls .line")


def test_from_four_pages_to_the_podium(host: Tab, come: Visitor) -> None:
    wall, friend = come().open("/class/board"), come()
    address = make(host, "swiss")
    without, reader, partner, soloist = players = [
        come(java_script_enabled=one > 0) for one in range(4)
    ]
    game = begin(friend, partner, "4").path
    friend.open(game)
    for one in players:
        one.open(address).button("Join the tournament").click()
        expect(one.page.get_by_text("You are in.")).to_be_visible()
    without.open("/class")
    reader.open("/learn")
    partner.open(game)
    soloist.page.add_init_script(NOTES)
    soloist.open().play(0)
    kept = soloist.page.url
    for one in players:
        expect(strip(one)).to_contain_text("Your first tournament game opens by itself.")

    with host.no_reload():
        host.button("Start").click()
        expect(host.page.locator("[data-onward]")).to_be_focused()
    at_a_board(*players)
    counted = soloist.page.evaluate("sessionStorage.counted").split(",")
    assert counted == sorted(counted, reverse=True)
    expect(wall.items("Games in progress")).to_have_count(2)
    # The player who stays learns that the game is over.
    expect(friend.game).not_to_have_attribute("data-outcome", "")
    wall.page.evaluate(CLOUDS)
    boards = [page_of(one.page.url) for one in players]
    pairs = [
        [one for one, at in zip(players, boards, strict=True) if at == board] for board in {*boards}
    ]
    for pair, before in [(pair, play_out(*pair)) for pair in pairs]:
        at_a_board(*pair, before=before)
        expect(pair[0].page.locator("#versus")).to_contain_text("game 2 of 2")
        play_out(*pair)
    expect(wall.items("The first three").first).to_contain_text("point")
    wall.page.wait_for_function("() => window.clouds === 1")
    for one in players:
        expect(one.title).to_have_text("Tournament")
        expect(one.page.locator(".podium")).to_be_visible()
        expect(one.page.get_by_text(re.compile("^You are number [1-4].$"))).to_be_visible()
    # The game with the computer has waited.
    soloist.open()
    soloist.page.get_by_role("link", name=re.compile("^Continue your game")).click()
    assert soloist.page.url == kept
    # It was celebrated once, whatever else the wall is told of.
    assert wall.page.evaluate("window.clouds") == 1


def test_of_several_tabs_the_one_that_is_seen_leads_and_not_while_a_form_is_in_use(
    host: Tab, come: Visitor
) -> None:
    address = make(host)
    one, other = come(), come()
    hidden, older = (Tab(one.page.context.new_page(), one.server, one.noise) for _ in range(2))
    older.open("/privacy").hide(True)
    join(address, one, other)
    # What was loaded before the player joined learns of it when it is seen.
    expect(older.calls).to_be_hidden()
    older.hide(False)
    expect(strip(older)).to_be_visible()
    older.page.close()

    hidden.open("/learn").hide(True)
    one.page.add_init_script(NOTES)
    one.open("/class").code_field.fill("AB")
    start(host, address)
    at_a_board(one, other)
    assert one.page.evaluate("sessionStorage.counted"), "a form in use is left when it is time"
    # The other tab may go there, but does not by itself as long as one shows the board.
    hidden.hide(False)
    expect(strip(hidden)).to_contain_text("Your tournament game has begun.")
    expect(hidden.a("Go to your board")).to_have_attribute("href", one.path)
    expect(hidden.page).to_have_title("Your tournament game has begun")
    board = one.page.url
    assert hidden.path == "/learn"
    one.page.close()
    hidden.page.wait_for_url(board)


@pytest.mark.parametrize("own_server", [LONG_REST], indirect=True)
def test_after_a_game_its_page_says_what_it_brought_and_what_comes_and_nothing_moves(
    host: Tab, come: Visitor
) -> None:
    address = make(host)
    pair = winner, loser = [come(viewport={"width": 320, "height": 568}) for _ in range(2)]
    join(address, *pair)
    for one, name in zip(pair, ("Turquoise Chameleon", "Luminous Greyhound"), strict=True):
        assert one.post("/you/name", {"name": name}).status == 303
    start(host, address)
    at_a_board(*pair)
    # During a game the tournament's page leads back, whether or not it asks.
    board = loser.page.url
    loser.a("Tournament").click()
    loser.pause.click()
    expect(loser.page.get_by_text("You lose the game that is going on")).to_be_visible()
    loser.page.wait_for_url(board)

    for one in pair:
        one.record_announcements()
        for part in ("#board", "#turn", "#clock", "#resign"):
            expect(one.page.locator(part)).to_be_in_viewport(ratio=1)
    places = [box(one.board) for one in pair]
    loser.page.once("dialog", lambda dialog: dialog.accept())
    loser.resign.click()
    for one, brought in ((winner, "+2 points. You are number 1."), (loser, "No points.")):
        card = one.page.locator("#onward")
        expect(card).to_contain_text(brought)
        expect(card).to_contain_text(re.compile(r"The second game begins in \d+ s\."))
        for part in (".result", ".standings", ".next", ".countdown"):
            expect(card.locator(part)).to_be_in_viewport(ratio=1)
        expect(one.page.locator("#versus")).to_contain_text("2 points · 1st")
    assert [box(one.board) for one in pair] == places
    assert winner.announcements()[0].startswith("+2 points. ")

    # There is no next game for anyone who has left for now, nor for anyone after the end.
    loser.open(address).button("Leave for now").click()
    expect(loser.page.get_by_text("You have left for now. You can come back.")).to_be_visible()
    assert host.post(f"/host{address}/end", {}).status == 303
    expect(winner.title).to_have_text("Tournament")
    expect(winner.page.locator("main").get_by_text("next game")).to_have_count(0)


def test_the_ring_of_the_clock_empties_and_five_seconds_are_announced_once(
    host: Tab, come: Visitor
) -> None:
    address = make(host)
    players = [come(), come()]
    join(address, *players)
    for one in players:
        one.page.add_init_script(STANDS_STILL)
    start(host, address)
    x, o = seated(*players)
    o.page.reload()  # it may have been made before X opened the game, and let X's clock wait
    for one in players:
        one.record_announcements()

    def there_are(left: float) -> None:
        """Let the clocks of both pages go on until so many seconds are left."""
        for one in players:
            # Slower than the page counts, so that nothing goes on twice.
            one.page.wait_for_function(GO_ON, arg=left, polling=500)
            ring = one.page.locator(".side").nth(int(one is o)).locator(".left")
            figures = one.page.locator("#clock .figures")
            expect(figures).to_have_attribute("aria-label", str(ceil(left)))
            expect(ring).to_have_attribute("stroke-dashoffset", re.compile(f"^{1 - left / 30}"[:5]))
            expect(one.page.locator(".side .left >> visible=true")).to_have_count(1)

    there_are(5.5)
    expect(x.page.locator("#clock.short")).to_have_count(0)
    there_are(4.5)
    expect(x.page.locator("#clock.short")).to_be_visible()
    assert x.announcements() == ["5 seconds left."]
    there_are(1.5)
    assert x.page.evaluate("window.announcements") == []
    assert "5 seconds left." not in o.page.evaluate("window.announcements")
    x.cell(4).click()
    o.expect_turn("Your turn")
    expect(o.page.locator("#clock.short")).to_have_count(0)
