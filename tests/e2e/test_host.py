"""The host's page: what a host does is seen by the class at once, and nothing moves or is lost."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.answers import late
from tests.e2e.pair import Pair, begin, sit_down
from tests.e2e.tab import EMPTY, Tab, Visitor
from tests.e2e.test_every_page import expect_it_fits

PAUSED = "Your teacher has paused the games."
QUESTION = "X to move. Where would you play?"
WON = "03142"


def show(one: Tab, pair: Pair) -> Locator:
    """The button that shows a game that goes on."""
    return one.page.locator(f"#show-{pair.path.rpartition('/')[2]}")


def talk(one: Tab, pair: Pair) -> Locator:
    """The button that shows a review of a game that has just ended."""
    return one.page.locator(f"#talk-{pair.path.rpartition('/')[2]}")


def here(one: Tab, name: str = "") -> Locator:
    """Those who are here; or the one of this name."""
    found = one.items("Who is here")
    return found.filter(has=one.page.get_by_text(name, exact=True)) if name else found


def stage(wall: Tab) -> Locator:
    return wall.page.locator(".stage")


def press(one: Tab, name: str) -> None:
    """Press a button: it is where it was afterwards, and has the focus."""
    pressed = one.button(name)
    pressed.scroll_into_view_if_needed()
    before = pressed.bounding_box()
    pressed.click()
    expect(pressed).to_have_attribute("aria-disabled", "true")
    expect(pressed).to_be_focused()
    assert pressed.bounding_box() == before


# --- pause ----------------------------------------------------------------------------------------


def test_a_pause_comes_to_a_board_against_an_engine_and_goes_by_itself(
    host: Tab, come: Visitor
) -> None:
    play = come().open()
    press(host, "Pause the games")
    expect(play.sentence).to_have_text(PAUSED)
    press(host, "Go on")
    expect(play.heading).to_have_text("Your turn")
    play.play(4)
    with play.no_reload():
        free = [n for n in range(9) if play.cell(n).locator(".ghost").count()]
        focused = play.cell(free[0])
        focused.focus()
        posts = len(play.posts)
        press(host, "Pause the games")
        expect(play.sentence).to_have_text(PAUSED)
        for off in (*map(play.cell, free), play.hint, play.undo):
            expect(off).to_have_attribute("aria-disabled", "true")
        expect(focused).to_be_focused()
        play.press("Enter", on=focused)
        assert len(play.posts) == posts
        press(host, "Go on")
        expect(play.heading).to_have_text("Your turn")
        expect(focused).to_be_focused()
        with play.change():
            play.hint.click()
        expect(play.hint).to_be_focused()
        with play.change():
            play.undo.click()

        # While a move is on its way, no answer takes its mark from the board.
        with late(play.page, "/games"):
            focused.click()
            expect(focused.locator("svg:not(.ghost)")).to_have_count(1)
            press(host, "Pause the games")
            expect(host.page.locator("#class").get_by_text("The games are paused")).to_be_visible()
            expect(focused.locator("svg:not(.ghost)")).to_have_count(1)
            play.noise.expect_refusal(409)
        expect(play.status).to_contain_text(PAUSED)
        expect(focused).to_have_accessible_name(re.compile("empty$"))
        press(host, "Go on")
        expect(play.heading).to_have_text("Your turn")
        play.play(free[0])
        expect(focused).to_have_accessible_name(re.compile("X$"))


# --- the wall -------------------------------------------------------------------------------------


def test_the_wall_follows_the_host_who_uses_nothing_but_keys(host: Tab, come: Visitor) -> None:
    finished, going = begin(come(), come(), WON), sit_down(come(), come(), "4")
    wall = come().open("/class/board")

    def enter(selector: str) -> None:
        host.tab_to(selector)
        # The wall may show it before the host's own page does, which sends one form at a time.
        with host.answered():
            host.press("Enter")

    with host.no_reload(), wall.no_reload():
        enter(f"#show-{going.path.rpartition('/')[2]}")
        expect(stage(wall)).to_contain_text(f"{going.x.name} plays X and {going.o.name} plays O.")
        wall.expect_board("....X....", role="img")
        going.play(0, begun=1)
        wall.expect_board("O...X....", role="img")
        expect(show(host, going)).to_be_focused()

        enter(f"#talk-{finished.path.rpartition('/')[2]}")
        expect(stage(wall)).to_contain_text(QUESTION)
        wall.expect_board(EMPTY, role="img")
        expect(talk(host, finished)).to_be_focused()
        for selector, board in (
            ("#step-later", "X........"),
            ("#step-later", "X..O....."),
            ("#step-earlier", "X........"),
            ("#step-last", "XXXOO...."),
            ("#step-first", EMPTY),
        ):
            enter(selector)
            wall.expect_board(board, role="img", winning=(0, 1, 2) if "XXX" in board else ())
            expect(host.page.locator(selector)).to_be_focused()
        expect(stage(wall).locator(".worth")).to_have_count(0)
        enter("#wall-values")
        expect(stage(wall).locator(".worth")).to_have_count(9)
        expect(host.page.locator("#wall-values")).to_be_focused()
        expect(host.page.locator("#wall-values")).to_have_text("Hide values")

        enter("#wall-class")
        expect(wall.page.get_by_role("heading", name="Who gets")).to_be_visible()
        expect(stage(wall)).to_have_count(0)
        expect(host.page.locator("#wall-class")).to_be_focused()


# How far it is below the top of the page.
_PLACE = "(part) => part.getBoundingClientRect().top + scrollY"
# To whole pixels: a browser scrolls by these, while a part may end within one.
_ALL_IN_VIEW = """(part) => {
  const { top, bottom } = part.getBoundingClientRect();
  return Math.ceil(top) >= 0 && Math.floor(bottom) <= innerHeight;
}"""
# What has moved within "On the wall", once the browser has told of all.
_SHIFTS = """async () => {
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  return window.shifts;
}"""


@pytest.mark.parametrize("width, height", [(1280, 720), (390, 664)])
def test_talk_about_it_moves_nothing_and_opens_its_controls_where_it_was_pressed(
    host: Tab, come: Visitor, width: int, height: int
) -> None:
    ada, bob = come(), come()
    for _ in range(3):
        begin(ada, bob, WON)
    host.page.set_viewport_size({"width": width, "height": height})
    steps, rows = host.page.locator(".steps"), host.items("Just finished")
    expect(rows).to_have_count(3)
    # Of games that end in the same second any may stand first.
    newest, middle, oldest = rows.evaluate_all("(rows) => rows.map((row) => row.id)")
    host.page.evaluate(
        """async () => {
          // The rows may be there, and not yet drawn: until then the last one moves the others.
          for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
          window.shifts = [];
          new PerformanceObserver((list) => {
            for (const { node, previousRect } of list.getEntries().flatMap((one) => one.sources))
              if (document.getElementById("on-the-wall").contains(node))
                window.shifts.push([node.textContent, previousRect.top]);
          }).observe({ type: "layout-shift" });
        }"""
    )
    # The one at the end, then the others above it: what was open goes.
    for number in (oldest, newest, middle):
        row = host.page.locator(f"#{number}")
        pressed = row.get_by_role("button", name="Talk about it")
        pressed.scroll_into_view_if_needed()
        place = pressed.evaluate(_PLACE)
        pressed.click()
        expect(row.locator(".steps")).to_be_visible()
        expect(steps).to_have_count(1)
        host.page.wait_for_function(_ALL_IN_VIEW, arg=steps.element_handle())
        expect(pressed).to_be_focused()
        expect(pressed).to_be_in_viewport(ratio=1)
        if number == oldest:
            assert pressed.evaluate(_PLACE) == place
            assert host.page.evaluate(_SHIFTS) == []
    expect(host.live).to_have_text("A review, after 0 of 5 moves")
    # However many games end after it, what is talked about stays.
    for _ in range(4):
        begin(ada, bob, WON)
    host.open("/host")
    expect(rows.filter(has=steps)).to_have_count(1)
    host.button("Next").click()
    expect(host.class_region.get_by_text("A review, after 1 of 5 moves")).to_be_visible()


def test_a_host_who_presses_on_before_the_answer_is_not_taken_for_another(
    host: Tab, come: Visitor
) -> None:
    talk(host, begin(come(), come(), WON)).click()
    following = host.class_region.get_by_text("A review, after 1 of 5 moves")
    with late(host.page, "/host/wall") as is_sent:
        host.button("Next").click()
        is_sent()
        for name in ("Next", "Show values", "Show the class"):
            host.button(name).click()
        press(host, "Pause the games")
    expect(following).to_be_visible()
    expect(host.refusal).to_have_count(0)
    host.button("Show the class").click()
    expect(host.page.locator("#wall-class")).to_have_attribute("aria-disabled", "true")
    # Without a network the host is told that nothing was done.
    host.noise.expect_no_answer()
    host.page.context.set_offline(True)
    host.button("Lock the names").click()
    expect(host.refusal).to_be_visible()
    host.page.context.set_offline(False)
    expect(host.refusal).to_have_count(0)
    with host.no_reload():
        host.button("Lock the names").click()
        said = "The names are locked: players keep the ones that they have."
        expect(host.live).to_have_text(said)
        expect(host.button("Lock the names")).to_be_focused()


def test_a_host_who_sees_an_old_wall_is_told_what_another_host_has_shown(
    host: Tab, sign_in: Visitor, come: Visitor
) -> None:
    ada, bob = come(), come()
    finished, going = begin(ada, bob, WON), sit_down(ada, bob, "4")
    wall = come().open("/class/board")
    # Whatever is chosen first is chosen from no wall, and goes.
    show(host, going).click()
    expect(show(host, going)).to_have_attribute("aria-disabled", "true")
    other = sign_in()
    other.pause.click()
    talk(host, finished).click()
    expect(stage(wall)).to_contain_text(QUESTION)

    other.noise.expect_refusal(409)
    with other.no_reload():
        other.page.locator("#wall-class").click()
        expect(other.refusal).to_contain_text("Another host has changed the wall.")
    expect(other.refusal).to_be_in_viewport()
    expect(other.class_region.get_by_text("A review, after 0 of 5 moves")).to_be_visible()
    expect(stage(wall)).to_contain_text(QUESTION)
    expect(other.pause).to_have_text("Resume updates")
    other.pause.click()
    # What comes from others takes nothing away from it.
    new = come().open("/class").name
    expect(here(other, new)).to_have_count(1)
    expect(other.refusal).to_be_visible()
    other.page.locator("#wall-class").click()
    expect(other.refusal).to_have_count(0)
    expect(stage(wall)).to_have_count(0)


# --- the players ----------------------------------------------------------------------------------


def expect_told_beside(host: Tab, name: str, sentence: str) -> None:
    """What was done is told, in view, in the form of the button that was pressed."""
    told = host.page.locator("form").filter(has=host.button(name)).locator("#done")
    expect(told).to_have_text(sentence)
    expect(told).to_be_focused()
    expect(told).to_be_in_viewport(ratio=1)


def test_a_pupil_who_arrives_is_seen_at_once_renamed_and_removed(host: Tab, come: Visitor) -> None:
    ada = come()
    with host.no_reload():
        name = ada.open("/class").name
        expect(here(host, name)).to_have_count(1)
    here(host, name).get_by_role("link").click()
    expect(host.title).to_have_text(name)
    host.press(*"Ada", "Enter", on=host.page.get_by_label("New name", exact=True))
    expect_told_beside(host, "Rename", "The player is called Ada now.")
    host.button("Deal a new name").click()
    expect(host.title).not_to_have_text("Ada")
    dealt = host.title.inner_text()
    expect_told_beside(host, "Deal a new name", f"The player is called {dealt} now.")
    expect(host.button("Remove")).to_be_hidden()
    host.page.locator("summary").click()
    host.button("Remove").click()
    expect(host.page.get_by_role("status")).to_contain_text("The player was removed")
    expect(host.page.locator("#done")).to_be_focused()


# --- by touch, and on every screen ----------------------------------------------------------------


TABLET = {"viewport": {"width": 820, "height": 1100}, "has_touch": True, "is_mobile": True}


def test_on_a_tablet_the_games_are_paused_and_a_game_is_shown_by_touch(
    sign_in: Visitor, come: Visitor
) -> None:
    going, wall = sit_down(come(), come(), "4"), come().open("/class/board")
    host = sign_in(**TABLET)
    host.button("Pause the games").tap()
    expect(going.o.sentence).to_have_text(PAUSED)
    show(host, going).tap()
    wall.expect_board("....X....", role="img")
    host.button("Go on").tap()
    going.o.expect_turn("Your turn")


def with_long_names(come: Visitor, host: Tab) -> None:
    """A class with the widest names, which is paused, and a review on the wall."""
    sit_down(come(), come(), WON)
    sit_down(come(), come(), "4")
    links = here(host).get_by_role("link")
    expect(links).to_have_count(4)
    for number, link in enumerate(links.all()):
        path = str(link.get_attribute("href"))
        assert host.post(f"{path}/rename", {"name": f"{'W' * 17}{number}"}).status == 303
    host.open("/host").page.locator("[id^=talk]").click()
    expect(host.button("First move")).to_be_visible()
    host.button("Next").click()
    expect(host.class_region.get_by_text("A review, after 1 of 5 moves")).to_be_visible()
    host.button("Show values").click()
    expect(host.button("Hide values")).to_be_visible()
    press(host, "Pause the games")


@pytest.mark.parametrize("scripted", [True, False])
def test_it_fits_can_be_touched_and_tabbed_through_and_axe_finds_nothing(
    sign_in: Visitor, come: Visitor, *, scripted: bool
) -> None:
    with_long_names(come, sign_in())
    player, teacher = (one(has_touch=True, java_script_enabled=scripted) for one in (come, sign_in))
    for one, path in ((player, "/host"), (player, "/class/board"), (teacher, "/host")):
        one.open(path)
        expect_it_fits(one)
    here(teacher).get_by_role("link").first.click()
    teacher.page.locator("summary").click()
    expect_it_fits(teacher)
