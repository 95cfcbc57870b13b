"""What is wrong with a page as it is shown: to the eye, to a finger, to the keyboard, to axe."""

from pathlib import Path
from typing import Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.e2e.tab import Tab

PHONE = (390, 664)  # with the bars of its browser
SCREENS = (PHONE, (320, 568), (1280, 720))
PROJECTORS = ((1024, 768), (1920, 1080), (1280, 720))
_LOOK = Path(__file__).with_name("look.js").read_text(encoding="utf-8")


def resize(page: Page, screen: tuple[int, int]) -> None:
    """Give a page a screen of this size, unless it has it."""
    size = {"width": screen[0], "height": screen[1]}
    if page.viewport_size != size:
        page.set_viewport_size(size)  # type: ignore[arg-type]


def misfits(page: Page, *screens: tuple[int, int]) -> list[str]:
    """What a person sees to be wrong, or cannot touch, on screens of these sizes; or on all."""
    on_the_wall = page.url.endswith("/class/board")
    wrong = list[str]()
    for screen in PROJECTORS if on_the_wall else screens or SCREENS:
        resize(page, screen)
        wrong += [f"{what} at {screen[0]} px" for what in page.evaluate(_LOOK)]
    return wrong


# Whatever Tab should stop at, in the order of the page, and what each looks like without focus. Of
# radio buttons it is the chosen one. Tab begins at the top of the page.
# What is wrong with the focus. A reader goes from left to right in a row, and columns one by one.
_PREPARE = """() => {
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute("tabindex");
  scrollTo(0, 0);
  const look = (element) => {
    const style = getComputedStyle(element);
    return [
      style.outlineStyle, style.outlineWidth, style.outlineOffset, style.outlineColor,
      style.boxShadow, style.backgroundColor, style.borderColor, style.textDecoration,
    ].join(" | ");
  };
  const reached = "a, button, select, input, textarea, summary, [tabindex]";
  const stops = [...document.querySelectorAll(reached)]
    .filter((one) => one.tabIndex >= 0 && one.type !== "hidden")
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .filter((one) => one.type !== "radio" || one.checked);
  const without = stops.map(look);
  // What lies over the page, as the form of a button does, has an order of its own.
  const over = (element) => {
    const lies = (one) => getComputedStyle(one).position === "absolute";
    while (element && !lies(element)) element = element.parentElement;
    return element;
  };
  let before = null, index = -1;
  window.wrong = stops.length ? ["the last stop is not reached"] : [];
  const looked = (element) => {
    index += 1;
    if (index === stops.length - 1) window.wrong.shift();
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const here = element.getClientRects()[0].toJSON(), last = before;
    here.top += scrollY, here.bottom += scrollY;
    before = here, here.over = over(element);
    const name = element.getAttribute("aria-label") ?? (element.textContent.trim() || element.id);
    if (stops[index] !== element) return [`${name}: out of turn`];
    if (outlineStyle === "none" || parseFloat(outlineWidth) < 2 || look(element) === without[index])
      return [`${name}: not seen to be focused`];
    if (!last || last.over !== here.over) return [];
    const shared = Math.min(last.bottom, here.bottom) - Math.max(last.top, here.top);
    const row = shared > Math.min(last.height, here.height) / 2;
    const later = row ? last.left <= here.left
      : last.top <= here.top || last.right <= here.left;
    return later ? [] : [`${name}: not in the order of sight`];
  };
  window.note = () => window.wrong.push(...looked(document.activeElement));
  addEventListener("focusin", window.note);
  return stops.length;
}"""


def out_of_reach(tab: Tab) -> list[str]:
    """What Tab does not reach, or not in the order of sight, or not seen to be there."""
    stops = tab.page.evaluate(_PREPARE)
    assert stops >= 4 or tab.path == "/class/board", "where nothing is pressed"
    for _ in range(stops):
        tab.press("Tab")
        if not tab.scripted:
            tab.page.evaluate("() => window.note()")
    return list(tab.page.evaluate("() => window.wrong"))


_COLOURS = frozenset({"color-contrast", "color-contrast-enhanced"})
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


def refused_by_axe(tab: Tab, scheme: Literal["light", "dark"] = "light") -> list[str]:
    """What axe finds with all its rules; the dark changes nothing but the colours."""
    page, colours = tab.page, scheme == "dark"
    page.emulate_media(color_scheme=scheme)
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
        if not tab.scripted:
            page.evaluate(_WITHOUT_TIMERS)
    broken, passed = page.evaluate(_RUN, [["cat.color"] if colours else [], tab.scripted])
    no_targets = page.url.endswith("/class/board")  # nothing on the wall is pressed
    must = _COLOURS if colours or no_targets else _COLOURS | {"target-size"}
    if page.evaluate("() => document.dir") == "rtl":
        must -= _COLOURS  # it takes letters that join for a font of icons
    assert must <= set(passed)
    return [f"{what} ({scheme})" for what in broken]


_OUT_OF_VIEW = """(parts) => parts.filter((part) => {
  const { left, right, top, bottom } = document.querySelector(part).getBoundingClientRect();
  return left < 0 || right > innerWidth || top < 0 || bottom > innerHeight;
})"""


def out_of_view(page: Page, parts: tuple[str, ...]) -> list[str]:
    if not parts:
        return []
    resize(page, PHONE)
    page.evaluate("() => scrollTo(0, 0)")
    return [f"{part} is not in view" for part in page.evaluate(_OUT_OF_VIEW, parts)]
