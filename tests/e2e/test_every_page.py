"""Every state of the pages that a person can come to: it fits, can be touched, axe is content."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import count, cycle
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import axe
from tests.e2e.learn_pages import PAGES
from tests.e2e.pair import (
    beat_easy,
    begin,
    count_tenfold,
    let_time_pass,
    sit_down,
)
from tests.e2e.plans import DRAWN, LOST, WON
from tests.e2e.server import Server
from tests.e2e.tab import Tab, Visitor
from tests.support.patience import until

# What the names end in: each has a name of its own.
NUMBERS = count(100)

State = Callable[[Visitor, Server], Tab]
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


def at(path: str, *, status: int = 200) -> State:
    """The page at an address."""

    def arrive(visit: Visitor, _: Server) -> Tab:
        play = visit()
        play.noise.expect_refusal(status)
        return play.open(path)

    return arrive


# --- the game -----------------------------------------------------------------------------------


def after(*cells: int, then: Callable[[Tab], object] | None = None, **chosen: str) -> State:
    """The page after a choice, some moves, and what else is done."""

    def arrive(visit: Visitor, _: Server) -> Tab:
        play = visit().open()
        play.choose(**chosen)
        play.play(*cells)
        if then:
            then(play)
        return play

    return arrive


def choose_another_and_ask_for_a_hint(play: Tab) -> None:
    play.choose(opponent="hard", mark="alternate")
    with play.change():
        play.hint.click()


def come_too_late(play: Tab) -> None:
    play.noise.expect_refusal(409)
    play.hears_nothing()
    with play.change():
        play.play_elsewhere(DRAWN.mine[1])
        play.cell(DRAWN.mine[2]).click()


def leave_and_come_back(play: Tab) -> None:
    path = play.path
    play.go_on()
    play.open(path)


def watched(state: State) -> State:
    return lambda visit, server: visit().open(state(visit, server).path)


# --- the class, with the widest names ----------------------------------------------------------


def named(visit: Visitor) -> Tab:
    one = visit()
    assert one.post("/you/name", {"name": f"{'W' * 17}{next(NUMBERS)}"}).status == 303
    return one


def class_busy(visit: Visitor, server: Server) -> Tab:
    """Challenges, one of them of the viewer, games, places and players without one."""
    sit_down(named(visit), named(visit), "40")
    viewer = named(visit)
    for one in (viewer, named(visit)):
        beat_easy(one)
        one.open_challenge_elsewhere()
    count_tenfold(server)
    beat_easy(named(visit))
    viewer.open("/class")
    expect(viewer.standings.and_(viewer.page.locator(".me"))).to_be_visible()
    viewer.page.locator("#all-places summary").click()
    expect(viewer.items("All places").filter(has_text="to go").last).to_be_visible()
    return viewer


def already_playing(visit: Visitor, _: Server) -> Tab:
    one = sit_down(named(visit), named(visit), "4").x
    one.noise.expect_refusal(409)
    one.open("/class").page.get_by_text("Open a game for a friend").click()
    one.page.locator("#challenge").click()
    expect(one.page.get_by_role("heading", name="You are in a game")).to_be_visible()
    return one


def wall(visit: Visitor, server: Server) -> Tab:
    class_busy(visit, server)
    return visit().open("/class/board")


def join(visit: Visitor, _: Server) -> Tab:
    _path, code = named(visit).open_challenge_elsewhere()
    return named(visit).open(f"/join/{code}")


def waiting(visit: Visitor, _: Server) -> Tab:
    """The page with the code: in the dark as well the QR code is black on white, and large."""
    one = named(visit)
    one.open(one.open_challenge_elsewhere()[0])
    one.page.emulate_media(color_scheme="dark")
    for width, height in ((390, 664), (667, 375)) if one.scripted else ():
        one.page.set_viewport_size({"width": width, "height": height})
        for part in (one.code, one.link, one.button("Copy link"), one.qr):
            expect(part).to_be_in_viewport(ratio=1)
    code = one.qr.bounding_box()
    assert code is not None
    assert code["width"] >= 120
    drawn = one.qr_drawn()
    assert 'fill="#fff"' in drawn
    assert 'stroke="#000"' in drawn
    return one


def their_move(visit: Visitor, server: Server) -> Tab:
    """It is the other player's turn, and has been for over a minute."""
    pair = sit_down(named(visit), named(visit), "40")
    let_time_pass(server, pair.path, 61)
    pair.o.open(pair.path)
    expect(pair.o.claim).to_be_visible()
    return pair.o


def away(visit: Visitor, _: Server) -> Tab:
    """It is the turn of a player who has not come to the game."""
    pair = begin(named(visit), named(visit), "40")
    assert pair.x.post("/goodbye", {}).status == 204

    def is_away() -> int:
        return pair.o.open(pair.path).seconds_left.count()

    until(is_away)  # x counts as here for a moment
    return pair.o


def called(visit: Visitor, _: Server) -> Tab:
    """On another page a player is called to the game."""
    x = begin(named(visit), named(visit), "40").x
    expect(x.open("/privacy").calls.get_by_role("link")).to_be_visible()
    return x


