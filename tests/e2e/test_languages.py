"""Pages in other languages than English: nothing is left in English, and all of it fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.learn_pages import PAGES
from tests.e2e.pair import sit_down
from tests.e2e.server import NEWS_COME_SOON, Server
from tests.e2e.tab import Tab, Visitor
from tests.e2e.test_every_page import WIDTHS, misfits
from webapp.words.language import LANGUAGES, offered

# Words of two letters without an accent, which the pseudo-language has in no message; not names,
# nor what a program reads, such as the slug of a rule.
_IN_ENGLISH = """
(names) => {
  const kept =
    "bdi, code, script, style, noscript, .languages, .brand, .you, [data-rule] b, [id^=other-] b";
  const without = (text) => names.reduce((left, name) => left.replaceAll(name, ""), text);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const words = /(?<![\\p{L}./=_-])[a-zA-Z]{2,}(?![\\p{L}/=_.-]\\w)/u;
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


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server with the pseudo-language, which its tests choose."""
    server = Server(tmp_path / "data", {"TTT_LANGUAGE": "xx"}, patch=NEWS_COME_SOON)
    yield server
    server.stop()


def test_nothing_is_left_in_english(come: Callable[..., Tab], own_server: Server) -> None:
    one, other = come(), come()
    for tab in (one, other):
        tab.page.context.add_cookies([{"name": "language", "value": "xx", "url": own_server.url}])
    game = sit_down(one, other, "04").path
    one.noise.expect_refusal(404)
    names = ["Tic-Tac-Toe", *(tab.open("/you").name for tab in (one, other))]
    paths = ["/", "/class", "/class/board", "/you", "/privacy", "/puzzles", "/puzzles/run", "/lab"]
    for path in (game, *paths, "/join", "/nothing", *PAGES.values()):
        one.open(path)
        assert one.page.locator("html").get_attribute("lang") == "en-XA"
        assert one.page.evaluate(_IN_ENGLISH, names) == [], path


@pytest.mark.parametrize("code", [code for code in offered() if code != "en"])
def test_a_language_fits_every_screen(visitor: Visitor, code: str) -> None:
    language = LANGUAGES[code]
    one, other = visitor(locale=language.tag), visitor(locale=language.tag)
    game = sit_down(one, other, "04").path
    wrong = []
    for path in (game, "/", "/class", "/you", *PAGES.values()):
        one.open(path)
        html = one.page.locator("html")
        assert html.get_attribute("lang") == language.tag
        assert html.get_attribute("dir") == language.direction
        wrong += [f"{path}: {said}" for width in WIDTHS for said in misfits(one.page, width)]
    assert not wrong, "\n".join(wrong)
    one.open("/").page.set_viewport_size({"width": 390, "height": 664})
    for part in ("#board", "#turn", "#ladder"):
        expect(one.page.locator(part)).to_be_in_viewport(ratio=1)


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
