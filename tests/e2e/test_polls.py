"""Asking the class in the browser: the desk, the wall, and pupils with and without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from tests.e2e.tab import Tab, Visitor
from tests.e2e.test_every_page import SCHEMES, expect_it_fits, misfits, what_axe_finds

ASKED = re.compile(r"/questions/")
PHONE, SMALL_PHONE = {"width": 390, "height": 664}, {"width": 320, "height": 568}
FREE = "button.cell:not([aria-disabled])"


class Room(NamedTuple):
    """Who is there: pupils with a mouse, with nothing but keys, and without scripts."""

    host: Tab
    wall: Tab
    mouse: Tab
    keys: Tab
    plain: Tab

    def arrive(self) -> None:
        """Wait until all pupils are at a question that is open."""
        for pupil in (self.mouse, self.keys):
            pupil.page.wait_for_url(ASKED)
            expect(pupil.page.locator(FREE).first).to_be_visible()
        self.plain.open(self.mouse.path)

    def answer(self, *cells: int) -> None:
        """Answer in their order, each in their own way."""
        for pupil, cell in zip((self.mouse, self.keys, self.plain), cells, strict=True):
            if pupil is self.keys:
                pupil.tab_to("button.cell")
                pupil.press(str(cell + 1))
            else:
                pupil.cell(cell).click()
            expect(pupil.page.locator("#question")).to_contain_text("You chose")

    def go_on(self) -> None:
        """Press the desk's button that shows what is right, and then asks again."""
        self.host.page.locator("#ask-on:not([aria-disabled])").click()

    def right_and_wrong(self) -> tuple[int, int]:
        """A cell that is right, as the host's programs know, and one that is not."""
        address = f"{self.host.server}{self.mouse.path}.json"
        best = self.host.page.request.get(address).json()["best"]
        free = (
            int(one.get_attribute("value") or "") for one in self.mouse.page.locator(FREE).all()
        )
        return best[0], next(cell for cell in free if cell not in best)

    def is_clean(self) -> None:
        """Check that all pages fit, and that axe finds nothing."""
        wrong = []
        for one in (self.mouse, self.keys, self.wall, self.host):
            size = one.page.viewport_size
            assert size
            wrong += misfits(one.page, size["width"])
            for scheme in SCHEMES:
                wrong += what_axe_finds(one, size["width"], scheme)
            one.page.set_viewport_size(size)
        assert not wrong, "\n".join(wrong)


@pytest.fixture
def room(come: Callable[..., Tab], sign_in: Callable[..., Tab]) -> Room:
    still = {"reduced_motion": "reduce"}
    plain = come(viewport=SMALL_PHONE, java_script_enabled=False)
    return Room(
        host=sign_in(**still),
        wall=come(**still).open("/class/board"),
        mouse=come(viewport=PHONE, **still).open("/class"),
        keys=come(viewport=SMALL_PHONE, **still).open("/class"),
        plain=plain.open("/class"),
    )


def ask(host: Tab, kind: str, seconds: str = "0") -> None:
    """Ask the class from the desk."""
    host.page.get_by_text("Ask the class", exact=True).click()
    host.page.locator("#kind").select_option(kind)
    host.page.locator("#ask-seconds").select_option(seconds)
    host.button("Ask").click()


def test_a_question_comes_to_all_and_its_answers_to_the_wall(room: Room) -> None:
    host, wall, mouse, keys, plain = room
    stage = wall.page.locator(".stage")
    with wall.no_reload():
        ask(host, "only")
        room.arrive()
        expect(stage).to_contain_text("Only one cell does not lose")
        expect(keys.page).to_have_title(re.compile("Only one cell does not lose"))
        for pupil in (mouse, keys, plain):
            for part in ("#board", "#turn"):
                expect(pupil.page.locator(part)).to_be_in_viewport(ratio=1)
        room.is_clean()
        keys.record_announcements()
        right, wrong = room.right_and_wrong()
        with mouse.no_reload():
            room.answer(wrong, right, right)
            assert keys.announcements()[-1].startswith("You chose")
            mouse.cell(right).click()
            expect(mouse.page.locator("[data-hint]")).to_have_count(1)
        expect(stage).to_contain_text("3 of")
        expect(stage.locator(".worth")).to_have_count(0)
        room.is_clean()
        host.button("Show answers").click()
        for pupil in (mouse, keys):
            expect(pupil.page.locator("#question")).to_contain_text("3 of")
        assert "3 of" in keys.announcements()[-1]
        keys.expect_focus_somewhere()
        expect(stage.locator(".worth").first).to_be_visible()
        room.is_clean()
        host.page.locator("#reveal-question").click()
        expect(stage).to_contain_text("Right:")
        expect(mouse.page.locator(".worth").filter(has_text="draw")).to_have_count(1)
        assert "The only cell that holds the draw" in keys.announcements()[-1]
        keys.expect_focus_somewhere()
        room.is_clean()
    expect_it_fits(mouse)
    host.page.locator("#end-question").click()
    expect(stage).to_have_count(0)


