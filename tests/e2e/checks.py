"""What is measured on a page: with axe, and whether it fits and can be touched."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page

_OPTIONS: dict[str, Any] = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    },
    # Off unless asked for, whatever the tags say.
    "rules": {"target-size": {"enabled": True}, "color-contrast-enhanced": {"enabled": True}},
    "resultTypes": ["violations", "passes"],
}
_MUST_HAVE_RUN = {"target-size", "color-contrast", "color-contrast-enhanced"}

# How wide the content is and what room it has; the sizes of all that one can press, by name: of a
# radio button, of the label that stands for it.
MEASURE = """() => {
  const size = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return Math.min(width, height);
  };
  const seen = (selector) =>
    [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
  const edges = seen("body *")
    .filter((element) => !element.closest(".visually-hidden, select"))
    .map((element) => Math.floor(element.getBoundingClientRect().right));
  const { clientWidth, scrollWidth } = document.documentElement;
  return {
    room: clientWidth,
    content: Math.max(scrollWidth, ...edges),
    cells: seen("#game :is(#c0, #c1, #c2, #c3, #c4, #c5, #c6, #c7, #c8)").map(size),
    targets: seen("a, button, select, label:has(input)").map((element) =>
      [element.getAttribute("aria-label") ?? element.textContent.trim(), size(element)]),
  };
}"""


def load_axe(page: Page) -> None:
    """Bring axe onto a page."""
    page.evaluate(AXE_SCRIPT)


def expect_no_violations(page: Page, where: str) -> None:
    """Let axe look at a page as it is now.

    :param where: how it is looked at, for the report
    """
    found = page.evaluate(
        """async (options) => {
          const { violations, passes } = await axe.run(options);
          return { violations, passes: passes.map((rule) => rule.id) };
        }""",
        _OPTIONS,
    )
    report = AxeResults(found).generate_report()
    assert found["violations"] == [], f"{where}: {report}"
    assert set(found["passes"]) >= _MUST_HAVE_RUN
