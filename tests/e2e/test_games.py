"""Whole games, from the first click to the result, and what can be done in them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.plans import DRAWN, Level, Plan, Result, plan
from tests.e2e.tab import CELLS, EMPTY, Tab, Visitor
from webapp.core.board import Mark


def expect_the_end(play: Tab, game: Plan) -> None:
    """Check everything that a finished game shows."""
    winner = game.outcome.winner
    play.expect_board(game.board(), winning=game.winning)
    expect(play.game).to_have_attribute("data-outcome", str(winner or "draw").lower())
    for cell in play.cells.all():
        expect(cell).to_have_attribute("aria-disabled", "true")
    name = "You win" if game.result == "won" else f"{game.level.capitalize()} wins"
    heading = f"{name}: " if winner else "A draw"
    expect(play.heading).to_contain_text(heading)
    expect(play.page).to_have_title(re.compile(heading))
    expect(play.again).to_have_text("Play again")
    expect(play.move_list).to_have_count(len(game.moves))
    play.expect_score(*(int(game.result == result) for result in ("won", "drawn", "lost")))


@pytest.mark.parametrize(
    "level, mark, result, scripted",
    [
        ("easy", Mark.X, "won", True),
        ("medium", Mark.O, "drawn", True),
        ("hard", Mark.X, "lost", False),
    ],
)
def test_a_game_goes_to_its_end(
    visitor: Visitor, level: Level, mark: Mark, result: Result, *, scripted: bool
) -> None:
    play = visitor(java_script_enabled=scripted)
    game = plan(level, mark, result)
    play.start(level, mark.slug)
    plies = 0 if mark is Mark.X else 1
    for cell in game.mine:
        play.expect_board(game.board(plies))
        play.play(cell)
        plies = min(plies + 2, len(game.moves))
        if plies < len(game.moves):
            expect(play.sentence).to_contain_text(CELLS[game.moves[plies - 1]].lower())
    expect_the_end(play, game)
    play.page.reload()
    expect_the_end(play, game)
    play.go_on()
    play.expect_board(EMPTY if mark is Mark.X else game.board(1))
    expect(play.opponent).to_have_value(level)


def test_friends_move_both_marks_by_turns_and_keep_no_score(play: Tab) -> None:
    play.start("friend")
    for plies, cell in enumerate((0, 4, 1, 3, 2)):
        expect(play.heading).to_contain_text("XO"[plies % 2])
        play.play(cell)
    play.expect_board("XXXOO....", winning=[0, 1, 2])
    expect(play.heading).to_have_text("X wins: top row")
    expect(play.score_list).to_have_count(0)
    play.go_on()
    play.play(8)
    play.expect_board("........X")


@pytest.mark.parametrize("scripted", [True, False])
def test_a_game_that_is_left_for_another_is_over(visitor: Visitor, *, scripted: bool) -> None:
    play = visitor(java_script_enabled=scripted).open()
    play.play(*DRAWN.mine[:2])
    left = play.path
    play.press("Enter", on=play.again)
    expect(play.heading).to_have_text("Continue, or give up?")
    if scripted:
        expect(play.a("Continue")).to_be_focused()
        expect(play.live).to_have_text("Your game against Medium goes on. Continue, or give up?")
    play.a("Continue").click()
    play.expect_board(DRAWN.board(4))
    play.again.click()
    play.page.get_by_role("button", name="Give it up").click()
    expect(play.heading).to_have_text("Your turn")
    assert play.path.partition("?")[0] == "/"
    play.expect_board(EMPTY)
    play.expect_score(0, 0, 1)
    play.open(left).expect_board(DRAWN.board(4))
    expect(play.heading).to_have_text("Medium wins: you left")


def test_undo_and_hint_with_the_computers_first_move_on_the_board(play: Tab) -> None:
    game = plan("medium", Mark.O, "drawn")
    play.start("medium", "o")
    play.play(*game.mine[:2])
    for plies in (3, 1):
        with play.change():
            play.undo.click()
        play.expect_board(game.board(plies))
        expect(play.move_list).to_have_count(plies)
    # There is nothing left to take back: the button stays, and does nothing.
    expect(play.undo).to_have_attribute("aria-disabled", "true")
    posts = len(play.posts)
    play.undo.click(force=True)
    assert len(play.posts) == posts
    with play.change():
        play.hint.click()
    suggested = play.page.locator("#game [data-hint]")
    expect(suggested).to_have_accessible_name(re.compile(", suggested$"))
    cell = int((suggested.get_attribute("id") or "").removeprefix("c"))
    expect(play.sentence).to_have_text(re.compile(rf"\b{CELLS[cell].lower()}\b.*: .+\.$"))
    # Any cell may be played all the same, and is answered as before.
    play.play(game.mine[0])
    play.expect_board(game.board(3))
