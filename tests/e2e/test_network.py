"""On a classroom's network: plain HTTP by a name, and nothing from anywhere else."""

from __future__ import annotations

import re

from tests.e2e.plans import WON
from tests.e2e.server import Server
from tests.e2e.tab import Tab, Visitor


def test_on_plain_http_by_a_name_a_game_can_be_played_and_is_kept(
    server: Server, visitor: Visitor
) -> None:
    play = visitor(server.url.replace("127.0.0.1", "play.lan")).open()
    # What distinguishes such a page from one on 127.0.0.1, which a browser trusts.
    assert play.page.evaluate("() => window.isSecureContext") is False
    play.play(*WON.mine)
    play.expect_board(WON.board(), winning=WON.winning)
    play.open().expect_score(1, 0, 0)


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


def test_a_browser_asks_for_six_light_things_at_most_to_show_the_first_page(
    visitor: Visitor,
) -> None:
    play, asked = visitor(), list[str]()
    play.page.on("request", lambda request: asked.append(request.url))
    play.open().page.wait_for_load_state("networkidle")
    assert 3 <= len(asked) <= 6, asked
    weight = play.page.evaluate(
        """() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
          .reduce((sum, one) => sum + one.encodedBodySize, 0)"""
    )
    assert 10 * 1024 < weight <= 30 * 1024
