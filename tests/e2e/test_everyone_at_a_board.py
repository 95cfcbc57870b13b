"""Everyone at a board: whatever a player's page shows, it leads to each game of the tournament."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.server import Server
from tests.e2e.tab import Tab
from tests.e2e.test_tournaments import GAME, NO_MOVE_IS_LATE, WON, button, make, start

Come = Callable[..., Tab]

LONG_REST = "webapp.tournament.due.REST_MS = 600_000\n"
"""A patch: what comes after a game stays for as long as a test looks at it."""

# What the strip counts, and what it says to a screen reader.
NOTES = """
window.counted = [];
new MutationObserver(() => {
  const said = document.querySelector("#calls[data-counting] .seconds")?.textContent;
  if (said && said !== window.counted.at(-1)) window.counted.push(said);
}).observe(document, { childList: true, subtree: true, attributes: true });
window.addEventListener("pagehide", () => sessionStorage.setItem("counted", window.counted));
"""


@pytest.fixture
def own_server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    """No one loses on time, however slow the computer is."""
    patch = NO_MOVE_IS_LATE + getattr(request, "param", "")
    server = Server(tmp_path / "data", patch=patch)
    yield server
    server.stop()


def strip(one: Tab) -> Locator:
    return one.page.locator("#calls .line")


def join(one: Tab, address: str) -> None:
    """Join by the button of the tournament's page."""
    one.open(address)
    button(one, "Join the tournament").click()
    expect(one.page.get_by_text("You are in.")).to_be_visible()


def end(host: Tab) -> None:
    host.page.get_by_text("End the tournament").click()
    button(host, "End it").click()


def at_a_board(players: list[Tab], before: str = "") -> None:
    for one in players:
        one.page.wait_for_url(lambda url: GAME.search(url) is not None and url != before)
        expect(one.page.locator("#versus")).to_contain_text("You")


def move(one: Tab, cell: int) -> None:
    """Play with the mouse, or with the keyboard where the board has the focus."""
    expect(one.heading).to_have_text("Your turn")
    if one.scripted and cell % 2:
        one.press(str(cell + 1))
    else:
        one.cell(cell).click()


def play_out(pair: list[Tab]) -> str:
    """Play a game that X wins; return its address."""
    address = pair[0].page.url
    own = "#versus .side:nth-child(2) .x"
    x, o = sorted(pair, key=lambda one: one.page.locator(own).count(), reverse=True)
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
        [one for one in players if one.page.url == url]
        for url in sorted({one.page.url for one in players})
    ]


@pytest.mark.parametrize(
    "form,width,height", [("Arena", 320, 568), ("Swiss", 390, 664), ("Arena", 1280, 720)]
)
def test_from_four_pages_to_the_podium(
    host: Tab, come: Come, form: str, width: int, height: int
) -> None:
    size = {"width": width, "height": height}
    wall = come().open("/class/board")
    address = make(host, form=form, rounds="1")
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
    expect(without.page.get_by_role("button", name="Find an opponent")).to_have_count(0)
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
        for part in ("#versus", "#board", "#turn", "#clock", "#resign"):
            expect(one.page.locator(part)).to_be_in_viewport(ratio=1)

    for pair in pairs(players):
        before = play_out(pair)
        at_a_board(pair, before)
        expect(pair[0].page.locator("#versus")).to_contain_text("game 2 of 2")
        play_out(pair)
    if form == "Arena":
        end(host)
    expect(wall.items("The first three").first).to_contain_text("point")
    for one in players:
        at_the_podium(one)
    # The game with the computer has waited.
    soloist.open()
    soloist.page.get_by_role("link", name=re.compile("^Continue your game")).click()
    assert soloist.page.url == kept
    soloist.play(next(cell for cell in (1, 2) if soloist.cell(cell).locator(".ghost").count()))


def test_of_several_tabs_the_one_that_is_seen_leads_and_not_while_a_form_is_in_use(
    host: Tab, come: Come
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


@pytest.mark.parametrize("own_server", [LONG_REST], indirect=True)
@pytest.mark.parametrize("width,height", [(320, 568), (390, 664), (1280, 720)])
def test_after_a_game_its_page_says_what_it_brought_and_what_comes(
    host: Tab, come: Come, width: int, height: int
) -> None:
    address = make(host)
    pair = [come(viewport={"width": width, "height": height}) for _ in range(2)]
    for one in pair:
        join(one, address)
    start(host)
    at_a_board(pair)
    # During a game the tournament's page says so first, and leads back whether or not it asks.
    loser, winner = pair
    board = loser.page.url
    loser.a("Tournament").click()
    loser.pause.click()
    expect(loser.page.locator("#mine-now")).to_contain_text(f"playing against {winner.name}.")
    expect(loser.page.locator("#to-board")).to_be_visible()
    expect(loser.page.get_by_text("You lose the game that is going on")).to_be_visible()
    loser.page.wait_for_url(board)

    for one in pair:
        one.record_announcements()
    loser.page.once("dialog", lambda dialog: dialog.accept())
    places = [one.board.bounding_box() for one in pair]
    loser.resign.click()
    for one, brought in ((winner, "+2 points. You are number 1."), (loser, "No points.")):
        card = one.page.locator("#onward p")
        expect(card.first).to_contain_text(brought)
        expect(card.nth(1)).to_have_text(re.compile(r"^The second game begins in \d+ s\.$"))
        for line in card.all():
            expect(line).to_be_in_viewport(ratio=1)
        expect(one.a("Review")).to_have_count(0)
        expect(one.page.locator("#versus")).to_contain_text("2 points · 1st")
    assert [one.board.bounding_box() for one in pair] == places
    assert winner.announcements()[0].startswith("+2 points. ")

    # There is no next game for anyone who has left for now, nor for anyone after the end.
    loser.a("Tournament").click()
    button(loser, "Leave for now").click()
    expect(loser.page.get_by_text("You have left for now. You can come back.")).to_be_visible()
    end(host)
    expect(winner.title).to_have_text("Tournament")
    expect(winner.page.locator("main").get_by_text("next game")).to_have_count(0)
