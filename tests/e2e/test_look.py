"""Places, colours, shapes and motion: on a phone, on a desk, with forced colours, in the dark."""

from __future__ import annotations

from itertools import combinations
from typing import Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.learn_pages import PAGES, ReviewPage
from tests.e2e.plans import LOST, WON
from tests.e2e.tab import Tab, Visitor
from tests.e2e.test_every_page import Scheme

# --- places -----------------------------------------------------------------------------------


def box(target: Locator) -> dict[str, float]:
    """Where an element is, on a page that has not been scrolled."""
    found: dict[str, float] = target.evaluate("(one) => one.getBoundingClientRect().toJSON()")
    return found


# A phone with the bars of its browser, on its side, tablets, an old laptop, a large screen.
SCREENS = ((390, 664), (667, 375), (768, 1024), (820, 1180), (1366, 625), (1920, 1080))
BESIDE = frozenset(((667, 375), (1366, 625), (1920, 1080)))


def test_board_turn_and_buttons_are_in_view_on_every_screen_and_nothing_moves(play: Tab) -> None:
    found = dict[tuple[int, int], dict[str, float]]()
    buttons = dict[tuple[int, int], dict[str, float]]()
    for cell in (None, *LOST.mine):
        if cell is not None:
            play.play(cell)
        for width, height in SCREENS:
            play.page.set_viewport_size({"width": width, "height": height})
            board, turn, sentence = box(play.board), box(play.heading), box(play.sentence)
            beside = (width, height) in BESIDE
            assert turn["left"] >= board["right"] if beside else turn["top"] >= board["bottom"]
            assert turn["bottom"] <= sentence["top"]
            assert found.setdefault((width, height), board) == board
            if cell is None:
                continue
            row = box(play.page.locator("#record .actions"))
            assert sentence["bottom"] <= row["top"] < row["bottom"] <= height
            assert max(board["bottom"], row["bottom"]) <= height
            assert row["height"] <= 48, "the buttons are in one row"
            assert box(play.score_list)["top"] >= row["bottom"]
            assert buttons.setdefault((width, height), row) == row


def test_before_a_game_levels_marks_and_dropdown_are_in_the_first_screen(play: Tab) -> None:
    dropdown, marks = play.page.locator(".more"), play.page.locator(".choices")
    for width, height in (*SCREENS, (360, 640), (320, 568)):
        for mark in ("x", "o"):
            play.page.set_viewport_size({"width": width, "height": height})
            play.choose(opponent="hard", mark=mark)
            steps = [box(step) for step in play.page.locator(".step").all()]
            places = [*steps, box(dropdown), box(marks), box(play.heading), box(play.sentence)]
            for place in places:
                assert 0 <= place["left"] <= place["right"] <= width, (width, height)
                assert place["bottom"] <= height, (width, height)
            for one, other in combinations(places, 2):
                apart = one["right"] <= other["left"] or other["right"] <= one["left"]
                assert apart or one["bottom"] <= other["top"] or other["bottom"] <= one["top"]
            least = 88 if (width, height) == (667, 375) else 96
            assert min(step["width"] for step in steps) >= least
            assert min(step["height"] for step in steps) >= 88
            assert box(play.opponent)["width"] >= 48
            assert min(box(dropdown)["height"], box(play.opponent)["height"]) >= 48


def test_the_board_is_as_large_as_the_screen_lets_it_be(play: Tab) -> None:
    sizes = []
    for width, height in (*SCREENS, (3840, 2160)):
        play.page.set_viewport_size({"width": width, "height": height})
        sizes.append(round(box(play.board)["width"]))
        high, wide = 0.79 < sizes[-1] / height < 0.82, sizes[-1] > 0.9 * width
        assert high or wide or height - sizes[-1] < 310, (width, height, sizes[-1])
    assert min(sizes[2:4]) > 600, "a tablet gets more board than a phone"


def test_the_menu_of_learn_is_one_row_and_the_place_that_is_open_is_in_view(play: Tab) -> None:
    play.page.set_viewport_size({"width": 320, "height": 640})
    for path in ("/learn", "/opponents/hard", "/lab", "/lab/experiment"):
        menu = play.open(path).page.get_by_role("navigation", name="Learn")
        expect(menu.locator("[aria-current]")).to_be_in_viewport(ratio=1)
        assert box(menu)["height"] == 48
        tops = menu.get_by_role("link").evaluate_all("(all) => all.map((one) => one.offsetTop)")
        assert len(tops) == 7
        assert len(set(tops)) == 1


# By how much of its size each line that is struck through misses the middle of its marks.
_MISSED = """() => [...document.querySelectorAll(".board, .picture")].flatMap((board) => {
  const middle = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return [(left + right) / 2, (top + bottom) / 2];
  };
  const strike = board.querySelector("use.strike, .strike use");
  if (!strike) return [];
  const cells = [...strike.href.baseVal.matchAll(/\\d/g)].map(([cell]) => Number(cell));
  const { left, top, width } = board.getBoundingClientRect();
  const struck = [...board.querySelectorAll("g.x, g.o, .cell svg")].map(middle).filter(([x, y]) =>
    cells.includes(Math.floor(3 * (x - left) / width) + 3 * Math.floor(3 * (y - top) / width)));
  const mean = (axis) => struck.reduce((sum, centre) => sum + centre[axis], 0) / struck.length;
  const [x, y] = middle(strike);
  return [struck.length === 3 ? Math.hypot(x - mean(0), y - mean(1)) / width : 1];
})"""


