"""The opponent and the mark: what a change of them does now, and what it does later."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.plans import plan
from tests.e2e.play import EMPTY, PlayPage
from webapp.core.board import Mark


def test_a_change_in_mid_game_asks_nothing_loses_nothing_and_applies_to_the_next_game(
    play: PlayPage,
) -> None:
    game = plan("medium", Mark.X, "drawn")
    play.start("medium")
    play.play(*game.mine[:2])
    version = play.version
    sent = len(play.posts)
    play.page.on("dialog", lambda dialog: pytest.fail(f"it asked: {dialog.message}"))

    play.choose(opponent="hard", mark="o")
    note = play.page.get_by_text(re.compile("next game", re.IGNORECASE)).locator("visible=true")
    expect(note.first).to_be_visible()
    expect(play.live).to_have_text(re.compile("next game", re.IGNORECASE))
    play.expect_board(game.board(4))
    assert play.version == version
    assert len(play.posts) == sent

    # The game goes on against Medium, with X, and counts there.
    play.play(*game.mine[2:])
    expect(play.game).to_have_attribute("data-outcome", "draw")
    expect(play.score_list).to_have_accessible_name("Score against Medium")
    play.expect_score(0, 1, 0)

    # The next one is against Hard, which has X.
    with play.next_game():
        play.play_again.click()
    play.expect_board(plan("hard", Mark.O, "drawn").board(1))
    expect(play.score_list).to_have_accessible_name("Score against Hard")


def test_on_an_untouched_board_another_opponent_applies_at_once(play: PlayPage) -> None:
    game = plan("hard", Mark.X, "lost")
    play.choose_for_an_empty_board(opponent="hard")
    play.play(*game.mine)
    play.expect_board(game.board(9), winning=game.outcome.lines[0])
    expect(play.score_list).to_have_accessible_name("Score against Hard")
    play.expect_score(0, 0, 1)


def test_with_o_chosen_the_cells_are_inert_and_one_button_lets_the_computer_begin(
    play: PlayPage,
) -> None:
    play.choose_for_an_empty_board(mark="o")
    play.expect_board(EMPTY)
    expect(play.begin).to_be_visible()
    expect(play.actions).to_have_count(1)
    sent = len(play.posts)
    for number in range(9):
        expect(play.cell(number)).to_have_attribute("aria-disabled", "true")
        play.cell(number).click(force=True)
    assert len(play.posts) == sent
    with play.next_game():
        play.begin.click()
    game = plan("medium", Mark.O, "drawn")
    play.expect_board(game.board(1))
    play.play(*game.mine)
    expect(play.game).to_have_attribute("data-outcome", "draw")
