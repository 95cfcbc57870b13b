"""Pages to learn from: an exercise, a review, the rule lab, the table of engines, and paper."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.answers import late, refused
from tests.e2e.learn_pages import ExercisePage, ReviewPage, RuleLabPage, expect_query
from tests.e2e.plans import plan
from tests.e2e.tab import CELLS, Visitor
from webapp.analysis.review import review
from webapp.core.board import Mark

LOST = plan("medium", Mark.X, "lost", plies=6)
MOVES, END = LOST.moves, len(LOST.moves)
MISTAKE = (review(MOVES).turning_point or 0) + 1
"""The number of the move that decided it."""


def test_an_exercise_is_done_by_keys_and_by_ear_and_a_second_click_skips_none(
    visitor: Visitor,
) -> None:
    tab = visitor().open("/opponents")
    one = ExercisePage(tab).open("threat.2")
    tab.record_announcements()
    tab.tab_to(".cell")
    tab.press("4")
    one.expect("threat.2", "Not yet.", "XXXOO....")
    assert tab.announcements() == ["Not yet. X completes the top row and wins."]
    expect(tab.cell(3)).to_be_focused()
    tab.noise.expect_refusal(429)
    with refused(tab.page, "cell=2", 429):
        tab.press("3")
    tab.announcements()
    tab.press("ArrowRight", "Enter")
    one.expect("threat.2", "Right.", "XXO.O....")
    assert [said.partition(".")[0] for said in tab.announcements()] == ["Right"]
    tab.page.reload()
    tab.record_announcements()
    one.onward.focus()
    tab.press("Enter")
    one.expect("threat.3", "Tap a cell.", "XO.XO....")
    assert tab.announcements() == ["Win or block? You are X. Tap a cell."]
    expect(tab.page.locator(".cell:focus")).to_have_count(1)
    tab.cell(6).click()
    one.expect("threat.3", "Right.", "XO.XO.X..")
    onward = one.onward.get_attribute("href") or ""
    one.onward.dblclick()
    expect(tab.page.locator("#exercise input[name=at]")).to_have_value(onward.partition("at=")[2])
    tab.page.go_back()
    expect(tab.title).to_have_text("Opponents")


def test_a_review_is_stepped_through_by_links_and_keys_each_told_once_and_back_leaves_at_once(
    visitor: Visitor,
) -> None:
    reviewed = ReviewPage(visitor().open("/opponents")).open(MOVES)
    tab = reviewed.tab
    with refused(tab.page, "at=1", 429):
        tab.press("ArrowRight")
    reviewed.expect_at(MOVES, 0)
    tab.press("Enter", on=reviewed.values)
    expect(reviewed.notes).to_have_count(9)
    steps = {"ArrowRight": (1, 2), "ArrowLeft": (1, 0, 0), "End": (END, END), "Home": (0, 0)}
    for key, reached in steps.items():
        for at in reached:
            tab.press(key)
            reviewed.expect_at(MOVES, at)
            expect_query(tab.page, at=str(at))
            expect(reviewed.values).to_be_focused()
    # The focus stays where a link leads no further, too.
    tab.record_announcements()
    for name, at in (("later", 1), ("last", END), ("last", END), ("earlier", END - 1)):
        tab.press("Enter", on=reviewed.step(name))
        reviewed.expect_at(MOVES, at)
        expect(reviewed.step(name)).to_be_focused()
        if name != "last":
            assert CELLS[MOVES[at - 1]].lower() in tab.announcements()[-1]
    tab.page.locator("#move-4").click()
    reviewed.expect_at(MOVES, 4)
    assert len(tab.announcements()) == 1
    tab.page.reload()
    reviewed.expect_at(MOVES, 4)
    expect(reviewed.notes).to_have_count(9 - 4)
    tab.page.go_back()
    expect(tab.title).to_have_text("Opponents")


def test_keys_and_clicks_that_come_before_the_answers_all_count(visitor: Visitor) -> None:
    play = visitor()
    reviewed = ReviewPage(play).open(MOVES)
    # With another key held down the arrows are the browser's.
    play.press("Control+ArrowRight", "Shift+End", *("ArrowRight",) * 5, "ArrowLeft", "ArrowLeft")
    reviewed.expect_at(MOVES, 3)
    expect_query(play.page, at="3")
    assert play.loads == 1
    with late(play.page, "at=4") as asked:
        play.press("ArrowRight")
        asked()
        reviewed.step("first").click()
        reviewed.expect_at(MOVES, 0)
    reviewed.expect_at(MOVES, 0)
    with late(play.page, "at=1"):
        reviewed.step("later").click(click_count=3)
        reviewed.expect_at(MOVES, 3)
    reviewed.expect_at(MOVES, 3)


@pytest.fixture
def lab(visitor: Visitor) -> RuleLabPage:
    return RuleLabPage(visitor()).open("win", "block", "any")


def test_by_keys_alone_rules_are_moved_added_and_taken_out_and_the_focus_is_not_lost(
    lab: RuleLabPage,
) -> None:
    lab.tab.tab_to("#up-any")
    # At the end another press changes nothing.
    for rules in (("win", "any", "block"), ("any", "win", "block"), ("any", "win", "block")):
        lab.tab.press("Enter")
        lab.expect_list(*rules)
        expect(lab.button("up", "any")).to_be_focused()
    lab.tab.record_announcements()
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
        assert len(lab.tab.announcements()) == 1
    lab.page.go_back()
    lab.expect_list("any", "block", "fork")


def test_a_rule_is_dragged_to_its_place_and_where_it_was_it_asks_nothing(lab: RuleLabPage) -> None:
    lab.drag("any", ("win", 0.1))
    lab.expect_list("any", "win", "block")
    lab.page.go_back()
    lab.expect_list("win", "block", "any")
    asked = lab.tab.requests()
    lab.drag("block", ("any", 0.9), ("win", 0.9))
    # Whatever this had set off would be there by the time of another answer.
    lab.press("without", "any", "win", "block")
    assert len(asked) == 1


def test_a_change_without_an_answer_or_with_a_late_one_leaves_what_is_there(
    lab: RuleLabPage,
) -> None:
    with refused(lab.page, "fork", 503):
        lab.button("add", "fork").click()
    with refused(lab.page, "any,win", 503):
        lab.drag("any", ("win", 0.1))
    lab.expect_list("win", "block", "any")
    lab.page.reload()
    with late(lab.page, "fork"):
        lab.button("add", "fork").click()
        lab.drag("block", ("win", 0.1))
        lab.expect_list("block", "win", "any")
    expect(lab.list).not_to_have_attribute("data-list", re.compile("fork"))


def test_arrow_keys_move_over_the_table_of_engines_and_enter_shows_a_pair(visitor: Visitor) -> None:
    tab = visitor().open("/lab?x=medium&o=hard")
    stop = tab.page.locator('.heat td a:not([tabindex="-1"])')

    def cell(x: str, o: str) -> Locator:
        return tab.page.get_by_role("link", name=re.compile(f": {x} as X against {o}, "))

    tab.tab_to(".heat td a")
    for key, x, o in (
        ("ArrowRight", "Medium", "Human"),
        ("ArrowUp", "Easy", "Human"),
        ("ArrowUp", "Easy", "Human"),  # at the edge it goes no further
        ("ArrowLeft", "Easy", "Hard"),
        ("ArrowDown", "Medium", "Hard"),
        ("ArrowDown", "Hard", "Hard"),
        ("ArrowLeft", "Hard", "Medium"),
    ):
        tab.press(key)
        expect(cell(x, o)).to_be_focused()
    tab.press("Tab", "Shift+Tab")
    expect(cell("Hard", "Medium")).to_be_focused()
    # Enter shows and tells the pair of the cell, and the address follows.
    tab.record_announcements()
    tab.press("Enter")
    [said] = tab.announcements()
    assert re.fullmatch("Hard against Medium: won .* %, drawn .* %, lost .* %.", said)
    expect(cell("Hard", "Medium")).to_be_focused()
    expect_query(tab.page, x="hard", o="medium")
    tab.page.reload()
    expect(cell("Hard", "Medium")).to_have_attribute("aria-current", "true")
    expect(stop).to_have_count(1)


A4 = (210 - 2 * 12, 297 - 2 * 12)
"""What the margins leave of a page, in millimetres."""

SHEETS = {
    "/learn/paper/rules": 1,
    "/learn/paper/puzzles?kind=stop-fork&number=12&seed=1": 2,
    "/learn/paper/menace": 8,
    "/learn/map?mark=o&moves=0481": 1,
}
_OUTSIDE = """([width, height]) => [...document.querySelectorAll(".sheet")].flatMap((sheet) => {
  const within = sheet.getBoundingClientRect();
  return [sheet, ...sheet.querySelectorAll("*")].filter((one) => {
    const { left, right, bottom } = one.getBoundingClientRect();
    return left < -1 || right > width + 1 || bottom - within.top > height;
  }).map((one) => one.outerHTML.slice(0, 80));
})"""


def test_sheets_fit_their_pages_and_nothing_is_cut(visitor: Visitor) -> None:
    width, height = (round(side / 25.4 * 96) for side in A4)
    tab = visitor(color_scheme="dark", viewport={"width": width, "height": height})
    for code in ("de", "ar"):
        tab.speak(code)
        for path, pages in SHEETS.items():
            tab.open(path)
            printed = tab.page.pdf(prefer_css_page_size=True)
            assert len(re.findall(rb"/Type\s*/Page\b", printed)) == pages, path
            tab.page.emulate_media(media="print")
            assert tab.page.evaluate(_OUTSIDE, [width, height]) == [], path
            expect(tab.page.locator(".site, .unprinted").filter(visible=True)).to_have_count(0)
            tab.page.emulate_media(media="null")
