"""Sizes, colours and motion of the pages to learn from."""

from __future__ import annotations

from itertools import product
from typing import Literal

import pytest

from tests.e2e.learn_pages import PAGES, ReviewPage
from tests.e2e.looks import (
    RECORD_MOTION,
    colour,
    motion,
    system_colours,
    wait_until_all_is_drawn,
)
from tests.e2e.noise import Noise
from tests.e2e.play import Visitor
from tests.e2e.states import TO_LEARN_FROM, arrive

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
GAME = (4, 0, 2, 8, 1, 3, 5)

# How wide the content is, apart from what scrolls by itself; the sizes of all that one can press.
# A link in running text is as high as its line, which others have set.
_MEASURE = """() => {
  const seen = (selector) =>
    [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
  const edges = seen("body *")
    .filter((element) => !element.closest(".visually-hidden, .scroller *, select"))
    .map((element) => Math.floor(element.getBoundingClientRect().right));
  const block = (element) => {
    while (getComputedStyle(element).display.startsWith("inline")) element = element.parentElement;
    return element;
  };
  const amidText = (link) => {
    if (getComputedStyle(link).display !== "inline") return false;
    const around = block(link).cloneNode(true);
    around.querySelectorAll("a").forEach((other) => other.remove());
    return around.textContent.trim() !== "";
  };
  const size = (element) => {
    const { width, height } = element.getBoundingClientRect();
    const name = element.getAttribute("aria-label") ?? element.textContent;
    return [name.trim().replace(/\\s+/g, " "), Math.round(width), Math.round(height)];
  };
  const buttons = "button, .button, select, input";
  return {
    content: Math.max(document.documentElement.scrollWidth, ...edges),
    buttons: seen(buttons).map(size),
    links: seen("a, summary")
      .filter((element) => !element.matches(buttons) && !amidText(element)).map(size),
  };
}"""


def test_nothing_scrolls_sideways_and_all_is_large_enough_to_touch(
    visitor: Visitor, noise: Noise
) -> None:
    play = visitor()
    wrong = []
    for page, width in product(TO_LEARN_FROM, (1280, 820, 390, 320)):
        if width == 1280:
            arrive(page, play, noise, visitor)
        play.page.set_viewport_size({"width": width, "height": 844})
        found = play.page.evaluate(_MEASURE)
        assert len(found["links"]) >= 3
        if found["content"] > width:
            wrong.append(f"{page}: {found['content']} px wide at {width} px")
        for least, targets in ((48, found["buttons"]), (24, found["links"])):
            small = [target for target in targets if min(target[1:]) < least]
            wrong += [f"{page}: {target} at {width} px" for target in small]
    assert not wrong, "\n".join(wrong)


# Names that stand on more than one line, apart from those that have a hyphen to break at.
_BROKEN = """() => [...document.querySelectorAll(".heat th")].flatMap((heading) => {
  const text = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT).nextNode();
  return [...text.data.matchAll(/[^\\s-]+/g)].filter((word) => {
    const range = document.createRange();
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    return range.getClientRects().length > 1;
  }).map(([word]) => word);
})"""

# By how much of its size each line that is struck through misses the middle of its marks.
_MISSED = """() => [...document.querySelectorAll(".picture:has(.strike)")].map((picture) => {
  const middle = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return [(left + right) / 2, (top + bottom) / 2];
  };
  const [strike] = picture.querySelectorAll(".strike");
  const cells = [...strike.href.baseVal.matchAll(/\\d/g)].map(([cell]) => Number(cell));
  const size = picture.getBoundingClientRect().width;
  const { left, top } = picture.getBoundingClientRect();
  const centres = [...picture.querySelectorAll("g.x, g.o")].map(middle);
  const struck = centres.filter(([x, y]) =>
    cells.includes(Math.floor(3 * (x - left) / size) + 3 * Math.floor(3 * (y - top) / size)));
  const mean = (axis) => struck.reduce((sum, centre) => sum + centre[axis], 0) / struck.length;
  const [x, y] = middle(strike);
  return struck.length === 3 ? Math.hypot(x - mean(0), y - mean(1)) / size : 1;
})"""


def test_names_charts_and_small_boards_can_be_read_on_every_screen(visitor: Visitor) -> None:
    play = visitor()
    for width in (1280, 820, 390, 320):
        play.page.set_viewport_size({"width": width, "height": 844})
        play.open("/lab")
        assert play.page.evaluate(_BROKEN) == [], width
        play.open("/learn")
        boards = play.page.locator(".tree .picture")
        assert min(boards.evaluate_all("(all) => all.map((one) => one.clientWidth)")) >= 72, width
        missed = play.page.evaluate(_MISSED)
        assert len(missed) >= 4
        assert max(missed) < 0.03, (width, missed)
        play.open(PAGES["review"])
        heights = play.page.locator(".course text").evaluate_all(
            "(all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize) * one.getCTM().a)"
        )
        assert min(heights) >= 12, width


# The colours of all strokes of boards and pictures, and of the chart; of the parts of each bar.
_DRAWN = """() => {
  const stroke = (element) => getComputedStyle(element).stroke;
  const drawn = ".board use, .picture use, .course :is(polyline, circle)";
  const seen = [...document.querySelectorAll(drawn)].filter((one) => one.checkVisibility());
  return {
    strokes: [...new Set(seen.map(stroke))],
    bars: [...document.querySelectorAll(".bar")].map((bar) =>
      new Set([...bar.querySelectorAll("rect")].map((one) => getComputedStyle(one).fill)).size),
  };
}"""


def test_with_forced_colours_strokes_stand_out_the_parts_of_a_bar_differ_and_nothing_moves(
    visitor: Visitor,
) -> None:
    play = visitor(forced_colors="active", reduced_motion="reduce")
    for page, address in PAGES.items():
        play.open(address)
        assert play.page.evaluate("() => document.getAnimations().length") == 0, page
        for scheme in SCHEMES:
            play.page.emulate_media(color_scheme=scheme)
            canvas, text = system_colours(play.page)
            assert canvas != text
            assert colour(play.page.locator("body"), "color") == text
            found = play.page.evaluate(_DRAWN)
            assert set(found["strokes"]) <= {text}, f"{page}, {scheme}"
            assert set(found["bars"]) <= {3}, f"{page}, {scheme}"


@pytest.mark.parametrize("motion_wanted", ["no-preference", "reduce"])
def test_a_step_draws_its_mark_unless_less_motion_is_wanted(
    visitor: Visitor, motion_wanted: str
) -> None:
    reviewed = ReviewPage(visitor(reduced_motion=motion_wanted)).open(GAME, at=2)
    wait_until_all_is_drawn(reviewed.page)
    reviewed.page.evaluate(RECORD_MOTION)
    reviewed.step("later").click()
    reviewed.expect_at(GAME, 3)
    wait_until_all_is_drawn(reviewed.page)
    drawn = motion(reviewed.page)
    assert drawn == ([f"c{GAME[2]}"] if motion_wanted == "no-preference" else [])
