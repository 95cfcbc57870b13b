"""The rule lab: a list of rules put in order, and at once what it is worth."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.answers import late, refused
from tests.e2e.learn_pages import RuleLabPage
from tests.e2e.tab import Visitor

_FOCUS_IS_UNCOVERED = """() => {
  const { left, right, top, bottom } = document.activeElement.getBoundingClientRect();
  const at = (y) => document.elementFromPoint((left + right) / 2, y);
  return [top + 2, bottom - 2].every((y) => document.activeElement.contains(at(y)));
}"""


@pytest.fixture
def lab(visitor: Visitor) -> RuleLabPage:
    """Open the rule lab with three rules."""
    return RuleLabPage(visitor()).open("win", "block", "any")


# --- by keys, the mouse and a finger ------------------------------------------------------------


def test_by_keys_alone_rules_are_moved_added_and_taken_out_and_the_focus_is_not_lost(
    lab: RuleLabPage,
) -> None:
    lab.tab.tab_to("#up-any")
    # At the end another press changes nothing.
    for rules in (("win", "any", "block"), ("any", "win", "block"), ("any", "win", "block")):
        lab.tab.press("Enter")
        lab.expect_list(*rules)
        expect(lab.button("up", "any")).to_be_focused()
    for button, listed in (
        ("#add-fork", "any,win,block,fork"),
        ("#without-win", "any,block,fork"),
        ("#without-fork", "any,block"),
    ):
        lab.tab.tab_to(button)
        lab.tab.press("Enter")
        lab.expect_list(*listed.split(","))
        # The button is gone, and the focus with it unless the script cares.
        expect(lab.page.locator("#lab :focus")).to_have_count(1)
    for listed in ("any,block,fork", "any,win,block,fork"):
        lab.page.go_back()
        lab.expect_list(*listed.split(","))
    lab.page.go_forward()
    lab.expect_list("any", "block", "fork")


def test_a_rule_is_dragged_to_its_place_and_where_it_was_it_asks_nothing(lab: RuleLabPage) -> None:
    lab.drag("any", ("win", 0.1))
    lab.expect_list("any", "win", "block")
    lab.drag("any", ("block", 0.9))
    lab.expect_list("win", "block", "any")
    lab.page.go_back()
    lab.expect_list("any", "win", "block")
    asked = lab.tab.requests()
    lab.drag("win", ("block", 0.9), ("any", 0.9))
    # Whatever this had set off would be there by the time of another answer.
    lab.press("without", "any", "win", "block")
    assert len(asked) == 1


def test_rules_are_taken_out_one_after_the_other_where_the_pointer_is(visitor: Visitor) -> None:
    play = visitor(viewport={"width": 390, "height": 844})
    lab = RuleLabPage(play).open("win", "block", "fork", "corner", "edge", "any")
    lab.button("without", "win").scroll_into_view_if_needed()
    top = play.page.evaluate("() => scrollY")
    for rules in (("block", "fork", "corner", "edge", "any"), ("fork", "corner", "edge", "any")):
        lab.rules.first.get_by_text("×").click()
        lab.expect_list(*rules)
        expect(lab.page.locator("#lab :focus")).to_have_count(1)
        assert play.page.evaluate("() => scrollY") == top


# --- what a change did --------------------------------------------------------------------------


def test_what_a_change_did_is_announced_once(visitor: Visitor) -> None:
    lab = RuleLabPage(visitor()).open("win", "block", "centre")
    lab.tab.record_announcements()
    lab.press("add", "corner", "win", "block", "centre", "corner")
    [said] = lab.tab.announcements()
    assert "Can be beaten as O only" in said
    assert "It can no longer be beaten as X" in said
    expect(lab.page).to_have_title(re.compile("win,block,centre,corner"))


def test_what_a_change_did_is_in_sight_and_pushes_nothing_down(visitor: Visitor) -> None:
    play = visitor(viewport={"width": 320, "height": 568})
    lab = RuleLabPage(play).open("win", "block", "fork", "block-fork", "corner", "centre", "edge")
    top = lab.list.evaluate("(list) => list.getBoundingClientRect().top + scrollY")
    lab.button("up", "centre").click()
    expect(lab.changes).to_have_text(["−0.7", "+11.6"])
    for part in (lab.verdict, *lab.changes.all(), lab.button("up", "centre")):
        expect(part).to_be_in_viewport(ratio=1)
    assert lab.list.evaluate("(list) => list.getBoundingClientRect().top + scrollY") == top
    # However far up the focus walks, nothing lies over it.
    lab.button("add", "any").focus()
    hidden = []
    for _ in range(24):
        play.press("Shift+Tab")
        if not play.page.evaluate(_FOCUS_IS_UNCOVERED):
            hidden.append(play.page.evaluate("() => document.activeElement.id"))
    assert hidden == []


# --- impatience, and a bad network --------------------------------------------------------------


def test_a_double_click_does_one_thing(visitor: Visitor) -> None:
    lab = RuleLabPage(visitor()).open("win", "block", "fork", "corner", "any")
    for action, rule, slow, once in (
        ("without", "win", False, ("block", "fork", "corner", "any")),
        ("up", "corner", False, ("block", "corner", "fork", "any")),
        ("without", "block", True, ("corner", "fork", "any")),
        ("up", "any", True, ("corner", "any", "fork")),
    ):
        button = lab.button(action, rule)
        button.scroll_into_view_if_needed()
        box = button.bounding_box()
        assert box is not None
        place = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if slow:  # both clicks come before the answer
            lab.page.mouse.dblclick(*place)
        else:
            lab.page.mouse.click(*place)
            lab.expect_list(*once)
            lab.page.mouse.down(click_count=2)
            lab.page.mouse.up(click_count=2)
        lab.expect_list(*once)
    # Whatever the last click had set off would be there by the time of another answer.
    lab.press("without", "fork", "corner", "any")


def test_a_change_without_an_answer_or_with_a_late_one_leaves_what_is_there(
    lab: RuleLabPage,
) -> None:
    lab.tab.noise.expect_no_answer()
    with refused(lab.page, "fork", 503):
        lab.button("add", "fork").click()
    lab.expect_list("win", "block", "any")
    lab.page.reload()
    lab.page.context.set_offline(True)
    lab.drag("any", ("win", 0.1))
    expect(lab.tab.refusal).to_be_visible()
    lab.expect_list("win", "block", "any")
    lab.page.context.set_offline(False)
    lab.page.reload()
    with late(lab.page, "fork"):
        lab.button("add", "fork").click()
        lab.drag("block", ("win", 0.1))
        lab.expect_list("block", "win", "any")
    expect(lab.list).not_to_have_attribute("data-list", re.compile("fork"))
