"""What is seen at the tap, before the server has answered, however slow the network is."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from tests.e2e.answers import late, refused
from tests.e2e.plans import DRAWN
from tests.e2e.tab import Tab, Visitor

# From the next click, which a key makes as well, to the first frame in which this is to be seen.
_MEASURE = """(selector) => {
  window.seen = null;
  const begin = ({ timeStamp }) => {
    let frames = 0;
    const look = () => {
      frames += 1;
      const seen = document.querySelector(selector)?.checkVisibility();
      if (seen) window.seen = [frames, performance.now() - timeStamp];
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  };
  addEventListener("click", begin, { capture: true, once: true });
}"""


class Seen(NamedTuple):
    """When something was to be seen after a press.

    :param frames: in the first one that was drawn, or a later one
    """

    frames: int
    milliseconds: float


def measured(play: Tab, selector: str, press: Callable[[], object]) -> Seen:
    """Press, and wait until this is to be seen."""
    play.page.evaluate(_MEASURE, selector)
    press()
    return Seen(*play.page.wait_for_function("() => window.seen").json_value())


@pytest.mark.parametrize("by", ["tap", "key"])
def test_the_mark_is_there_at_once_while_the_answer_is_on_its_way(
    visitor: Visitor, by: str
) -> None:
    play = visitor(viewport={"width": 390, "height": 664}, has_touch=True).open()
    play.cell(0).focus()
    for cell in DRAWN.mine:
        press = play.cell(cell).tap if by == "tap" else lambda key=str(cell + 1): play.press(key)
        with play.change(), late(play.page, "/games"):
            assert measured(play, f"#c{cell} svg:not(.ghost)", press).frames == 1


def test_a_board_that_waits_says_so_after_half_a_second_and_takes_no_other_move(play: Tab) -> None:
    free = play.page.locator(".cell:not([aria-disabled])")
    play.record_announcements(waiting=True)
    with play.change(), late(play.page, "/games"):
        assert measured(play, "#turn .dots", play.cell(0).click).milliseconds >= 500
        [said] = play.announcements()
        expect(free).to_have_count(0)
    expect(play.page.locator("#turn .dots")).to_have_count(0)
    expect(free).to_have_count(7)
    [answered] = play.announcements()
    assert answered != said


def test_a_refused_mark_is_taken_back(play: Tab) -> None:
    with refused(play.page, "/games", 503):
        play.cell(0).click()
    expect(play.cell(0).locator("svg")).to_have_class(re.compile(r"\bghost\b"))
    expect(play.page.locator(".cell:not([aria-disabled])")).to_have_count(9)
    play.play(0)
