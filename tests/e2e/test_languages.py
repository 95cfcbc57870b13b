"""Pages in other languages than English: nothing is left in English, and all of it fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Error, expect

from tests.e2e import axe
from tests.e2e.pair import sit_down
from tests.e2e.scenes import SCENES, Seen, World
from tests.e2e.server import NEWS_COME_SOON, NO_MOVE_IS_LATE, Server
from tests.e2e.tab import Tab, Visitor
from tests.e2e.test_class_wall import WRONG
from tests.e2e.test_every_page import misfits
from tests.e2e.test_tournaments import LONG_REST, end, make, start
from webapp.words import isolated
from webapp.words.language import LANGUAGES, READER, _, offered

# Words of two letters without an accent, which the pseudo-language has in no message; not names,
# nor what a program reads, such as the slug of a rule.
_IN_ENGLISH = """
(names) => {
  const kept =
    "bdi, code, script, style, noscript, .languages, .brand, .you, [data-rule] b, [id^=other-] b";
  const codes = /https?:\\S+|\\b[2-9A-HJKMNP-Z]{6}\\b/g;
  const without = (text) =>
    names.reduce((left, name) => left.replaceAll(name, ""), text.replace(codes, ""));
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const words = /(?<![\\p{L}\\d./=_-])[a-zA-Z]{2,}(?![\\p{L}/=_.-]\\w)/u;
    const left = node.parentElement.closest(kept) ? "" : without(node.data);
    if (words.test(left)) found.push(left.trim());
  }
  for (const element of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]")) {
    for (const name of ["aria-label", "title", "placeholder", "alt"]) {
      const said = without(element.getAttribute(name) ?? "");
      if (/^[ -~]*[a-z]{2,}[ -~]*$/.test(said)) found.push(`${name}: ${said}`);
    }
  }
  return found;
}
"""


_CUT_OFF = """() => [...document.querySelectorAll("main *, header *, footer *")]
  .filter((one) => one.checkVisibility() && !one.closest(".visually-hidden, .scroller, svg"))
  .filter((one) => getComputedStyle(one).overflowX !== "visible")
  .filter((one) => !one.matches("select, input, bdi, .chip span"))
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
  .map((one) => `cut off: ${one.outerHTML}`)"""
# What a screen reader calls by other words than those that are seen.
_MISNAMED = """() => [...document.querySelectorAll("a[aria-label], button[aria-label]")]
  .filter(({ ariaLabel, innerText: seen }) => /\\p{L}{2}/u.test(seen)
    && !ariaLabel.toLowerCase().includes(seen.trim().toLowerCase()))
  .map(({ ariaLabel, innerText: seen }) => `called ${ariaLabel}, not ${seen}`)"""
_OUT_OF_VIEW = """(parts) => parts.filter((part) => {
  const { left, right, top, bottom } = document.querySelector(part).getBoundingClientRect();
  return left < 0 || right > innerWidth || top < 0 || bottom > innerHeight;
})"""


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server with the pseudo-language, which its tests choose."""
    patch = NEWS_COME_SOON + NO_MOVE_IS_LATE + LONG_REST
    settings = {"TTT_LANGUAGE": "xx", "TTT_NAMES": "own"}
    server = Server(tmp_path / "data", settings, patch=patch)
    yield server
    server.stop()


def choose(tab: Tab, code: str) -> None:
    """Let the pages of a tab be in a language from the next load on."""
    cookie = {"name": "language", "value": code, "url": tab.server}
    tab.page.context.add_cookies([cookie])  # type: ignore[list-item]


def in_this_language(seen: Seen, url: str, code: str) -> list[str]:
    """What is wrong with a page in a language."""
    page, language = seen.tab.page, LANGUAGES[code]
    choose(seen.tab, code)
    page.context.set_offline(False)
    try:
        page.goto(url)
    except Error:  # a busy Chromium now and then gives up a load that begins right after another
        page.goto(url)
    seen.act()
    page_is_in = page.evaluate("[document.documentElement.lang, document.dir]")
    assert page_is_in == [language.tag, language.direction]
    if code == "xx":  # no phone has room for brackets in its header
        wrong = page.evaluate(_IN_ENGLISH, ["Tic-Tac-Toe"]) + misfits(page, 820)
    else:
        wrong = axe.findings(page)
        wrong += [f"{part} is not in view" for part in page.evaluate(_OUT_OF_VIEW, seen.parts)]
        wrong += page.evaluate(_MISNAMED)
        if url.endswith("/class/board"):
            page.set_viewport_size({"width": 1024, "height": 768})
            wrong += page.evaluate(WRONG)
        else:
            wrong += misfits(page, 320)
    wrong += page.evaluate(_CUT_OFF)
    page.set_viewport_size({"width": 390, "height": 664})
    return [f"{seen.tab.path} in {code}: {what[:400]}" for what in wrong]


