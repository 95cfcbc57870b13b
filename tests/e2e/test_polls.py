"""Asking the class in the browser: the desk, the wall, and pupils with and without scripts."""

import re

from playwright.sync_api import expect

from tests.e2e.pair import sit_down
from tests.e2e.tab import Tab, Visitor
from webapp.core.board import Board
from webapp.polls import right

ASKED = re.compile(r"/questions/")
FREE = "button.cell:not([aria-disabled])"


def ask(host: Tab, kind: str, seconds: str = "0") -> None:
    host.page.get_by_text("Ask the class", exact=True).click()
    host.page.locator("#kind").select_option(kind)
    host.page.locator("#ask-seconds").select_option(seconds)
    host.button("Ask").click()


def right_and_wrong(one: Tab) -> tuple[int, int]:
    labels = [cell.get_attribute("aria-label") or "" for cell in one.board.locator("button").all()]
    board = Board.parse("".join((*re.findall("[XO]$", label), ".")[0] for label in labels))
    best = right(board)
    return best[0], next(cell for cell in board.legal_moves if cell not in best)


def test_a_question_comes_to_all_and_its_answers_to_the_wall(host: Tab, come: Visitor) -> None:
    wall = come().open("/class/board")
    mouse, keys = (come(reduced_motion="reduce").open("/class") for _ in range(2))
    plain = come(java_script_enabled=False).open("/class")
    plain.button("Come in").click()
    stage = wall.page.locator(".stage")
    with wall.no_reload():
        ask(host, "only")
        for pupil in (mouse, keys):
            pupil.page.wait_for_url(ASKED)
        plain.open(mouse.path)
        expect(stage).to_contain_text("Only one cell does not lose")
        expect(keys.page).to_have_title(re.compile("Only one cell does not lose"))
        keys.record_announcements()
        good, bad = right_and_wrong(mouse)
        with mouse.no_reload():
            mouse.cell(bad).click()
            keys.tab_to("button.cell")
            keys.press(str(good + 1))
            plain.cell(good).click()
            for pupil in (mouse, keys, plain):
                expect(pupil.page.locator("#question")).to_contain_text("You chose")
            assert keys.announcements()[-1].startswith("You chose")
            mouse.cell(good).click()
            expect(mouse.page.locator("[data-hint]")).to_have_count(1)
        expect(stage).to_contain_text("3 of")
        expect(stage.locator(".worth")).to_have_count(0)
        host.button("Show answers").click()
        for pupil in (mouse, keys):
            expect(pupil.page.locator("#question")).to_contain_text("3 of")
        assert "3 of" in keys.announcements()[-1]
        keys.expect_focus_somewhere()
        expect(stage.locator(".worth").first).to_be_visible()
        host.page.locator("#reveal-question").click()
        expect(stage).to_contain_text("Right:")
        expect(mouse.page.locator(".worth").filter(has_text="draw")).to_have_count(1)
        assert "The only cell that holds the draw" in keys.announcements()[-1]
        keys.expect_focus_somewhere()
    host.page.locator("#end-question").click()
    expect(stage).to_have_count(0)


def test_a_question_leads_from_every_page_and_back_to_the_game_and_its_time_is_heard(
    host: Tab, come: Visitor
) -> None:
    pair, learns = sit_down(come(), come(), "4"), come().own_clock().open("/class").open("/learn")
    assert host.post("/host/wall", {"moves": "40281", "at": "3"}).status == 303
    host.open("/host").page.locator("#ask-here").click()
    for led in (*pair.people, learns):
        led.page.wait_for_url(ASKED)
        expect(led.page.locator(".cell svg:not(.ghost)")).to_have_count(3)
        if led is not learns:
            led.page.locator(FREE).first.click()
            expect(led.page.locator("#question")).to_contain_text("You chose")
    expect(host.page.locator("#ask-here")).to_have_attribute("aria-disabled", "true")
    host.page.locator("#reveal-question").click()
    expect(learns.page.locator("#question")).to_contain_text("You did not answer. Right:")
    for player in pair.people:
        expect(player.a("Go to your game")).to_be_visible()
    host.page.locator("#end-question").click()
    for player in pair.people:
        player.page.wait_for_url(f"**{pair.path}")
    pair.play(0, 8, begun=1)
    ask(host.open("/host"), "win", "60")
    expect(learns.page.locator(FREE).first).to_be_visible()
    learns.record_announcements()
    learns.let_pass(31_000)
    assert re.fullmatch(r"Seconds left: \d\d\.", learns.announcements()[0])
