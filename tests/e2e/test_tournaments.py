"""A tournament in browsers: whatever players look at, it leads them to each game and to the end."""

import re
from math import ceil

from playwright.sync_api import Locator, expect

from tests.e2e.games import at_a_board, begin, join, make, start
from tests.e2e.tab import Tab, Visitor


def strip(one: Tab) -> Locator:
    return one.page.locator("#calls .line")


def test_from_any_page_players_are_led_to_games_and_the_podium(host: Tab, come: Visitor) -> None:
    wall, friend = come().open("/class/board"), come()
    address = make(host, "swiss")
    classmate, reader, partner, soloist = players = [come() for _ in range(4)]
    game = begin(friend, partner, "4").path
    friend.open(game)
    join(address, *players)
    classmate.open("/class")
    reader.open("/learn")
    partner.open(game)
    soloist.page.add_init_script("probe.noteCounting()")
    soloist.open().play(0)
    kept = soloist.page.url
    for one in players:
        expect(strip(one)).to_contain_text("Your first tournament game opens by itself.")
    with host.no_reload():
        host.button("Start").click()
        expect(host.page.locator("[data-onward]")).to_be_focused()
    at_a_board(*players)
    counted = soloist.page.evaluate("sessionStorage.counted").split(",")
    assert counted == sorted(counted, key=int, reverse=True)
    expect(wall.items("Games in progress")).to_have_count(2)
    expect(friend.game).not_to_have_attribute("data-outcome", "")
    wall.page.evaluate("probe.countClouds()")
    for game_of_two in ("game 1 of 2", "game 2 of 2"):
        boards = {one: one.path for one in players}
        for one in {board: one for one, board in boards.items()}.values():
            expect(one.page.locator("#versus")).to_contain_text(game_of_two)
            one.do(f"{boards[one]}/resign", version=one.version)
        if game_of_two == "game 1 of 2":
            for one in players:
                at_a_board(one, before=boards[one])
    expect(wall.items("The first three").first).to_contain_text("point")
    wall.page.wait_for_function("() => window.clouds === 1")
    for one in players:
        expect(one.title).to_have_text("Tournament")
        expect(one.page.locator(".podium")).to_be_visible()
        place = one.page.get_by_text(re.compile("^You are in place [1-4].$"))
        expect(place).to_be_hidden()
        one.page.get_by_text("Your place", exact=True).click()
        expect(place).to_be_visible()
    soloist.open()
    soloist.page.get_by_role("link", name=re.compile("^Continue your game")).click()
    expect(soloist.page).to_have_url(kept)
    # It was celebrated once, whatever else the wall is told of.
    assert wall.page.evaluate("window.clouds") == 1


def test_the_tab_that_is_seen_leads_unless_a_form_is_in_use(host: Tab, come: Visitor) -> None:
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
    one.page.add_init_script("probe.noteCounting()")
    one.open("/class").code_field.fill("AB")
    start(host, address)
    at_a_board(one, other)
    assert one.page.evaluate("sessionStorage.counted"), "a form in use is left when it is time"
    # The other tab may go there, but does not by itself as long as one shows the board.
    hidden.hide(False)
    expect(strip(hidden)).to_contain_text("Your tournament game has started.")
    expect(hidden.a("Go to your board")).to_have_attribute("href", one.path)
    expect(hidden.page).to_have_title("Your tournament game has started")
    board = one.page.url
    assert hidden.path == "/learn"
    one.page.close()
    hidden.page.wait_for_url(board)


def test_the_clocks_ring_empties_and_five_seconds_are_told_once(host: Tab, come: Visitor) -> None:
    address = make(host)
    players = [come(), come()]
    join(address, *players)
    for one in players:
        one.page.add_init_script("probe.stopClocks()")
    start(host, address)
    at_a_board(*players)
    own = "#versus .side:nth-child(2) .x"
    x, o = sorted(players, key=lambda one: one.page.locator(own).count(), reverse=True)
    expect(x.heading).to_have_text("Your turn")
    for one in players:
        one.record_announcements()

    def there_are(left: float) -> None:
        for one in players:
            one.page.wait_for_function("(left) => probe.goOn(left)", arg=left, polling=100)
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
    x.page.evaluate("() => { htmx.trigger('#game', 'news') }")
    expect(x.page.locator("#clock.short")).to_have_count(0)  # the server's clock went on
    there_are(1.5)
    assert x.page.evaluate("window.announcements") == []
    assert "5 seconds left." not in o.page.evaluate("window.announcements")
    x.cell(4).click()
    o.expect_turn("Your turn")
    expect(o.page.locator("#clock.short")).to_have_count(0)