@pytest.mark.parametrize("scene", SCENES)
def test_every_state_is_whole_in_every_language(
    scene: Callable[[World], Iterator[Seen]],
    own_server: Server,
    come: Visitor,
    sign_in: Visitor,
    times: Callable[[int, int], int],
) -> None:
    """In the pseudo-language and, where tests are short, in one of the others by turns."""
    phone = {"viewport": {"width": 390, "height": 664}, "reduced_motion": "reduce"}
    world = World(own_server, partial(come, **phone), partial(sign_in, **phone))
    wrong, others = [], offered()
    number = times(1, len(others))
    for at, seen in enumerate(scene(world)):
        url = seen.tab.page.url
        turn = (others[(at + n) % len(others)] for n in range(number))
        for code in ("xx", *turn):
            wrong += in_this_language(seen, url, code)
        choose(seen.tab, "en")
    assert not wrong, "\n".join(wrong)


def said(code: str, message: str, **values: str) -> str:
    """A message in a language, with names set apart where they are written in other letters."""
    READER.set(code)
    try:
        named = {place: value and isolated(value) for place, value in values.items()}
        return _(message).format(**named)
    finally:
        READER.set("en")


def test_an_arab_and_a_pole_play_and_each_reads_their_own_language(
    come: Visitor, sign_in: Visitor
) -> None:
    arab, pole = come(locale="ar-EG"), come(locale="pl-PL")
    wall = come(locale="de-DE").open("/class/board")
    code_of = {arab: "ar", pole: "pl"}

    def play(x: Tab, o: Tab) -> None:
        for ply, cell in enumerate((0, 3, 1, 4, 2)):
            mover, other = (o, x) if ply % 2 else (x, o)
            thinks = said(code_of[other], "{name} is thinking", name=names[mover])
            expect(other.heading).to_have_text(thinks)
            expect(mover.heading).to_have_text(said(code_of[mover], "Your turn"))
            mover.play(cell)
        expect(x.heading).to_contain_text(said(code_of[x], "You win: {lines}", lines=""))
        expect(o.heading).to_contain_text(
            said(code_of[o], "{winner} wins: {lines}", winner=names[x], lines="")
        )

    pair = sit_down(arab, pole)
    names = {one: one.name for one in pair.people}
    expect(wall.items(said("de", "Games in progress"))).to_have_count(1)
    play(*pair.people)
    arab.again.click()
    asks = said("pl", "{opponent} asks for a rematch.", opponent=names[arab])
    expect(pole.page.locator("main")).to_contain_text(asks)
    pole.again.click()
    for one in pair.people:
        expect(one.page).not_to_have_url(f"{one.server}{pair.path}")
    play(pole, arab)

    host = sign_in()
    address = make(host, form="Swiss", rounds="1")
    for one in pair.people:
        assert one.post(f"{address}/join", {}).status == 303
        one.open("/learn")
    start(host)
    for one in pair.people:
        one.page.wait_for_url("**/games/*")
    first = arab.page.locator("#versus .side:nth-child(2) .x").count()
    play(*(pair.people if first else pair.people[::-1]))
    end(host.open("/host"))
    for one, code in code_of.items():
        expect(one.title).to_have_text(said(code, "Tournament"))
        expect(one.page.locator(".podium")).to_be_visible()
    expect(wall.items(said("de", "The first three"))).to_have_count(1)
    for one, code in code_of.items():
        one.open("/review/03142?at=1").page.locator("#step-later").click()
        expect(one.page.locator("#review")).to_have_attribute("data-at", "2")
        expect(one.page.locator("#step-later")).to_have_text(said(code, "Next"))
    for one, tag in ((arab, "ar"), (pole, "pl"), (wall, "de")):
        expect(one.page.locator("html")).to_have_attribute("lang", tag)


def test_a_choice_of_language_keeps_the_page_and_what_was_typed_or_chosen(
    visitor: Visitor,
) -> None:
    ada = visitor().open("/you")
    name, fold = (ada.page.locator(part) for part in ("#name", ".account summary"))
    fold.click()
    for language in ("pl", "de"):
        name.fill("A" * 30)
        ada.page.locator(f".languages [lang={language}]").click()
        expect(ada.page.locator("html")).to_have_attribute("lang", language)
        expect(name).to_have_value("A" * 30)
        assert ada.path == "/you"
        # A refusal stands where only forms are sent.
        ada.noise.expect_refusal(422)
        with ada.page.expect_response("**/you/name"):
            name.evaluate("(field) => { field.form.submit(); }")
        ada.page.wait_for_load_state()
        expect(ada.refusal).to_be_visible()
    ada.open().choose(opponent="hard", mark="o")
    ada.page.locator(".languages [lang=ar]").click()
    expect(ada.page.locator("html")).to_have_attribute("dir", "rtl")
    expect(ada.opponent).to_have_value("hard")
    expect(ada.mark("o")).to_be_checked()


def test_two_players_read_their_own_languages_and_a_choice_stays(visitor: Visitor) -> None:
    german, polish = visitor(locale="de-DE"), visitor(locale="pl-PL")
    sit_down(german, polish)
    expect(german.heading).to_have_text("Du bist dran")
    german.play(4)
    expect(polish.heading).to_have_text("Twój ruch")
    polish.play(0)
    page = german.path
    german.page.locator(".languages [lang=es]").click()
    expect(german.heading).to_have_text("Tu turno")
    assert german.path == page
    german.play(2)
    expect(polish.heading).to_have_text("Twój ruch")
