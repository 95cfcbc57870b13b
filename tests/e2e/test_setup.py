"""The opponent and the mark: what a change of them does now, and what it does later."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.plans import DRAWN, plan
from tests.e2e.tab import EMPTY, Tab, Visitor
from webapp.core.board import Mark


@pytest.mark.parametrize("undone", [False, True])
def test_beside_a_game_a_change_asks_nothing_loses_nothing_and_is_for_the_next_one(
    play: Tab, undone: bool
) -> None:
    play.play(*DRAWN.mine[: 1 if undone else 2])
    if undone:  # even where the board is as empty as before the game
        with play.change():
            play.undo.click()
    version, asked = play.version, play.requests()
    play.page.on("dialog", lambda dialog: pytest.fail(f"it asked: {dialog.message}"))
    play.choose(opponent="hard", mark="alternate")
    expect(play.page.get_by_text("applies to the next game", exact=True)).to_be_visible()
    expect(play.live).to_have_text("That applies to the next game.")
    play.expect_board(EMPTY if undone else DRAWN.board(4))
    assert (play.version, asked) == (version, [])

    # The game goes on against Medium, with X.
    play.play(*DRAWN.mine[0 if undone else 2 :])
    play.expect_board(DRAWN.board())
    expect(play.score_list).to_have_accessible_name("Score against Medium")
    play.expect_score(0, 0 if undone else 1, 0)

    # The next one is against Hard, which has X, and the one after it too, with marks by turns.
    play.go_on()
    play.expect_board(plan("hard", Mark.O, "drawn").board(1))
    expect(play.score_list).to_have_accessible_name("Score against Hard")
    play.go_on()
    play.expect_board(EMPTY)
    play.play(0)
    expect(play.cell(0)).to_have_accessible_name("Top left, X")


def test_on_the_front_page_a_change_applies_at_once_and_for_later_too(play: Tab) -> None:
    game = plan("hard", Mark.X, "lost")
    for _ in range(2):
        play.choose(opponent="hard")
        play.play(*game.mine)
        play.expect_board(game.board(), winning=game.winning)
        expect(play.score_list).to_have_accessible_name("Score against Hard")
        play.page.reload()
        play.go_on()
        # On the board that comes without a load of the page as well, where Enter plays nothing.
        play.press("Enter", on=play.mark("x"))
        play.choose(opponent="easy")
        expect(play.score_list).to_have_accessible_name("Score against Easy")
    play.choose(opponent="hard")
    play.expect_score(0, 0, 2)


def test_with_o_chosen_the_cells_are_inert_and_one_button_lets_the_computer_begin(
    play: Tab,
) -> None:
    play.choose(mark="o")
    play.expect_board(EMPTY)
    expect(play.again).to_have_text("Let the computer begin")
    expect(play.actions).to_have_count(1)
    for number in range(9):
        expect(play.cell(number)).to_have_attribute("aria-disabled", "true")
        play.cell(number).click(force=True)
    assert play.posts == []
    play.go_on()
    play.expect_board(plan("medium", Mark.O, "drawn").board(1))


# --- without JavaScript: plain buttons, forms, and a 303 after each POST ------------------------


@pytest.fixture
def plain(visitor: Visitor) -> Tab:
    """The front page in a browser that runs no scripts."""
    return visitor(java_script_enabled=False).open()


def test_without_javascript_a_whole_game_can_be_played(plain: Tab) -> None:
    game = plan("hard", Mark.X, "lost")
    plain.choose(opponent="hard")
    plain.play(*game.mine)
    for post in plain.posts:
        answer = post.response()
        assert answer is not None
        assert answer.status == 303
    plain.page.reload()
    plain.expect_board(game.board(), winning=game.winning)
    plain.expect_score(0, 0, 1)
    plain.go_on()
    plain.expect_board(EMPTY)
    expect(plain.opponent).to_have_value("hard")


def test_without_javascript_the_computer_begins_where_the_player_chose_o(plain: Tab) -> None:
    plain.noise.expect_refusal(422)
    game = plan("medium", Mark.O, "lost")
    plain.choose(mark="o")
    plain.cell(0).click()  # the answer says that the computer begins, and lets it
    plain.go_on()
    plain.play(*game.mine)
    plain.expect_score(0, 0, 1)
    plain.go_on()
    plain.expect_board(game.board(1))


def test_without_javascript_undo_and_hint_work_and_another_mark_is_for_the_next_game(
    plain: Tab,
) -> None:
    game = plan("easy", Mark.X, "won")
    plain.choose(opponent="easy")
    plain.play(*game.mine[:2])
    with plain.change():
        plain.undo.click()
    plain.expect_board(game.board(2))
    with plain.change():
        plain.hint.click()
    suggested = plain.page.locator("#game [data-hint]")
    expect(suggested).to_have_accessible_name(re.compile(", suggested$"))
    plain.play(*game.mine[1:])
    plain.expect_score(0, 0, 0)
    plain.choose(opponent="hard", mark="o")
    plain.go_on()
    plain.expect_board(plan("hard", Mark.O, "lost").board(1))
