"""Places, colours, shapes and motion: on a phone, on a desk, with forced colours, in the dark."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.learn_pages import PAGES, ReviewPage
from tests.e2e.plans import DRAWN, LOST, WON
from tests.e2e.tab import EMPTY, Tab, Visitor

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 3,
}
WIDTHS = (1280, 820, 390, 320)


def box(target: Locator) -> dict[str, float]:
    """Where an element is on the page, counted from the top of the page."""
    found: dict[str, float] = target.evaluate(
        """(element) => {
          const { left, right, top, bottom } = element.getBoundingClientRect();
          return { left, right, top: top + scrollY, bottom: bottom + scrollY };
        }"""
    )
    return found


# --- places -----------------------------------------------------------------------------------


def test_a_game_can_be_played_by_touch(visitor: Visitor) -> None:
    play = visitor(**PHONE).open()
    assert play.page.evaluate("() => document.documentElement.scrollWidth") == 390
    for cell in DRAWN.mine:
        with play.change():
            play.cell(cell).tap()
    play.expect_board(DRAWN.board())
    play.again.tap()
    play.expect_board(EMPTY)


def test_all_else_stands_below_the_board_on_a_phone_and_beside_it_on_a_desk(play: Tab) -> None:
    play.play(4)
    marks = play.page.get_by_role("group", name="You play")
    beside = (play.opponent, marks, play.hint, play.score_list, play.move_list.first)
    for width, height in ((1280, 720), (667, 375)):  # a phone on its side is a small desk
        play.page.set_viewport_size({"width": width, "height": height})
        board = box(play.board_group)
        assert board["bottom"] <= height
        assert all(box(part)["left"] >= board["right"] for part in (play.heading, *beside))
    play.page.set_viewport_size({"width": 390, "height": 844})
    turn, sentence = box(play.heading), box(play.sentence)
    assert box(play.board_group)["bottom"] <= turn["top"] < turn["bottom"] <= sentence["top"]
    assert all(box(part)["top"] >= sentence["bottom"] for part in beside)


def test_no_text_of_the_dropdown_is_cut_off(play: Tab) -> None:
    for width in (*WIDTHS, 667):
        play.page.set_viewport_size({"width": width, "height": 400})
        room, longest = play.opponent.evaluate(
            """(select) => {
              const style = getComputedStyle(select);
              const pen = document.createElement("canvas").getContext("2d");
              pen.font = ["Style", "Weight", "Size", "Family"]
                .map((part) => style[`font${part}`]).join(" ");
              const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
              const arrow = style.appearance === "none" ? 0 : 24;
              const widths = [...select.options].map(({ text }) => pen.measureText(text).width);
              return [select.clientWidth - padding - arrow, Math.max(...widths)];
            }"""
        )
        assert 100 < longest <= room, width


# By how much of its size each line that is struck through misses the middle of its marks.
_MISSED = """() => [...document.querySelectorAll(".picture:has(.strike)")].map((picture) => {
  const middle = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return [(left + right) / 2, (top + bottom) / 2];
  };
  const [strike] = picture.querySelectorAll(".strike");
  const cells = [...strike.href.baseVal.matchAll(/\\d/g)].map(([cell]) => Number(cell));
  const { left, top, width } = picture.getBoundingClientRect();
  const struck = [...picture.querySelectorAll("g.x, g.o")].map(middle).filter(([x, y]) =>
    cells.includes(Math.floor(3 * (x - left) / width) + 3 * Math.floor(3 * (y - top) / width)));
  const mean = (axis) => struck.reduce((sum, centre) => sum + centre[axis], 0) / struck.length;
  const [x, y] = middle(strike);
  return struck.length === 3 ? Math.hypot(x - mean(0), y - mean(1)) / width : 1;
})"""


def test_names_charts_and_small_boards_can_be_read_on_every_screen(visitor: Visitor) -> None:
    play = visitor()
    for width in WIDTHS:
        play.page.set_viewport_size({"width": width, "height": 844})
        play.open("/lab")
        assert play.broken_words(".heat") == [], width
        play.open("/learn")
        boards = play.page.locator(".tree .picture")
        assert min(boards.evaluate_all("(all) => all.map((one) => one.clientWidth)")) >= 72, width
        missed = play.page.evaluate(_MISSED)
        assert len(missed) >= 4
        assert max(missed) < 0.03, (width, missed)
        play.open(PAGES["review"])
        heights = play.page.locator(".course text").evaluate_all(
            "(all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize) * one.getCTM().a)"
        )
        assert min(heights) >= 12, width


# --- colours and shapes -----------------------------------------------------------------------

# What a style can show a state by, apart from the colours of text and background.
_SHAPES = """(element) => [element, ...element.querySelectorAll("*")].flatMap((part) =>
  [null, "::before", "::after"].map((pseudo) => {
    const style = getComputedStyle(part, pseudo);
    return [
      style.textDecorationLine, style.fontWeight, style.fontStyle, style.content,
      style.outlineStyle === "none" ? "" : style.outlineWidth,
      style.borderTopStyle, style.borderTopWidth, style.borderBottomWidth,
      style.borderLeftStyle, style.borderLeftWidth, style.display,
    ].join();
  }).join()).join()"""


def shapes(target: Locator) -> str:
    """How an element shows, apart from its colours."""
    found: str = target.evaluate(_SHAPES)
    return found


def test_with_forced_colours_every_state_shows_by_its_shape(visitor: Visitor) -> None:
    play = visitor(forced_colors="active").open()
    choices = {
        value: play.page.locator("label").filter(has=play.mark(value))
        for value in ("x", "o", "alternate")
    }
    plain, chosen = shapes(play.cell(4)), shapes(choices["x"])
    play.press("Tab")  # from now on the focus shows
    for target, shown, before in (
        (play.cell(4), play.cell(4), plain),
        (play.mark("x"), choices["x"], chosen),
    ):
        target.focus()
        assert shapes(shown) != before
    for value in ("o", "alternate", "x"):
        play.opponent.focus()  # so that it is not the focus that shows
        before = shapes(choices[value])
        play.choose(mark=value)
        play.opponent.focus()
        assert shapes(choices[value]) != before
    play.play(WON.mine[0])
    with play.change():
        play.hint.click()
    assert shapes(play.page.locator("[data-hint]")) != plain
    play.play(*WON.mine[1:])
    play.opponent.focus()
    assert all(shapes(play.cell(number)) != plain for number in WON.winning)


def test_focus_and_hover_show_the_mark_faintly_beforehand(play: Tab) -> None:
    preview = play.cell(8).locator("svg")
    expect(preview).to_have_css("opacity", "0")
    play.cell(8).hover()
    expect(preview).to_have_css("opacity", re.compile(r"^0\.[1-5]"))
    play.page.mouse.move(0, 0)
    expect(preview).to_have_css("opacity", "0")
    play.press("ArrowRight", on=play.cell(7))
    expect(preview).to_have_css("opacity", re.compile(r"^0\.[1-5]"))


# --- motion -----------------------------------------------------------------------------------


def record_motion(page: Page) -> None:
    """Note from now on what is drawn."""
    page.evaluate(
        """() => {
          window.motion = [];
          for (const name of ["animationstart", "transitionrun"]) {
            document.addEventListener(name, (event) => {
              const place = event.target.closest(".cell, .strike");
              window.motion.push(place?.id || place?.className.baseVal || event.target.tagName);
            });
          }
        }"""
    )


def drawn(page: Page) -> list[str]:
    """Which cells have been drawn since this was last asked, once each, in order."""
    found: list[str] = page.evaluate(
        """async () => {
          for (const animation of document.getAnimations()) await animation.finished;
          await new Promise(requestAnimationFrame);
          return [...new Set(window.motion.splice(0))];
        }"""
    )
    return found


def test_my_mark_is_drawn_then_the_computers_and_the_winning_line_last_each_once(
    visitor: Visitor,
) -> None:
    play = visitor(reduced_motion="no-preference").open()
    record_motion(play.page)
    for ply, cell in zip(range(0, 9, 2), LOST.mine, strict=False):
        with play.change():
            play.press("Enter", on=play.cell(cell))
        seen = drawn(play.page)
        cells = [f"c{cell}" for cell in LOST.moves[ply : ply + 2]]
        assert [place for place in seen if place in cells] == cells
        if ply == 2:  # what is on the board already is not drawn again
            before = {f"c{cell}" for cell in LOST.moves[:2]}
            for button in (play.hint, play.undo):
                with play.change():
                    button.click()
                assert before.isdisjoint(drawn(play.page))
            play.play(cell)
            drawn(play.page)
    [strike] = [place for place in seen if "strike" in place]
    assert seen.index(strike) > max(map(seen.index, cells))


@pytest.mark.parametrize("wanted", [True, False])
def test_a_step_draws_its_mark_and_with_reduced_motion_all_is_simply_there(
    visitor: Visitor, *, wanted: bool
) -> None:
    play = visitor(reduced_motion="no-preference" if wanted else "reduce")
    reviewed = ReviewPage(play).open(LOST.moves, at=2)
    record_motion(play.page)
    drawn(play.page)
    reviewed.step("later").click()
    reviewed.expect_at(LOST.moves, 3)
    assert drawn(play.page) == ([f"c{LOST.moves[2]}"] if wanted else [])
    play.open()
    record_motion(play.page)
    play.play(*LOST.mine)
    assert bool(drawn(play.page)) is wanted
