"""Sheets come out of the printer whole, and the map is zoomed by finger and by keys."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.tab import Visitor

A4 = (210 - 2 * 12, 297 - 2 * 12)
"""What the margins leave of a page, in millimetres."""

PAGES = {
    "/learn/paper/rules": 1,
    "/learn/paper/puzzles?kind=mixed&number=4&seed=1": 2,
    "/learn/paper/puzzles?kind=only&number=9&seed=1": 2,
    "/learn/paper/puzzles?kind=stop-fork&number=12&seed=1": 2,
    "/learn/paper/menace": 8,
    "/learn/map": 1,
    "/learn/map?mark=o&moves=0481": 1,
}

_OUTSIDE = """([width, height]) => [...document.querySelectorAll(".sheet")].flatMap((sheet) => {
  const within = sheet.getBoundingClientRect();
  return [sheet, ...sheet.querySelectorAll("*")].filter((one) => {
    const { left, right, bottom } = one.getBoundingClientRect();
    return left < -1 || right > width + 1 || bottom - within.top > height;
  }).map((one) => one.outerHTML.slice(0, 80));
})"""


@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_sheets_fit_their_pages_and_nothing_is_cut(visitor: Visitor, language: str) -> None:
    tab = visitor(locale=language, color_scheme="dark")
    width, height = (round(side / 25.4 * 96) for side in A4)
    for path, pages in PAGES.items():
        tab.open(path)
        printed = tab.page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) == pages, path
        assert {*re.findall(rb"/MediaBox \[0 0 (\d+)\.\d+ (\d+)", printed)} == {(b"594", b"841")}
        tab.page.emulate_media(media="print")
        tab.page.set_viewport_size({"width": width, "height": height})
        assert tab.page.evaluate(_OUTSIDE, [width, height]) == [], path
        expect(tab.page.locator(".site, .unprinted").locator("visible=true")).to_have_count(0)
        tab.page.emulate_media(media="null")


@pytest.mark.parametrize("scripted", [True, False])
def test_a_board_of_the_map_opens_by_finger_and_by_keys(
    visitor: Visitor, *, scripted: bool
) -> None:
    tab = visitor(java_script_enabled=scripted).open("/learn/map")
    tab.page.locator(".map a").nth(3).click()
    expect(tab.page.get_by_role("heading", name="Centre, O – Top centre, X")).to_be_visible()
    tab.page.get_by_role("link", name="Top right, O – Bottom left, X").press("Enter")
    expect(tab.page).to_have_url(re.compile(r"/learn/map\?mark=x&moves=04126$"))
    expect(tab.a("Centre, O – Top centre, X", "Moves")).to_have_attribute(
        "href", re.compile("041$")
    )


def test_a_worksheet_is_made_without_scripts(visitor: Visitor) -> None:
    tab = visitor(java_script_enabled=False).open("/learn/paper")
    tab.page.get_by_label("What to find").select_option("Make a fork")
    tab.page.get_by_label("Puzzles", exact=True).select_option("9")
    tab.button("Make a worksheet").click()
    expect(tab.page).to_have_url(re.compile(r"kind=fork&number=9&seed=\d+$"))
    expect(tab.page.locator(".tasks .picture")).to_have_count(9)
    address = tab.page.url
    tab.page.reload()
    expect(tab.page).to_have_url(address)
