"""Sizes, colours and motion: on a phone, in the dark, with less motion, with forced colours."""

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
    """Where something is on the page, counted from the top of the page."""
    found: dict[str, float] = target.evaluate(
        """(element) => {
          const { left, width, height, bottom } = element.getBoundingClientRect();
          return { left, width, height, bottom: bottom + scrollY };
        }"""
    )
    return found


# --- a phone ----------------------------------------------------------------------------------


def test_a_game_can_be_played_by_touch(visitor: Visitor) -> None:
    game = plan("medium", Mark.X, "drawn")
    play = visitor(**PHONE).open()
    for cell in game.mine:
        with play.change():
            play.cell(cell).tap()
    play.expect_board(game.board(9))
    with play.next_game():
        play.play_again.tap()
    play.expect_board(EMPTY)


@pytest.mark.parametrize("state", EVERY_STATE)
def test_on_a_phone_everything_fits_and_is_large_enough_to_touch(
    state: str, visitor: Visitor, noise: Noise
) -> None:
    play = arrive(state, visitor(**PHONE), noise, lambda: visitor(**PHONE))
    if play.opponent.count():
        # The board, the turn and the dropdown without scrolling.
        for part in (play.cell(8), play.heading, play.opponent):
            assert box(part)["bottom"] <= 800
    for width in (390, 320):
        play.page.set_viewport_size({"width": width, "height": 844})
        found = play.page.evaluate(MEASURE)
        assert found["room"] == width
        assert found["content"] <= width
        assert len(found["cells"]) == (0 if state == "missing" else 9)
        assert all(size >= 88 for size in found["cells"])
        small = {name: size for name, size in found["targets"] if size < 48}
        assert small == {}, f"smaller than 48 px at {width} px"


def test_on_a_phone_the_parts_stand_below_each_other_in_their_order(visitor: Visitor) -> None:
    play = visitor(**PHONE).open()
    play.play(4)
    parts = (
        play.cell(8),
        play.heading,
        play.sentence,
        play.opponent,
        play.page.get_by_role("group", name="You play"),
        play.hint,
        play.score_list,
        play.move_list.first,
    )
    bottoms = [box(part)["bottom"] for part in parts]
    assert bottoms == sorted(bottoms)


def test_on_a_desk_the_board_stands_left_and_all_else_right(play: PlayPage) -> None:
    play.play(4)
    edge = max(box(cell)["left"] + box(cell)["width"] for cell in play.cells.all())
    for part in (play.heading, play.sentence, play.opponent, play.hint, play.score_list):
        assert box(part)["left"] >= edge


@pytest.mark.parametrize("width", [320, 390, 800, 1280])
def test_no_text_of_the_dropdown_is_cut_off(visitor: Visitor, width: int) -> None:
    play = visitor(viewport={"width": width, "height": 844}).open()
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
    assert longest > 100  # it did measure something
    assert longest <= room


# --- colours ----------------------------------------------------------------------------------


COLOURS = {
    "light": {
        "paper": "250, 246, 238",
        "ink": "29, 36, 51",
        "x": "181, 50, 27",
        "o": "29, 79, 168",
    },
    "dark": {
        "paper": "20, 32, 27",
        "ink": "241, 239, 230",
        "x": "255, 155, 133",
        "o": "156, 196, 255",
    },
}


@pytest.mark.parametrize("scheme", COLOURS)
def test_paper_by_day_and_a_chalkboard_by_night(visitor: Visitor, scheme: str) -> None:
    wanted = {role: f"rgb({value})" for role, value in COLOURS[scheme].items()}
    play = visitor(color_scheme=scheme).open()
    play.start("friend")
    play.play(0, 4)
    body = play.page.locator("body")
    assert colour(body, "backgroundColor") == wanted["paper"]
    assert colour(body, "color") == colour(play.heading, "color") == wanted["ink"]
    assert colour(play.cell(0).locator("svg use").first, "stroke") == wanted["x"]
    assert colour(play.cell(4).locator("svg use").first, "stroke") == wanted["o"]


