"""The pages to learn from by Tab alone: everything in the order of sight, and visibly."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.e2e.noise import Noise
from tests.e2e.play import Visitor
from tests.e2e.states import TO_LEARN_FROM, arrive

# Whatever Tab should stop at, in the order of the page, and what each looks like without focus.
_PREPARE = """() => {
  const stops = [...document.querySelectorAll("a, button, select, input, summary, [tabindex]")]
    .filter((one) => one.tabIndex >= 0 && one.type !== "hidden" && one.checkVisibility());
  window.look = (element) => {
    const style = getComputedStyle(element);
    return [
      style.outlineStyle, style.outlineWidth, style.outlineOffset, style.outlineColor,
      style.boxShadow, style.backgroundColor, style.borderColor, style.textDecoration,
    ].join(" | ");
  };
  window.stops = stops;
  window.without = stops.map(window.look);
  return stops.map((one) =>
    (one.getAttribute("aria-label") ?? (one.textContent.trim() || one.id)).replace(/\\s+/g, " "));
}"""

_FOCUSED = """() => {
  const element = document.activeElement;
  const index = window.stops.indexOf(element);
  const style = getComputedStyle(element);
  const { left, right, top, bottom } = element.getClientRects()[0];
  return {
    index,
    seen: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2
      && window.look(element) !== window.without[index],
    place: { left, right, top: top + scrollY, bottom: bottom + scrollY },
  };
}"""


@dataclass(frozen=True)
class Place:
    """Where something is on the page, counted from the top of the page."""

    left: float
    right: float
    top: float
    bottom: float

    def precedes(self, other: Place) -> bool:
        """Whether one who reads comes here first: from left to right, and columns one by one."""
        shared = min(self.bottom, other.bottom) - max(self.top, other.top)
        if shared > min(self.bottom - self.top, other.bottom - other.top) / 2:
            return self.left <= other.left  # in one row
        return self.top <= other.top or self.right <= other.left


@pytest.mark.parametrize("page", TO_LEARN_FROM)
def test_tab_reaches_everything_in_the_order_of_sight_and_shows_where_it_is(
    page: str, visitor: Visitor, noise: Noise
) -> None:
    play = arrive(page, visitor(), noise, visitor)
    names = play.page.evaluate(_PREPARE)
    assert len(names) >= 4
    places, unseen = [], []
    for index, name in enumerate(names):
        play.page.keyboard.press("Tab")
        found = play.page.evaluate(_FOCUSED)
        assert found["index"] == index, f"the focus did not come to {name!r}"
        places.append(Place(**found["place"]))
        if not found["seen"]:
            unseen.append(name)
    assert unseen == []
    astray = [
        (first, second)
        for first, second, here, there in zip(names, names[1:], places, places[1:], strict=False)
        if not here.precedes(there)
    ]
    assert astray == []