def test_names_charts_and_lines_can_be_read_on_every_screen(play: Tab) -> None:
    play.play(*WON.mine)
    [missed] = play.page.evaluate(_MISSED)
    assert missed < 0.03
    for path, check in (("/lab", names), (PAGES["learn"], lines), (PAGES["review"], letters)):
        play.open(path)
        for width in (1280, 820, 390, 320):
            play.page.set_viewport_size({"width": width, "height": 844})
            assert check(play), f"{path} at {width} px"


def names(play: Tab) -> bool:
    """Whether the names beside the table are whole."""
    return play.broken_words() == []


def lines(play: Tab) -> bool:
    """Whether small boards are large enough, and their lines run through their marks."""
    play.page.evaluate(
        "() => document.querySelectorAll('details').forEach((one) => (one.open = true))"
    )
    boards = play.page.locator(".tree .picture")
    small = min(boards.evaluate_all("(all) => all.map((one) => one.clientWidth)"))
    missed = play.page.evaluate(_MISSED)
    return bool(small >= 72 and len(missed) >= 4 and max(missed) < 0.03)


def letters(play: Tab) -> bool:
    """Whether the letters of a chart are large enough."""
    heights = play.page.locator(".course text").evaluate_all(
        "(all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize) * one.getCTM().a)"
    )
    return bool(min(heights) >= 12)


# --- colours and shapes -----------------------------------------------------------------------

# How an element and its parts show, apart from the colours of text and background.
_SHAPES = """(element) => [element, ...element.querySelectorAll("*")].flatMap((part) =>
  [null, "::before", "::after"].map((pseudo) => {
    const style = getComputedStyle(part, pseudo);
    return [
      style.textDecorationLine, style.fontWeight, style.content, style.outlineStyle,
      style.borderTopStyle, style.borderTopWidth, style.borderLeftWidth, style.display,
    ].join();
  })).join()"""


def test_with_forced_colours_every_state_shows_by_its_shape(visitor: Visitor) -> None:
    play = visitor(forced_colors="active").open()
    empty, chosen = play.cell(4), play.page.locator("label").filter(has=play.mark("o"))
    plain, unchosen = empty.evaluate(_SHAPES), chosen.evaluate(_SHAPES)
    play.press("Tab")  # from now on the focus shows
    empty.focus()
    assert empty.evaluate(_SHAPES) != plain
    play.choose(mark="o")
    play.opponent.focus()  # so that it is not the focus that shows
    assert chosen.evaluate(_SHAPES) != unchosen
    play.choose(mark="x")
    play.play(WON.mine[0])
    with play.change():
        play.hint.click()
    assert play.page.locator("[data-hint]").evaluate(_SHAPES) != plain
    play.play(*WON.mine[1:])
    play.unfold()
    play.opponent.focus()
    assert all(play.cell(number).evaluate(_SHAPES) != plain for number in WON.winning)


CONTRASTS: tuple[Literal["no-preference", "more"], ...] = ("no-preference", "more")
# Text, lines and focus, as they are drawn.
_DRAWN = """(element) => {
  element.focus();
  const { color, stroke, borderTopColor, borderTopWidth, outlineWidth } = getComputedStyle(element);
  return { color, stroke, borderTopColor, borderTopWidth, outlineWidth };
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_more_contrast_shows_in_text_lines_and_focus(play: Tab, scheme: Scheme) -> None:
    drawn = {}
    page = play.open("/lab/experiment").page
    for contrast in CONTRASTS:
        page.emulate_media(color_scheme=scheme, contrast=contrast)
        shown = {"ink": page.locator("h1").evaluate("(one) => getComputedStyle(one).color")}
        for selector in (".lead", "#games", "#counts .dot"):
            style = page.locator(selector).first.evaluate(_DRAWN)
            shown |= {f"{selector} {name}": value for name, value in style.items()}
        drawn[contrast] = shown
    plain, strong = drawn["no-preference"], drawn["more"]
    assert plain["ink"] == strong["ink"]
    for what in (".lead color", "#games borderTopColor", "#counts .dot stroke"):
        assert plain[what] != strong[what] == strong["ink"]
    for what in ("#games borderTopWidth", "#games outlineWidth"):
        assert float(strong[what].removesuffix("px")) > float(plain[what].removesuffix("px"))


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
        before = {f"c{cell}" for cell in {*LOST.moves[:ply]} - {*LOST.winning}}
        with play.change():
            play.press("Enter", on=play.cell(cell))
        seen = drawn(play.page)
        cells = [f"c{cell}" for cell in LOST.moves[ply : ply + 2]]
        assert [place for place in seen if place in cells] == cells
        assert before.isdisjoint(seen)
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
