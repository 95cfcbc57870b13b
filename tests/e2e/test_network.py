"""On a classroom's network: plain HTTP by a name, and nothing from anywhere else."""

from __future__ import annotations

from functools import partial

from playwright.sync_api import ConsoleMessage

from tests.e2e.plans import WON
from tests.e2e.server import Server
from tests.e2e.tab import EMPTY, Tab, Visitor


def test_on_plain_http_by_a_name_a_game_can_be_played_and_is_kept(
    server: Server, visitor: Visitor
) -> None:
    play = visitor(server.url.replace("127.0.0.1", "play.lan")).open()
    # What distinguishes such a page from one on 127.0.0.1, which a browser trusts.
    assert play.page.evaluate("() => window.isSecureContext") is False
    play.play(WON.mine[0])
    play.go_on()
    play.expect_board(EMPTY)
    play.play(*WON.mine)
    play.expect_board(WON.board(), winning=WON.winning)
    play.open().expect_score(1, 0, 0)
    [cookie] = play.page.context.cookies()
    assert (cookie["domain"], cookie["sameSite"]) == ("play.lan", "Lax")
    assert (cookie["httpOnly"], cookie["secure"]) == (True, False)


def _says(text: str, message: ConsoleMessage) -> bool:
    return text in message.text


def test_the_guard_of_these_tests_hears_what_it_should(play: Tab) -> None:
    play.noise.expect("violates style-src|Applying inline style violates")
    play.noise.expect("violates img-src|Loading the image .* violates")
    play.noise.expect("request to another host: http://elsewhere.lan/")
    play.noise.expect("error in the page: .*on purpose")
    expected = {
        "violates style-src": "document.body.setAttribute('style', 'color: red')",
        "violates img-src": "new Image().src = 'http://elsewhere.lan/'",
    }
    for message, script in expected.items():
        with play.page.expect_console_message(partial(_says, message)):
            play.page.evaluate(script)
    with play.page.expect_event("pageerror"):
        play.page.evaluate("setTimeout(() => { throw new Error('on purpose') })")
    other_tab = play.page.context.new_page()
    other_tab.route("http://elsewhere.lan/", lambda route: route.fulfill(body=""))
    other_tab.goto("http://elsewhere.lan/")
    assert "elsewhere.lan" in play.noise.asked
