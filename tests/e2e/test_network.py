"""On a classroom's network: plain HTTP by a name, a server that falls, an address to give away."""

import re

from playwright.sync_api import expect

from tests.e2e.games import WON, sit_down
from tests.e2e.server import Server
from tests.e2e.tab import Tab, Visitor

# Gives the page what a phone has.
SHARES = """
window.shared = [];
navigator.share = async ({ url }) => {
  window.shared.push(url);
  if (window.refused) throw new DOMException("", window.refused);
};
"""
SELECTED = "(field) => field.value.slice(field.selectionStart, field.selectionEnd)"


def test_the_guard_of_these_tests_hears_what_it_should(play: Tab) -> None:
    page, noise = play.page, play.noise
    with page.expect_console_message(lambda message: "violates img-src" in message.text):
        page.evaluate("() => { new Image().src = 'http://elsewhere.lan/' }")
    with page.expect_event("pageerror"):
        page.evaluate("() => { setTimeout(() => { throw new Error('on purpose') }) }")
    page.goto(play.server.replace("127.0.0.1", "elsewhere.lan"))
    heard = "\n".join(noise.complaints)
    for provoked in ("violates img-src", "error in the page: .*on purpose", "request to another"):
        assert re.search(provoked, heard)
        noise.expect(provoked)
    noise.expect("Loading the image .* violates")


def test_pages_find_back_by_themselves_with_the_server(own_server: Server, come: Visitor) -> None:
    x, o = sit_down(come(), come()).people
    x.noise.expect(r"net::ERR_(CONNECTION|EMPTY|INCOMPLETE|SOCKET)")
    x.noise.expect(r"htmx:error: (TypeError: )?(Failed to fetch|network error)")
    with x.no_reload(), o.no_reload():
        for ends, mover, other, cell in ((own_server.stop, x, o, 4), (own_server.kill, o, x, 0)):
            ends()
            own_server.start()
            expect(other.refusal).to_have_count(0)
            mover.play_elsewhere(cell)
            other.expect_turn("Your turn")
            mover.expect_turn(f"{other.name} is thinking")


def waiting(one: Tab) -> str:
    return f"{one.server}/join/{one.open_challenge()}"


def test_a_link_is_copied_which_is_said_for_two_seconds_or_selected(visitor: Visitor) -> None:
    alice = visitor(permissions=["clipboard-read", "clipboard-write"])
    address = waiting(alice)
    expect(alice.button("Share")).to_be_hidden()
    alice.record_announcements()
    after_two_seconds = alice.hold_timers(2000)
    alice.button("Copy link").click()
    expect(alice.button("Copied")).to_be_visible()
    assert alice.announcements() == ["Copied"]
    assert alice.page.evaluate("() => navigator.clipboard.readText()") == address
    after_two_seconds()
    # Where copying is forbidden it is selected.
    alice.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(Error()) }")
    alice.button("Copy link").click()
    expect(alice.link).to_be_focused()
    assert alice.link.evaluate(SELECTED) == address


def test_on_plain_http_by_a_name_a_game_is_played(server: Server, visitor: Visitor) -> None:
    play = visitor(server.url.replace("127.0.0.1", "play.lan")).open()
    # What distinguishes such a page from one on 127.0.0.1, which a browser trusts.
    assert play.page.evaluate("() => window.isSecureContext") is False
    play.play(*WON.mine)
    play.expect_board(WON.board(), winning=WON.winning)
    expect(play.open().page.locator(".step .won")).to_have_count(1)  # it is remembered
    address = waiting(play)
    for name in ("Share", "Copy link"):
        expect(play.button(name)).to_be_hidden()
    play.link.click()
    assert play.link.evaluate(SELECTED) == address


def test_a_phone_shares_the_address(visitor: Visitor) -> None:
    alice = visitor()
    alice.page.add_init_script(SHARES)
    address = waiting(alice)
    expect(alice.button("Copy link")).to_be_hidden()
    alice.button("Share").click()
    assert alice.page.evaluate("() => window.shared") == [address]
    # Where the address is folded, the fold shares it, and opens only where that is refused.
    alice.open().play(*WON.mine)
    fold = alice.page.locator("details.share")
    for refused in ("", "AbortError", "NotAllowedError"):  # the last is not by the person
        alice.page.evaluate("(name) => { window.refused = name }", refused)
        expect(fold).not_to_have_attribute("open", "")
        fold.locator("summary").click()
    expect(alice.page.get_by_label("Address of the review", exact=True)).to_be_focused()
    assert len(alice.page.evaluate("() => window.shared")) == 3
