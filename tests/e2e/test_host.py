"""The teacher's desk: what is done there is seen at once, and nothing moves or is lost."""

from __future__ import annotations

import csv
import json
import re
from io import StringIO
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Request, expect

from tests.e2e.answers import late
from tests.e2e.pair import Pair, begin, sit_down
from tests.e2e.tab import EMPTY, Tab, Visitor
from tests.e2e.test_every_page import expect_it_fits

PAUSE, GO_ON = "Pause all games", "Go on"
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
    """The players who are here; or the one of this name."""
    found = one.items("Who is here")
    return found.filter(has=one.page.get_by_text(name, exact=True)) if name else found


def stage(wall: Tab) -> Locator:
    return wall.page.locator(".stage")


def one_game(one: Tab) -> Locator:
    """What opens the list of games that the wall can show."""
    return one.page.locator("#one-game summary")


def on_the_wall(one: Tab, name: str) -> Locator:
    """What the wall shows, as the desk says it."""
    return one.page.locator("#on-the-wall [data-told]").filter(has_text=name)


def press(one: Tab, name: str, opposite: str) -> None:
    """Press a button, which then says the opposite: it is where it was, and has the focus."""
    pressed = one.button(name)
    expect(pressed).not_to_have_attribute("aria-disabled", "true")  # just said the opposite
    pressed.scroll_into_view_if_needed()
    box = pressed.bounding_box()
    pressed.click()
    expect(one.button(opposite)).to_be_focused()
    after = one.button(opposite).bounding_box()
    assert box is not None
    assert after is not None
    assert (after["x"], after["y"]) == (box["x"], box["y"])


# --- pause ----------------------------------------------------------------------------------------


def test_a_pause_comes_to_a_board_against_an_engine_and_goes_by_itself(
    host: Tab, come: Visitor
) -> None:
    play = come().open()
    press(host, PAUSE, GO_ON)
    expect(play.sentence).to_have_text(PAUSED)
    press(host, GO_ON, PAUSE)
    expect(play.heading).to_have_text("You against Medium")
    play.play(4)
    with play.no_reload():
        free = [n for n in range(9) if play.cell(n).locator(".ghost").count()]
        focused = play.cell(free[0])
        focused.focus()
        posts = len(play.posts)
        press(host, PAUSE, GO_ON)
        expect(play.sentence).to_have_text(PAUSED)
        for off in (*map(play.cell, free), play.hint, play.undo):
            expect(off).to_have_attribute("aria-disabled", "true")
        expect(focused).to_be_focused()
        play.press("Enter", on=focused)
        assert len(play.posts) == posts
        press(host, GO_ON, PAUSE)
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
            press(host, PAUSE, GO_ON)
            expect(host.page.locator("#class").get_by_text("The games are paused")).to_be_visible()
            expect(focused.locator("svg:not(.ghost)")).to_have_count(1)
            play.noise.expect_refusal(409)
        expect(play.status).to_contain_text(PAUSED)
        expect(focused).to_have_accessible_name(re.compile("empty$"))
        press(host, GO_ON, PAUSE)
        expect(play.heading).to_have_text("Your turn")
        play.play(free[0])
        expect(focused).to_have_accessible_name(re.compile("X$"))


# --- the wall -------------------------------------------------------------------------------------


def test_the_wall_follows_the_host_who_uses_nothing_but_keys(host: Tab, come: Visitor) -> None:
    finished, going = begin(come(), come(), WON), sit_down(come(), come(), "4")
    wall = come().open("/class/board")

    def enter(selector: str) -> None:
        host.tab_to(selector)
        if selector.endswith("summary"):
            host.press("Enter")
            return
        # The wall may show it before the host's own page does, which sends one form at a time.
        with host.answered():
            host.press("Enter")

    with host.no_reload(), wall.no_reload():
        enter("#one-game summary")
        enter(f"#show-{going.path.rpartition('/')[2]}")
        expect(stage(wall)).to_contain_text(f"{going.x.name} plays X and {going.o.name} plays O.")
        wall.expect_board("....X....", role="img")
        going.play(0, begun=1)
        wall.expect_board("O...X....", role="img")
        expect(one_game(host)).to_be_focused()
        expect(show(host, going)).to_be_hidden()

        host.press("Enter")
        enter(f"#talk-{finished.path.rpartition('/')[2]}")
        expect(stage(wall)).to_contain_text(QUESTION)
        wall.expect_board(EMPTY, role="img")
        expect(one_game(host)).to_be_focused()
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
        # Arrows step wherever the focus is, but where they mean something else.
        host.page.evaluate("() => document.activeElement.blur()")
        host.press("ArrowRight")
        wall.expect_board("X........", role="img")
        host.press("ArrowLeft")
        wall.expect_board(EMPTY, role="img")
        expect(stage(wall).locator(".worth")).to_have_count(0)
        enter("#wall-values")
        expect(stage(wall).locator(".worth")).to_have_count(9)
        expect(host.page.locator("#wall-values")).to_be_focused()
        expect(host.page.locator("#wall-values")).to_have_text("Hide values")

        enter("#wall-blank")
        expect(stage(wall)).to_have_count(0)
        expect(wall.class_region).to_have_text("")
        expect(wall.qr).to_be_visible()
        enter("#wall-class")
        expect(on_the_wall(host, "The class")).to_have_count(1)
        expect(wall.page.get_by_role("heading", name="Who gets")).to_be_visible()
        expect(host.page.locator("#wall-class")).to_be_focused()


