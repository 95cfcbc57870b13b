"""The teacher's desk: what is done there is seen at once, and nothing moves or is lost."""

import csv
import json
import re
from io import StringIO
from itertools import product
from pathlib import Path

from playwright.sync_api import Locator, Request, expect

from tests.e2e.answers import late
from tests.e2e.games import ROW, begin, sit_down
from tests.e2e.tab import EMPTY, Tab, Visitor, box

PAUSE, GO_ON = "Pause all games", "Resume"
PAUSED = "Your teacher has paused the games."


def here(one: Tab, name: str = "") -> Locator:
    found = one.items("Who is here")
    return found.filter(has=one.page.get_by_text(name, exact=True)) if name else found


def press(one: Tab, name: str, opposite: str) -> None:
    """Press a button, which then says the opposite: it is where it was, and has the focus."""
    pressed = one.button(name)
    expect(pressed).not_to_have_attribute("aria-disabled", "true")  # just said the opposite
    pressed.scroll_into_view_if_needed()
    place = box(pressed)
    pressed.click()
    expect(one.button(opposite)).to_be_focused()
    after = box(one.button(opposite))
    assert [after[at] for at in ("x", "y")] == [place[at] for at in ("x", "y")]


def test_a_pause_comes_to_a_board_and_goes_by_itself(host: Tab, come: Visitor) -> None:
    play = come().open()
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
        # While a move is on its way, no answer takes its mark from the board.
        with late(play.page, "/games"):
            focused.click()
            expect(focused.locator("svg:not(.ghost)")).to_have_count(1)
            press(host, PAUSE, GO_ON)
            expect(
                host.page.locator("#class").get_by_text("The games have been paused")
            ).to_be_visible()
            expect(focused.locator("svg:not(.ghost)")).to_have_count(1)
            play.noise.expect_refusal(409)
        expect(play.status).to_contain_text(PAUSED)
        expect(focused).to_have_accessible_name(re.compile("empty$"))
        press(host, GO_ON, PAUSE)
        expect(play.heading).to_have_text("Your turn")
        play.play(free[0])


def test_the_space_bar_pauses_and_a_second_press_undoes_nothing(host: Tab, come: Visitor) -> None:
    play, soon_is_over = come().open(), host.hold_timers(600)
    host.press(" ")
    expect(host.button(GO_ON)).to_have_attribute("aria-disabled", "true")
    host.press(" ")
    host.button(GO_ON).dispatch_event("click")
    expect(play.sentence).to_have_text(PAUSED)
    soon_is_over()
    expect(host.button(GO_ON)).not_to_have_attribute("aria-disabled", "true")
    host.press(" ")
    expect(host.button(PAUSE)).to_be_visible()
    expect(play.heading).to_have_text("Your turn")
    # A control that has the focus has its own use for the key.
    host.page.locator("#one-game summary").focus()
    host.press(" ")
    expect(host.page.locator("#one-game")).to_have_attribute("open", "")
    # What lies over the page is closed where it would hide what has the focus.
    host.page.locator("#naming > summary").click()
    expect(host.page.locator(".over[open]")).to_have_id("naming")
    host.page.get_by_text("Lessons ready to teach").focus()
    expect(host.page.locator(".over[open]")).to_have_count(0)
    assert [post.url.rpartition("/")[2] for post in host.posts] == ["pause", "resume"]


