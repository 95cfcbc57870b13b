"""Whole games, from the first click to the result, and what can be done in them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.plans import Level, Plan, Result, plan
from tests.e2e.play import CELLS, EMPTY, LINES, PlayPage, Visitor
from webapp.core import solver
from webapp.core.board import Board, Mark


def play_to_the_end(play: PlayPage, game: Plan) -> None:
    """Start a game from the front page, and click through it."""
    play.start(game.level, str(game.mark).lower())
    play.play(*game.mine)


def expect_the_end(play: PlayPage, game: Plan) -> None:
    """Check everything that a finished game shows."""
    winner = game.outcome.winner
    play.expect_board(game.board(9), winning=[cell for line in game.outcome.lines for cell in line])
    expect(play.game).to_have_attribute("data-outcome", str(winner or "draw").lower())
    for cell in play.cells.all():
        expect(cell).to_have_attribute("aria-disabled", "true")
    heading = "A draw"
    if winner:
        name = "You win" if game.result == "won" else f"{game.level.capitalize()} wins"
        heading = f"{name}: {LINES[game.outcome.lines[0]]}"
    expect(play.heading).to_have_text(heading)
    expect(play.page).to_have_title(re.compile(heading))
    expect(play.page.locator("#game .strike use")).to_have_count(len(game.outcome.lines))
    expect(play.actions.first).to_have_accessible_name("Play again")
    expect(play.move_list).to_have_count(len(game.moves))


@pytest.mark.parametrize(
    "level, mark, result",
    [
        ("easy", Mark.X, "won"),
        ("medium", Mark.O, "drawn"),
        ("hard", Mark.X, "lost"),
        ("hard", Mark.O, "drawn"),
    ],
)
def test_a_game_against_each_level_with_each_mark_goes_to_its_end(
    play: PlayPage, level: Level, mark: Mark, result: Result
) -> None:
    game = plan(level, mark, result)
    play.start(level, str(mark).lower())
    plies = 0 if mark is Mark.X else 1
    for cell in game.mine:
        play.expect_board(game.board(plies))
        play.play(cell)
        plies = min(plies + 2, len(game.moves))
        if plies < len(game.moves):
            expect(play.sentence).to_contain_text(CELLS[game.moves[plies - 1]].lower())
    expect_the_end(play, game)


def test_the_winning_line_is_struck_through_from_its_first_cell_to_its_last(
    play: PlayPage,
) -> None:
    game = plan("medium", Mark.X, "won")
    play_to_the_end(play, game)
    # Where the stroke begins and ends on the screen, as the numbers of the cells there.
    ends = play.page.locator("#game .strike use").evaluate(
        """(use) => {
          const stroke = document.querySelector(use.getAttribute("href"));
          const length = stroke.getTotalLength();
          return [0, length / 2, length].map((at) => {
            const point = stroke.getPointAtLength(at).matrixTransform(use.getScreenCTM());
            return [0, 1, 2, 3, 4, 5, 6, 7, 8].find((number) => {
              const box = document.getElementById(`c${number}`).getBoundingClientRect();
              return box.left <= point.x && point.x < box.right
                && box.top <= point.y && point.y < box.bottom;
            });
          });
        }"""
    )
    [line] = game.outcome.lines
    assert ends in ([*line], [*reversed(line)])


def test_the_score_counts_a_win_a_draw_and_a_loss_and_outlives_the_visit(
    play: PlayPage, visitor: Visitor
) -> None:
    results: tuple[Result, ...] = ("won", "drawn", "lost")
    for number, result in enumerate(results):
        play.play(*plan("medium", Mark.X, result).mine)
        score = [int(place <= number) for place in range(3)]
        play.expect_score(*score)
        with play.next_game():
            play.play_again.click()
        play.expect_board(EMPTY)
        play.expect_score(*score)
    visitor(storage_state=play.page.context.storage_state()).open().expect_score(1, 1, 1)
    # Another opponent, another score.
    play.choose_for_an_empty_board(opponent="easy")
    play.play(4)
    play.expect_score(0, 0, 0)


# --- the next game ----------------------------------------------------------------------------


def test_a_game_is_followed_by_one_game_only(
    play: PlayPage, second_tab: Callable[[PlayPage], PlayPage]
) -> None:
    game = plan("easy", Mark.O, "lost")
    play_to_the_end(play, game)
    other = second_tab(play)
    for tab in (play, other):
        tab.page.bring_to_front()
        with tab.next_game():
            tab.play_again.click()
        tab.expect_board(game.board(1))
    assert other.path == play.path


def test_alternate_changes_the_mark_from_game_to_game(play: PlayPage) -> None:
    play.open()
    play.choose_for_an_empty_board(opponent="hard", mark="alternate")
    play.expect_board(EMPTY)
    play.play(0)
    expect(play.cell(0)).to_have_accessible_name("Top left, X")
    opening = plan("hard", Mark.O, "drawn")
    with play.next_game():
        play.new_game.click()
    play.expect_board(opening.board(1))
    play.play(*opening.mine)
    expect(play.game).to_have_attribute("data-outcome", "draw")
    with play.next_game():
        play.play_again.click()
    play.expect_board(EMPTY)
    play.play(0)
    expect(play.cell(0)).to_have_accessible_name("Top left, X")


# --- a friend ---------------------------------------------------------------------------------


def test_friends_move_both_marks_by_turns_and_keep_no_score(play: PlayPage) -> None:
    play.start("friend")
    for plies, cell in enumerate((0, 4, 1, 3)):
        expect(play.heading).to_contain_text("XO"[plies % 2])
        play.play(cell)
    play.expect_board("XX.OO....")
    expect(play.score_list).to_have_count(0)
    play.play(2)
    play.expect_board("XXXOO....", winning=[0, 1, 2])
    expect(play.game).to_have_attribute("data-outcome", "x")
    expect(play.heading).to_have_text(re.compile(r"^X wins: top row\.?$"))
    expect(play.score_list).to_have_count(0)
    with play.next_game():
        play.play_again.click()
    play.play(8)
    play.expect_board("........X")


# --- undo and hint ----------------------------------------------------------------------------


@pytest.mark.parametrize("mark", [Mark.X, Mark.O])
def test_undo_takes_back_the_move_and_the_reply(play: PlayPage, mark: Mark) -> None:
    game = plan("medium", mark, "drawn")
    start = 0 if mark is Mark.X else 1
    play.start("medium", str(mark).lower())
    play.play(*game.mine[:2])
    play.expect_board(game.board(start + 4))
    with play.change():
        play.undo.click()
    play.expect_board(game.board(start + 2))
    expect(play.move_list).to_have_count(start + 2)
    with play.change():
        play.undo.click()
    play.expect_board(game.board(start))
    # There is nothing left to take back: the button stays, and does nothing.
    expect(play.undo).to_have_attribute("aria-disabled", "true")
    posts = len(play.posts)
    play.undo.click(force=True)
    assert len(play.posts) == posts
    # The same move is answered alike, so the game can go on as planned.
    play.play(*game.mine)
    expect_the_end(play, game)


@pytest.mark.parametrize("help_", ["Undo", "Hint"])
def test_a_game_with_help_does_not_count(play: PlayPage, help_: str) -> None:
    game = plan("easy", Mark.X, "won")
    play.start("easy")
    play.play(game.mine[0])
    with play.change():
        play.button(help_).click()
    play.page.reload()
    play.play(*game.mine[0 if help_ == "Undo" else 1 :])
    expect_the_end(play, game)
    play.expect_score(0, 0, 0)
    expect(play.page.get_by_text(re.compile("does not count|counts? nowhere"))).to_be_visible()


def test_a_hint_suggests_one_of_the_best_cells_and_says_why(play: PlayPage) -> None:
    play.start("medium")
    game = plan("medium", Mark.X, "drawn")
    play.play(game.mine[0])
    with play.change():
        play.hint.click()
    best = solver.best_moves(Board.parse(game.board(2)))
    suggested = play.page.locator("#game [data-hint]")
    expect(suggested).to_have_count(1)
    cell = int((suggested.get_attribute("id") or "").removeprefix("c"))
    assert cell in best
    play.expect_board(game.board(2), suggested=cell)
    # The cell by name, then a reason.
    expect(play.sentence).to_have_text(re.compile(rf"\b{CELLS[cell].lower()}\b.*: .+\.$"))
    # It is a suggestion: any cell may be played, and then it is gone.
    play.play(game.mine[1])
    play.expect_board(game.board(4))
    expect(suggested).to_have_count(0)
