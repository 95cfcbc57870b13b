"""The class, names and live games: with axe, on every width, in the dark, and by keys alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, Literal

import pytest
from playwright.sync_api import expect

from tests.e2e.checks import MEASURE, expect_no_violations, load_axe
from tests.e2e.class_pages import (
    ClassmatePage,
    Classmates,
    beat_easy,
    let_time_pass,
    sit_down,
)
from tests.e2e.server import Server

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# Colours do not depend on the width, nor sizes on the colours: each of them occurs.
LOOKS = tuple(zip((*SCHEMES, SCHEMES[0]), (1280, 390, 320), strict=True))
# What the names end in: each has a name of its own.
NUMBERS = count(100)


def class_busy(classmate: Classmates, _: Server) -> ClassmatePage:
    """Challenges, one of them of the viewer, games, standings, and games of the viewer."""
    pair = sit_down(classmate(), classmate(), "40")
    for one in pair.people:
        beat_easy(one)
    for one in (pair.x, classmate()):
        one.open_challenge_elsewhere()
    one = pair.x.open("/class")
    expect(one.standings.first).to_be_visible()
    return one


def wall(classmate: Classmates, server: Server) -> ClassmatePage:
    """The view for the wall, while there is something on it."""
    class_busy(classmate, server)
    return classmate().open("/class/board")


def join(classmate: Classmates, _: Server) -> ClassmatePage:
    """A seat is free."""
    _path, code = classmate().open_challenge_elsewhere()
    return classmate().open(f"/join/{code}")


def waiting(classmate: Classmates, _: Server) -> ClassmatePage:
    """The page with the code."""
    one = classmate().own_clock()
    return one.open(one.open_challenge_elsewhere()[0])


def their_move(classmate: Classmates, server: Server) -> ClassmatePage:
    """It is the other player's turn, and has been for over a minute."""
    pair = sit_down(classmate(), classmate(), "40")
    let_time_pass(server, pair.path, 61)
    pair.o.open(pair.path)
    expect(pair.o.claim).to_be_visible()
    return pair.o


def you(classmate: Classmates, _: Server) -> ClassmatePage:
    """The page of the viewer's name."""
    one = classmate()
    beat_easy(one)
    return one.open("/you")


def privacy(classmate: Classmates, _: Server) -> ClassmatePage:
    """What is kept of whom, with the button that forgets."""
    one = classmate()
    beat_easy(one)
    one.open("/privacy?forgotten=1").page.get_by_text("I want that").click()
    return one


STATES = (class_busy, wall, join, waiting, their_move, you, privacy)

# Which links of the header lie on each other, stick out of the screen, or are cut off.
HEADER = """() => {
  const parts = [...document.querySelectorAll("header.site a")];
  const boxes = parts.map((part) => part.getBoundingClientRect());
  return parts.filter((part, n) => boxes[n].left < 0 || boxes[n].right > innerWidth
    || part.scrollWidth > Math.ceil(boxes[n].width)
    || boxes.some((box, m) => m > n && box.left < boxes[n].right && boxes[n].left < box.right))
    .map((part) => part.textContent.trim());
}"""


@pytest.fixture(scope="module")
def wide_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server on which players may choose names of the widest letters."""
    server = Server(tmp_path_factory.mktemp("wide"), {"TTT_NAMES": "own"})
    yield server
    server.stop()


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_it_fits_can_be_touched_and_axe_finds_nothing_with_the_widest_names(
    state: Callable[[Classmates, Server], ClassmatePage],
    classmate: Classmates,
    wide_server: Server,
) -> None:
    def wide(url: str | None = None, **arguments: Any) -> ClassmatePage:
        one = classmate(wide_server.url, **arguments)
        assert one.post("/you/name", {"name": f"{'W' * 17}{next(NUMBERS)}"}).status == 303
        return one

    page = state(wide, wide_server).page
    page.emulate_media(reduced_motion="reduce")
    expect(page.locator("body")).to_contain_text("W" * 17)
    for width in (1280, 390, 360, 320):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate(HEADER) == [], f"{width} px"
        found = page.evaluate(MEASURE)
        assert found["content"] <= found["room"], f"sideways at {width} px"
        assert all(size >= 88 for size in found["cells"])
    # Links within a sentence are as high as a line.
    small = {name: size for name, size in found["targets"] if size < 24}
    assert small == {}
    for target in page.locator("main").locator("button:visible, a.button, input#code").all():
        size = target.bounding_box()
        assert size is not None
        assert min(size["width"], size["height"]) >= 48, target.inner_text()
    load_axe(page)
    for scheme, width in LOOKS:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 844})
        expect_no_violations(page, f"{scheme}, {width} px")


def test_the_code_the_link_and_the_qr_code_black_on_white_are_seen_at_once(
    classmate: Classmates, server: Server
) -> None:
    one = waiting(classmate, server)
    one.page.set_viewport_size({"width": 390, "height": 844})
    one.qr.scroll_into_view_if_needed()
    for part in (one.code, one.link, one.qr):
        expect(part).to_be_in_viewport(ratio=1)
    code = one.qr.bounding_box()
    assert code is not None
    assert code["width"] >= 120  # large enough for a camera
    for scheme in SCHEMES:
        one.page.emulate_media(color_scheme=scheme)
        drawn = one.qr.evaluate(
            """(drawing) => [...drawing.querySelectorAll("path")].map((path) => {
              const { fill, stroke } = getComputedStyle(path);
              return fill === "none" ? stroke : fill;
            })"""
        )
        assert (drawn[0], drawn[-1]) == ("rgb(255, 255, 255)", "rgb(0, 0, 0)")


# --- by keys alone ------------------------------------------------------------------------------


def tab_to(one: ClassmatePage, selector: str) -> None:
    """Press Tab until this has the focus."""
    for _ in range(40):
        if one.page.locator(f"{selector}:focus").count():
            return
        one.page.keyboard.press("Tab")
    pytest.fail(f"{selector} cannot be reached by Tab")


def test_a_game_is_played_given_up_and_asked_for_again_by_keys_alone(
    classmate: Classmates,
) -> None:
    pair = sit_down(classmate(), classmate())
    tab_to(pair.x, "button.cell")
    with pair.x.change():
        pair.x.page.keyboard.press("5")
    pair.o.look_again()
    pair.o.expect_turn("Your turn")
    pair.o.answer_dialogs(accept=True)
    for button in ("#resign", "#again"):
        tab_to(pair.o, button)
        with pair.o.change():
            pair.o.page.keyboard.press("Enter")
        pair.o.expect_focus_somewhere()
    expect(pair.o.again).to_have_attribute("aria-disabled", "true")


def test_the_focus_is_kept_when_the_claim_comes_and_when_it_is_pressed(
    classmate: Classmates, server: Server
) -> None:
    pair = sit_down(classmate(), classmate())
    pair.o.cell(4).focus()
    let_time_pass(server, pair.path, 61)
    pair.o.look_again()
    expect(pair.o.claim).to_be_visible()
    expect(pair.o.cell(4)).to_be_focused()
    pair.o.claim.focus()
    with pair.o.change():
        pair.o.page.keyboard.press("Enter")
    pair.o.expect_focus_somewhere()
