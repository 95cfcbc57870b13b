"""A whole game, from the first click to the result, and what a change of the choices does."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.plans import DRAWN, plan
from tests.e2e.tab import CELLS, EMPTY, Tab, Visitor
from webapp.core.board import Mark


def expect_a_draw(play: Tab, board: str, moves: int) -> None:
    """Check everything that a drawn game against Medium shows."""
    play.expect_board(board)
    expect(play.game).to_have_attribute("data-outcome", "draw")
    for cell in play.cells.all():
        expect(cell).to_have_attribute("aria-disabled", "true")
    expect(play.heading).to_contain_text("A draw")
    expect(play.page).to_have_title(re.compile("A draw"))
    expect(play.again).to_have_text("Play again")
    expect(play.move_list).to_have_count(moves)
    play.expect_score(0, 1, 0)


def test_a_game_goes_to_its_end_and_one_that_is_left_for_another_is_over(play: Tab) -> None:
    game = plan("medium", Mark.O, "drawn")
    play.start("medium", "o")
    plies = 1
    for cell in game.mine:
        play.expect_board(game.board(plies))
        play.play(cell)
        plies = min(plies + 2, len(game.moves))
        if plies < len(game.moves):
            expect(play.sentence).to_contain_text(CELLS[game.moves[plies - 1]].lower())
    for _ in range(2):
        expect_a_draw(play, game.board(), len(game.moves))
        play.page.reload()
    play.go_on()
    play.expect_board(game.board(1))
    expect(play.opponent).to_have_value("medium")

    play.play(*game.mine[:2])
    left = play.path
    play.press("Enter", on=play.again)
    expect(play.heading).to_have_text("Start a new game?")
    expect(play.a("Keep playing")).to_be_focused()
    expect(play.live).to_have_text("Your game against Medium goes on. Start a new game?")
    play.a("Keep playing").click()
    play.expect_board(game.board(5))
    play.again.click()
    play.button("New game").click()
    play.expect_score(0, 1, 1)
    play.open(left).expect_board(game.board(5))
    expect(play.heading).to_have_text("Medium wins: you left")


def test_beside_a_game_a_change_asks_nothing_and_is_for_the_next_game(play: Tab) -> None:
    play.page.on("dialog", lambda dialog: pytest.fail(f"it asked: {dialog.message}"))
    play.play(DRAWN.mine[0])
    with play.change():
        play.undo.click()
    # The game goes on, even with a board as empty as before it.
    version, asked = play.version, play.requests()
    play.choose(opponent="hard", mark="alternate")
    expect(play.page.get_by_text("It applies to the next game.", exact=True)).to_be_visible()
    expect(play.live).to_have_text("That applies to the next game.")
    play.expect_board(EMPTY)
    assert play.version == version
    assert [one for one in asked if "since=" not in one] == []  # but for news
    play.play(*DRAWN.mine)
    play.expect_board(DRAWN.board())
    expect(play.score_list).to_have_accessible_name("Score against Medium")

    # The next one is against Hard, which has X, and the one after it too, with marks by turns.
    play.go_on()
    play.expect_board(plan("hard", Mark.O, "drawn").board(1))
    expect(play.score_list).to_have_accessible_name("Score against Hard")
    play.go_on()
    play.play(0)
    expect(play.cell(0)).to_have_accessible_name("Top left, X")


def test_on_the_front_page_a_change_applies_at_once_and_later_too(play: Tab) -> None:
    game = plan("hard", Mark.X, "lost")
    play.choose(opponent="hard")
    play.play(*game.mine)
    play.expect_board(game.board(), winning=game.winning)
    play.page.reload()
    play.go_on()
    expect(play.heading).to_have_text("You against Hard")
    # On the board that came without a load of the page as well, where Enter plays nothing.
    play.press("Enter", on=play.mark("x"))
    play.choose(opponent="easy")
    expect(play.heading).to_have_text("You against Easy")
    step = play.page.locator("[data-opponent=hard]")
    expect(step).not_to_have_attribute("aria-current", "true")
    step.click()
    expect(play.heading).to_have_text("You against Hard")
    expect(step).to_have_attribute("aria-current", "true")
    expect(step).to_be_focused()
    expect(play.opponent).to_have_value("hard")
    play.expect_score(0, 0, 1)


def test_without_javascript_the_computer_begins_and_undo_hint_and_setup_work(
    visitor: Visitor,
) -> None:
    plain = visitor(java_script_enabled=False).open()
    plain.noise.expect_refusal(422)
    game = plan("medium", Mark.O, "lost")
    plain.choose(mark="o")
    plain.cell(0).click()  # the answer says that the computer begins, and lets it
    plain.go_on()
    plain.play(*game.mine[:2])
    for button in (plain.undo, plain.hint):
        with plain.change():
            button.click()
        plain.expect_board(game.board(3), noted=True)
    suggested = plain.page.locator("#game [data-hint]")
    expect(suggested).to_have_accessible_name(re.compile(", suggested$"))
    plain.play(*game.mine[1:])
    plain.choose(opponent="hard", mark="x")
    plain.go_on()
    plain.expect_board(EMPTY)
    expect(plain.opponent).to_have_value("hard")
