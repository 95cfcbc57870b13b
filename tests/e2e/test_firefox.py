from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, expect

from tests.e2e.games import DRAWN, LOST, sit_down
from tests.e2e.sight import refused_by_axe
from tests.e2e.tab import Tab, Visitor
from tests.e2e.test_games import expect_opponent
from tests.support.programs import needs

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def firefox(playwright: Playwright) -> Iterator[Browser]:
    named = needs("firefox-esr")
    with playwright.firefox.launch(channel="moz-firefox", executable_path=named) as browser:
        yield browser


@pytest.fixture
def new_context(firefox: Browser) -> Iterator[Callable[..., Any]]:
    yield firefox.new_context
    for context in firefox.contexts:
        context.close()


def test_the_systems_own_list_reads_whole_and_the_newest_of_its_changes_counts(play: Tab) -> None:
    expect(play.opponent.locator("option").nth(1)).to_have_text("Medium: wins and blocks")
    play.press("ArrowUp", "ArrowDown", "ArrowDown", on=play.opponent)
    expect_opponent(play, "hard")


def test_games_are_played_by_keys_and_live_and_reviewed(play: Tab, visitor: Visitor) -> None:
    play.tab_to(".cell")
    for cell in DRAWN.mine:
        with play.change():
            play.press(str(cell + 1))
        expect(play.cell(cell)).to_be_focused()
    assert refused_by_axe(play) == []
    pair = sit_down(visitor(), visitor())
    pair.play(0, 3, 1, 4, 2)
    pair.o.expect_turn(f"{pair.x.name} wins: top row")
    expect(pair.o.page.locator(".strike")).to_be_visible()
    reader = visitor().open_review(LOST.moves)
    reader.step("later").click()
    reader.expect_reviewed(LOST.moves, 1)
    for key, at in (("End", len(LOST.moves)), ("ArrowLeft", len(LOST.moves) - 1), ("Home", 0)):
        reader.press(key)
        reader.expect_reviewed(LOST.moves, at)