def you(visit: Visitor, _: Server) -> Tab:
    """A pupil's own page with all that there can be, and a stamp and the names unfolded."""
    one = named(visit)
    beat_easy(one)
    begin(one, named(visit), "03142")
    begin(one, named(visit), "03")
    one.open("/you")
    for fold in (".stamp.won summary", ".account summary"):
        one.page.locator(fold).first.click()
    expect(one.page.get_by_text("You have beaten W")).to_be_visible()
    return one


def privacy(visit: Visitor, _: Server) -> Tab:
    one = named(visit)
    beat_easy(one)
    one.open("/privacy?forgotten=1").page.get_by_text("I want to delete my data").click()
    return one


# --- all of them --------------------------------------------------------------------------------

MIDDLE = DRAWN.mine[:2]
GAME: Mapping[str, State] = {
    "front": at("/"),
    "front as O": after(mark="o"),
    "front with a game waiting": after(*MIDDLE, then=Tab.open),
    "mid-game": after(*MIDDLE, then=choose_another_and_ask_for_a_hint),
    "refused": after(DRAWN.mine[0], then=come_too_late),
    "left": after(DRAWN.mine[0], then=leave_and_come_back),
    "friends": after(0, 4, 8, opponent="friend"),
    "lost": after(*LOST.mine),
    "drawn": after(*DRAWN.mine),
    "watched to the end": watched(after(*WON.mine)),
}
LEARN: Mapping[str, State] = {
    **{name: at(path) for name, path in PAGES.items()},
    "a review of no game": at("/review/44", status=404),
}
CLASS = (class_busy, already_playing, wall, join, waiting, their_move, away, called, you, privacy)
STATES: Mapping[str, State] = {
    **GAME,
    **LEARN,
    **{state.__name__: state for state in CLASS},
    "missing": at("/games/nothing-of-this-name", status=404),
}

# Without scripts this page asks for itself again, so that the class sees the open game.
REFRESHING = "waiting"

# The sizes are measured at every width; little else that axe finds depends on it.
WIDTHS = (1280, 820, 320, 390)
WIDTH_OF = dict(zip(STATES, cycle((1280, 390, 320)), strict=False))
# Pages that differ most without scripts.
WITHOUT_SCRIPTS = ("front", "mid-game", "class_busy", "wall", REFRESHING, "their_move", "you")

# How wide the content is, apart from what scrolls by itself or ends in dots; the sizes of all that
# can be pressed: of a radio button or a box, of the label that stands for it. A link in running
# text is as high as its line, which others have set. And which links of the header lie on each
# other or are cut off.
_MEASURE = """() => {
  const seen = (selector) =>
    [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
  const edges = seen("body *")
    .filter((element) => !element.closest(".visually-hidden, .scroller *, select, .strokes"))
    .filter((element) => getComputedStyle(element.parentElement).textOverflow !== "ellipsis")
    .map((element) => element.getBoundingClientRect())
    .map(({ left, right }) => Math.floor(document.dir === "rtl" ? innerWidth - left : right));
  const block = (element) => {
    while (getComputedStyle(element).display.startsWith("inline")) element = element.parentElement;
    return element;
  };
  const amidText = (link) => {
    if (getComputedStyle(link).display !== "inline") return false;
    const around = block(link).cloneNode(true);
    around.querySelectorAll("a").forEach((other) => other.remove());
    return around.textContent.trim() !== "";
  };
  const size = (element) => {
    const { width, height } = element.getBoundingClientRect();
    const name = element.getAttribute("aria-label") ?? element.textContent;
    return [name.trim().replace(/\\s+/g, " "), Math.min(width, height)];
  };
  const drawn = "[type=radio], [type=checkbox]";
  const buttons = `button, .button, select, input:not(${drawn}), label:has(${drawn})`;
  const header = [...document.querySelectorAll("header.site a")];
  const boxes = header.map((part) => part.getBoundingClientRect());
  const covered = (box, n) =>
    boxes.some((other, m) => m > n && other.left < box.right && box.left < other.right
      && other.top < box.bottom && box.top < other.bottom);
  return {
    content: Math.max(document.documentElement.scrollWidth, ...edges),
    cells: seen("#game .cell").map(size),
    buttons: seen(buttons).map(size),
    links: seen("a, summary")
      .filter((element) => !element.matches(buttons) && !amidText(element)).map(size),
    header: header.filter((part, n) => boxes[n].left < 0 || boxes[n].right > innerWidth
      || part.scrollWidth > Math.ceil(boxes[n].width) || covered(boxes[n], n)).map(size),
  };
}"""


def misfits(page: Page, width: int) -> list[str]:
    """What does not fit a screen of this width, or is too small to be touched."""
    page.set_viewport_size({"width": width, "height": 844})
    found = page.evaluate(_MEASURE)
    wrong = [f"{name}: in the header" for name, _ in found["header"]]
    if found["content"] > width:
        wrong.append(f"{found['content']} px wide")
    for least, kind in ((88, "cells"), (48, "buttons"), (44, "links")):
        wrong += [f"{name}: {size} px" for name, size in found[kind] if size < least]
    return [f"{what} at {width} px" for what in wrong]


