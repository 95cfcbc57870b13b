"""Finding an opponent: one press each, and both are in a game."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.e2e.answers import late
from tests.e2e.tab import AT_ONCE, Tab, Visitor

GAME = re.compile(r"/games/")


def press(one: Tab) -> None:
    one.page.locator("#seek").click()


def expect_to_look(one: Tab) -> None:
    """In these tests one player looks at a time; who else is here they do not know."""
    looking = one.page.locator(".looking")
    expect(looking).to_have_text(re.compile(r"^Looking for an opponent \d+ here, 1 looking $"))
    expect(looking).to_be_focused()


def test_two_who_press_are_in_their_game_and_then_look_for_the_next(visitor: Visitor) -> None:
    ada, bob = (visitor().open("/class") for _ in range(2))
    expect(ada.own_name).to_be_visible()
    press(ada)
    expect_to_look(ada)
    expect(bob.class_region).to_contain_text(f"{ada.name} looking")
    press(bob)
    for one in (ada, bob):
        expect(one.page).to_have_url(GAME)
    x, o = (ada, bob) if ada.heading.inner_text() == "Your turn" else (bob, ada)
    x.play(4)
    o.expect_turn("Your turn")
    o.page.once("dialog", lambda dialog: dialog.accept())
    o.resign.click()
    over = x.page.url
    for one in (x, o):
        one.button("Next opponent").click()
        expect(one.page).not_to_have_url(over)
    # They have just played each other; but no one else comes.
    for one in (x, o):
        expect(one.page).to_have_url(GAME)
    expect(o.heading).to_have_text("Your turn")


def test_a_thumb_that_presses_one_spot_eight_times_looks_once_and_keys_call_it_off(
    visitor: Visitor,
) -> None:
    ada = visitor(viewport={"width": 390, "height": 664}).open("/class")
    box = ada.page.locator("#seek").bounding_box()
    assert box
    ada.page.evaluate(AT_ONCE)

    def press_four_times() -> None:
        for _ in range(4):
            ada.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    with late(ada.page, "/seeks"):
        press_four_times()
    expect_to_look(ada)
    press_four_times()
    expect_to_look(ada)
    assert len(ada.posts) == 1
    ada.press("Tab", "Enter")
    expect(ada.page.locator("#seek")).to_be_focused()
