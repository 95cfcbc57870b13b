"""A game under review: from the end to the move that decided it, and on from before it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.answers import late, refused
from tests.e2e.learn_pages import ReviewPage, expect_query
from tests.e2e.plans import plan
from tests.e2e.tab import CELLS, Visitor
from webapp.analysis.review import review
from webapp.core.board import Mark

LOST = plan("medium", Mark.X, "lost", plies=6)
MOVES, END = LOST.moves, len(LOST.moves)
MISTAKE = (review(MOVES).turning_point or 0) + 1
"""The number of the move that decided it."""


@pytest.fixture
def under_review(visitor: Visitor) -> ReviewPage:
    """Open the review of a lost game at its first step."""
    return ReviewPage(visitor()).open(MOVES)


def test_from_a_lost_game_three_clicks_lead_to_a_game_that_begins_before_the_mistake(
    visitor: Visitor,
) -> None:
    play = visitor(java_script_enabled=False).open()
    play.play(*LOST.mine)
    lost_game = play.path
    play.page.locator("#review-link").click()
    reviewed = ReviewPage(play)
    reviewed.expect_at(MOVES, END)
    reviewed.turning.click()
    reviewed.expect_at(MOVES, MISTAKE)
    better = reviewed.region.locator("[data-hint]").first
    best = int((better.get_attribute("id") or "").removeprefix("c"))
    with play.next_game():
        play.button("Play this move differently").click()
    play.expect_board(LOST.board(MISTAKE - 1))
    assert play.path != lost_game
    play.play(best)
    expect(play.cell(best)).to_have_accessible_name(f"{CELLS[best]}, X")
    play.open(lost_game)
    play.expect_board(LOST.board(END), winning=LOST.winning)


def test_links_step_through_the_game_and_keep_the_focus_even_where_they_lead_no_further(
    under_review: ReviewPage,
) -> None:
    for name, at in (
        *(("first", 0), ("earlier", 0), ("later", 1), ("later", 2), ("last", END)),
        *(("last", END), ("later", END), ("earlier", END - 1), ("first", 0)),
    ):
        link = under_review.step(name)
        under_review.tab.press("Enter", on=link)
        under_review.expect_at(MOVES, at)
        expect(link).to_be_focused()
    under_review.move(4).click()
    under_review.expect_at(MOVES, 4)
    expect_query(under_review.page, at="4")


def test_arrow_keys_home_and_end_step_through_the_game_also_after_a_refusal(
    under_review: ReviewPage,
) -> None:
    with refused(under_review.page, "at=1", 429):
        under_review.tab.press("ArrowRight")
    under_review.expect_at(MOVES, 0)
    walk = {
        "ArrowRight": (1, 2, 3),
        "ArrowLeft": (2, 1, 0, 0),
        "End": (END, END),
        "Home": (0, 0),
    }
    under_review.values.focus()
    for key, steps in walk.items():
        for at in steps:
            under_review.tab.press(key)
            under_review.expect_at(MOVES, at)
            expect_query(under_review.page, at=str(at))
            expect(under_review.values).to_be_focused()


@pytest.mark.parametrize("ready", [True, False])
def test_keys_pressed_before_an_answer_comes_or_htmx_is_ready_all_count(
    visitor: Visitor, *, ready: bool
) -> None:
    play = visitor()
    if not ready:
        # It gets ready in a task of its own, after the page is there: here never.
        play.page.add_init_script(
            """const later = window.setTimeout;
            window.setTimeout = (task, wait, ...more) =>
              wait === undefined ? 0 : later(task, wait, ...more);"""
        )
    reviewed = ReviewPage(play).open(MOVES)
    # With another key held down the arrows are the browser's.
    play.press("Control+ArrowRight", "Shift+End", *("ArrowRight",) * 5, "ArrowLeft", "ArrowLeft")
    reviewed.expect_at(MOVES, 3)
    expect_query(play.page, at="3")
    assert play.loads == 1


def test_values_stand_on_the_free_cells_after_a_reload_too_and_back_leaves_at_once(
    visitor: Visitor,
) -> None:
    play = visitor().open()
    play.play(*LOST.mine)
    game = play.page.url
    play.page.locator("#review-link").click()
    reviewed = ReviewPage(play)
    reviewed.move(3).click()
    reviewed.expect_at(MOVES, 3)
    expect(reviewed.notes).to_have_count(0)
    play.press("Enter", on=reviewed.values)
    expect(reviewed.notes).to_have_count(9 - 3)
    expect(reviewed.values).to_be_focused()
    play.page.reload()
    reviewed.expect_at(MOVES, 3)
    expect(reviewed.notes).to_have_count(9 - 3)
    play.page.go_back()
    expect(play.page).to_have_url(game)
    play.expect_board(LOST.board(END), winning=LOST.winning)


def test_each_step_is_announced_once(under_review: ReviewPage) -> None:
    play = under_review.tab
    play.record_announcements()
    for at in (1, END):
        under_review.move(at).click()
        under_review.expect_at(MOVES, at)
        [said] = play.announcements()
        assert CELLS[MOVES[at - 1]].lower() in said
        assert under_review.sentence.inner_text() in said
    play.press("Home")
    [said] = play.announcements()
    assert "empty board" in said


def test_steps_pressed_faster_than_the_answers_come_all_count(under_review: ReviewPage) -> None:
    page = under_review.page
    with late(page, "at=1") as asked:
        under_review.tab.press("ArrowRight")
        asked()
        under_review.tab.press("End")
        under_review.expect_at(MOVES, END)
    under_review.expect_at(MOVES, END)
    expect_query(page, at=str(END))
    under_review.step("first").click()
    under_review.expect_at(MOVES, 0)
    button = under_review.step("later").bounding_box()
    assert button is not None
    with late(page, "at=1"):
        page.mouse.click(button["x"] + 9, button["y"] + 9, click_count=3)
        under_review.expect_at(MOVES, 3)
    under_review.expect_at(MOVES, 3)
    under_review.step("earlier").dblclick()
    under_review.expect_at(MOVES, 1)
    # Other links lead where they say, whatever is still on its way.
    with late(page, "at=2"):
        under_review.step("later").click()
        under_review.step("first").click()
        under_review.move(4).click()
        under_review.expect_at(MOVES, 4)
    under_review.step("later").click()
    under_review.expect_at(MOVES, 5)