def test_a_question_calls_in_a_game_and_leads_after_it(come: Callable[..., Tab], host: Tab) -> None:
    playing, between, learns = (come() for _ in range(3))
    learns.open("/class").open("/learn")
    playing.open().play(4)
    between.open("/class").open("/")
    with playing.no_reload():
        ask(host, "fork")
        between.page.wait_for_url(ASKED)
        for called in (playing, learns):
            strip = called.page.locator("#calls")
            expect(strip).to_contain_text("Your teacher asks the class.")
            expect(called.page).to_have_title("Your teacher asks the class")
            expect(strip.locator(".in")).to_be_hidden()
        expect(host.page.locator("#calls .line")).to_have_count(0)
        learns.button("Not now").click()
        expect(learns.page.locator("#calls p")).to_be_hidden()
        for cell in range(9):
            if playing.page.locator(f"#game[data-going] #c{cell}:not([aria-disabled])").count():
                playing.play(cell)
    playing.page.wait_for_url(ASKED)


def test_the_position_of_a_review_on_the_wall_is_asked(come: Callable[..., Tab], host: Tab) -> None:
    ada = come().open("/class")
    assert host.post("/host/wall", {"moves": "40281", "at": "3", "version": "0"}).status == 303
    host.open("/host")
    host.page.locator("#ask-here").click()
    ada.page.wait_for_url(ASKED)
    expect(ada.page.locator(".cell svg:not(.ghost)")).to_have_count(3)
    expect(host.page.locator("#ask-here")).to_have_attribute("aria-disabled", "true")
    host.page.locator("#reveal-question").click()
    expect(ada.page.locator("#question")).to_contain_text("You did not answer. Right:")
    host.page.locator("#step-later").click()
    expect(host.page.locator("#ask-here")).not_to_have_attribute("aria-disabled", "true")


def test_the_time_that_is_left_is_heard(come: Callable[..., Tab], host: Tab) -> None:
    ada = come().own_clock().open("/class")
    ask(host, "win", "60")
    ada.page.wait_for_url(ASKED)
    ada.record_announcements()
    ada.let_pass(31_000)
    assert re.fullmatch(r"Seconds left: \d\d\.", ada.announcements()[0])


def test_a_quiz_of_five_ends_on_the_podium(room: Room) -> None:
    host, wall, mouse, keys, plain = room
    host.page.get_by_text("A quiz", exact=True).click()
    host.page.locator("#quiz-seconds").select_option("0")
    host.button("Begin the quiz").click()
    for number in range(5):
        room.arrive()
        for page in (mouse.page, keys.page, plain.page, wall.page):
            expect(page.locator("main")).to_contain_text(f"Question {number + 1} of 5")
        right, wrong = room.right_and_wrong()
        room.answer(right, right if number else wrong, wrong)
        before = mouse.page.url
        room.go_on()
        expect(wall.page.locator(".stage")).to_contain_text("Right:")
        room.go_on()
        for pupil in (mouse, keys):
            expect(pupil.page).not_to_have_url(before)
    plain.open(plain.path)
    for one, said in ((mouse, "5 of 5 right"), (keys, "4 of 5 right"), (plain, "0 of 5 right")):
        expect(one.page.locator(".lead")).to_have_text(said)
        expect(one.items("The first three")).to_have_count(2)
    steps = wall.items("The first three")
    expect(steps.first).to_contain_text(mouse.name)
    expect(steps.last).to_contain_text("4 points")
    room.is_clean()
    host.button("Class on the wall").click()
    expect(steps).to_have_count(0)


def test_a_game_of_the_class_goes_on_to_its_end(room: Room) -> None:
    host, wall, mouse, keys, _plain = room
    host.page.get_by_text("Class against computer", exact=True).click()
    host.page.locator("#vote-seconds").select_option("0")
    host.button("Begin the game").click()
    room.arrive()
    expect(mouse.page.locator("#turn")).to_have_text("You all play X against Hard.")
    while ASKED.search(mouse.page.url):
        room.arrive()
        cell = int(mouse.page.locator(FREE).first.get_attribute("value") or "")
        room.answer(cell, cell, cell)
        before = mouse.page.url
        room.go_on()
        for page in (keys.page.locator("#question"), wall.page.locator(".stage")):
            expect(page).to_contain_text("with 3 votes")
        room.go_on()
        for pupil in (mouse, keys):
            expect(pupil.page).not_to_have_url(before)
    result = re.compile("[XO] wins|draw")
    for one in (mouse, keys):
        expect(one.page.locator("main")).to_contain_text(result)
    expect(wall.page.locator(".stage")).to_contain_text(result)
    room.is_clean()


def test_a_puzzle_is_tried_by_a_tap_and_a_run_goes_on(visitor: Visitor) -> None:
    ada = visitor().open("/puzzles/run")
    with ada.no_reload():
        ada.page.locator("button.cell:not([aria-disabled])").first.click()
        expect(ada.page.locator("#right, #wrong")).to_be_visible()
    expect_it_fits(ada)
    ada.page.locator("#next").click()
    expect(ada.page.locator("#next[aria-disabled]")).to_be_visible()
