"""With JavaScript off every function works: plain buttons, forms, and a 303 after each POST."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.noise import Noise
from tests.e2e.plans import Level, Result, plan
from tests.e2e.play import EMPTY, PlayPage, Visitor
from webapp.core.board import Mark


@pytest.fixture
def plain(visitor: Visitor) -> PlayPage:
    """Open the front page in a browser that runs no scripts."""
    return visitor(java_script_enabled=False).open()


def begin_as_o(play: PlayPage, opponent: str) -> None:
    """Start a game as O: the board says that the computer begins, and lets it."""
    play.choose(opponent=opponent, mark="o")
    play.cell(0).click()
    with play.next_game():
        play.begin.click()


def test_the_board_is_nine_plain_buttons(plain: PlayPage) -> None:
    for number in range(9):
        assert plain.cell(number).evaluate("(cell) => [cell.tagName, cell.tabIndex]") == [
            "BUTTON",
            0,
        ]


@pytest.mark.parametrize("level, result", [("easy", "won"), ("medium", "drawn"), ("hard", "lost")])
def test_a_whole_game_can_be_played(plain: PlayPage, level: Level, result: Result) -> None:
    game = plan(level, Mark.X, result)
    plain.choose(opponent=level)
    plain.play(*game.mine)
    plain.expect_board(game.board(9), winning=[c for line in game.outcome.lines for c in line])
    plain.expect_score(*(int(result == one) for one in ("won", "drawn", "lost")))
    # The answer to each POST was a 303 to a page that can be loaded again.
    for post in plain.posts:
        answer = post.response()
        assert answer is not None
        assert answer.status == 303
    plain.page.reload()
    plain.expect_board(game.board(9), winning=[c for line in game.outcome.lines for c in line])
    with plain.next_game():
        plain.play_again.click()
    plain.expect_board(EMPTY)
    expect(plain.opponent).to_have_value(level)


def test_o_can_be_chosen_and_the_computer_begins(plain: PlayPage, noise: Noise) -> None:
    noise.expect_refusal(422)
    game = plan("medium", Mark.O, "lost")
    begin_as_o(plain, "medium")
    plain.expect_board(game.board(1))
    plain.play(*game.mine)
    plain.expect_score(0, 0, 1)
    with plain.next_game():
        plain.play_again.click()
    plain.expect_board(game.board(1))


def test_o_can_be_chosen_for_the_next_game(plain: PlayPage) -> None:
    plain.choose(opponent="hard")
    plain.play(4)
    plain.choose(mark="o")
    with plain.next_game():
        plain.new_game.click()
    plain.expect_board(plan("hard", Mark.O, "lost").board(1))


def test_on_a_stored_empty_board_another_opponent_applies_to_the_first_move(
    plain: PlayPage,
) -> None:
    plain.play(4)
    with plain.next_game():
        plain.new_game.click()
    game = plan("easy", Mark.X, "won")
    plain.choose(opponent="easy")
    plain.play(*game.mine)
    plain.expect_score(1, 0, 0)
    expect(plain.score_list).to_have_accessible_name("Score against Easy")


def test_friends_can_play(plain: PlayPage) -> None:
    plain.choose(opponent="friend")
    plain.play(0, 4, 1)
    plain.expect_board("XX..O....")
    with plain.change():
        plain.undo.click()
    plain.expect_board("X...O....")


def test_undo_and_hint_work_and_the_game_does_not_count(plain: PlayPage) -> None:
    game = plan("easy", Mark.X, "won")
    plain.choose(opponent="easy")
    plain.play(*game.mine[:2])
    with plain.change():
        plain.undo.click()
    plain.expect_board(game.board(2))
    with plain.change():
        plain.hint.click()
    suggested = plain.page.locator("#game [data-hint]")
    expect(suggested).to_have_count(1)
    expect(suggested).to_have_accessible_name(re.compile(", suggested$"))
    plain.play(*game.mine[1:])
    plain.expect_score(0, 0, 0)


def test_a_taken_cell_submits_nothing(plain: PlayPage) -> None:
    plain.play(4)
    plain.cell(4).click(force=True)
    plain.page.reload()
    expect(plain.game).to_have_attribute("data-version", "1")
    assert len(plain.posts) == 1


def test_a_double_click_makes_one_game_with_one_move(plain: PlayPage) -> None:
    plain.cell(0).dblclick()
    expect(plain.game).to_have_attribute("data-version", "1")
    plain.page.reload()
    expect(plain.game).to_have_attribute("data-version", "1")
    expect(plain.cell(0)).to_have_accessible_name("Top left, X")
    names = [cell.get_attribute("aria-label") or "" for cell in plain.cells.all()]
    assert sum(name.endswith("X") for name in names) == 1


def test_a_stale_tab_gets_the_true_board_and_a_sentence_and_can_go_on(
    plain: PlayPage, second_tab: Callable[[PlayPage], PlayPage], noise: Noise
) -> None:
    noise.expect_refusal(409)
    game = plan("hard", Mark.X, "drawn")
    plain.choose(opponent="hard")
    plain.play(game.mine[0])
    second_tab(plain).play(game.mine[1])
    plain.page.bring_to_front()
    plain.cell(game.mine[2]).click()
    expect(plain.sentence).to_have_text(re.compile("changed"))
    plain.expect_board(game.board(4))
    plain.play(*game.mine[2:])
    expect(plain.game).to_have_attribute("data-outcome", "draw")