def test_a_pause_is_pressed_by_the_space_bar_and_a_second_press_soon_after_undoes_nothing(
    host: Tab, come: Visitor
) -> None:
    play = come().open()
    host.press(" ")
    expect(host.button(GO_ON)).to_have_attribute("aria-disabled", "true")
    host.press(" ")
    host.button(GO_ON).dispatch_event("click")
    expect(play.sentence).to_have_text(PAUSED)
    expect(host.button(GO_ON)).not_to_have_attribute("aria-disabled", "true")
    host.press(" ")
    expect(host.button(PAUSE)).to_be_visible()
    expect(play.heading).to_have_text("You against Medium")
    # A control that has the focus has its own use for the key.
    one_game(host).focus()
    host.press(" ")
    expect(host.page.locator("#one-game")).to_have_attribute("open", "")
    expect(host.button(PAUSE)).to_be_visible()
    assert [post.url.rpartition("/")[2] for post in host.posts[1:]] == ["pause", "resume"]


_BOXES = """() => [...document.querySelectorAll("#pause-games, .choices > *, .steps button, #lock")]
  .filter((part) => part.checkVisibility())
  .map((part) => [part.id, part.getBoundingClientRect().x, part.getBoundingClientRect().y])"""


@pytest.mark.parametrize("width, height", [(1280, 720), (390, 664)])
def test_steps_and_choices_never_move(host: Tab, come: Visitor, width: int, height: int) -> None:
    ada, bob = come(), come()
    begin(ada, bob, WON)
    expect(host.page.locator("#just-finished li")).to_have_count(1)
    host.page.set_viewport_size({"width": width, "height": height})
    host.open("/host")
    before = host.page.evaluate(_BOXES)
    one_game(host).click()
    host.page.locator("[id^=talk]").click()
    expect(on_the_wall(host, "A review, after 0 of 5 moves")).to_have_count(1)
    expect(host.live).to_have_text("A review, after 0 of 5 moves")
    host.page.evaluate("() => scrollTo(0, 0)")
    assert host.page.evaluate(_BOXES) == before
    # However many games end after it, what is talked about stays.
    for _ in range(4):
        begin(ada, bob, WON)
    host.open("/host")
    host.button("Next").click()
    expect(on_the_wall(host, "A review, after 1 of 5 moves")).to_have_count(1)
    host.page.evaluate("() => scrollTo(0, 0)")
    assert host.page.evaluate(_BOXES) == before


def test_a_host_who_presses_on_before_the_answer_is_not_taken_for_another(
    host: Tab, come: Visitor
) -> None:
    finished = begin(come(), come(), WON)
    one_game(host).click()
    talk(host, finished).click()
    following = on_the_wall(host, "A review, after 1 of 5 moves")
    with late(host.page, "/host/wall") as is_sent:
        host.button("Next").click()
        is_sent()
        for name in ("Next", "Show values", "Class on the wall"):
            host.button(name).click()
        press(host, PAUSE, GO_ON)
    expect(following).to_be_visible()
    expect(host.refusal).to_have_count(0)
    host.button("Class on the wall").click()
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
        expect(host.button("Unlock the names")).to_be_focused()


def test_a_host_who_sees_an_old_wall_is_told_what_another_host_has_shown(
    host: Tab, sign_in: Visitor, come: Visitor
) -> None:
    ada, bob = come(), come()
    finished, going = begin(ada, bob, WON), sit_down(ada, bob, "4")
    wall = come().open("/class/board")
    # Whatever is chosen first is chosen from no wall, and goes.
    one_game(host).click()
    show(host, going).click()
    expect(on_the_wall(host, "One game")).to_have_count(1)
    other = sign_in()
    other.pause.click()
    one_game(host).click()
    talk(host, finished).click()
    expect(stage(wall)).to_contain_text(QUESTION)

    other.noise.expect_refusal(409)
    with other.no_reload():
        other.page.locator("#wall-class").click()
        expect(other.refusal).to_contain_text("Another host has changed the wall.")
    expect(other.refusal).to_be_in_viewport()
    expect(on_the_wall(other, "A review, after 0 of 5 moves")).to_have_count(1)
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
    host.page.get_by_text(re.compile("^Remove [A-Z]")).click()
    host.button("Remove").click()
    expect(host.page.locator("#done")).to_contain_text("The player was removed")
    expect(host.page.locator("#done")).to_be_focused()


# --- real names -----------------------------------------------------------------------------------


