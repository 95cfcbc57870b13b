"""Asking the class in the browser: the desk, the wall, and pupils with and without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.e2e.tab import Tab, Visitor
from tests.e2e.test_every_page import expect_it_fits

ASKED = re.compile(r"/questions/")


def ask(host: Tab, kind: str) -> None:
    """Ask the class from the desk."""
    host.page.get_by_text("Ask the class", exact=True).click()
    host.page.locator("#kind").select_option(kind)
    host.page.locator("#ask-seconds").select_option("0")
    host.button("Ask").click()


def test_a_question_comes_to_all_and_its_answers_to_the_wall(
    come: Callable[..., Tab], host: Tab
) -> None:
    wall, ada, bob = (come().open(path) for path in ("/class/board", "/class", "/class"))
    plain = come(java_script_enabled=False)
    with wall.no_reload():
        ask(host, "only")
        for pupil in (ada, bob):
            pupil.page.wait_for_url(ASKED)
        address = ada.path
        stage = wall.page.locator(".stage")
        expect(stage).to_contain_text("Only one cell does not lose")
        plain.open(address)
        free = "button.cell:not([aria-disabled])"
        with ada.no_reload():
            ada.page.locator(free).first.click()
            expect(ada.page.locator("#question")).to_contain_text("You chose")
            ada.page.locator(free).last.click()
            expect(ada.page.locator("[data-hint]")).to_have_count(1)
        bob.page.locator(free).first.focus()
        bob.page.keyboard.press("Enter")
        expect(bob.page.locator("#question")).to_contain_text("You chose")
        plain.page.locator(free).first.click()
        expect(plain.page.locator("#question")).to_contain_text("You chose")
        expect(stage).to_contain_text("3 of")
        expect(stage.locator(".worth")).to_have_count(0)
        host.button("Show answers").click()
        expect(ada.page.locator("#question")).to_contain_text("3 of")
        expect(stage.locator(".worth").first).to_be_visible()
        host.page.locator("#reveal-question").click()
        expect(stage).to_contain_text("Right:")
        expect(ada.page.locator(".worth").filter(has_text="draw")).to_have_count(1)
    expect_it_fits(ada)
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


def test_a_game_of_the_class_goes_on_from_question_to_question(
    come: Callable[..., Tab], host: Tab
) -> None:
    ada = come().open("/class")
    host.page.get_by_text("Class against computer", exact=True).click()
    host.page.locator("#vote-seconds").select_option("0")
    host.button("Begin the game").click()
    ada.page.wait_for_url(ASKED)
    expect(ada.page.locator("#turn")).to_have_text("You all play X against Hard.")
    ada.page.locator("#c8").click()
    expect(ada.page.locator("#question")).to_contain_text("You chose the bottom right corner.")
    first = ada.path
    host.page.locator("#ask-on").click()
    expect(ada.page.locator("#question")).to_contain_text("with 1 vote")
    host.page.locator("#ask-on:not([aria-disabled])").click()
    ada.page.wait_for_url(lambda url: "/questions/" in url and not url.endswith(first))
    expect(ada.page.locator("#question")).to_contain_text("I took the centre")


def test_a_puzzle_is_tried_by_a_tap_and_a_run_goes_on(visitor: Visitor) -> None:
    ada = visitor().open("/puzzles/run")
    with ada.no_reload():
        ada.page.locator("button.cell:not([aria-disabled])").first.click()
        expect(ada.page.locator("#right, #wrong")).to_be_visible()
    expect_it_fits(ada)
    ada.page.locator("#next").click()
    expect(ada.page.locator("#next[aria-disabled]")).to_be_visible()
