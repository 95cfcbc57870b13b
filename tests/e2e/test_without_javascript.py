"""With JavaScript off every function works: plain buttons, forms, and a 303 after each POST."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.noise import Noise
from tests.e2e.plans import plan
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


def test_a_whole_game_can_be_played(plain: PlayPage) -> None:
    game = plan("hard", Mark.X, "lost")
    plain.choose(opponent="hard")
    plain.play(*game.mine)
    plain.expect_board(game.board(9), winning=game.outcome.lines[0])
    plain.expect_score(0, 0, 1)
    # The answer to each POST was a 303 to a page that can be loaded again.
    for post in plain.posts:
        answer = post.response()
        assert answer is not None
        assert answer.status == 303
    plain.page.reload()
    plain.expect_board(game.board(9), winning=game.outcome.lines[0])
    with plain.next_game():
        plain.play_again.click()
    plain.expect_board(EMPTY)
    expect(plain.opponent).to_have_value("hard")


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
