"""A walk through the states of all pages, with eyes: the look, a finger, the keyboard, axe."""

from collections.abc import Callable, Iterator

import pytest
from _messages import catalogue, lagging
from playwright.sync_api import Error, Page

from tests.e2e.scenes import SCENES, Seen, World, together
from tests.e2e.server import LONG_NAMES, LONG_REST
from tests.e2e.sight import PHONE, misfits, out_of_reach, out_of_view, refused_by_axe, resize
from tests.e2e.tab import script
from tests.support import pseudo
from tests.support.patience import Times
from webapp.words.language import LANGUAGES, offered

_IN_ENGLISH = script("english")
# What a screen reader calls by other words than those that are seen.
_MISNAMED = """() => [...document.querySelectorAll("a[aria-label], button[aria-label]")]
  .filter(({ ariaLabel, innerText: seen }) => /\\p{L}{2}/u.test(seen)
    && !ariaLabel.toLowerCase().includes(seen.trim().toLowerCase()))
  .map(({ ariaLabel, innerText: seen }) => `called ${ariaLabel}, not ${seen}`)"""

# The walk chooses the pseudo-language, and looks at leisure at the longest names.
PATCHES = [pseudo.PATCH + LONG_REST + LONG_NAMES]
pytestmark = pytest.mark.parametrize("own_server", PATCHES, indirect=True, ids=[""])


def wrong_in_english(seen: Seen, *, dark: bool) -> list[str]:
    seen.act()
    tab, page = seen.tab, seen.tab.page
    with tab.still():
        wrong = out_of_view(page, seen.parts) + refused_by_axe(tab)
        if dark:
            wrong += refused_by_axe(tab, "dark")
            page.emulate_media(color_scheme="light")
        return wrong + misfits(page) + out_of_reach(tab)


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
    return list(page.evaluate(_IN_ENGLISH, html))


def wrong_in(code: str, seen: Seen, url: str) -> list[str]:
    page = seen.tab.page
    seen.tab.speak(code)
    go_to(page, url)
    seen.act()
    page_is_in = page.evaluate("[document.documentElement.lang, document.dir]")
    assert page_is_in == [LANGUAGES[code].tag, LANGUAGES[code].direction]
    wrong = out_of_view(page, seen.parts) + misfits(page, PHONE, (320, 568))
    is_behind = any(map(lagging, catalogue(code)))
    return wrong if is_behind else wrong + page.evaluate(_MISNAMED)


@pytest.mark.parametrize("scene", SCENES)
def test_every_state_is_fit_to_be_seen_touched_and_heard(
    scene: Callable[[World], Iterator[Seen]], world: World, times: Times
) -> None:
    """In English, in the pseudo-language and in German, with its long words; in all with --long."""
    wrong, others = list[str](), [code for code in offered() if code != "en"]
    number = times(1, len(others))
    for at, seen in enumerate(scene(world)):
        tab, url = seen.tab, seen.tab.page.url
        found = [(what, "en") for what in wrong_in_english(seen, dark=number > 1)]
        found += [(what, pseudo.CODE) for what in not_marked(seen, url)]
        for code in others[:number]:
            found += [(what, code) for what in wrong_in(code, seen, url)]
        tab.speak("en")
        resize(tab.page, PHONE)
        wrong += [f"{at} {tab.path} in {code}: {what[:400]}" for what, code in found]
    assert not wrong, "\n".join(wrong)


def test_pages_follow_the_large_letters_of_a_browser(world: World) -> None:
    wrong = list[str]()
    for at, seen in enumerate(together(world)):
        page = seen.tab.page
        larger = {"fontSizes": {"standard": 32, "fixed": 26}}
        page.context.new_cdp_session(page).send("Page.setFontSizes", larger)
        seen.act()
        wall = seen.tab.path == "/class/board"  # whose letters follow the screen instead
        size = page.evaluate("Math.min(innerWidth / 19.2, innerHeight / 10.8)") if wall else 34
        of = "documentElement" if wall else "body"
        shown = page.evaluate(f"parseFloat(getComputedStyle(document.{of}).fontSize)")
        assert shown == pytest.approx(size, abs=0.01)
        with seen.tab.still():
            wrong += [f"{at} {seen.tab.path}: {what}" for what in misfits(page)]
    assert not wrong, "\n".join(wrong)
