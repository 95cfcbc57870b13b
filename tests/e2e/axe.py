"""What axe finds wrong with a page."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

_OPTIONS = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    },
    # Off unless asked for, whatever the tags say.
    "rules": {"target-size": {"enabled": True}, "color-contrast-enhanced": {"enabled": True}},
    "resultTypes": ["violations"],
}
_MUST_HAVE_RUN = {"target-size", "color-contrast", "color-contrast-enhanced"}
_RUN = """async (options) => {
  const { violations, passes } = await axe.run(options);
  const where = ({ target, failureSummary }) => `${target.join(" ")}: ${failureSummary}`;
  return [
    violations.map(({ id, help, nodes }) =>
      [`${id}: ${help} (${nodes.length})`, ...nodes.slice(0, 3).map(where)].join("\\n  ")),
    passes.map(({ id }) => id),
  ];
}"""


def findings(page: Page) -> list[str]:
    """What axe finds, as it is shown now; each rule broken, and where."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    broken, passed = page.evaluate(_RUN, _OPTIONS)
    assert set(passed) >= _MUST_HAVE_RUN
    return list(broken)
