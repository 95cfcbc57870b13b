"""What is wrong with a page as it is shown: to the eye, to a finger, to the keyboard, to axe."""

from typing import Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.e2e.tab import Tab, script

PHONE, SIDEWAYS = (390, 664), (667, 375)  # with the bars of its browser
SCREENS = (PHONE, (320, 568), (1280, 720))
PROJECTORS = ((1024, 768), (1920, 1080), (1280, 720))
_LOOK, _REACH = map(script, ("look", "reach"))


def resize(page: Page, screen: tuple[int, int]) -> None:
    size = {"width": screen[0], "height": screen[1]}
    if page.viewport_size != size:
        page.set_viewport_size(size)  # type: ignore[arg-type]


def misfits(page: Page, *screens: tuple[int, int]) -> list[str]:
    on_the_wall = page.url.endswith("/class/board")
    wrong = list[str]()
    for screen in PROJECTORS if on_the_wall else screens or SCREENS:
        resize(page, screen)
        wrong += [f"{what} at {screen[0]} px" for what in page.evaluate(_LOOK)]
    return wrong


def out_of_reach(tab: Tab) -> list[str]:
    """What Tab does not reach, or not in the order of sight, or not seen to be there."""
    stops = tab.page.evaluate(_REACH)
    assert stops >= 4 or tab.path == "/class/board", "where nothing is pressed"
    for _ in range(stops):
        tab.press("Tab")
        if not tab.scripted:
            tab.page.evaluate("() => window.note()")
    return list(tab.page.evaluate("() => window.wrong"))


# Where no scripts run no timer does: axe waits for nothing there.
_WITHOUT_TIMERS = """() => {
  window.setTimeout = (task) => { Promise.resolve().then(task); return 0; };
}"""
# Every rule there is with one of these tags: many are off unless they are named. What has enough
# contrast for the stricter rule has it for the other.
_RUN = """async (tags) => {
  const values = axe.getRules(tags).map(({ ruleId }) => ruleId)
    .filter((rule) => rule !== "color-contrast");
  const runOnly = { type: "rule", values };
  const found = await axe.run({ runOnly, preload: false, resultTypes: ["violations"] });
  const where = ({ target, failureSummary }) => `${target.join(" ")}: ${failureSummary}`;
  return [
    found.violations.map(({ id, help, nodes }) =>
      [`${id}: ${help} (${nodes.length})`, ...nodes.slice(0, 3).map(where)].join("\\n  ")),
    found.passes.map(({ id }) => id),
  ];
}"""


def refused_by_axe(tab: Tab, scheme: Literal["light", "dark"] = "light") -> list[str]:
    """What axe finds with all its rules; the dark changes nothing but the colours."""
    page, colours = tab.page, scheme == "dark"
    page.emulate_media(color_scheme=scheme)
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
        if not tab.scripted:
            page.evaluate(_WITHOUT_TIMERS)
    broken, passed = page.evaluate(_RUN, ["cat.color"] if colours else [])
    must = {"color-contrast-enhanced"}
    if not colours and tab.path != "/class/board":  # nothing on the wall is pressed
        must.add("target-size")
    assert must <= set(passed)
    # A page without scripts asks for itself again, or it would miss what comes.
    return [f"{what} ({scheme})" for what in broken if tab.scripted or "meta-refresh: " not in what]


_OUT_OF_VIEW = """(parts) => parts.filter((part) => {
  const { left, right, top, bottom } = document.querySelector(part).getBoundingClientRect();
  return left < 0 || right > innerWidth || top < 0 || bottom > innerHeight;
})"""


def out_of_view(page: Page, parts: tuple[str, ...]) -> list[str]:
    wrong = list[str]()
    for screen in (PHONE, SIDEWAYS) if parts else ():
        resize(page, screen)
        page.evaluate("() => scrollTo(0, 0)")
        out = page.evaluate(_OUT_OF_VIEW, parts)
        wrong += [f"{part} is not in view at {screen[0]} px" for part in out]
    return wrong
