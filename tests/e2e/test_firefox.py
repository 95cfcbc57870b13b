"""The site in Firefox as well: games, a review, what axe finds, and all of it without scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, expect

from tests.e2e import axe
from tests.e2e.answers import refused
from tests.e2e.learn_pages import ReviewPage
from tests.e2e.noise import Noise
from tests.e2e.pair import sit_down
from tests.e2e.plans import DRAWN, LOST, WON
from tests.e2e.server import Server
from tests.e2e.tab import Tab, Visitor
from tests.support.programs import needs


def launch(playwright: Playwright, **preferences: str | float | bool) -> Browser:
    return playwright.firefox.launch(
        channel="moz-firefox",
        executable_path=needs("firefox-esr"),
        firefox_user_prefs=preferences,
    )


@pytest.fixture(scope="module")
def firefox(playwright: Playwright) -> Iterator[Browser]:
    with launch(playwright) as browser:
        yield browser


@pytest.fixture
def any_context(firefox: Browser) -> Iterator[Callable[..., Any]]:
    """Make contexts in Firefox, where the other tests make them in Chromium."""
    yield firefox.new_context
    for context in firefox.contexts:
        context.close()


def test_games_are_played_by_clicks_and_keys_and_axe_finds_nothing(play: Tab) -> None:
    assert axe.findings(play.page) == []
    with refused(play.page, "/games", 503):
        play.cell(WON.mine[0]).click()
    play.play(*WON.mine)
    play.expect_board(WON.board(), winning=WON.winning)
    expect(play.heading).to_contain_text("You win")
    expect(play.page.locator(".strike")).to_be_visible()
    assert axe.findings(play.page) == []
    with play.next_game():
        play.press("Enter", on=play.again)
    play.expect_focus_somewhere()
    play.tab_to(".cell")
    for cell in DRAWN.mine:
        with play.change():
            play.press(str(cell + 1))
        expect(play.cell(cell)).to_be_focused()
    play.expect_board(DRAWN.board())


def test_moves_of_two_people_arrive_by_themselves_and_a_review_is_stepped_through(
    visitor: Visitor,
) -> None:
    pair = sit_down(visitor(), visitor())
    pair.play(0, 3, 1, 4, 2)
    pair.x.expect_turn("You win: top row")
    pair.o.expect_turn(f"{pair.x.name} wins: top row")
    reviewed = ReviewPage(visitor()).open(LOST.moves)
    for at in (1, 2):
        reviewed.step("later").click()
        reviewed.expect_at(LOST.moves, at)
    for key, at in (("End", len(LOST.moves)), ("ArrowLeft", len(LOST.moves) - 1), ("Home", 0)):
        reviewed.tab.press(key)
        reviewed.expect_at(LOST.moves, at)


def test_without_scripts_a_game_is_played(
    playwright: Playwright, server: Server, noise: Noise
) -> None:
    with launch(playwright, **{"javascript.enabled": False}) as browser:
        context = browser.new_context()
        noise.listen(context)
        play = Tab(context.new_page(), server.url, noise, scripted=False).open()
        # Playwright's click and its expectations never end where no script can run.
        for played, cell in enumerate(WON.mine, 1):
            with play.page.expect_navigation():
                play.press("Enter", on=play.cell(cell))
            assert play.version == played
        assert play.heading.inner_text().startswith("You win")
        assert play.page.locator(".strike").is_visible()
