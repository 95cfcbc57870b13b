"""The opponent and the mark: what a change of them does now, and what it does later."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.plans import plan
from tests.e2e.play import EMPTY, PlayPage, Visitor
from webapp.core.board import Mark


def test_the_dropdown_offers_three_levels_and_a_friend_and_says_what_each_does(
    play: PlayPage,
) -> None:
    options = play.opponent.locator("option")
    values = [option.get_attribute("value") for option in options.all()]
    assert values[:4] == ["easy", "medium", "hard", "friend"]
    literature = play.opponent.locator("optgroup[label='From the literature'] option")
    assert len(values) == 4 + literature.count() == 11
    for name, option in zip(("Easy", "Medium", "Hard"), options.all()[:3], strict=True):
        expect(option).to_have_text(re.compile(rf"^{name}\W+\w+"))
    expect(play.opponent).to_have_accessible_name("Opponent")


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


def test_a_change_in_mid_game_is_remembered_by_the_next_click(play: PlayPage) -> None:
    play.start("medium")
    play.play(4)
    play.choose(opponent="hard", mark="alternate")
    with play.change():
        play.hint.click()
    play.page.reload()
    expect(play.opponent).to_have_value("hard")
    expect(play.mark("alternate")).to_be_checked()


def test_an_untouched_board_says_nothing_of_the_next_game(play: PlayPage) -> None:
    note = play.page.get_by_text(re.compile("next game", re.IGNORECASE)).locator("visible=true")
    expect(note).to_have_count(0)
    play.play(4)
    expect(note.first).to_be_visible()
    with play.next_game():
        play.new_game.click()
    expect(note).to_have_count(0)


@pytest.fixture(params=["the front page", "a stored game"])
def untouched(request: pytest.FixtureRequest, visitor: Visitor) -> PlayPage:
    """Open an empty board, where a change applies at once."""
    play = visitor().open()
    if request.param == "a stored game":
        play.play(4)
        with play.next_game():
            play.new_game.click()
    return play


def test_on_an_untouched_board_another_opponent_applies_at_once(untouched: PlayPage) -> None:
    game = plan("hard", Mark.X, "lost")
    untouched.choose_for_an_empty_board(opponent="hard")
    untouched.play(*game.mine)
    untouched.expect_board(game.board(9), winning=game.outcome.lines[0])
    expect(untouched.score_list).to_have_accessible_name("Score against Hard")
    untouched.expect_score(0, 0, 1)


def test_on_an_untouched_board_a_friend_sits_down_at_once(untouched: PlayPage) -> None:
    untouched.choose_for_an_empty_board(opponent="friend")
    untouched.play(0)
    untouched.expect_board("X........")
    untouched.play(4)
    untouched.expect_board("X...O....")


def test_with_o_chosen_the_cells_are_inert_and_one_button_lets_the_computer_begin(
    untouched: PlayPage,
) -> None:
    untouched.choose_for_an_empty_board(mark="o")
    untouched.expect_board(EMPTY)
    expect(untouched.begin).to_be_visible()
    expect(untouched.actions).to_have_count(1)
    sent = len(untouched.posts)
    for number in range(9):
        expect(untouched.cell(number)).to_have_attribute("aria-disabled", "true")
        untouched.cell(number).click(force=True)
    assert len(untouched.posts) == sent
    with untouched.next_game():
        untouched.begin.click()
    game = plan("medium", Mark.O, "drawn")
    untouched.expect_board(game.board(1))
    untouched.play(*game.mine)
    expect(untouched.game).to_have_attribute("data-outcome", "draw")


def test_on_an_untouched_board_o_can_be_given_back(untouched: PlayPage) -> None:
    untouched.choose_for_an_empty_board(mark="o")
    expect(untouched.begin).to_be_visible()
    untouched.choose_for_an_empty_board(mark="x")
    expect(untouched.begin).to_have_count(0)
    untouched.play(4)
    expect(untouched.cell(4)).to_have_accessible_name("Centre, X")


def test_o_against_a_friend_leaves_the_board_open(untouched: PlayPage) -> None:
    untouched.choose_for_an_empty_board(mark="o")
    expect(untouched.begin).to_be_visible()
    untouched.choose_for_an_empty_board(opponent="friend")
    expect(untouched.begin).to_have_count(0)
    untouched.play(4, 0)
    untouched.expect_board("O...X....")


def test_a_board_that_undo_emptied_is_untouched_again(play: PlayPage) -> None:
    play.start("medium")
    play.play(4)
    with play.change():
        play.undo.click()
    game = plan("easy", Mark.X, "won")
    play.choose_for_an_empty_board(opponent="easy")
    play.play(*game.mine)
    expect(play.score_list).to_have_accessible_name("Score against Easy")
    # It had help all the same.
    play.expect_score(0, 0, 0)