def test_the_wall_follows_the_host_who_uses_nothing_but_keys(host: Tab, come: Visitor) -> None:
    finished, going = begin(come(), come(), ROW), sit_down(come(), come(), "4")
    wall = come().open("/class/board")
    stage = wall.page.locator(".stage")

    def enter(selector: str) -> None:
        host.tab_to(selector)
        host.page.evaluate("probe.awaitAnswer()")
        host.press("Enter")
        host.page.wait_for_function("() => window.answered")

    with host.no_reload(), wall.no_reload():
        host.tab_to("#one-game summary")
        host.press("Enter")
        enter(f"#show-{going.path.rpartition('/')[2]}")
        expect(stage).to_contain_text(f"{going.x.name} plays X")
        wall.expect_board("....X....", role="img")
        going.play(0, begun=1)
        wall.expect_board("O...X....", role="img")
        host.tab_to("#one-game summary")
        host.press("Enter")
        enter(f"#talk-{finished.path.rpartition('/')[2]}")
        expect(stage).to_contain_text("X to move. Where would you play?")
        for selector, board in (
            ("#step-later", "X........"), ("#step-last", "XXXOO...."), ("#step-first", EMPTY),
        ):  # fmt: skip
            enter(selector)
            wall.expect_board(board, role="img", winning=(0, 1, 2) if "XXX" in board else ())
            expect(host.page.locator(selector)).to_be_focused()
        # Arrows and a presenter's keys step from anywhere, but where they mean something else.
        host.page.evaluate("() => document.activeElement.blur()")
        host.press("PageDown")
        wall.expect_board("X........", role="img")
        enter("#wall-values")
        expect(stage.locator(".worth")).to_have_count(8)
        enter("#wall-class")
        expect(stage).to_have_count(0)
        expect(wall.page.get_by_role("heading", name="Who will be first")).to_be_visible()
        expect(host.page.locator("#wall-class")).to_be_focused()


def test_a_host_may_press_on_before_the_answer_and_nothing_moves(host: Tab, come: Visitor) -> None:
    alice, bob = (come().open("/class") for _ in range(2))
    begin(alice, bob, ROW)  # and they stay, so that no line of names goes
    host.page.set_viewport_size({"width": 390, "height": 664})
    expect(host.page.locator("#just-finished li")).to_have_count(1)
    host.open("/host")
    movable = host.page.locator("#pause-games, .choices > *").filter(visible=True)
    before = [box(one) for one in movable.all()]
    still = host.page.locator("#pause-games, .drawers summary.button, #here-now").all()
    places = [box(one) for one in still]
    for fold in ("#asking", "#naming"):
        host.page.locator(f"{fold} > summary").click()
        host.page.evaluate("() => scrollTo(0, 0)")
        assert [box(one) for one in still] == places
    host.press("Escape")
    expect(host.page.locator("#naming > summary")).to_be_focused()
    host.page.locator("#one-game summary").click()
    host.page.locator("[id^=talk]").click()
    on_the_wall = host.page.locator("#on-the-wall [data-told]")
    expect(on_the_wall.filter(has_text="A review, after 0 of 5 moves")).to_have_count(1)
    host.page.evaluate("() => scrollTo(0, 0)")
    assert [box(one) for one in movable.all()] == before
    with late(host.page, "/host/wall") as is_sent:
        host.button("Next").click()
        is_sent()
        for name in ("Next", "Show values", "Class on the projector"):
            host.button(name).click()
        press(host, PAUSE, GO_ON)
    expect(on_the_wall.filter(has_text="A review, after 1 of 5 moves")).to_be_visible()
    expect(host.refusal).to_have_count(0)
    host.noise.expect_no_answer()
    host.page.context.set_offline(True)
    host.page.locator("#naming > summary").click()
    host.button("Lock the names").click()
    expect(host.refusal).to_be_visible()
    host.page.context.set_offline(False)
    expect(host.refusal).to_have_count(0)
    host.button("Lock the names").click()
    expect(host.live).to_have_text("The names are locked: players keep the names they have.")
    expect(host.button("Unlock the names")).to_be_focused()


def test_whose_places_are_shown_is_chosen_at_once(host: Tab) -> None:
    choice = host.page.locator("#places")
    host.page.locator("#naming > summary").click()
    choice.focus()
    with host.no_reload(), host.page.expect_response("**/host/places"):
        choice.select_option("none")
    expect(choice).to_be_focused()
    expect(host.open("/host").page.locator("#places")).to_have_value("none")


