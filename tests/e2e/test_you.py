"""A pupil's own page: what is seen first, what a stamp says, and what is printed."""

from __future__ import annotations

import re
import secrets
import sqlite3
from collections import Counter
from contextlib import closing

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.pair import beat_easy, begin
from tests.e2e.server import Server
from tests.e2e.tab import Tab, Visitor
from tests.support.patience import PATIENCE

CLASSMATES = 29


@pytest.fixture
def champion(visitor: Visitor, server: Server) -> Tab:
    """A pupil with a wide name who has beaten a whole class, and played often."""
    one = visitor()
    assert one.post("/you/name", {"name": f"{'W' * 16}{secrets.randbelow(9000)}"}).status == 303
    beat_easy(one)
    for moves in ("03142", "031485", "402635178", "03142", "40"):
        begin(one, visitor(), moves)
    with closing(sqlite3.connect(server.database, timeout=PATIENCE)) as connection, connection:
        me = "SELECT id FROM players WHERE name = ?"
        (player,) = connection.execute(me, (one.open("/you").name,)).fetchone()
        for number in range(10, 10 + CLASSMATES):
            id_, name = secrets.token_hex(32), f"Inventive Cricket {number}"
            connection.execute(
                "INSERT INTO players (id, opponent, mark, last_mark, created_at, seen_at, name, "
                "name_key, dealt) SELECT ?, opponent, mark, last_mark, created_at, seen_at, ?, ?, ?"
                " FROM players WHERE id = ?",
                (id_, name, id_, name, player),
            )
            connection.execute(
                "INSERT INTO records VALUES (?, ?, 'w', 1, 0, 0, 1, 1, 1, '')", (player, id_)
            )
    return one.open("/you")


def boxes(target: Locator) -> list[dict[str, float]]:
    """Where elements are on the page, however far it is scrolled."""
    found: list[dict[str, float]] = target.evaluate_all(
        """(all) => all.map((one) => {
          const { left, right, top, bottom } = one.getBoundingClientRect();
          return { left, right, top: top + scrollY, bottom: bottom + scrollY };
        })"""
    )
    return found


@pytest.mark.parametrize("scripted", [True, False])
def test_a_stamp_says_what_it_needs_by_touch_and_by_keyboard_and_nothing_moves(
    visitor: Visitor, scripted: bool
) -> None:
    one = visitor(java_script_enabled=scripted, has_touch=True)
    one.open("/you").page.set_viewport_size({"width": 390, "height": 664})
    stamps, said = one.page.locator(".stamp summary"), one.page.get_by_text("Beat Medium once")
    before = boxes(stamps)
    stamps.nth(1).tap()
    expect(said).to_be_visible()
    assert boxes(stamps) == before
    stamps.nth(1).tap()
    expect(said).not_to_be_visible()
    stamps.nth(1).press("Enter")
    expect(said).to_be_visible()
    stamps.nth(2).press("Enter")
    expect(one.page.get_by_text("Hard never loses")).to_be_visible()


@pytest.mark.parametrize("width, height", [(390, 664), (1280, 720), (320, 568)])
def test_face_name_and_record_are_in_the_first_screen(
    champion: Tab, width: int, height: int
) -> None:
    page = champion.page
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("() => scrollTo(0, 0)")
    for part in (page.locator(".ringed"), page.locator("h1"), page.locator(".totals")):
        expect(part).to_be_in_viewport(ratio=1)
    (portrait,), (album,) = boxes(page.locator(".portrait")), boxes(page.locator(".album"))
    beside = portrait["right"] < album["left"] and portrait["top"] == album["top"]
    assert beside if width == 1280 else portrait["bottom"] <= album["top"]
    rows = Counter(round(one["top"]) for one in boxes(page.locator(".signs li")))
    assert list(rows.values()) == ([6, 5] if width == 1280 else [4, 4, 3])


def test_all_of_it_is_printed_on_one_sheet_in_light_colours(champion: Tab) -> None:
    page = champion.page
    page.emulate_media(color_scheme="dark")
    page.emulate_media(color_scheme="dark", media="print")
    page.set_viewport_size({"width": 718, "height": 1046})
    for shown in ("h1", ".totals", ".stamp summary", ".album > .own-games .mini"):
        expect(page.locator(shown).first).to_be_visible()
    for hidden in ("header", "footer", "#calls", ".account", ".unfinished", ".own-games a > svg"):
        expect(page.locator(hidden).first).not_to_be_visible()
    expect(page.locator("body")).to_have_css("color", "rgb(29, 36, 51)")
    sizes = page.locator(".album > .own-games .mini").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().width).filter(Boolean)"
    )
    assert [round(size / 96 * 25.4) for size in sizes] == [30] * len(sizes)

    for paper in ("A4", "Letter"):
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper))) == 1, paper


def test_a_game_is_given_up_from_here(visitor: Visitor) -> None:
    one = visitor()
    pair = begin(one, visitor(), "40")
    one.open("/you")
    expect(one.button("Give up")).not_to_be_visible()
    one.page.get_by_text("Give up this game").click()
    one.button("Give up").click()
    one.page.wait_for_url(f"**{pair.path}")
    expect(one.heading).to_contain_text("you gave up")
