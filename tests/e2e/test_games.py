"""Whole games, from the first click to the result, and what one can do in them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.plans import Level, Plan, Result, plan
from tests.e2e.play import CELLS, EMPTY, LINES, PlayPage, Visitor
from webapp.core import solver
from webapp.core.board import Board, Mark

NAMES = {"easy": "Easy", "medium": "Medium", "hard": "Hard"}


def in_a_sentence(cell: int) -> str:
    return CELLS[cell].lower()


def play_to_the_end(play: PlayPage, game: Plan) -> None:
    """Start a game from the front page, and click through it."""
    play.start(game.level, str(game.mark).lower())
    play.play(*game.mine)


def expect_the_end(play: PlayPage, game: Plan) -> None:
    """Check everything that a finished game shows."""
    winner = game.outcome.winner
    winning = [cell for line in game.outcome.lines for cell in line]
    play.expect_board(game.board(9), winning=winning)
    expect(play.game).to_have_attribute("data-outcome", str(winner or "draw").lower())
    for cell in play.cells.all():
        expect(cell).to_have_attribute("aria-disabled", "true")
    expect(play.heading).to_have_text(expected_heading(game))
    expect(play.page).to_have_title(re.compile(expected_heading(game).pattern.rstrip("$.?\\")))
    expect(play.actions.first).to_have_accessible_name("Play again")
    expect(play.move_list).to_have_count(len(game.moves))


def expected_heading(game: Plan) -> re.Pattern[str]:
    """Who won, and by which line."""
    if game.result == "drawn":
        return re.compile(r"^A draw\.?$")
    [line] = game.outcome.lines
    winner = "You win" if game.result == "won" else f"{NAMES[game.level]} wins"
    return re.compile(rf"^{winner}: {LINES[line]}\.?$")


@pytest.mark.parametrize(
    "level, mark, result",
    [
        ("easy", Mark.X, "won"),
        ("easy", Mark.O, "lost"),
        ("medium", Mark.X, "drawn"),
        ("medium", Mark.O, "won"),
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
        if game.reasons[plies - 1] and plies < len(game.moves):
            # The sentence tells what the computer did, and is honest about chance.
            reason = game.reasons[plies - 1]
            expect(play.sentence).to_contain_text(in_a_sentence(game.moves[plies - 1]))
            honest = re.compile("at random")
            if reason and reason.rule == "random":
                expect(play.sentence).to_have_text(honest)
            else:
                expect(play.sentence).not_to_have_text(honest)
    expect_the_end(play, game)


@pytest.mark.parametrize("result", ["won", "lost"])
def test_the_winning_line_is_struck_through_from_its_first_cell_to_its_last(
    play: PlayPage, result: Result
) -> None:
    game = plan("medium", Mark.X, result)
    play_to_the_end(play, game)
    strike = play.page.locator("#game .strike use")
    expect(strike).to_have_count(1)
    # Where the stroke begins and ends on the screen, as the numbers of the cells there.
    ends = strike.evaluate(
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


def test_a_draw_has_no_line_struck_through(play: PlayPage) -> None:
    game = plan("medium", Mark.X, "drawn")
    play_to_the_end(play, game)
    expect(play.heading).to_contain_text(re.compile("draw", re.IGNORECASE))
    expect(play.page.locator("#game .strike")).to_have_count(0)


def test_the_move_list_keeps_every_move_and_why_the_computer_made_it(play: PlayPage) -> None:
    game = plan("medium", Mark.X, "drawn", plies=9)
    play_to_the_end(play, game)
    for number, (cell, reason) in enumerate(zip(game.moves, game.reasons, strict=True), 1):
        told = play.move_list.nth(number - 1)
        expect(told).to_contain_text(f"{number} {'XO'[(number - 1) % 2]}")
        expect(told).to_contain_text(in_a_sentence(cell))
        if reason:
            expect(told).to_contain_text(re.compile(rf"{reason.rule}|free cell"))


def test_the_score_counts_a_win_a_draw_and_a_loss(play: PlayPage) -> None:
    play.open()
    play.expect_score(0, 0, 0)
    scores: dict[Result, tuple[int, int, int]] = {
        "won": (1, 0, 0),
        "drawn": (1, 1, 0),
        "lost": (1, 1, 1),
    }
    for result, score in scores.items():
        play.play(*plan("medium", Mark.X, result).mine)
        play.expect_score(*score)
        with play.next_game():
            play.play_again.click()
        play.expect_score(*score)
    # Another opponent, another score.
    play.choose_for_an_empty_board(opponent="easy")
    play.play(4)
    play.expect_score(0, 0, 0)


def test_the_score_outlives_the_visit(play: PlayPage, visitor: Visitor) -> None:
    play_to_the_end(play, plan("easy", Mark.X, "won"))
    later = visitor(storage_state=play.page.context.storage_state()).open()
    later.expect_score(1, 0, 0)
    stranger = visitor().open()
    stranger.choose_for_an_empty_board(opponent="easy")
    stranger.play(4)
    stranger.expect_score(0, 0, 0)


# --- the next game ----------------------------------------------------------------------------


def test_play_again_starts_the_next_game_with_an_empty_board(play: PlayPage) -> None:
    play_to_the_end(play, plan("easy", Mark.X, "won"))
    with play.next_game():
        play.play_again.click()
    play.expect_board(EMPTY)
    expect(play.opponent).to_have_value("easy")
    play.play(*plan("easy", Mark.X, "lost").mine)
    play.expect_score(1, 0, 1)


def test_play_again_as_o_lets_the_computer_open(play: PlayPage) -> None:
    game = plan("easy", Mark.O, "lost")
    play_to_the_end(play, game)
    with play.next_game():
        play.play_again.click()
    play.expect_board(game.board(1))
    play.play(*game.mine)
    play.expect_score(0, 0, 2)


def test_a_game_is_followed_by_one_game_only(
    play: PlayPage, second_tab: Callable[[PlayPage], PlayPage]
) -> None:
    play_to_the_end(play, plan("easy", Mark.X, "won"))
    other = second_tab(play)
    play.page.bring_to_front()
    with play.next_game():
        play.play_again.click()
    other.page.bring_to_front()
    with other.next_game():
        other.play_again.click()
    assert other.path == play.path


def test_a_new_game_can_be_started_at_any_time(play: PlayPage) -> None:
    play.open()
    play.play(4)
    left = play.path
    with play.next_game():
        play.new_game.click()
    play.expect_board(EMPTY)
    with play.next_game():  # even now, on an untouched board
        play.new_game.click()
    play.expect_board(EMPTY)
    play.play(4)
    play.open(left)
    expect(play.cell(4)).to_have_accessible_name("Centre, X")


def test_an_unfinished_game_waits_on_the_front_page(play: PlayPage) -> None:
    waiting = play.page.get_by_role("link", name=re.compile("continue", re.IGNORECASE))
    expect(waiting).to_have_count(0)
    play.play(4)
    address = play.page.url
    play.open()
    play.expect_board(EMPTY)
    waiting.click()
    expect(play.page).to_have_url(address)
    expect(play.cell(4)).to_have_accessible_name("Centre, X")


def test_the_front_page_remembers_the_last_opponent_and_mark(play: PlayPage) -> None:
    expect(play.opponent).to_have_value("medium")
    expect(play.mark("x")).to_be_checked()
    play.start("hard", "o")
    play.open()
    expect(play.opponent).to_have_value("hard")
    expect(play.mark("o")).to_be_checked()
    expect(play.begin).to_be_visible()


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


def test_o_can_win_against_a_friend(play: PlayPage) -> None:
    play.start("friend")
    play.play(0, 4, 1, 2, 8, 6)
    play.expect_board("XXO.O.O.X", winning=[2, 4, 6])
    expect(play.heading).to_have_text(re.compile(r"^O wins: diagonal\.?$"))


def test_a_friend_takes_back_one_move(play: PlayPage) -> None:
    play.start("friend")
    play.play(0, 4)
    with play.change():
        play.undo.click()
    play.expect_board("X........")
    with play.change():
        play.undo.click()
    play.expect_board(EMPTY)
    play.play(8)
    play.expect_board("........X")


def test_a_friend_gets_no_hint(play: PlayPage) -> None:
    play.start("friend")
    play.play(0)
    posts = len(play.posts)
    for button in play.hint.all():
        expect(button).to_have_attribute("aria-disabled", "true")
        button.click(force=True)
    assert len(play.posts) == posts
    path, version = play.path, str(play.version)
    assert play.post(f"{path}/hint", {"version": version}).status == 409


# --- undo and hint ----------------------------------------------------------------------------


@pytest.mark.parametrize("mark", [Mark.X, Mark.O])
def test_undo_takes_back_ones_own_move_and_the_reply(play: PlayPage, mark: Mark) -> None:
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


def test_a_game_with_an_undo_does_not_count(play: PlayPage) -> None:
    game = plan("easy", Mark.X, "won")
    play.start("easy")
    play.play(game.mine[0])
    with play.change():
        play.undo.click()
    play.play(*game.mine)
    expect_the_end(play, game)
    play.expect_score(0, 0, 0)
    play.page.reload()
    play.expect_score(0, 0, 0)
    with play.next_game():
        play.play_again.click()
    play.play(*plan("easy", Mark.X, "lost").mine)
    play.expect_score(0, 0, 1)


def test_a_finished_game_cannot_be_taken_back(play: PlayPage) -> None:
    game = plan("easy", Mark.X, "won")
    play_to_the_end(play, game)
    for button in play.undo.all():
        expect(button).to_have_attribute("aria-disabled", "true")
    version = play.version
    assert play.post(f"{play.path}/undo", {"version": str(version)}).status == 409
    play.page.reload()
    expect(play.game).to_have_attribute("data-version", str(version))
    play.expect_score(1, 0, 0)


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
    expect(play.sentence).to_have_text(re.compile(rf"\b{in_a_sentence(cell)}\b.*: .+\.$"))
    # It is a suggestion: any cell may be played, and then it is gone.
    play.play(game.mine[1])
    play.expect_board(game.board(4))
    expect(suggested).to_have_count(0)


def test_a_game_with_a_hint_does_not_count(play: PlayPage) -> None:
    game = plan("easy", Mark.X, "won")
    play.start("easy")
    play.play(game.mine[0])
    with play.change():
        play.hint.click()
    play.page.reload()
    expect(play.page.locator("#game [data-hint]")).to_have_count(1)
    play.play(*game.mine[1:])
    expect_the_end(play, game)
    play.expect_score(0, 0, 0)
    expect(play.page.get_by_text(re.compile("does not count|counts? nowhere"))).to_be_visible()
    with play.next_game():
        play.play_again.click()
    play.play(*plan("easy", Mark.X, "drawn").mine)
    play.expect_score(0, 1, 0)
