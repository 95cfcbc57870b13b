"""Anyone else with the link watches: the board and its story, without controls."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.plans import WON
from tests.e2e.tab import Tab, Visitor


@pytest.fixture
def watching(play: Tab, visitor: Visitor) -> Tab:
    """Watch a game that has begun, with a clock that the test moves on."""
    play.play(WON.mine[0])
    return visitor().own_clock().open(play.path)


def test_a_watcher_can_change_nothing(play: Tab, watching: Tab) -> None:
    watching.expect_board(WON.board(2), role="img")
    expect(watching.page.locator("main").locator("button, select, input")).to_have_count(0)
    expect(watching.page.get_by_text("You are watching")).to_be_visible()
    watching.cell(WON.mine[1]).click()
    watching.press("5")
    assert watching.posts == []
    play.page.reload()
    play.expect_version(1)
    play.play(*WON.mine[1:])


def test_a_watcher_sees_each_move_and_the_end_and_asks_and_hears_nothing_else(
    play: Tab, watching: Tab
) -> None:
    node = watching.live.element_handle()
    for _ in range(2):
        with watching.page.expect_response(lambda response: response.status == 204):
            watching.let_pass(5000)
    expect(watching.live).to_be_empty()
    plies = 2
    with watching.no_reload():
        for cell in WON.mine[1:]:
            watching.expect_board(WON.board(plies), role="img")
            play.play(cell)
            plies = min(plies + 2, len(WON.moves))
            watching.let_pass(5000)
            expect(watching.move_list).to_have_count(plies)
            expect(watching.live).to_contain_text(watching.heading.inner_text())
    expect(watching.game).to_have_attribute("data-outcome", "x")
    expect(watching.heading).to_contain_text("X wins")
    expect(watching.again).to_have_count(0)
    assert node.evaluate("(node) => node === document.getElementById('live')")
    asked = watching.requests()
    for _ in range(3):
        watching.let_pass(5000)
    watching.expect_board(WON.board(), winning=WON.winning, role="img")
    assert asked == []


def test_without_javascript_a_watcher_sees_each_move_at_a_reload_and_finds_a_way_out(
    play: Tab, visitor: Visitor
) -> None:
    play.play(WON.mine[0])
    watcher = visitor(java_script_enabled=False).open(play.path)
    play.play(*WON.mine[1:])
    watcher.page.reload()
    watcher.expect_board(WON.board(), winning=WON.winning, role="img")
    expect(watcher.heading).to_contain_text("X wins")
    watcher.a("Play a game of your own").click()
    watcher.play(0)
    assert watcher.path != play.path


@pytest.mark.parametrize("status", [None, 429])
def test_a_watcher_is_told_at_most_once_of_a_server_in_trouble_and_goes_on_afterwards(
    play: Tab, watching: Tab, status: int | None
) -> None:
    watching.noise.expect_no_answer()
    watching.noise.expect_refusal(429)
    watching.record_announcements()

    def trouble(route: Route) -> None:
        if status is None:
            route.abort("connectionreset")
        else:
            # As the server sends it: htmx would put it in the place of the whole page.
            headers = {"HX-Retarget": "body", "HX-Reswap": "innerHTML", "Retry-After": "9"}
            route.fulfill(status=status, body="<h1>No</h1>", headers=headers)

    watching.page.route("**/games/**", trouble)
    for _ in range(3):
        with watching.page.expect_event("requestfailed" if status is None else "response"):
            watching.let_pass(5000)
        watching.expect_board(WON.board(2), role="img")
    assert len(watching.page.evaluate("() => window.announcements")) <= 1
    watching.page.unroute("**/games/**")
    play.play(WON.mine[1])
    watching.let_pass(5000)
    watching.expect_board(WON.board(4), role="img")
