"""On a classroom's network: plain HTTP by a name, nothing from elsewhere, a server that falls."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.pair import sit_down
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
    page = visitor().open().page
    page.wait_for_function("() => performance.getEntriesByType('navigation')[0].loadEventEnd")
    asked: dict[str, int] = page.evaluate(
        """() => {
          const [shown] = performance.getEntriesByType("navigation");
          const all = [shown, ...performance.getEntriesByType("resource")];
          const first = all.filter(({ startTime }) => startTime < shown.loadEventEnd);
          return Object.fromEntries(first.map((one) => [one.name, one.encodedBodySize]));
        }"""
    )
    assert 3 <= len(asked) <= 6, asked
    assert 10 * 1024 < sum(asked.values()) <= 30 * 1024


def kill_a_worker(server: Server) -> None:
    (worker,) = server.workers()
    os.kill(worker, signal.SIGKILL)
    server.wait_for_workers(without=worker)


def cut_the_power(server: Server) -> None:
    server.kill()
    server.start()


@pytest.mark.parametrize("fault", [kill_a_worker, cut_the_power])
def test_pages_find_back_by_themselves_when_the_server_does(
    own_server: Server, visitor: Visitor, fault: Callable[[Server], None]
) -> None:
    pair = sit_down(visitor(own_server.url), visitor(own_server.url))
    x, o = pair.people
    look = visitor(own_server.url).open("/class")
    x.noise.expect(r"net::ERR_(CONNECTION|EMPTY|INCOMPLETE|SOCKET)")
    x.noise.expect(r"htmx:error: (TypeError: )?(Failed to fetch|network error)")
    with x.no_reload(), o.no_reload(), look.no_reload():
        fault(own_server)
        expect(o.refusal).to_have_count(0)
        x.play_elsewhere(4)
        for one, heading in ((o, "Your turn"), (x, f"{o.name} is thinking")):
            expect(one.heading).to_have_text(heading)
        late = visitor(own_server.url).open_challenge()
        expect(look.page.locator(f"#join-{late}")).to_be_visible()