# The colour of text that the system forces, and those of all strokes.
_DRAWN = """() => {
  const drawn = ".board use, .picture use, .course :is(polyline, circle)";
  const seen = [...document.querySelectorAll(drawn)].filter((one) => one.checkVisibility());
  return {
    text: getComputedStyle(document.body).color,
    strokes: [...new Set(seen.map((one) => getComputedStyle(one).stroke))],
    bars: [...document.querySelectorAll(".bar")].map((bar) =>
      new Set([...bar.querySelectorAll("rect")].map((one) => getComputedStyle(one).fill)).size),
  };
}"""


def expect_forced_colours(page: Page) -> None:
    """Check that all is drawn in the system's colour, and the parts of a bar differ."""
    page.emulate_media(forced_colors="active")
    found = page.evaluate(_DRAWN)
    assert set(found["strokes"]) <= {found["text"]}
    assert set(found["bars"]) <= {3}


# Whatever Tab should stop at, in the order of the page, and what each looks like without focus. Of
# radio buttons it is the chosen one. Tab begins at the top of the page.
_PREPARE = """() => {
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute("tabindex");
  scrollTo(0, 0);
  window.look = (element) => {
    const style = getComputedStyle(element);
    return [
      style.outlineStyle, style.outlineWidth, style.outlineOffset, style.outlineColor,
      style.boxShadow, style.backgroundColor, style.borderColor, style.textDecoration,
    ].join(" | ");
  };
  window.stops = [...document.querySelectorAll("a, button, select, input, summary, [tabindex]")]
    .filter((one) => one.tabIndex >= 0 && one.type !== "hidden")
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .filter((one) => one.type !== "radio" || one.checked);
  window.without = stops.map(look);
  return stops.length;
}"""
# What is wrong with the focus. A reader goes from left to right in a row, and columns one by one.
_WRONG = """(index) => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const [before, here] = [window.before, element.getClientRects()[0].toJSON()];
  here.top += scrollY, here.bottom += scrollY;
  window.before = here;
  const name = element.getAttribute("aria-label") ?? (element.textContent.trim() || element.id);
  if (stops[index] !== element) return [`${name}: out of turn`];
  if (outlineStyle === "none" || parseFloat(outlineWidth) < 2 || look(element) === without[index])
    return [`${name}: not seen to be focused`];
  if (!before) return [];
  const shared = Math.min(before.bottom, here.bottom) - Math.max(before.top, here.top);
  const row = shared > Math.min(before.height, here.height) / 2;
  const later = row ? before.left <= here.left
    : before.top <= here.top || before.right <= here.left;
  return later ? [] : [`${name}: not in the order of sight`];
}"""


def what_is_wrong_with_the_focus(play: Tab) -> list[str]:
    """What Tab does not reach, or not in the order of sight, or not seen to be there."""
    stops = play.page.evaluate(_PREPARE)
    assert stops >= 4 or play.path == "/class/board", "where nothing is pressed"
    wrong: list[str] = []
    for index in range(stops):
        play.press("Tab")
        wrong += play.page.evaluate(_WRONG, index)
    return wrong


def what_axe_finds(play: Tab, width: int, scheme: Scheme = "light") -> list[str]:
    """What axe finds with all its rules; the dark changes nothing but the colours."""
    play.page.emulate_media(color_scheme=scheme)
    play.page.set_viewport_size({"width": width, "height": 844})
    found = axe.findings(play.page, colours=scheme == "dark", scripted=play.scripted)
    return [f"{what} ({scheme}, {width} px)" for what in found]


def expect_it_fits(play: Tab, axe_width: int = 320) -> None:
    """Check what must hold of every page: in all widths, for a finger, by keys, for axe."""
    page = play.page
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(reduced_motion="reduce", color_scheme="light")
    wrong = what_is_wrong_with_the_focus(play)
    for width in WIDTHS:
        wrong += misfits(page, width)
    for scheme in SCHEMES:
        wrong += what_axe_finds(play, axe_width, scheme)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("state", STATES)
def test_it_fits_can_be_touched_and_tabbed_through_and_axe_finds_nothing(
    state: str, visitor: Visitor, server: Server
) -> None:
    play = STATES[state](visitor, server)
    expect_it_fits(play, WIDTH_OF[state])
    if state in GAME:
        play.page.set_viewport_size({"width": 390, "height": 664})
        play.page.evaluate("() => scrollTo(0, 0)")
        expect(play.heading).to_be_in_viewport(ratio=1)
    expect_forced_colours(play.page)


@pytest.mark.parametrize("state", WITHOUT_SCRIPTS)
def test_without_scripts_it_can_be_tabbed_through_and_axe_finds_nothing(
    state: str, visitor: Visitor, server: Server
) -> None:
    play = STATES[state](partial(visitor, java_script_enabled=False), server)
    play.page.emulate_media(reduced_motion="reduce")
    wrong = what_is_wrong_with_the_focus(play)
    wrong += what_axe_finds(play, WIDTH_OF[state])
    if state == REFRESHING:
        assert wrong.pop(0).startswith("meta-refresh: ")
    assert not wrong, "\n".join(wrong)
