"""Asking a classmate for a game by a tap on the face; and what is in the first screen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.server import NEWS_COME_SOON, Server
from tests.e2e.tab import Tab, Visitor

GAME = re.compile("/games/")


@pytest.fixture
def come(own_server: Server, visitor: Visitor) -> Callable[..., Tab]:
    """Bring people onto the page of a class of their own."""
    return lambda **browser: visitor(own_server.url, **browser).open("/class")


def chip(one: Tab, other: Tab) -> Locator:
    name = one.page.locator("bdi").get_by_text(other.name, exact=True)
    return one.people.filter(has=name).get_by_role("button")


def call(one: Tab, other: Tab) -> Locator:
    """The strip, once it says that another player asks."""
    expect(one.calls).to_contain_text(f"{other.name} asks you for a game")
    return one.calls


def test_of_two_who_are_asked_one_declines_and_one_accepts(come: Callable[..., Tab]) -> None:
    ada, bob, cem = (come() for _ in range(3))
    expect(ada.people).to_have_count(2)
    boxes = [one.bounding_box() for one in ada.people.all()]
    with ada.no_reload(), bob.no_reload():
        chip(ada, bob).click()
        expect(chip(ada, bob)).to_contain_text("asked · undo")
        expect(chip(bob, ada)).to_contain_text("asks you")
        # No other page tells, and no chip has moved.
        expect(cem.class_region).not_to_contain_text(re.compile("ask(s you|ed)"))
        assert [one.bounding_box() for one in ada.people.all()] == boxes
        assert bob.page.title().startswith(f"{ada.name} asks you")
        call(bob, ada).get_by_role("button", name="Decline").click()
        expect(bob.calls).to_be_empty()
        expect(chip(ada, bob)).to_contain_text("is busy")
        expect(chip(ada, bob)).to_have_attribute("aria-disabled", "true")
        chip(ada, cem).click()
        expect(chip(ada, cem)).to_contain_text("asked · undo")
        # At another spot: what is pressed at once in the same one is a double click.
        chip(ada, cem).click(position={"x": 8, "y": 8})
        expect(chip(ada, cem)).to_contain_text("free")
        expect(cem.calls).to_be_empty()
        # Two taps in one moment ask once.
        chip(ada, cem).dblclick()
        expect(chip(ada, cem)).to_contain_text("asked · undo")
        assert [request.url.rpartition("/")[2] for request in ada.posts[-2:]] == [
            "cancel",
            "challenges",
        ]
    cem.open("/learn")
    call(cem, ada).get_by_role("button", name="Accept").click()
    for one in (ada, cem):
        expect(one.page).to_have_url(GAME)
    assert ada.path == cem.path


def test_by_keyboard_the_focus_stays_on_the_chip(come: Callable[..., Tab]) -> None:
    ada, bob = come(), come()
    expect(chip(ada, bob)).to_be_visible()
    ada.tab_to(".chip")
    ada.press("Enter")
    expect(chip(ada, bob)).to_contain_text("asked · undo")
    expect(chip(ada, bob)).to_be_focused()
    ada.press("Enter")
    expect(chip(ada, bob)).to_contain_text("free")
    expect(chip(ada, bob)).to_be_focused()
    ada.press("Enter")
    call(bob, ada)
    bob.tab_to("#decline")
    bob.press("Enter")
    expect(chip(ada, bob)).to_contain_text("is busy")
    expect(chip(ada, bob)).to_be_focused()
    bob.expect_focus_somewhere()
    chip(bob, ada).focus()
    bob.press("Enter")
    call(ada, bob)
    ada.tab_to("#accept")
    ada.press("Enter")
    for one in (ada, bob):
        expect(one.page).to_have_url(GAME)


def test_without_javascript_a_game_is_asked_for_and_accepted(come: Callable[..., Tab]) -> None:
    ada, bob = (come(java_script_enabled=False) for _ in range(2))
    bob.a("Refresh").click()
    ada.a("Refresh").click()
    chip(ada, bob).click()
    expect(chip(ada, bob)).to_contain_text("asked · undo")
    bob.a("Refresh").click()
    expect(bob.calls.get_by_role("button", name="Decline")).to_be_visible()
    call(bob, ada).get_by_role("button", name="Accept").click()
    for one in (ada, bob):  # the page of the player who asks loads itself again
        expect(one.page).to_have_url(GAME)


def test_what_cannot_be_is_said_where_nothing_moves(come: Callable[..., Tab]) -> None:
    ada, bob, cem = (come() for _ in range(3))
    expect(ada.people).to_have_count(2)
    ada.pause.click()  # so that its chips say what was
    assert bob.post("/seeks", {}).status == cem.post("/seeks", {}).status == 303
    before = [one.bounding_box() for one in ada.people.all()]
    ada.noise.expect_refusal(409)
    chip(ada, bob).click()
    expect(ada.page.get_by_role("alert")).to_have_text(f"{bob.name} is playing.")
    assert [one.bounding_box() for one in ada.people.all()] == before
    expect(chip(ada, bob)).to_contain_text("playing")


@pytest.fixture
def named(tmp_path: Path) -> Iterator[Server]:
    """A server whose players choose their names."""
    server = Server(tmp_path / "data", {"TTT_NAMES": "own"}, patch=NEWS_COME_SOON)
    yield server
    server.stop()


SCREENS = ((390, 664), (1280, 720))


@pytest.mark.parametrize("width,height", SCREENS)
def test_the_way_to_a_game_and_four_who_are_here_are_in_the_first_screen(
    named: Server, visitor: Visitor, width: int, height: int
) -> None:
    people = [visitor(named.url) for _ in range(10)]
    for number, one in enumerate(people):
        name = f"Wintergreen Parakee{number}" if number % 2 else f"{'W' * 19}{number}"
        assert one.post("/you/name", {"name": name}).status == 303
        one.open("/class")
    first, second, *_ = people
    assert second.post("/seeks", {}).status == 303
    first.page.set_viewport_size({"width": width, "height": height})
    expect(first.open("/class").page.locator("#here-now li")).to_have_count(9)
    for part in (first.page.locator("#seek"), first.code_field, *first.people.all()[:4]):
        expect(part).to_be_in_viewport(ratio=1)
    first.page.locator("#seek").click()
    expect(first.page).to_have_url(GAME)
    # Eight on a phone, until all are wanted.
    third = people[2]
    third.page.set_viewport_size({"width": width, "height": height})
    expect(third.open("/class").people).to_have_count(8 if width < 800 else 9)
    if width < 800:
        third.page.get_by_text("1 more").click()
        expect(third.people).to_have_count(9)
    assert third.page.evaluate("document.documentElement.scrollWidth") <= width
