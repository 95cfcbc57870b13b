"""A game under review: from the end to the move that decided it, and on from before it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.learn_pages import STEPS, ReviewPage, expect_query, late_answer, refused
from tests.e2e.plans import plan
from tests.e2e.tab import CELLS, Visitor
from webapp import words
from webapp.analysis.review import review
from webapp.core import solver
from webapp.core.board import Mark
from webapp.core.game import Game

LOST = plan("medium", Mark.X, "lost", plies=6)
MOVES, END = LOST.moves, len(LOST.moves)
REVIEW = review(MOVES)
MISTAKE = (REVIEW.turning_point or 0) + 1
"""The number of the move that decided it."""


@pytest.fixture
def under_review(visitor: Visitor) -> ReviewPage:
    """Open the review of a lost game at its first step."""
    return ReviewPage(visitor()).open(MOVES, at=0, opponent="medium", mark="x")


@pytest.mark.parametrize("scripted", [True, False])
def test_from_a_lost_game_three_clicks_lead_to_a_game_that_begins_before_the_mistake(
    visitor: Visitor, scripted: bool
) -> None:
    play = visitor(java_script_enabled=scripted).open()
    play.play(*LOST.mine)
    lost_game = play.path
    play.page.locator("#review-link").click()
    reviewed = ReviewPage(play)
    reviewed.expect_at(MOVES, END)
    reviewed.turning.click()
    reviewed.expect_at(MOVES, MISTAKE)
    expect(reviewed.sentence).to_have_text(words.judged(REVIEW.moves[MISTAKE - 1]))
    better = reviewed.review.locator("[data-hint]")
    expect(better).to_have_count(len(REVIEW.moves[MISTAKE - 1].better))
    with play.next_game():
        reviewed.instead.click()
    play.expect_board(LOST.board(MISTAKE - 1))
    assert play.path != lost_game
    expect(play.move_list).to_have_count(MISTAKE - 1)
    best = solver.best_moves(Game(MOVES[: MISTAKE - 1]).board)[0]
    play.play(best)
    expect(play.cell(best)).to_have_accessible_name(f"{CELLS[best]}, X")
    play.open(lost_game)
    play.expect_board(LOST.board(END), winning=LOST.winning)


@pytest.mark.parametrize("scripted", [True, False])
def test_buttons_and_the_list_of_moves_step_through_the_game(
    visitor: Visitor, scripted: bool
) -> None:
    reviewed = ReviewPage(visitor(java_script_enabled=scripted)).open(MOVES)
    reviewed.expect_at(MOVES, END)
    reviewed.step("first").click()
    reviewed.expect_at(MOVES, 0)
    for name, at in (("later", 1), ("later", 2), ("earlier", 1)):
        reviewed.step(name).click()
        reviewed.expect_at(MOVES, at)
        expect_query(reviewed.page, at=str(at))
    reviewed.move(4).click()
    reviewed.expect_at(MOVES, 4)
    reviewed.step("last").click()
    reviewed.expect_at(MOVES, END)
    expect(reviewed.tab.move_list).to_have_count(END)


def test_arrow_keys_home_and_end_step_through_the_game_and_leave_the_focus(
    under_review: ReviewPage,
) -> None:
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
    reviewed = ReviewPage(play).open(MOVES, at=0)
    # With another key held down the arrows are the browser's.
    play.press("Control+ArrowRight", "Shift+End", *("ArrowRight",) * 5, "ArrowLeft", "ArrowLeft")
    reviewed.expect_at(MOVES, 3)
    expect_query(play.page, at="3")
    assert play.loads == 1


def test_after_a_refused_step_the_keys_go_on_from_what_is_shown(under_review: ReviewPage) -> None:
    under_review.tab.noise.expect_refusal(429)
    with refused(under_review.page, "at=1", 429):
        under_review.tab.press("ArrowRight")
    under_review.expect_at(MOVES, 0)
    under_review.tab.press("ArrowRight")
    under_review.expect_at(MOVES, 1)


def test_the_focus_stays_on_the_step_that_was_pressed_even_where_it_leads_no_further(
    under_review: ReviewPage,
) -> None:
    at = 0
    for name in ("first", "earlier", "later", "later", "last", "last", "later", *STEPS[:2]):
        link = under_review.step(name)
        under_review.tab.press("Enter", on=link)
        at = {"first": 0, "earlier": max(at - 1, 0), "later": min(at + 1, END), "last": END}[name]
        under_review.expect_at(MOVES, at)
        expect(link).to_be_focused()


def test_a_reload_shows_the_same_step_and_back_leaves_the_review_at_once(visitor: Visitor) -> None:
    play = visitor().open()
    play.play(*LOST.mine)
    game = play.page.url
    play.page.locator("#review-link").click()
    reviewed = ReviewPage(play)
    for at in (END - 1, 3):
        reviewed.move(at).click()
        reviewed.expect_at(MOVES, at)
    reviewed.values.click()
    expect_query(play.page, at="3", values="1")
    play.page.reload()
    reviewed.expect_at(MOVES, 3)
    expect(reviewed.notes).to_have_count(9 - 3)
    play.page.go_back()
    expect(play.page).to_have_url(game)
    play.expect_board(LOST.board(END), winning=LOST.winning)


def test_the_values_stand_on_the_free_cells_until_they_are_hidden(under_review: ReviewPage) -> None:
    play = under_review.tab
    expect(under_review.notes).to_have_count(0)
    play.press("Enter", on=under_review.values)
    expect(under_review.notes).to_have_count(9)
    expect(under_review.values).to_be_focused()
    under_review.move(MISTAKE).click()
    under_review.expect_at(MOVES, MISTAKE)
    board = Game(MOVES[:MISTAKE]).board
    expect(under_review.notes).to_have_count(len(board.legal_moves))
    for cell in board.legal_moves:
        worth = ("draw", "loss", "win")[solver.evaluate(board.play(cell)).value]
        expect(play.cell(cell)).to_have_accessible_name(
            re.compile(f"^{CELLS[cell]}, empty.*{worth}")
        )
        expect(play.cell(cell)).to_contain_text(worth)
    under_review.step("last").click()
    told = under_review.review.get_by_text("Go back a move to see values.")
    expect(told).to_be_visible()
    under_review.values.click()
    expect(told).to_have_count(0)
    expect(under_review.notes).to_have_count(0)
    under_review.expect_at(MOVES, END)


def test_each_step_is_announced_once(under_review: ReviewPage) -> None:
    play = under_review.tab
    play.record_announcements()
    for at in (1, 2, END):
        under_review.move(at).click()
        under_review.expect_at(MOVES, at)
        [said] = play.announcements()
        assert CELLS[MOVES[at - 1]].lower() in said
        assert under_review.sentence.inner_text() in said
    under_review.tab.press("Home")
    [said] = play.announcements()
    assert "empty board" in said


def test_an_answer_that_comes_late_does_not_undo_a_later_step(under_review: ReviewPage) -> None:
    with late_answer(under_review.page, "at=1"):
        with under_review.page.expect_request(lambda request: "at=1" in request.url):
            under_review.tab.press("ArrowRight")
        under_review.tab.press("End")
        under_review.expect_at(MOVES, END)
    under_review.expect_at(MOVES, END)
    expect_query(under_review.page, at=str(END))
