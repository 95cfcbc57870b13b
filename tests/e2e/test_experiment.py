"""Experiments that can be repeated, and the table of all engines that leads to them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.answers import late
from tests.e2e.learn_pages import HeatMap, expect_query
from tests.e2e.server import Server
from tests.e2e.tab import Tab, Visitor


def counted(experiment: Tab) -> list[int]:
    """How many games X won, were drawn, and O won."""
    counts = experiment.page.locator("#counts tbody td:nth-child(2)").all_inner_texts()
    return [int(count.replace(",", "")) for count in counts]


def test_a_second_run_takes_the_place_of_the_first_and_the_focus_stays(play: Tab) -> None:
    play.open("/lab/experiment?x=medium&o=easy&games=1000&seed=1")
    seed, run = play.page.locator("#seed"), play.page.locator("main form button")
    first = counted(play)
    play.record_announcements()
    seed.fill("2")
    seed.press("Enter")
    expect_query(play.page, seed="2")
    [said] = play.announcements()
    won, drawn, lost = (f"{count:,}" for count in counted(play))
    assert said == f"Medium wins: {won}. Draws: {drawn}. Easy wins: {lost}."
    expect(seed).to_be_focused()
    assert counted(play) != first
    seed.fill("1")
    play.press("Enter", on=run)
    expect_query(play.page, seed="1")
    expect(run).to_be_focused()
    assert counted(play) == first


# --- the table of all engines -----------------------------------------------------------------


@pytest.fixture
def heat(visitor: Visitor) -> HeatMap:
    """Open the table with one pair chosen."""
    return HeatMap(visitor()).open("medium", "hard")


def test_arrow_keys_move_over_the_table_and_enter_shows_a_pair(heat: HeatMap) -> None:
    expect(heat.tab_stops).to_have_count(1)
    heat.row_heading("Medium").focus()
    heat.tab.press("Tab")
    expect(heat.cell("Medium", "Hard")).to_be_focused()
    walk = {
        "ArrowRight": (("Medium", "Human"), ("Medium", "Minimax")),
        "ArrowUp": (("Easy", "Minimax"), ("Easy", "Minimax")),
        "ArrowLeft": (("Easy", "Human"), ("Easy", "Hard"), ("Easy", "Medium"), ("Easy", "Easy")),
        "ArrowDown": (("Medium", "Easy"), ("Hard", "Easy")),
    }
    for key, pairs in walk.items():
        for x, o in pairs:
            heat.tab.press(key)
            expect(heat.cell(x, o)).to_be_focused()
    # At the edge it goes no further, and not to the row before.
    heat.tab.press("ArrowLeft")
    expect(heat.cell("Hard", "Easy")).to_be_focused()
    expect(heat.tab_stops).to_have_count(1)
    heat.tab.press("Tab")
    expect(heat.row_heading("Human")).to_be_focused()
    heat.tab.press("Shift+Tab")
    expect(heat.cell("Hard", "Easy")).to_be_focused()
    expect(heat.title).to_have_text("Medium as X against Hard as O")
    # Enter shows and tells the pair of the cell, and the address follows.
    heat.tab.record_announcements()
    heat.tab.press("ArrowDown", "ArrowLeft", "Enter", on=heat.cell("Medium", "Hard"))
    expect(heat.title).to_have_text("Hard as X against Medium as O")
    [said] = heat.tab.announcements()
    assert re.fullmatch("Hard against Medium: won .* %, drawn .* %, lost .* %.", said)
    expect(heat.cell("Hard", "Medium")).to_be_focused()
    heat.expect_chosen("Hard", "Medium")
    expect_query(heat.page, x="hard", o="medium")
    heat.page.reload()
    heat.expect_chosen("Hard", "Medium")
    expect(heat.tab_stops).to_have_count(1)
    expect(heat.cell("Hard", "Medium")).to_have_attribute("tabindex", "0")


def test_a_pair_that_cannot_be_shown_or_comes_late_is_not_marked_as_chosen(heat: HeatMap) -> None:
    with late(heat.page, "x=easy"):
        heat.cell("Easy", "Easy").click()
        heat.cell("Slips", "Medium").click()
        expect(heat.title).to_have_text("Slips as X against Medium as O")
    expect(heat.title).to_have_text("Slips as X against Medium as O")
    heat.expect_chosen("Slips", "Medium")
    heat.tab.noise.expect_no_answer()
    heat.page.context.set_offline(True)
    heat.cell("Slips", "Easy").click()
    expect(heat.tab.refusal).to_be_visible()
    heat.expect_chosen("Slips", "Medium")


_UNCOVERED = """(cell) => {
  const { left, right, top, bottom } = cell.getBoundingClientRect();
  return [1, 3, 5, 7, 9].some((tenth) => cell.contains(document.elementFromPoint(
    left + (right - left) * tenth / 10, (top + bottom) / 2)));
}"""


def test_on_a_phone_the_focused_cell_is_never_hidden_and_in_view_with_its_pair(
    visitor: Visitor,
) -> None:
    heat = HeatMap(visitor(viewport={"width": 390, "height": 664})).open("easy", "easy")
    heat.cell("Easy", "Easy").focus()
    cell = heat.page.locator(".heat td a:focus")
    hidden = []
    for key in ["ArrowRight"] * 9 + ["ArrowLeft"] * 9:
        heat.tab.press(key)
        if not cell.evaluate(_UNCOVERED):
            hidden.append(f"after {key}: {cell.get_attribute('aria-label')}")
    assert hidden == []
    for number in range(10):
        if number:
            heat.tab.press("ArrowDown", "ArrowRight")
        heat.tab.press("Enter")
        expect(cell).to_have_attribute("aria-current", "true")
        for part in (heat.title, heat.page.locator("#pair dl"), cell):
            expect(part).to_be_in_viewport(ratio=1)
        focused, result = cell.bounding_box(), heat.page.locator("#pair .result").bounding_box()
        assert focused is not None
        assert result is not None
        assert focused["y"] + focused["height"] <= result["y"]


def test_on_a_narrow_phone_no_word_of_the_table_is_broken_whatever_functions_are_called(
    tmp_path: Path, visitor: Visitor
) -> None:
    functions = tmp_path / "functions"
    functions.mkdir()
    for name in ("corner_loving_player", "averylongnamewithoutanend"):
        text = "def best(board, mark):\n    return board.index('.')\n"
        (functions / f"{name}.py").write_text(text, encoding="utf-8")
    server = Server(tmp_path / "data", {"TTT_ENGINE": str(functions)})
    tab = visitor(server.url, viewport={"width": 320, "height": 640}).open("/lab")
    expect(tab.page.get_by_role("columnheader", name="corner_loving_player")).to_be_attached()
    assert tab.broken_words() == []
    server.stop()
