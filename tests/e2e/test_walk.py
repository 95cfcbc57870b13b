"""A walk through the states of all pages, with eyes: the look, a finger, the keyboard, axe."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from _messages import catalogue, lagging
from playwright.sync_api import BrowserType, Error, Page

from tests.e2e.scenes import SCENES, Seen, World, together
from tests.e2e.server import LONG_REST
from tests.e2e.sight import PHONE, misfits, out_of_reach, out_of_view, refused_by_axe, resize
from tests.support import pseudo
from webapp.words.language import LANGUAGES, offered

# Words of two letters without an accent, which the pseudo-language has in no message; not names,
# nor what a program reads, such as the slug of a rule.
_IN_ENGLISH = """
([names, html]) => {
  const page = html === null ? document : new DOMParser().parseFromString(html, "text/html");
  const kept =
    "bdi, code, script, style, noscript, .languages, .brand, .you, [data-rule] b, [id^=other-] b";
  const codes = /https?:\\S+|\\b[2-9A-HJKMNP-Z]{6}\\b/g;
  const without = (text) =>
    names.reduce((left, name) => left.replaceAll(name, ""), text.replace(codes, ""));
  const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const words = /(?<![\\p{L}\\d./=_-])[a-zA-Z]{2,}(?![\\p{L}/=_.-]\\w)/u;
    const left = node.parentElement.closest(kept) ? "" : without(node.data);
    if (words.test(left)) found.push(left.trim());
  }
  for (const element of page.querySelectorAll("[aria-label], [title], [placeholder], [alt]")) {
    for (const name of ["aria-label", "title", "placeholder", "alt"]) {
      const said = without(element.getAttribute(name) ?? "");
      if (/^[ -~]*[a-z]{2,}[ -~]*$/.test(said)) found.push(`${name}: ${said}`);
    }
  }
  return found;
}
"""
# What a screen reader calls by other words than those that are seen.
_MISNAMED = """() => [...document.querySelectorAll("a[aria-label], button[aria-label]")]
  .filter(({ ariaLabel, innerText: seen }) => /\\p{L}{2}/u.test(seen)
    && !ariaLabel.toLowerCase().includes(seen.trim().toLowerCase()))
  .map(({ ariaLabel, innerText: seen }) => `called ${ariaLabel}, not ${seen}`)"""

# The walk chooses the pseudo-language, and looks at leisure.
pytestmark = pytest.mark.parametrize(
    "own_server", [pseudo.PATCH + LONG_REST], indirect=True, ids=[""]
)


@cache
def is_behind(code: str) -> bool:
    return any(map(lagging, catalogue(code)))


def wrong_in_english(seen: Seen, *, dark: bool) -> list[str]:
    """What is wrong with a page: all that can be looked for."""
    seen.act()
    tab, page = seen.tab, seen.tab.page
    with tab.still():
        wrong = out_of_view(page, seen.parts) + refused_by_axe(tab)
        if dark:
            wrong += refused_by_axe(tab, "dark")
            page.emulate_media(color_scheme="light")
        wrong += misfits(page) + out_of_reach(tab)
    if not tab.scripted:  # such a page asks for itself again, or it would miss what comes
        wrong = [what for what in wrong if not what.startswith("meta-refresh: ")]
    return wrong


def go_to(page: Page, url: str) -> None:
    page.context.set_offline(False)
    try:
        page.goto(url)
    except Error:  # a busy Chromium now and then gives up a load that begins right after another
        page.goto(url)


def not_marked(seen: Seen, url: str) -> list[str]:
    """What the same page says in English in the pseudo-language: it is no message."""
    page, html = seen.tab.page, None
    seen.tab.speak(pseudo.CODE)
    if seen.act is bool:
        html = page.request.get(url).text()
        assert f'<html lang="{pseudo.TAG}"' in html
    else:
        go_to(page, url)
        seen.act()
    return list(page.evaluate(_IN_ENGLISH, [["Tic-Tac-Toe"], html]))


def wrong_in(code: str, seen: Seen, url: str) -> list[str]:
    """What is wrong with the same page in another language: words, room, and direction."""
    page = seen.tab.page
    seen.tab.speak(code)
    go_to(page, url)
    seen.act()
    page_is_in = page.evaluate("[document.documentElement.lang, document.dir]")
    assert page_is_in == [LANGUAGES[code].tag, LANGUAGES[code].direction]
    wrong = out_of_view(page, seen.parts) + misfits(page, (320, 568))
    return wrong if is_behind(code) else wrong + page.evaluate(_MISNAMED)


@pytest.mark.parametrize("scene", SCENES)
def test_every_state_is_fit_to_be_seen_touched_and_heard(
    scene: Callable[[World], Iterator[Seen]], world: World, times: Callable[[int, int], int]
) -> None:
    """In English, in the pseudo-language and in one other language by turns; in all with --long."""
    wrong, others = list[str](), [code for code in offered() if code != "en"]
    number, first = times(1, len(others)), SCENES.index(scene)
    for at, seen in enumerate(scene(world), first):
        tab, url = seen.tab, seen.tab.page.url
        found = [(what, "en") for what in wrong_in_english(seen, dark=number > 1)]
        found += [(what, pseudo.CODE) for what in not_marked(seen, url)]
        for code in (others[(at + n) % len(others)] for n in range(number)):
            found += [(what, code) for what in wrong_in(code, seen, url)]
        tab.speak("en")
        resize(tab.page, PHONE)
        wrong += [f"{at - first} {tab.path} in {code}: {what[:400]}" for what, code in found]
    assert not wrong, "\n".join(wrong)


@pytest.fixture
def any_context(
    request: pytest.FixtureRequest,
    browser_type: BrowserType,
    browser_type_launch_args: dict[str, Any],
) -> Iterator[Callable[..., Any]]:
    """Make contexts in the usual browser, or in one whose owner has set large letters."""
    if "large" not in request.node.name:
        yield request.getfixturevalue("new_context")
        return
    arguments = [*browser_type_launch_args["args"], "--blink-settings=defaultFontSize=32"]
    with browser_type.launch(**{**browser_type_launch_args, "args": arguments}) as large:
        yield large.new_context


def test_pages_follow_the_large_letters_of_a_browser(world: World) -> None:
    wrong = list[str]()
    for at, seen in enumerate(together(world)):
        seen.act()
        assert seen.tab.page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") == 34
        with seen.tab.still():
            wrong += [f"{at} {seen.tab.path}: {what}" for what in misfits(seen.tab.page)]
    assert not wrong, "\n".join(wrong)
