"""What is seen at the tap, before the server has answered, however slow the network is."""

from __future__ import annotations

import re
from collections.abc import Callable
from statistics import median

import pytest
from playwright.sync_api import expect

from tests.e2e.answers import late, refused
from tests.e2e.plans import DRAWN
from tests.e2e.tab import Tab, Visitor

# From the next press of a finger or a key to the first frame in which this is to be seen.
_MEASURE = """(selector) => {
  window.took = new Promise((resolve) => {
    const begin = ({ timeStamp }) => {
      const took = () => performance.now() - timeStamp;
      const look = () => {
        const seen = document.querySelector(selector)?.checkVisibility();
        if (seen || took() > 5000) resolve(took());
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    };
    for (const kind of ["pointerdown", "keydown"])
      addEventListener(kind, begin, { capture: true, once: true });
  });
}"""


def milliseconds(play: Tab, selector: str, press: Callable[[], object]) -> float:
    """Return how long it takes after a press until this is to be seen; 5 s and more is never."""
    play.page.evaluate(_MEASURE, selector)
    press()
    return float(play.page.evaluate("() => window.took"))


@pytest.mark.parametrize("by", ["tap", "key"])
def test_the_mark_is_there_at_once_while_the_answer_is_on_its_way(
    visitor: Visitor, by: str
) -> None:
    play = visitor(viewport={"width": 390, "height": 664}, has_touch=True).open()
    took = []
    play.cell(0).focus()
    for cell in DRAWN.mine:
        press = play.cell(cell).tap if by == "tap" else lambda key=str(cell + 1): play.press(key)
        with play.change(), late(play.page, "/games"):
            took.append(milliseconds(play, f"#c{cell} svg:not(.ghost)", press))
    assert median(took) < 50, took  # of several, as other tests may run beside this one


def test_a_board_that_waits_says_so_after_half_a_second_and_takes_no_other_move(play: Tab) -> None:
    free = play.page.locator(".cell:not([aria-disabled])")
    play.record_announcements()
    with play.change(), late(play.page, "/games"):
        took = milliseconds(play, "#turn .dots", play.cell(0).click)
        assert 500 <= took < 1000
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
