"""The host's page: what the host does is seen by the class, and no one needs a terminal for it."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.answers import late
from tests.e2e.pair import Pair, sit_down
from tests.e2e.tab import EMPTY, Tab
from tests.e2e.test_every_page import misfits, what_axe_finds, what_is_wrong_with_the_focus
from tests.support.patience import until

PAUSED = "Your teacher has paused the games."
QUESTION = "X to move. Where would you play?"
WON = "03142"

Come = Callable[..., Tab]


def button(one: Tab, name: str) -> Locator:
    return one.page.get_by_role("button", name=name, exact=True)


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
    pressed = button(one, name)
    pressed.scroll_into_view_if_needed()
    before = pressed.bounding_box()
    pressed.click()
    expect(pressed).to_have_attribute("aria-disabled", "true")
    expect(pressed).to_be_focused()
    assert pressed.bounding_box() == before


# --- pause ----------------------------------------------------------------------------------------


def test_a_pause_is_on_both_boards_and_the_wall_at_once_and_so_is_its_end(
    host: Tab, come: Come
) -> None:
    wall = come().open("/class/board")
    pair = sit_down(come(), come(), "4")
    pair.settle()
    told = (pair.x.sentence, pair.o.sentence, wall.class_region.locator(".paused"))
    tabs = (*pair.people, wall, host)
    loads = [one.loads for one in tabs]

    press(host, "Pause the games")
    for sentence in told:
        expect(sentence).to_have_text(PAUSED)
    for cell in (0, 8):
        expect(pair.o.cell(cell)).to_have_attribute("aria-disabled", "true")
        pair.o.cell(cell).click(force=True)
        pair.o.press("Enter", on=pair.o.cell(cell))
    assert pair.o.posts == []

    press(host, "Go on")
    expect(pair.o.heading).to_have_text("Your turn")
    expect(pair.x.heading).to_have_text(f"{pair.o.name} is thinking")
    expect(wall.page.get_by_text(PAUSED)).to_have_count(0)
    pair.play(0, 8, begun=1)
    assert [one.loads for one in tabs] == loads


def test_a_pause_comes_to_a_board_against_an_engine_and_goes_by_itself(
    host: Tab, come: Come
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


def test_a_host_without_a_network_is_told_that_nothing_was_done(host: Tab, come: Come) -> None:
    host.noise.expect_no_answer()
    host.page.context.set_offline(True)
    button(host, "Pause the games").click()
    expect(host.refusal).to_be_visible()
    host.page.context.set_offline(False)
    expect(host.refusal).to_have_count(0)
    expect(host.page.get_by_text("The games go on.")).to_be_visible()
    press(host, "Pause the games")


# --- the wall -------------------------------------------------------------------------------------


def test_the_wall_follows_the_host_who_uses_nothing_but_keys(host: Tab, come: Come) -> None:
    finished, going = (sit_down(come(), come(), moves) for moves in (WON, "4"))
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
        expect(wall.page.get_by_role("heading", name="Standings")).to_be_visible()
        expect(stage(wall)).to_have_count(0)
        expect(host.page.locator("#wall-class")).to_be_focused()


# How far it is below the top of the page.
_PLACE = "(part) => part.getBoundingClientRect().top + scrollY"
# What has moved within "On the wall", once the browser has told of all.
_SHIFTS = """async () => {
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  return window.shifts;
}"""


@pytest.mark.parametrize("width, height", [(1280, 720), (390, 664)])
def test_talk_about_it_moves_nothing_and_opens_its_controls_where_it_was_pressed(
    host: Tab, come: Come, width: int, height: int
) -> None:
    pairs = [sit_down(come(), come(), WON) for _ in range(3)]
    host.page.set_viewport_size({"width": width, "height": height})
    steps, first = host.page.locator(".steps"), pairs[0]
    expect(host.items("Just finished")).to_have_count(3)
    host.page.evaluate(
        """async () => {
          // The last game that came has moved the others, of which the browser tells later.
          for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
          window.shifts = [];
          new PerformanceObserver((list) => {
            for (const { node, previousRect } of list.getEntries().flatMap((one) => one.sources))
              if (document.getElementById("on-the-wall").contains(node))
                window.shifts.push([node.textContent, previousRect.top]);
          }).observe({ type: "layout-shift" });
        }"""
    )
    # The one at the end, then the one above it: what was open goes.
    for pair in (first, pairs[2], pairs[1]):
        pressed = talk(host, pair)
        pressed.scroll_into_view_if_needed()
        row = host.page.locator("li").filter(has=pressed)
        place = pressed.evaluate(_PLACE)
        pressed.click()
        expect(row.locator(".steps")).to_be_visible()
        expect(steps).to_have_count(1)
        expect(steps).to_be_in_viewport(ratio=1)
        expect(pressed).to_be_focused()
        expect(pressed).to_be_in_viewport(ratio=1)
        if pair is first:
            assert pressed.evaluate(_PLACE) == place
            assert host.page.evaluate(_SHIFTS) == []
    expect(host.live).to_have_text("A review, after 0 of 5 moves")
    # However many games end after it, what is talked about stays.
    for _ in range(4):
        sit_down(come(), come(), WON)
    host.open("/host")
    expect(host.items("Just finished").filter(has=steps)).to_have_count(1)
    button(host, "Next").click()
    expect(host.class_region.get_by_text("A review, after 1 of 5 moves")).to_be_visible()


def test_what_a_host_does_is_said_and_the_focus_stays(host: Tab, come: Come) -> None:
    host.page.locator("summary").filter(has_text="Reset the standings").click()
    for name, said in (
        ("Lock the names", "The names are locked: players keep the ones that they have."),
        ("Pause the games", re.compile("^The games are paused since")),
        ("Reset the standings", "The standings are empty: everyone starts again."),
    ):
        with host.no_reload():
            button(host, name).click()
            expect(host.live).to_have_text(said)
            expect(button(host, name)).to_be_focused()
    expect(host.page.locator("details #done")).to_be_visible()


def test_a_host_who_presses_on_before_the_answer_is_not_taken_for_another(
    host: Tab, come: Come
) -> None:
    talk(host, sit_down(come(), come(), WON)).click()
    following = host.class_region.get_by_text("A review, after 1 of 5 moves")
    with late(host.page, "/host/wall") as is_sent:
        button(host, "Next").click()
        is_sent()
        for name in ("Next", "Show values", "Show the class"):
            button(host, name).click()
        press(host, "Pause the games")
    expect(following).to_be_visible()
    expect(host.refusal).to_have_count(0)
    button(host, "Show the class").click()
    expect(host.page.locator("#wall-class")).to_have_attribute("aria-disabled", "true")


@pytest.mark.parametrize("scripted", [True, False])
def test_a_host_who_sees_an_old_wall_is_told_what_another_host_has_shown(
    host: Tab, sign_in: Come, come: Come, *, scripted: bool
) -> None:
    finished, going = (sit_down(come(), come(), moves) for moves in (WON, "4"))
    wall = come().open("/class/board")
    other = sign_in(java_script_enabled=scripted)
    if scripted:
        other.pause.click()
    # Whatever is chosen first is chosen from no wall, and goes.
    show(host, going).click()
    expect(show(host, going)).to_have_attribute("aria-disabled", "true")
    other.open("/host")
    if scripted:
        other.pause.click()
    talk(host, finished).click()
    expect(stage(wall)).to_contain_text(QUESTION)

    other.noise.expect_refusal(409)
    with other.no_reload() if scripted else other.page.expect_navigation():
        other.page.locator("#wall-class").click()
        expect(other.refusal).to_contain_text("Another host has changed the wall.")
    expect(other.refusal).to_be_in_viewport()
    expect(other.class_region.get_by_text("A review, after 0 of 5 moves")).to_be_visible()
    expect(stage(wall)).to_contain_text(QUESTION)
    if scripted:
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
    told = host.page.locator("form").filter(has=button(host, name)).locator("#done")
    expect(told).to_have_text(sentence)
    expect(told).to_be_focused()
    expect(told).to_be_in_viewport(ratio=1)


def test_a_pupil_who_arrives_is_seen_at_once_renamed_dealt_another_name_and_removed(
    host: Tab, come: Come
) -> None:
    ada = come()
    with host.no_reload():
        name = ada.open("/class").name
        expect(here(host, name)).to_have_count(1)

    def open_page_of(name: str) -> None:
        here(host, name).get_by_role("link").click()
        expect(host.title).to_have_text(name)

    open_page_of(name)
    host.press(*"Ada", "Enter", on=host.page.get_by_label("New name", exact=True))
    expect_told_beside(host, "Rename", "The player is called Ada now.")
    assert ada.open("/class").name == "Ada"

    button(host, "Deal a new name").click()
    expect(host.title).not_to_have_text("Ada")
    dealt = host.title.inner_text()
    expect_told_beside(host, "Deal a new name", f"The player is called {dealt} now.")
    assert ada.open("/class").name == dealt

    expect(button(host, "Remove")).to_be_hidden()
    host.page.locator("summary").click()
    expect(host.page.get_by_text("You cannot undo it.")).to_be_visible()
    button(host, "Remove").click()
    expect(host.page.get_by_role("status")).to_contain_text("The player was removed")
    expect(host.page.locator("#done")).to_be_focused()
    host.a("Back to the host’s page").click()
    expect(host.page.get_by_text("No one is here yet.")).to_be_visible()
    expect(ada.open("/").own_name).to_have_count(0)
    for line, done in enumerate(
        (f"{dealt} was removed.", f"Ada got the name {dealt}.", f"{name} got the name Ada.")
    ):
        expect(host.items("Journal").nth(line)).to_contain_text(done)


def test_a_name_that_cannot_be_is_told_at_its_field(host: Tab, come: Come) -> None:
    ada, bob = (come().open("/class").name for _ in range(2))
    here(host, ada).get_by_role("link").click()
    host.noise.expect_refusal(409)
    field = host.page.get_by_label("New name", exact=True)
    field.fill(bob)
    button(host, "Rename").click()
    expect(host.refusal).to_contain_text(f"Another player is already called {bob}.")
    expect(field).to_have_accessible_description(re.compile("^Another player"))


# --- results --------------------------------------------------------------------------------------


@pytest.mark.parametrize("link, name", [("Players (CSV)", "players"), ("Games (CSV)", "games")])
def test_the_results_are_files_that_a_spreadsheet_opens(
    host: Tab, come: Come, tmp_path: Path, link: str, name: str
) -> None:
    pair = sit_down(come(), come(), WON)
    with host.page.expect_download() as downloads:
        host.a(link).click()
    today = datetime.now(UTC).astimezone().date()
    assert downloads.value.suggested_filename == f"{name}-{today}.csv"
    downloads.value.save_as(tmp_path / "table.csv")
    table = (tmp_path / "table.csv").read_bytes()
    assert table.startswith(codecs.BOM_UTF8)
    assert pair.x.name in table.decode("utf-8")


# --- without scripts, by touch, on every screen ---------------------------------------------------


def test_without_javascript_a_lesson_is_led_to_its_end(sign_in: Come, come: Come) -> None:
    host = sign_in(java_script_enabled=False)
    wall = come(java_script_enabled=False)
    finished, going = (sit_down(come(), come(), moves) for moves in (WON, "4"))
    host.a("Refresh").click()

    button(host, "Pause the games").click()
    expect(host.page.locator("#class").get_by_text("The games are paused")).to_be_visible()
    expect(going.o.sentence).to_have_text(PAUSED)
    expect(wall.open("/class/board").page.get_by_text(PAUSED)).to_be_visible()
    button(host, "Go on").click()
    expect(host.page.get_by_text("The games go on.")).to_be_visible()
    going.play(0, begun=1)

    show(host, going).click()
    wall.open("/class/board").expect_board("O...X....", role="img")
    talk(host, finished).click()
    button(host, "Next").click()
    wall.open("/class/board").expect_board("X........", role="img")
    button(host, "Show values").click()
    expect(button(host, "Hide values")).to_be_visible()
    button(host, "Show the class").click()
    expect(stage(wall.open("/class/board"))).to_have_count(0)

    def looks_again() -> int:
        """A busy browser may ask late, and this page does not look again by itself."""
        host.a("Refresh").click()
        return here(host, going.x.name).count()

    until(looks_again)
    here(host, going.x.name).get_by_role("link").click()
    host.press(*"Ada", "Enter", on=host.page.get_by_label("New name", exact=True))
    host.a("Back to the host’s page").click()
    expect(here(host, "Ada")).to_be_visible()
    button(host, "Lock the names").click()
    expect(host.page.get_by_text("The names are locked")).to_be_visible()
    address = host.a("Players (CSV)").get_attribute("href")
    assert "Ada" in host.page.request.get(f"{host.server}{address}").text()
    button(host, "Sign out").click()
    expect(button(host, "Sign in")).to_be_visible()


TABLET = {"viewport": {"width": 820, "height": 1100}, "has_touch": True, "is_mobile": True}


def test_on_a_tablet_the_games_are_paused_and_a_game_is_shown_by_touch(
    sign_in: Come, come: Come
) -> None:
    going, wall = sit_down(come(), come(), "4"), come().open("/class/board")
    host = sign_in(**TABLET)
    button(host, "Pause the games").tap()
    expect(going.o.sentence).to_have_text(PAUSED)
    show(host, going).tap()
    wall.expect_board("....X....", role="img")
    button(host, "Go on").tap()
    going.o.expect_turn("Your turn")


def with_long_names(come: Come, host: Tab) -> None:
    """A class with the widest names, which is paused, and a review on the wall."""
    sit_down(come(), come(), WON)
    sit_down(come(), come(), "4")
    links = here(host).get_by_role("link")
    expect(links).to_have_count(4)
    for number, link in enumerate(links.all()):
        path = str(link.get_attribute("href"))
        assert host.post(f"{path}/rename", {"name": f"{'W' * 17}{number}"}).status == 303
    host.open("/host").page.locator("[id^=talk]").click()
    expect(button(host, "First move")).to_be_visible()
    button(host, "Next").click()
    expect(host.class_region.get_by_text("A review, after 1 of 5 moves")).to_be_visible()
    button(host, "Show values").click()
    expect(button(host, "Hide values")).to_be_visible()
    press(host, "Pause the games")


@pytest.mark.parametrize("scripted", [True, False])
@pytest.mark.parametrize("shown", ["sign in", "host", "player", "wall"])
def test_it_fits_can_be_touched_and_tabbed_through_and_axe_finds_nothing(
    shown: str, sign_in: Come, come: Come, *, scripted: bool
) -> None:
    with_long_names(come, sign_in())
    begin = come if shown in {"sign in", "wall"} else sign_in
    one = begin(has_touch=True, java_script_enabled=scripted)
    one.open("/class/board" if shown == "wall" else "/host")
    if shown == "player":
        here(one).get_by_role("link").first.click()
        one.page.locator("summary").click()
    one.page.emulate_media(reduced_motion="reduce")
    wrong = what_is_wrong_with_the_focus(one)
    for width in (1280, 820, 390, 320):
        wrong += misfits(one.page, width)
    for width in (820, 320) if scripted else (320,):
        wrong += what_axe_finds(one, width)
        wrong += what_axe_finds(one, width, "dark")
    assert not wrong, "\n".join(wrong)