def test_x_and_o_differ_in_shape_too(play: PlayPage) -> None:
    play.start("friend")
    play.play(0, 4)
    strokes = [play.cell(cell).locator("svg use").count() for cell in (0, 4)]
    assert strokes == [2, 1]


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


def test_with_forced_colours_strokes_stand_out_and_a_choice_shows_by_its_shape(
    visitor: Visitor,
) -> None:
    game = plan("medium", Mark.X, "won")
    play = visitor(forced_colors="active").open()
    for value in ("o", "alternate", "x"):
        choice = play.page.locator("label").filter(has=play.mark(value))
        before = choice.evaluate(SHAPES)
        play.choose_for_an_empty_board(mark=value)
        assert choice.evaluate(SHAPES) != before

    plain = play.cell(0).evaluate(SHAPES)
    play.play(game.mine[0])
    with play.change():
        play.hint.click()
    hinted = play.page.locator("[data-hint]")
    play.opponent.focus()  # so that no outline is the focus
    assert hinted.evaluate(SHAPES) != plain
    play.play(*game.mine[1:])
    play.opponent.focus()
    for number in game.outcome.lines[0]:
        assert play.cell(number).evaluate(SHAPES) != plain

    canvas, text = system_colours(play.page)
    assert canvas != text
    drawn = play.page.locator("#game svg:visible use")
    assert drawn.count() >= len(game.moves) + 2
    for stroke in drawn.all():
        assert colour(stroke, "stroke") == text


def test_with_forced_colours_the_focus_is_seen_on_cells_and_choices(visitor: Visitor) -> None:
    play = visitor(forced_colors="active").open()
    play.page.keyboard.press("Tab")  # the focus shows to those who use the keyboard
    mark = play.mark("x")
    for target, shown in (
        (play.cell(4), play.cell(4)),
        (mark, play.page.locator("label").filter(has=mark)),
    ):
        before = shown.evaluate(SHAPES)
        target.focus()
        expect(target).to_be_focused()
        assert shown.evaluate(SHAPES) != before


# --- motion -----------------------------------------------------------------------------------


def test_my_mark_is_drawn_then_the_computers_and_nothing_else(visitor: Visitor) -> None:
    game = plan("medium", Mark.X, "lost")
    play = visitor(reduced_motion="no-preference").open()
    play.start("medium")
    play.page.evaluate(RECORD_MOTION)
    play.page.mouse.move(0, 0)
    plies = 0
    for cell in game.mine:
        play.cell(cell).focus()
        with play.change():
            play.page.keyboard.press("Enter")
        wait_until_all_is_drawn(play.page)
        cells = [f"c{cell}" for cell in game.moves[plies : plies + 2]]
        drawn = [place for place in motion(play.page) if place in cells]
        assert drawn == cells
        plies += 2


def test_the_winning_line_is_struck_last(visitor: Visitor) -> None:
    game = plan("medium", Mark.X, "lost")
    play = visitor(reduced_motion="no-preference").open()
    play.start("medium")
    play.play(*game.mine[:-1])
    wait_until_all_is_drawn(play.page)
    play.page.evaluate(RECORD_MOTION)
    play.play(game.mine[-1])
    wait_until_all_is_drawn(play.page)
    drawn = motion(play.page)
    assert any("strike" in place for place in drawn)
    last_mark = max(drawn.index(f"c{cell}") for cell in game.moves[-2:])
    assert last_mark < min(n for n, place in enumerate(drawn) if "strike" in place)


@pytest.mark.parametrize("name", ["Undo", "Hint"])
def test_what_is_on_the_board_already_is_not_drawn_again(visitor: Visitor, name: str) -> None:
    play = visitor(reduced_motion="no-preference").open()
    play.start("medium")
    play.play(*plan("medium", Mark.X, "drawn").mine[:2])
    wait_until_all_is_drawn(play.page)
    play.page.evaluate(RECORD_MOTION)
    with play.change():
        play.button(name).click()
    wait_until_all_is_drawn(play.page)
    marked = [
        cell.get_attribute("id")
        for cell in play.cells.all()
        if not (cell.get_attribute("aria-label") or "").endswith(("empty", "suggested"))
    ]
    assert [place for place in motion(play.page) if place in marked] == []


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
