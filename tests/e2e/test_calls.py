"""A player who is elsewhere is called to the game, and may put the call off."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.e2e.pair import begin
from tests.e2e.tab import Tab, Visitor


def call(one: Tab, text: str) -> Locator:
    """The call with this text, which leads to the game."""
    return one.calls.get_by_role("link", name=f"{text}: go to your game", exact=True)


def test_a_player_who_plays_on_is_called_when_a_classmate_joins_and_moves(
    visitor: Visitor,
) -> None:
    ada, bob = visitor(), visitor()
    code = ada.open_challenge("o")
    ada.a("Learn").click()
    expect(ada.title).to_have_text("Basics")
    title, strip = ada.page.title(), ada.calls.element_handle()
    expect(ada.calls).to_be_empty()
    expect(ada.calls).to_have_role("status")
    path = bob.post(f"/join/{code}", {}).headers["location"]
    bob_name = bob.open("/privacy").name
    # It is announced, as its place was there before.
    expect(call(ada, f"{bob_name} is here")).to_be_visible()
    assert strip.evaluate("(strip) => strip.isConnected")
    expect(ada.page).to_have_title(f"{bob_name} is here")
    ada.tab_to("#calls a")
    ada.press("Tab")
    expect(ada.not_now).to_be_focused()
    ada.press("Enter")
    expect(ada.not_now).to_be_hidden()
    expect(ada.page).to_have_title(title)
    ada.expect_focus_somewhere()
    # What comes next calls again, in a game against the computer as well.
    ada.open().play(0)
    ada.not_now.click()
    title = ada.page.title()
    bob.play_elsewhere(4, 2, path)
    expect(call(ada, f"{bob_name} has moved")).to_be_visible()
    expect(ada.page).to_have_title(f"{bob_name} has moved")
    other = Tab(ada.page.context.new_page(), ada.server, ada.noise).open("/class")
    ada.play(next(cell for cell in (8, 2) if not ada.cell(cell).get_attribute("aria-disabled")))
    expect(ada.page).to_have_title(f"{bob_name} has moved")
    # Where the player goes the call ends, and on the other pages.
    call(other, f"{bob_name} has moved").click()
    expect(other.page).to_have_url(f"{ada.server}{path}")
    expect(other.calls).to_be_hidden()
    other.play(0)
    expect(ada.calls).to_be_empty()
    expect(ada.page).to_have_title(title)


def test_a_rematch_is_called_for(visitor: Visitor) -> None:
    pair = begin(visitor(), visitor(), "03142")
    ada, bob = pair.people
    bob.open("/learn")
    ada.open(pair.path).again.click()
    with bob.no_reload():
        expect(bob.a(f"{ada.name} asks for a rematch")).to_be_visible()
    with bob.page.expect_navigation():
        bob.calls.get_by_role("button", name="Accept", exact=True).click()
    expect(ada.page).to_have_url(bob.page.url)


def test_a_page_whose_questions_for_calls_fail_says_nothing_of_it(visitor: Visitor) -> None:
    pair = begin(visitor(), visitor(), "4")
    ada, bob = pair.people
    ada.open().noise.expect_no_answer()
    before = ada.page.locator("main").inner_text()
    for _ in range(2):
        with ada.page.expect_event("requestfailed"):
            ada.page.context.set_offline(True)
        with ada.page.expect_event("requestfailed"):
            pass
    assert ada.page.locator("main").inner_text() == before
    ada.page.context.set_offline(False)
    bob.play_elsewhere(0, 3, pair.path)
    expect(ada.calls.get_by_role("link")).to_be_visible()
