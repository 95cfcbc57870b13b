"""The play page: on a phone, on a desk, with forced colours, with motion and without."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.checks import MEASURE
from tests.e2e.looks import (
    RECORD_MOTION,
    SHAPES,
    colour,
    motion,
    system_colours,
    wait_until_all_is_drawn,
)
from tests.e2e.noise import Noise
from tests.e2e.plans import plan
from tests.e2e.play import EMPTY, PlayPage, Visitor
from tests.e2e.states import EVERY_STATE, arrive
from webapp.core.board import Mark

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 3,
}


def box(target: Locator) -> dict[str, float]:
    """Where an element is on the page, counted from the top of the page."""
    found: dict[str, float] = target.evaluate(
        """(element) => {
          const { left, right, top, bottom } = element.getBoundingClientRect();
          return { left, right, top: top + scrollY, bottom: bottom + scrollY };
        }"""
    )
    return found


def shapes(target: Locator) -> str:
    """How an element shows, apart from its colours."""
    found: str = target.evaluate(SHAPES)
    return found


def test_a_game_can_be_played_by_touch(visitor: Visitor) -> None:
    game = plan("medium", Mark.X, "drawn")
    play = visitor(**PHONE).open()
    for cell in game.mine:
        with play.change():
            play.cell(cell).tap()
    play.expect_board(game.board(9))
    play.play_again.tap()
    play.expect_board(EMPTY)


@pytest.mark.parametrize("state", EVERY_STATE)
def test_on_a_phone_everything_fits_and_is_large_enough_to_touch(
    state: str, visitor: Visitor, noise: Noise
) -> None:
    play = arrive(state, visitor(**PHONE), noise, lambda: visitor(**PHONE))
    if state != "missing":
        assert box(play.heading)["bottom"] <= 664  # seen without scrolling
    for width in (390, 320):
        play.page.set_viewport_size({"width": width, "height": 844})
        found = play.page.evaluate(MEASURE)
        assert found["content"] <= found["room"] == width
        assert len(found["cells"]) == (0 if state == "missing" else 9)
        assert all(size >= 88 for size in found["cells"])
        small = {name: size for name, size in found["targets"] if size < 48}
        assert small == {}, f"smaller than 48 px at {width} px"


def test_all_else_stands_below_the_board_on_a_phone_and_beside_it_on_a_desk(
    play: PlayPage,
) -> None:
    play.play(4)
    beside = (
        play.opponent,
        play.page.get_by_role("group", name="You play"),
        play.hint,
        play.score_list,
        play.move_list.first,
    )
    for width, height in ((1280, 720), (667, 375)):  # a phone on its side is a small desk
        play.page.set_viewport_size({"width": width, "height": height})
        board = box(play.board_group)
        assert board["bottom"] <= height
        assert all(box(part)["left"] >= board["right"] for part in (play.heading, *beside))
    play.page.set_viewport_size({"width": 390, "height": 844})
    turn, sentence = box(play.heading), box(play.sentence)
    assert box(play.board_group)["bottom"] <= turn["top"] < turn["bottom"] <= sentence["top"]
    assert all(box(part)["top"] >= sentence["bottom"] for part in beside)


@pytest.mark.parametrize("width", [320, 390, 667, 800, 1280])
def test_no_text_of_the_dropdown_is_cut_off(visitor: Visitor, width: int) -> None:
    play = visitor(viewport={"width": width, "height": 400}).open()
    room, longest = play.opponent.evaluate(
        """(select) => {
          const style = getComputedStyle(select);
          const pen = document.createElement("canvas").getContext("2d");
          pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
          const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
          const arrow = style.appearance === "none" ? 0 : 24;
          const widths = [...select.options].map((option) => pen.measureText(option.text).width);
          return [select.clientWidth - padding - arrow, Math.max(...widths)];
        }"""
    )
    assert 100 < longest <= room


def test_focus_and_hover_show_the_mark_faintly_beforehand(play: PlayPage) -> None:
    preview = play.cell(8).locator("svg")
    expect(preview).to_have_css("opacity", "0")
    play.cell(8).hover()
    expect(preview).to_have_css("opacity", re.compile(r"^0\.[1-5]"))
    play.page.mouse.move(0, 0)
    expect(preview).to_have_css("opacity", "0")
    play.cell(7).focus()
    play.page.keyboard.press("ArrowRight")
    expect(preview).to_have_css("opacity", re.compile(r"^0\.[1-5]"))


def test_with_forced_colours_every_state_shows_by_its_shape(visitor: Visitor) -> None:
    game = plan("medium", Mark.X, "won")
    play = visitor(forced_colors="active").open()
    choices = {
        value: play.page.locator("label").filter(has=play.mark(value))
        for value in ("x", "o", "alternate")
    }
    plain, chosen = shapes(play.cell(4)), shapes(choices["x"])
    play.page.keyboard.press("Tab")  # from now on the focus shows
    for target, shown, before in (
        (play.cell(4), play.cell(4), plain),
        (play.mark("x"), choices["x"], chosen),
    ):
        target.focus()
        assert shapes(shown) != before
    for value in ("o", "alternate", "x"):
        play.opponent.focus()  # so that it is not the focus that shows
        before = shapes(choices[value])
        play.choose_for_an_empty_board(mark=value)
        play.opponent.focus()
        assert shapes(choices[value]) != before
    play.play(game.mine[0])
    with play.change():
        play.hint.click()
    assert shapes(play.page.locator("[data-hint]")) != plain
    play.play(*game.mine[1:])
    play.opponent.focus()
    assert all(shapes(play.cell(number)) != plain for number in game.outcome.lines[0])

    canvas, text = system_colours(play.page)
    assert canvas != text
    drawn = play.page.locator("#game svg:visible use")
    assert drawn.count() >= len(game.moves) + 2
    assert {colour(stroke, "stroke") for stroke in drawn.all()} == {text}


# --- motion -----------------------------------------------------------------------------------


def test_my_mark_is_drawn_then_the_computers_and_the_winning_line_last(visitor: Visitor) -> None:
    game = plan("medium", Mark.X, "lost")
    play = visitor(reduced_motion="no-preference").open()
    play.start("medium")
    play.page.evaluate(RECORD_MOTION)
    play.page.mouse.move(0, 0)
    for ply, cell in zip(range(0, 9, 2), game.mine, strict=False):
        play.cell(cell).focus()
        with play.change():
            play.page.keyboard.press("Enter")
        wait_until_all_is_drawn(play.page)
        drawn = motion(play.page)
        cells = [f"c{cell}" for cell in game.moves[ply : ply + 2]]
        assert [place for place in drawn if place in cells] == cells
    strike = [place for place in drawn if "strike" in place]
    assert len(strike) == 1
    assert drawn.index(strike[0]) > max(map(drawn.index, cells))


def test_what_is_on_the_board_already_is_not_drawn_again(visitor: Visitor) -> None:
    play = visitor(reduced_motion="no-preference").open()
    play.start("medium")
    game = plan("medium", Mark.X, "drawn")
    play.play(*game.mine[:2])
    wait_until_all_is_drawn(play.page)
    play.page.evaluate(RECORD_MOTION)
    for button in (play.hint, play.undo):
        with play.change():
            button.click()
        wait_until_all_is_drawn(play.page)
    assert {f"c{cell}" for cell in game.moves[:2]}.isdisjoint(motion(play.page))


def test_with_reduced_motion_all_is_simply_there(visitor: Visitor) -> None:
    game = plan("medium", Mark.X, "lost")
    play = visitor(reduced_motion="reduce").open()
    play.start("medium")
    play.page.evaluate(RECORD_MOTION)
    for cell in game.mine:
        play.play(cell)
        assert play.page.evaluate("() => document.getAnimations().length") == 0
    assert motion(play.page) == []
    play.expect_board(game.board(9), winning=game.outcome.lines[0])