def test_a_class_list_names_tickets_and_a_scan_leads_to_the_player(
    host: Tab, come: Visitor
) -> None:
    sent = list[str]()
    host.page.on("request", lambda request: sent.append(f"{request.url} {request.post_data}"))
    host.open("/host/tickets")
    host.page.get_by_text("Real names", exact=True).click()
    host.page.get_by_label("Or paste the class list").fill("Zoe Adams\nBen Young\nAnna Miller")
    host.press("Tab")
    expect(host.page.get_by_label("For new pupils", exact=True)).to_have_value("3")
    host.button("Make tickets").click()
    tickets = host.page.locator(".ticket")
    expect(tickets).to_have_count(3)
    real = tickets.locator(".real")
    expect(real).to_have_text(["Zoe Adams", "Anna Miller", "Ben Young"])
    assert not any("Adams" in one for one in sent)
    code = tickets.first.locator(".code")
    expect(code).to_be_hidden()
    host.page.emulate_media(media="print")
    expect(code).to_be_visible()
    written, name = code.inner_text().replace(" ", ""), tickets.first.locator("bdi").inner_text()
    pupil = come()
    asked = list[str]()
    pupil.page.on("request", lambda request: asked.append(request.url))
    pupil.open(f"/ticket#{written}")
    expect(pupil.page.get_by_role("heading", level=1)).to_have_text(f"Continue as {name}?")
    assert not any(written in address for address in (pupil.page.url, *asked))
    pupil.button("Continue").click()
    expect(pupil.page.locator("#you bdi")).to_have_text(name)


def test_real_names_are_in_this_browser_alone(host: Tab, come: Visitor, tmp_path: Path) -> None:
    sent = list[str]()

    def note(request: Request) -> None:
        sent.append(f"{request.url} {request.post_data} {request.headers}")

    def saved(button: Locator) -> str:
        with host.page.expect_download() as download:
            button.click()
        return download.value.path().read_text(encoding="utf-8-sig")

    host.page.on("request", note)
    sit_down(come(), come(), ROW)
    expect(here(host)).to_have_count(2)
    name = here(host).locator("bdi").first.inner_text()
    host.page.get_by_label("Minutes").fill("7")
    host.page.locator("#naming > summary").click()
    host.page.get_by_text("Real names", exact=True).click()
    host.press(*"Zacharias", "Tab", on=host.page.get_by_label(name, exact=True))
    shown = here(host, name).locator(".real")
    expect(shown).to_have_text("Zacharias")
    # News bring the list without it; it is there before anyone sees that.
    come().open("/class")
    expect(here(host)).to_have_count(3)
    expect(shown).to_have_text("Zacharias")
    expect(host.page.get_by_label("Minutes")).to_have_value("7")
    file = tmp_path / "real-names.json"
    file.write_text(saved(host.button("Save as a file")), encoding="utf-8")
    assert list(json.loads(file.read_text(encoding="utf-8")).values()) == ["Zacharias"]
    host.open("/host/lesson")
    expect(host.page.locator("tbody tr").filter(has_text=name)).to_contain_text("Zacharias")
    for table, columns in (("Players", ["Name"]), ("Games", ["X", "O"])):
        text = saved(host.page.locator("#with-names").get_by_text(table))
        rows = list(csv.DictReader(StringIO(text)))
        assert rows
        for row, column in product(rows, columns):
            assert row[f"{column}: real name"] == ("Zacharias" if row[column] == name else "")
    host.page.get_by_text("Real names", exact=True).click()
    host.button("Forget all").click()
    expect(host.page.locator(".real")).to_have_count(0)
    host.page.get_by_label("Read a file").set_input_files(file)
    expect(host.page.locator("tbody .real")).to_have_text("Zacharias")
    host.button("Sign out").click()
    host.button("Forget them and sign out").click()
    expect(host.page.get_by_label("Key", exact=True)).to_be_visible()
    assert (
        host.page.evaluate(
            "() => Object.keys(localStorage).filter((key) => key.startsWith('real-names'))"
        )
        == []
    )
    assert sent
    assert not any("Zacharias" in one for one in sent)
