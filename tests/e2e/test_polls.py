import re

from playwright.sync_api import expect

from tests.e2e.tab import Tab, Visitor
from webapp.core.board import Board
from webapp.polls import right

ASKED = re.compile(r"/questions/")


def ask(host: Tab, kind: str, seconds: str) -> None:
    host.page.locator("#asking > summary").click()
    host.page.locator("#kind").select_option(kind)
    host.page.get_by_text("More choices").locator("visible=true").click()
    host.page.get_by_label("Seconds").locator("visible=true").select_option(seconds)
    host.button("Ask the class").click()


def test_a_question_comes_to_all_and_its_answers_to_the_wall(host: Tab, come: Visitor) -> None:
    wall = come().open("/class/board")
    mouse, keys = (come(reduced_motion="reduce").open("/class") for _ in range(2))
    plain = come(java_script_enabled=False).open("/class")
    plain.button("Come in").click()
    expect(keys.own_name).to_be_visible()
    keys.open("/learn")  # a question leads from any page
    stage = wall.page.locator(".stage")
    with wall.no_reload():
        ask(host, "only", "0")
        for pupil in (mouse, keys):
            pupil.page.wait_for_url(ASKED)
        plain.open(mouse.path)
        expect(stage).to_contain_text("Only one cell does not lose")
        expect(keys.page).to_have_title(re.compile("Only one cell does not lose"))
        keys.record_announcements()
        cells = [
            one.get_attribute("aria-label") or "" for one in mouse.board.locator("button").all()
        ]
        board = Board.parse("".join((*re.findall("[XO]$", label), ".")[0] for label in cells))
        good, *others = right(board)
        bad = next(cell for cell in board.legal_moves if cell not in (good, *others))
        with mouse.no_reload():
            mouse.cell(bad).click()
            keys.tab_to("button.cell")
            keys.press(str(good + 1))
            plain.cell(good).click()
            for pupil in (mouse, keys, plain):
                expect(pupil.page.locator("#question")).to_contain_text("You chose")
            mouse.cell(good).click()
            expect(mouse.page.locator("[data-hint]")).to_have_count(1)
        expect(stage).to_contain_text("3 of")
        expect(stage.locator(".worth")).to_have_count(0)
        host.button("Show answers").click()
        for pupil in (mouse, keys):
            expect(pupil.page.locator("#question")).to_contain_text("3 of")
        keys.expect_focus_somewhere()
        expect(stage.locator(".worth").first).to_be_visible()
        host.page.locator("#reveal-question").click()
        expect(stage).to_contain_text("Correct:")
        expect(mouse.page.locator(".worth").filter(has_text="draw")).to_have_count(1)
        expect(keys.page.locator(".worth").filter(has_text="draw")).to_have_count(1)
        keys.expect_focus_somewhere()
        heard = " ".join(keys.announcements())
        for told in ("You chose", "3 of", "The only cell that keeps the draw"):
            assert told in heard
    host.page.locator("#end-question").click()
    expect(stage).to_have_count(0)


def test_half_the_time_of_a_question_is_heard(host: Tab, come: Visitor) -> None:
    pupil = come()
    pupil.page.clock.install()
    pupil.open("/class")
    expect(pupil.own_name).to_be_visible()
    ask(host, "win", "60")
    pupil.page.wait_for_url(ASKED)
    expect(pupil.page.locator("#question [data-seconds]")).to_have_text(re.compile("left: [1-5]"))
    pupil.record_announcements()
    pupil.page.clock.fast_forward(31_000)
    assert re.fullmatch(r"Seconds left: \d\d\.", pupil.announcements()[0])
