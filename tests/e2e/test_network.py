"""On a classroom's network: plain HTTP by a name, and nothing from anywhere else."""

from __future__ import annotations

from functools import partial

from playwright.sync_api import ConsoleMessage

from tests.e2e.noise import Noise
from tests.e2e.plans import plan
from tests.e2e.play import EMPTY, PlayPage, Visitor
from tests.e2e.server import Server
from webapp.core.board import Mark


def test_on_plain_http_by_a_name_a_game_can_be_played_and_is_kept(
    server: Server, visitor: Visitor
) -> None:
    game = plan("medium", Mark.X, "won")
    url = server.url.replace("127.0.0.1", "play.lan")
    play = visitor(url).open()
    # What distinguishes such a page from one on 127.0.0.1, which a browser trusts.
    assert play.page.evaluate("() => window.isSecureContext") is False
    play.play(*game.mine[:2])
    with play.change():
        play.undo.click()
    play.play(*game.mine[1:])
    play.expect_board(game.board(9), winning=game.outcome.lines[0])
    with play.next_game():
        play.play_again.click()
    play.expect_board(EMPTY)
    play.play(*game.mine)
    play.expect_score(1, 0, 0)
    play.open()
    play.expect_score(1, 0, 0)
    [cookie] = play.page.context.cookies()
    assert cookie["domain"] == "play.lan"
    assert cookie["httpOnly"] is True
    assert cookie["secure"] is False
    assert cookie["sameSite"] == "Lax"


def _says(text: str, message: ConsoleMessage) -> bool:
    return text in message.text


def test_the_guard_of_these_tests_hears_what_it_should(noise: Noise, play: PlayPage) -> None:
    noise.expect("violates style-src|Applying inline style violates")
    noise.expect("violates img-src|Loading the image .* violates")
    noise.expect("request to another host: http://elsewhere.lan/")
    noise.expect("error in the page: .*on purpose")
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
    assert "elsewhere.lan" in noise.asked
