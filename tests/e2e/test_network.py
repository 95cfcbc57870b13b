"""On a classroom's network: plain HTTP by a name, nothing from elsewhere, a server that falls."""

from __future__ import annotations

import os
import re
import signal

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


def kill_a_worker(server: Server) -> None:
    (worker,) = server.workers()
    os.kill(worker, signal.SIGKILL)
    server.wait_for_workers(without=worker)


def cut_the_power(server: Server) -> None:
    server.kill()
    server.start()


def test_pages_find_back_by_themselves_when_the_server_does(
    own_server: Server, come: Visitor
) -> None:
    x, o = sit_down(come(), come()).people
    look = come().open("/class")
    x.noise.expect(r"net::ERR_(CONNECTION|EMPTY|INCOMPLETE|SOCKET)")
    x.noise.expect(r"htmx:error: (TypeError: )?(Failed to fetch|network error)")
    with x.no_reload(), o.no_reload(), look.no_reload():
        for fault, mover, other, cell in ((kill_a_worker, x, o, 4), (cut_the_power, o, x, 0)):
            fault(own_server)
            expect(other.refusal).to_have_count(0)
            mover.play_elsewhere(cell)
            expect(other.heading).to_have_text("Your turn")
            expect(mover.heading).to_have_text(f"{other.name} is thinking")
            late = come()
            late.open_challenge()
            expect(look.challenges.filter(has_text=late.name)).to_be_visible()
