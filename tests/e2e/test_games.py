"""Whole games, from the first click to the result, and what can be done in them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.plans import DRAWN, Level, Plan, Result, plan
from tests.e2e.tab import CELLS, EMPTY, Tab, Visitor
from webapp.core import solver
from webapp.core.board import Board, Mark

# Where the stroke through the line begins, passes and ends on the screen, as numbers of cells.
_STRUCK = """(use) => {
  const stroke = document.querySelector(use.getAttribute("href"));
  const length = stroke.getTotalLength();
  return [0, length / 2, length].map((at) => {
    const point = stroke.getPointAtLength(at).matrixTransform(use.getScreenCTM());
    return [0, 1, 2, 3, 4, 5, 6, 7, 8].find((number) => {
      const box = document.getElementById(`c${number}`).getBoundingClientRect();
      return box.left <= point.x && point.x < box.right
        && box.top <= point.y && point.y < box.bottom;
    });
  }).sort();
}"""


def expect_the_end(play: Tab, game: Plan) -> None:
    """Check everything that a finished game shows."""
    winner = game.outcome.winner
    play.expect_board(game.board(), winning=game.winning)
    expect(play.game).to_have_attribute("data-outcome", str(winner or "draw").lower())
    for cell in play.cells.all():
        expect(cell).to_have_attribute("aria-disabled", "true")
    heading = "A draw"
    if winner:
        name = "You win" if game.result == "won" else f"{game.level.capitalize()} wins"
        heading = f"{name}: "
    expect(play.heading).to_contain_text(heading)
    expect(play.page).to_have_title(re.compile(heading))
    strike = play.page.locator("#game .strike use")
    expect(strike).to_have_count(len(game.outcome.lines))
    assert [tuple(one.evaluate(_STRUCK)) for one in strike.all()] == [*game.outcome.lines]
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
    play: Tab, level: Level, mark: Mark, result: Result
) -> None:
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


def test_the_score_counts_a_win_a_draw_and_a_loss_and_outlives_the_visit(
    play: Tab, visitor: Visitor
) -> None:
    results: tuple[Result, ...] = ("won", "drawn", "lost")
    for number, result in enumerate(results):
        play.play(*plan("medium", Mark.X, result).mine)
        score = [int(place <= number) for place in range(3)]
        play.expect_score(*score)
        play.go_on()
        play.expect_board(EMPTY)
        play.expect_score(*score)
    visitor(storage_state=play.page.context.storage_state()).open().expect_score(1, 1, 1)
    # Another opponent, another score.
    play.choose(opponent="easy")
    play.play(4)
    play.expect_score(0, 0, 0)


def test_friends_move_both_marks_by_turns_and_keep_no_score(play: Tab) -> None:
    play.start("friend")
    for plies, cell in enumerate((0, 4, 1, 3)):
        expect(play.heading).to_contain_text("XO"[plies % 2])
        play.play(cell)
    play.expect_board("XX.OO....")
    play.play(2)
    play.expect_board("XXXOO....", winning=[0, 1, 2])
    expect(play.game).to_have_attribute("data-outcome", "x")
    expect(play.heading).to_have_text("X wins: top row")
    expect(play.score_list).to_have_count(0)
    play.go_on()
    play.play(8)
    play.expect_board("........X")


# --- the next game ----------------------------------------------------------------------------


@pytest.mark.parametrize("scripted", [True, False])
@pytest.mark.parametrize(
    "moves,button,heading,score",
    [
        (1, "New game", "You left this game", (0, 0, 0)),
        (2, "New game, this one lost", "Medium wins: you left", (0, 0, 1)),
    ],
)
def test_a_game_that_is_left_for_another_is_over_and_no_other_is_made_before_a_move(
    visitor: Visitor,
    *,
    scripted: bool,
    moves: int,
    button: str,
    heading: str,
    score: tuple[int, int, int],
) -> None:
    play = visitor(java_script_enabled=scripted).open()
    play.play(*DRAWN.mine[:moves])
    left = play.path
    expect(play.again).to_have_text(button)
    play.go_on()
    assert play.path == "/"
    for _ in range(2):
        play.expect_board(EMPTY)
        play.expect_score(*score)
        expect(play.page.get_by_role("link", name=re.compile("^Continue"))).to_have_count(0)
        play.page.reload()
    play.open(left).expect_board(DRAWN.board(2 * moves))
    expect(play.heading).to_have_text(heading)
    outcome = "left" if moves == 1 else "o"
    expect(play.game).to_have_attribute("data-outcome", outcome)
    expect(play.page.get_by_text("does not count")).to_have_count(int(outcome == "left"))
    play.go_on()
    assert play.path == "/"


def test_a_game_that_the_computer_begins_is_followed_by_one_game_only(play: Tab) -> None:
    game = plan("easy", Mark.O, "lost")
    play.start("easy", "o")
    play.play(*game.mine)
    other = play.another()
    for tab in (play, other):
        tab.page.bring_to_front()
        tab.go_on()
        tab.expect_board(game.board(1))
    assert other.path == play.path


# --- undo and hint ----------------------------------------------------------------------------


@pytest.mark.parametrize("mark", [Mark.X, Mark.O])
def test_undo_takes_back_the_move_and_the_reply(play: Tab, mark: Mark) -> None:
    game = plan("medium", mark, "drawn")
    start = 0 if mark is Mark.X else 1
    play.start("medium", mark.slug)
    play.play(*game.mine[:2])
    play.expect_board(game.board(start + 4))
    for plies in (start + 2, start):
        with play.change():
            play.undo.click()
        play.expect_board(game.board(plies))
        expect(play.move_list).to_have_count(plies)
    # There is nothing left to take back: the button stays, and does nothing.
    expect(play.undo).to_have_attribute("aria-disabled", "true")
    posts = len(play.posts)
    play.undo.click(force=True)
    assert len(play.posts) == posts
    # The same move is answered alike, so the game can go on as planned.
    play.play(*game.mine)
    expect_the_end(play, game)


@pytest.mark.parametrize("help_", ["Undo", "Hint"])
def test_a_game_with_help_does_not_count(play: Tab, help_: str) -> None:
    game = plan("easy", Mark.X, "won")
    play.start("easy")
    play.play(game.mine[0])
    with play.change():
        (play.undo if help_ == "Undo" else play.hint).click()
    play.page.reload()
    play.play(*game.mine[0 if help_ == "Undo" else 1 :])
    expect_the_end(play, game)
    play.expect_score(0, 0, 0)
    expect(play.page.get_by_text("does not count")).to_be_visible()


def test_a_hint_suggests_one_of_the_best_cells_and_says_why(play: Tab) -> None:
    play.play(DRAWN.mine[0])
    with play.change():
        play.hint.click()
    suggested = play.page.locator("#game [data-hint]")
    cell = int((suggested.get_attribute("id") or "").removeprefix("c"))
    assert cell in solver.best_moves(Board.parse(DRAWN.board(2)))
    play.expect_board(DRAWN.board(2), suggested=cell)
    # The cell by name, then a reason.
    expect(play.sentence).to_have_text(re.compile(rf"\b{CELLS[cell].lower()}\b.*: .+\.$"))
    # It is a suggestion: any cell may be played, and then it is gone.
    play.play(DRAWN.mine[1])
    play.expect_board(DRAWN.board(4))
