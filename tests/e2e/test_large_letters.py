"""A browser whose letters are twice as large as usual: text is as large, and nothing is cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserType, expect

from tests.e2e.pair import sit_down
from tests.e2e.server import Server
from tests.e2e.tab import Tab, Visitor
from tests.e2e.test_every_page import STATES, misfits

# Text that its element does not show all of; but names as wide as no one has, and what a player who
# is here does, which ends in dots in letters of any size.
_CUT = """() => [...document.querySelectorAll("header *, main *")]
  .filter((part) => part.checkVisibility() && !part.closest(".visually-hidden, .chip span"))
  .filter((part) => !part.children.length && getComputedStyle(part).overflow !== "visible")
  .filter((part) => part.scrollWidth > part.clientWidth + 1)
  .map((part) => part.textContent.trim()).filter((text) => text && !/W{9}/.test(text))"""
_LETTERS = "() => parseFloat(getComputedStyle(document.body).fontSize)"


@pytest.fixture(scope="module")
def large(browser_type: BrowserType, browser_type_launch_args: dict[str, Any]) -> Iterator[Browser]:
    """A browser that its owner has set so."""
    arguments = [*browser_type_launch_args["args"], "--blink-settings=defaultFontSize=32"]
    with browser_type.launch(**{**browser_type_launch_args, "args": arguments}) as browser:
        yield browser


@pytest.fixture
def any_context(large: Browser) -> Iterator[Callable[..., Any]]:
    """Make contexts in it."""
    yield large.new_context
    for context in large.contexts:
        context.close()


def what_does_not_fit(one: Tab) -> list[str]:
    found = list[str]()
    for width in (1280, 390, 320):
        found += misfits(one.page, width)
        found += [f"{text} is cut at {width} px" for text in one.page.evaluate(_CUT)]
    return found


@pytest.mark.parametrize("state", ["mid-game", "their_move", "class_busy", "you", "learn"])
def test_pages_follow_the_size_of_a_browsers_letters(
    state: str, visitor: Visitor, server: Server
) -> None:
    one = STATES[state](visitor, server)
    assert one.page.evaluate(_LETTERS) == 34
    assert not (wrong := what_does_not_fit(one)), "\n".join(wrong)


def test_so_does_the_hosts_page(sign_in: Callable[..., Tab], come: Callable[..., Tab]) -> None:
    host = sign_in()
    sit_down(come(), come(), "03142")
    expect(host.page.locator("#just-finished li")).to_have_count(1)
    host.page.locator("#one-game summary").click()
    host.page.locator("[id^=talk]").click()
    host.button("Make a tournament").click()
    host.open("/host")
    assert not (wrong := what_does_not_fit(host)), "\n".join(wrong)
