"""The rule lab: a list of rules put in order, and at once what it is worth."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.learn_pages import (
    RuleLabPage,
    late_answer,
    refused,
    requests_noted,
    room_link,
    site_link,
)
from tests.e2e.noise import Noise
from tests.e2e.play import PlayPage, Visitor, announcements, record_announcements
from webapp.analysis.worth import worth
from webapp.core.board import Mark
from webapp.engines.rules import rule_list

# With "force" before the places this list cannot be beaten; without, it can be as O.
BEATABLE = ("win", "block", "centre", "corner")
UNBEATABLE = ("win", "block", "force", "centre", "corner")

_FOCUS_IS_UNCOVERED = """() => {
  const { left, right, top, bottom } = document.activeElement.getBoundingClientRect();
  const at = (y) => document.elementFromPoint((left + right) / 2, y);
  return [top + 2, bottom - 2].every((y) => document.activeElement.contains(at(y)));
}"""


@pytest.fixture
def lab(visitor: Visitor) -> RuleLabPage:
    """Open the rule lab with three rules."""
    return RuleLabPage(visitor()).open("win", "block", "any")


def expect_proofs(lab: RuleLabPage, *rules: str) -> None:
    """Check that the page tells for each mark whether this list can be beaten."""
    found = worth(rule_list(f"rules:{','.join(rules)}")).proofs
    expect(lab.proofs).to_have_count(2)
    for shown, mark in zip(lab.proofs.all(), Mark, strict=True):
        expect(shown).to_contain_text(f"As {mark}")
        says = "It can be beaten" if found[mark].beatable else "It cannot be beaten"
        expect(shown).to_contain_text(says)


def tab_to(lab: RuleLabPage, action: str, rule: str) -> None:
    """Press Tab, from wherever the focus is, until this button has it."""
    focused = lab.page.locator(f"#{action}-{rule}:focus")
    for _ in range(60):
        if focused.count():
            return
        lab.page.keyboard.press("Tab")
    pytest.fail(f"#{action}-{rule} cannot be reached by Tab")


@pytest.mark.parametrize("scripted", [True, False])
def test_rules_are_added_moved_and_taken_out_by_clicks(visitor: Visitor, scripted: bool) -> None:
    play = visitor(java_script_enabled=scripted).open()
    site_link(play, "Learn").click()
    room_link(play, "Rule lab").click()
    lab = RuleLabPage(play)
    expect(lab.rules).to_have_count(3)
    lab.open(*BEATABLE)
    expect_proofs(lab, *BEATABLE)
    lab.button("add", "force").click()
    lab.expect_list(*BEATABLE, "force")
    lab.button("up", "force").click()
    lab.expect_list("win", "block", "centre", "force", "corner")
    lab.button("down", "centre").click()
    lab.expect_list(*UNBEATABLE)
    expect_proofs(lab, *UNBEATABLE)
    expect(lab.verdict).to_have_text("Proved unbeatable")
    lab.button("without", "force").click()
    lab.expect_list(*BEATABLE)
    expect_proofs(lab, *BEATABLE)
    lab.page.go_back()
    lab.expect_list(*UNBEATABLE)


def test_by_keys_alone_rules_are_moved_added_and_taken_out_and_the_focus_is_not_lost(
    lab: RuleLabPage,
) -> None:
    tab_to(lab, "up", "any")
    for rules in (("win", "any", "block"), ("any", "win", "block")):
        lab.page.keyboard.press("Enter")
        lab.expect_list(*rules)
        expect(lab.button("up", "any")).to_be_focused()
    lab.page.keyboard.press("Enter")
    expect(lab.button("up", "any")).to_be_focused()
    for action, rule, listed in (
        ("add", "fork", "any,win,block,fork"),
        ("without", "win", "any,block,fork"),
        ("without", "fork", "any,block"),
    ):
        tab_to(lab, action, rule)
        lab.page.keyboard.press("Enter")
        lab.expect_list(*listed.split(","))
        # The button is gone, and the focus with it unless the script cares.
        expect(lab.page.locator("#lab :focus")).to_have_count(1)


def test_at_the_ends_a_press_changes_nothing_and_back_leads_to_the_list_before(
    lab: RuleLabPage,
) -> None:
    lab.button("up", "block").click()
    lab.expect_list("block", "win", "any")
    for _ in range(2):
        lab.button("up", "block").focus()
        lab.page.keyboard.press("Enter")
        expect(lab.button("up", "block")).to_be_focused()
    lab.button("without", "any").click()
    lab.expect_list("block", "win")
    lab.page.go_back()
    lab.expect_list("block", "win", "any")
    lab.page.go_back()
    lab.expect_list("win", "block", "any")
    lab.page.go_forward()
    lab.expect_list("block", "win", "any")
    expect_proofs(lab, "block", "win", "any")


def test_a_rule_is_dragged_to_its_place(lab: RuleLabPage) -> None:
    lab.drag("any", "win", beyond=False)
    lab.expect_list("any", "win", "block")
    expect_proofs(lab, "any", "win", "block")
    lab.drag("any", "block", beyond=True)
    lab.expect_list("win", "block", "any")
    lab.page.go_back()
    lab.expect_list("any", "win", "block")


def test_a_rule_that_is_dropped_where_it_was_asks_nothing(lab: RuleLabPage) -> None:
    asked = requests_noted(lab.page, "/lab/rules")
    lab.take("win")
    lab.carry("any", beyond=True)
    lab.carry("block", beyond=False)
    lab.page.mouse.up()
    # Whatever this had set off would be there by the time of another answer.
    lab.button("without", "any").click()
    lab.expect_list("win", "block")
    assert len(asked) == 1


def test_what_a_change_did_is_shown_beside_the_figures_and_announced_once(
    visitor: Visitor,
) -> None:
    play = visitor()
    lab = RuleLabPage(play).open("win", "block", "centre")
    expect(lab.changes).to_have_count(0)
    record_announcements(play)
    lab.button("add", "corner").click()
    lab.expect_list(*BEATABLE)
    expect(lab.changes.first).to_be_visible()
    [said] = announcements(play)
    assert "Can be beaten as O only" in said
    assert "It can no longer be beaten as X" in said
    expect(play.page.locator("#lab").get_by_text("It can no longer be beaten as X")).to_be_visible()
    expect(play.page).to_have_title(re.compile("win,block,centre,corner"))


@pytest.mark.parametrize("slow", [False, True])
@pytest.mark.parametrize(
    "action,rule,once",
    [
        ("without", "win", ("block", "fork", "any")),
        ("up", "fork", ("win", "fork", "block", "any")),
    ],
)
def test_a_double_click_does_one_thing(
    visitor: Visitor, *, action: str, rule: str, once: tuple[str, ...], slow: bool
) -> None:
    lab = RuleLabPage(visitor()).open("win", "block", "fork", "any")
    lab.button(action, rule).scroll_into_view_if_needed()
    box = lab.button(action, rule).bounding_box()
    assert box is not None
    place = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    if slow:  # both clicks come before the answer
        lab.page.mouse.dblclick(*place)
    else:
        lab.page.mouse.click(*place)
        lab.expect_list(*once)
        lab.page.mouse.down(click_count=2)
        lab.page.mouse.up(click_count=2)
    # Whatever the second click had set off would be there by the time of another answer.
    lab.expect_list(*once)
    lab.button("without", "block").click()
    lab.expect_list(*(one for one in once if one != "block"))


def test_a_drag_without_an_answer_leaves_the_rules_where_they_were(
    lab: RuleLabPage, noise: Noise
) -> None:
    noise.expect_no_answer()
    address = lab.page.url
    lab.page.context.set_offline(True)
    lab.drag("any", "win", beyond=False)
    expect(lab.page.locator("main .refusal")).to_be_visible()
    lab.expect_list("win", "block", "any")
    assert lab.page.url == address
    lab.page.context.set_offline(False)


def test_a_refused_change_leaves_list_and_address_as_they_were(
    lab: RuleLabPage, noise: Noise
) -> None:
    noise.expect_refusal(503)
    address = lab.page.url
    with refused(lab.page, "fork", 503):
        lab.button("add", "fork").click()
        expect(lab.page.locator("main .refusal")).to_be_visible()
    lab.expect_list("win", "block", "any")
    assert lab.page.url == address


@pytest.mark.parametrize("width,height", [(1280, 720), (667, 375), (390, 844), (320, 568)])
def test_what_a_change_did_is_in_sight_and_pushes_nothing_down(
    visitor: Visitor, width: int, height: int
) -> None:
    play = visitor(viewport={"width": width, "height": height})
    lab = RuleLabPage(play).open("win", "block", "fork", "block-fork", "corner", "centre", "edge")
    top = lab.list.evaluate("(list) => list.getBoundingClientRect().top + scrollY")
    lab.button("up", "centre").click()
    expect(lab.summary.locator(".change")).to_have_text(["−0.7", "+11.6"])
    for part in (lab.verdict, *lab.summary.locator(".change").all(), lab.button("up", "centre")):
        expect(part).to_be_in_viewport(ratio=1)
    expect(lab.changed).to_contain_text("0.7 points less as X, 11.6 points more as O")
    assert lab.list.evaluate("(list) => list.getBoundingClientRect().top + scrollY") == top
    # However far up the focus walks, nothing lies over it.
    lab.button("add", "any").focus()
    hidden = []
    for _ in range(24):
        play.page.keyboard.press("Shift+Tab")
        if not play.page.evaluate(_FOCUS_IS_UNCOVERED):
            hidden.append(play.page.evaluate("() => document.activeElement.id"))
    assert hidden == []


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


@pytest.mark.parametrize("dragged", [False, True])
def test_an_answer_that_comes_late_does_not_undo_a_later_change(
    lab: RuleLabPage, dragged: bool
) -> None:
    with late_answer(lab.page, "fork"):
        lab.button("add", "fork").click()
        if dragged:
            lab.drag("block", "win", beyond=False)
        else:
            lab.button("up", "block").click()
        lab.expect_list("block", "win", "any")
    expect(lab.list).not_to_have_attribute("data-list", re.compile("fork"))


def test_a_finger_scrolls_and_moves_no_rule(visitor: Visitor) -> None:
    play: PlayPage = visitor(has_touch=True, viewport={"width": 390, "height": 844})
    lab = RuleLabPage(play).open("win", "block", "any")
    asked = requests_noted(lab.page, "/lab/rules")
    lab.rule("any").locator("span").first.tap()
    lab.button("up", "any").tap()
    lab.expect_list("win", "any", "block")
    assert len(asked) == 1
