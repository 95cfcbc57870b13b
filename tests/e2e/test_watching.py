"""Somebody else with the link watches: the board and its story, without controls."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.learn_pages import requests_noted
from tests.e2e.noise import Noise
from tests.e2e.plans import plan
from tests.e2e.play import PlayPage, Visitor, record_announcements
from webapp.core.board import Mark


def test_a_watcher_can_change_nothing(play: PlayPage, visitor: Visitor) -> None:
    game = plan("medium", Mark.X, "drawn")
    play.play(game.mine[0])
    watcher = visitor().open(play.path)
    watcher.expect_board(game.board(2), role="img")
    expect(watcher.page.locator("main").locator("button, select, input")).to_have_count(0)
    expect(watcher.page.get_by_text(re.compile("watching"))).to_be_visible()
    watcher.cell(game.mine[1]).click()
    watcher.page.keyboard.press("5")
    assert watcher.posts == []
    fields: dict[str, str | float | bool] = {"cell": str(game.mine[1]), "version": "1"}
    for action in ("moves", "undo", "hint", "again"):
        answer = watcher.post(f"{play.path}/{action}", fields)
        assert answer.status == 403
        # The true board, to watch, and one sentence.
        assert 'id="c8"' in answer.text()
    play.page.reload()
    expect(play.game).to_have_attribute("data-version", "1")
    play.play(*game.mine[1:])


@pytest.fixture
def watching(play: PlayPage, visitor: Visitor) -> PlayPage:
    """Watch a game that has begun, with a clock that the test moves on."""
    play.play(plan("medium", Mark.X, "won").mine[0])
    watcher = visitor()
    watcher.page.clock.install()
    return watcher.open(play.path)


def test_a_watcher_sees_each_move_and_the_end_without_a_reload(
    play: PlayPage, watching: PlayPage
) -> None:
    game = plan("medium", Mark.X, "won")
    node = watching.live.element_handle()
    plies = 2
    for cell in game.mine[1:]:
        watching.expect_board(game.board(plies), role="img")
        play.play(cell)
        plies = min(plies + 2, len(game.moves))
        watching.page.clock.fast_forward(5000)
        expect(watching.move_list).to_have_count(plies)
        expect(watching.live).to_contain_text(watching.heading.inner_text())
    watching.expect_board(game.board(9), winning=game.outcome.lines[0], role="img")
    expect(watching.game).to_have_attribute("data-outcome", "x")
    expect(watching.heading).to_contain_text("X wins")
    expect(watching.play_again).to_have_count(0)
    assert node.evaluate("(node) => node === document.getElementById('live')")


def test_a_watcher_is_told_nothing_while_nothing_happens_and_asks_no_more_after_the_end(
    play: PlayPage, watching: PlayPage
) -> None:
    for _ in range(2):
        with watching.page.expect_response(lambda response: response.status == 204):
            watching.page.clock.fast_forward(5000)
    expect(watching.live).to_be_empty()
    game = plan("medium", Mark.X, "won")
    play.play(*game.mine[1:])
    watching.page.clock.fast_forward(5000)
    expect(watching.game).to_have_attribute("data-outcome", "x")
    asked = requests_noted(watching.page, urlsplit(watching.page.url).path)
    for _ in range(3):
        watching.page.clock.fast_forward(5000)
    watching.expect_board(game.board(9), winning=game.outcome.lines[0], role="img")
    assert asked == []


def test_without_javascript_a_watcher_sees_each_move_at_a_reload_and_finds_a_way_out(
    play: PlayPage, visitor: Visitor
) -> None:
    game = plan("medium", Mark.X, "won")
    play.play(game.mine[0])
    watcher = visitor(java_script_enabled=False).open(play.path)
    play.play(*game.mine[1:])
    watcher.page.reload()
    watcher.expect_board(game.board(9), winning=game.outcome.lines[0], role="img")
    expect(watcher.heading).to_contain_text("X wins")
    watcher.page.get_by_role("main").get_by_role("link", name="game of your own").click()
    watcher.play(0)
    assert watcher.path != play.path


@pytest.mark.parametrize("status", [None, 429])
def test_a_watcher_is_told_at_most_once_of_a_server_in_trouble_and_goes_on_afterwards(
    play: PlayPage, watching: PlayPage, noise: Noise, status: int | None
) -> None:
    noise.expect_no_answer()
    noise.expect_refusal(429)
    game = plan("medium", Mark.X, "won")
    record_announcements(watching)

    def trouble(route: Route) -> None:
        if status is None:
            route.abort("connectionreset")
        else:
            # As the server sends it: htmx would put it in the place of the whole page.
            headers = {"HX-Retarget": "body", "HX-Reswap": "innerHTML", "Retry-After": "9"}
            route.fulfill(status=status, body="<h1>No</h1>", headers=headers)

    watching.page.route("**/games/**", trouble)
    for _ in range(3):
        ended = "requestfailed" if status is None else "response"
        with watching.page.expect_event(ended):
            watching.page.clock.fast_forward(5000)
        watching.expect_board(game.board(2), role="img")
    assert len(watching.page.evaluate("() => window.announcements")) <= 1
    watching.page.unroute("**/games/**")
    play.play(game.mine[1])
    watching.page.clock.fast_forward(5000)
    watching.expect_board(game.board(4), role="img")
