"""What axe finds wrong with a page."""

from __future__ import annotations

from collections.abc import Sequence

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

_COLOURS = frozenset({"color-contrast", "color-contrast-enhanced"})
_MUST_HAVE_RUN = _COLOURS | {"target-size"}
# Where no scripts run no timer does: axe waits for nothing there, and asks for no stylesheets.
_WITHOUT_TIMERS = """() => {
  window.setTimeout = (task) => { Promise.resolve().then(task); return 0; };
}"""
# Every rule there is with one of these tags: many are off unless they are named.
_RUN = """async ([tags, preload]) => {
  const values = axe.getRules(tags).map(({ ruleId }) => ruleId);
  const runOnly = { type: "rule", values };
  const found = await axe.run({ runOnly, preload, resultTypes: ["violations"] });
  const where = ({ target, failureSummary }) => `${target.join(" ")}: ${failureSummary}`;
  return [
    found.violations.map(({ id, help, nodes }) =>
      [`${id}: ${help} (${nodes.length})`, ...nodes.slice(0, 3).map(where)].join("\\n  ")),
    found.passes.map(({ id }) => id),
  ];
}"""


def findings(page: Page, *, colours: bool = False, scripted: bool = True) -> list[str]:
    """What axe finds with all its rules, as the page is shown now; each rule broken, and where.

    :param colours: whether to look at the colours alone
    :param scripted: whether the page runs scripts
    """
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
        if not scripted:
            page.evaluate(_WITHOUT_TIMERS)
    tags: Sequence[str] = ("cat.color",) if colours else ()
    broken, passed = page.evaluate(_RUN, [tags, scripted])
    no_targets = page.url.endswith("/class/board")  # nothing on the wall is pressed
    must = _COLOURS if colours or no_targets else _MUST_HAVE_RUN
    if page.evaluate("() => document.dir") == "rtl":
        must -= _COLOURS  # it takes letters that join for a font of icons
    assert set(passed) >= must
    return list(broken)
