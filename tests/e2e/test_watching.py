"""Anyone else with the link watches: the board and its story, without controls."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.answers import refused
from tests.e2e.plans import WON
from tests.e2e.tab import Tab, Visitor


@pytest.fixture
def watching(play: Tab, visitor: Visitor) -> Tab:
    """Watch a game that has begun."""
    play.play(WON.mine[0])
    return visitor().open(play.path)


def test_a_watcher_sees_each_move_and_the_end_and_can_change_nothing(
    play: Tab, watching: Tab
) -> None:
    expect(watching.page.get_by_text("You are watching")).to_be_visible()
    expect(watching.page.locator("main").locator("button, select, input")).to_have_count(0)
    watching.cell(WON.mine[1]).click()
    watching.press("5")
    expect(watching.live).to_be_empty()
    plies, asked = 2, watching.requests()
    with watching.no_reload():
        for cell in WON.mine[1:]:
            watching.expect_board(WON.board(plies), role="img")
            play.play(cell)
            plies = min(plies + 2, len(WON.moves))
            expect(watching.move_list).to_have_count(plies)
            expect(watching.live).to_contain_text(watching.heading.inner_text())
    expect(watching.heading).to_contain_text("X wins")
    watching.expect_board(WON.board(), winning=WON.winning, role="img")
    # It has asked once after each change, and of a game that is over it asks no more.
    assert len(asked) <= len(WON.mine[1:])
    assert watching.posts == []


def test_a_watcher_is_told_once_of_a_server_in_trouble_and_goes_on_afterwards(
    play: Tab, watching: Tab
) -> None:
    watching.record_announcements()
    with refused(watching.page, "since=", 429, times=3):
        play.play(WON.mine[1])
    watching.expect_board(WON.board(4), role="img")
    expect(watching.refusal).to_have_count(0)
    # Either may come first: the page of the move may be asked for before or after the trouble.
    lost, moved = sorted(watching.announcements(), key=lambda one: one.endswith("X to move."))
    assert moved.endswith("X to move.")
    assert lost == "Connection lost, trying again."
    play.play(WON.mine[2])
    watching.expect_board(WON.board(6), role="img")