def test_real_names_are_in_this_browser_its_files_and_no_request(
    host: Tab, come: Visitor, tmp_path: Path
) -> None:
    sent = list[str]()

    def note(request: Request) -> None:
        sent.append(f"{request.url} {request.post_data} {request.headers}")

    host.page.on("request", note)
    sit_down(come(), come(), WON)
    expect(here(host)).to_have_count(2)
    names = here(host).locator("bdi").all_inner_texts()
    host.page.get_by_text("Real names", exact=True).click()
    field = host.page.get_by_label(names[0], exact=True)
    host.press(*"Zoe", "Tab", on=field)
    shown = here(host, names[0])
    expect(shown.locator(".real")).to_have_text("Zoe")
    # News bring the list without it; it is there before anyone sees that.
    come().open("/class")
    expect(here(host)).to_have_count(3)
    expect(shown.locator(".real")).to_have_text("Zoe")
    press(host, "Lock the names", "Unlock the names")
    expect(shown.locator(".real")).to_have_text("Zoe")
    expect(come().open("/class/board").page.get_by_text("Zoe")).to_have_count(0)

    with host.page.expect_download() as download:
        host.button("Save as a file").click()
    file = tmp_path / "real-names.json"
    download.value.save_as(file)
    assert list(json.loads(file.read_text(encoding="utf-8")).values()) == ["Zoe"]
    host.open("/host/lesson")
    expect(host.page.locator("tbody tr").filter(has_text=names[0])).to_contain_text("Zoe")
    for name, columns in (("Players", ["Name"]), ("Games", ["X", "O"])):
        with host.page.expect_download() as download:
            host.a(f"{name} (CSV)").click()
        download.value.save_as(tmp_path / name)
        text = (tmp_path / name).read_text(encoding="utf-8-sig")
        table = list(csv.DictReader(StringIO(text)))
        assert table
        for row in table:
            for column in columns:
                real = "Zoe" if row[column] == names[0] else ""
                assert row[f"{column}: real name"] == real
    host.page.get_by_text("Real names", exact=True).click()
    host.button("Forget all").click()
    expect(host.page.locator(".real")).to_have_count(0)
    host.page.get_by_label("Read a file").set_input_files(file)
    expect(host.page.locator("tbody .real")).to_have_text("Zoe")
    host.button("Sign out").click()
    host.button("Forget them and sign out").click()
    expect(host.page.get_by_label("Key", exact=True)).to_be_visible()
    assert host.page.evaluate("() => localStorage.getItem('real-names')") is None
    assert sent
    assert not any("Zoe" in one for one in sent)


# --- by touch, and on every screen ----------------------------------------------------------------


TABLET = {"viewport": {"width": 820, "height": 1100}, "has_touch": True, "is_mobile": True}


def test_on_a_tablet_the_games_are_paused_and_a_game_is_shown_by_touch(
    sign_in: Visitor, come: Visitor
) -> None:
    going, wall = sit_down(come(), come(), "4"), come().open("/class/board")
    host = sign_in(**TABLET)
    host.button(PAUSE).tap()
    expect(going.o.sentence).to_have_text(PAUSED)
    one_game(host).tap()
    show(host, going).tap()
    wall.expect_board("....X....", role="img")
    host.button(GO_ON).tap()
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
    one_game(host.open("/host")).click()
    host.page.locator("[id^=talk]").click()
    host.button("Next").click()
    expect(on_the_wall(host, "A review, after 1 of 5 moves")).to_have_count(1)
    host.button("Show values").click()
    expect(host.button("Hide values")).to_be_visible()
    press(host, PAUSE, GO_ON)


@pytest.mark.parametrize("scripted", [True, False])
def test_it_fits_can_be_touched_and_tabbed_through_and_axe_finds_nothing(
    sign_in: Visitor, come: Visitor, *, scripted: bool
) -> None:
    with_long_names(come, sign_in())
    player, teacher = (one(has_touch=True, java_script_enabled=scripted) for one in (come, sign_in))
    for one, path in ((player, "/host"), (player, "/class/board"), (teacher, "/host")):
        one.open(path)
        expect_it_fits(one)
    teacher.open("/host")
    for summary in ("#rare > summary", "#finding > summary", *["#real-names > summary"] * scripted):
        teacher.page.locator(summary).click()
    expect_it_fits(teacher)
    expect_it_fits(teacher.open("/host/lesson"))
    here(teacher.open("/host")).get_by_role("link").first.click()
    teacher.page.locator("summary", has_text="Remove").click()
    expect_it_fits(teacher)


@pytest.mark.parametrize("width, height", [(1280, 720), (390, 664)])
def test_pause_what_goes_on_and_the_wall_are_in_the_first_screen(
    sign_in: Visitor, come: Visitor, width: int, height: int
) -> None:
    desk = sign_in(viewport={"width": width, "height": height})
    with_long_names(come, desk)
    for form in (None, "swiss"):
        if form:
            desk.page.get_by_role("radio", name="Swiss", exact=True).check()
            desk.button("Make a tournament").click()
        desk.open("/host")
        seen = ["#pause-games", ".goes-on .left", "#thumbnail"]
        # On a laptop no button of the first two zones needs scrolling.
        seen += ["#on-the-wall > .choices", ".steps"] if width == 1280 else []
        for selector in seen:
            part = desk.page.locator(f"#class {selector}").last
            expect(part).to_be_in_viewport(ratio=1)
