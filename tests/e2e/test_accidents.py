"""Impatience, two tabs, Back, a bad network, a dead server: one move each, and no one stuck."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.e2e.noise import Noise
from tests.e2e.plans import plan
from tests.e2e.play import EMPTY, GAME_URL, PlayPage, Visitor
from webapp.core.board import Mark

MOVES = re.compile(r"/games(/[\w-]+/moves)?$")


# --- double clicks ----------------------------------------------------------------------------


def a_free_cell(play: PlayPage) -> int:
    return next(cell for cell in (4, 8) if not play.cell(cell).get_attribute("aria-disabled"))


def expect_one_game_with_one_move(play: PlayPage, cell: int) -> None:
    """Check, on the page and on the server, that one cell was played and once answered."""
    plans = (plan("medium", Mark.X, result) for result in ("won", "drawn", "lost"))
    board = next(found for found in plans if found.mine[0] == cell).board(2)
    for _ in range(2):
        expect(play.game).to_have_attribute("data-version", "1")
        play.expect_board(board)
        play.page.reload()
    # There is no second game either: the front page would offer the newest one.
    address = play.page.url
    play.open()
    play.page.get_by_role("link", name=re.compile("continue", re.IGNORECASE)).click()
    expect(play.page).to_have_url(address)


@pytest.mark.parametrize("scripted", [True, False])
def test_a_double_click_makes_one_game_and_one_move(visitor: Visitor, scripted: bool) -> None:
    play = visitor(java_script_enabled=scripted).open()
    play.cell(0).dblclick()
    expect_one_game_with_one_move(play, 0)
    play.cell(a_free_cell(play)).dblclick()
    for _ in range(2):
        expect(play.game).to_have_attribute("data-version", "2")
        play.page.reload()


def test_clicks_while_the_first_is_on_its_way_change_nothing(play: PlayPage) -> None:
    held: list[Route] = []
    play.page.route(MOVES, lambda route: held.append(route))  # noqa: PLW0108 - it sets attributes
    with play.page.expect_request(MOVES):
        play.cell(0).click()
    play.cell(8).click()
    play.cell(0).dblclick()
    for route in held:
        route.continue_()
    expect(play.game).to_have_attribute("data-version", "1")
    play.page.unroute(MOVES)
    expect_one_game_with_one_move(play, 0)


_SEND_FOUR = """(cell) => {
  const form = document.getElementById("play");
  const fields = new URLSearchParams(new FormData(form));
  fields.set("cell", cell);
  const send = () => fetch(form.action, { method: "POST", body: fields });
  return Promise.all([send(), send(), send(), send()].map(async (answer) => {
    const { status, url } = await answer;
    return [status, url];
  }));
}"""
"""Sends a form four times at once, as from a page without htmx and its queue."""


def test_the_same_form_sent_at_once_is_one_game_and_one_move(play: PlayPage, noise: Noise) -> None:
    noise.expect_refusal(409)
    started = play.page.evaluate(_SEND_FOUR, "0")
    assert {status for status, _ in started} == {200}
    [address] = {url for _, url in started}
    assert GAME_URL.search(address)
    play.page.goto(address)
    expect_one_game_with_one_move(play, 0)
    moved = play.page.evaluate(_SEND_FOUR, str(a_free_cell(play)))
    assert sorted(status for status, _ in moved) == [200, 409, 409, 409]
    play.page.reload()
    expect(play.game).to_have_attribute("data-version", "2")


def click_twice(play: PlayPage, button: Locator) -> None:
    """Double-click as people do: by the second click the answer to the first is there."""
    box = button.bounding_box()
    assert box is not None
    mouse = play.page.mouse
    mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    with play.next_game():
        mouse.down(click_count=1)
        mouse.up(click_count=1)
    mouse.down(click_count=2)
    mouse.up(click_count=2)


@pytest.mark.parametrize("mark", [Mark.X, Mark.O])
def test_a_double_click_on_a_button_does_nothing_in_the_game_that_follows(
    play: PlayPage, mark: Mark
) -> None:
    game = plan("easy", mark, "lost")
    play.open()
    play.choose_for_an_empty_board(opponent="easy", mark=str(mark).lower())
    if mark is Mark.O:
        click_twice(play, play.begin)
    play.play(game.mine[0])
    click_twice(play, play.new_game)
    play.play(*game.mine)
    click_twice(play, play.play_again)
    play.play(*game.mine)
    assert len(play.posts) == 1 + 1 + 2 * len(game.mine) + 1 + (mark is Mark.O)


# --- two tabs ---------------------------------------------------------------------------------


@pytest.mark.parametrize("scripted,stale", [(True, "a cell"), (False, "a cell"), (True, "Undo")])
def test_a_stale_tab_gets_the_true_board_and_a_sentence_and_can_go_on(
    visitor: Visitor,
    second_tab: Callable[[PlayPage], PlayPage],
    noise: Noise,
    scripted: bool,
    stale: str,
) -> None:
    noise.expect_refusal(409)
    play = visitor(java_script_enabled=scripted).open()
    game = plan("medium", Mark.X, "drawn")
    play.play(game.mine[0])
    other = second_tab(play)
    other.play(game.mine[1])
    play.page.bring_to_front()
    (play.undo if stale == "Undo" else play.cell(game.mine[2])).click()
    # The other tab's move is there, nothing of this tab's is.
    play.expect_board(game.board(4))
    expect(play.sentence).to_have_text(re.compile("changed.*[.]$"))
    if scripted:
        expect(play.live).to_have_text(play.sentence.inner_text())
    play.play(*game.mine[2:])
    other.page.bring_to_front()
    other.cell(game.mine[2]).click()
    other.expect_board(game.board(9))
    with other.next_game():
        other.play_again.click()
    other.expect_board(EMPTY)


# --- back, forward, reload --------------------------------------------------------------------


def test_back_leads_to_an_empty_board_and_forward_to_the_game_as_it_stands(
    play: PlayPage,
) -> None:
    game = plan("medium", Mark.X, "drawn")
    play.play(*game.mine[:2])
    address = play.page.url
    play.page.go_back()
    expect(play.game).to_have_attribute("data-version", "0")
    play.expect_board(EMPTY)
    play.page.go_forward()
    expect(play.page).to_have_url(address)
    expect(play.game).to_have_attribute("data-version", "2")
    play.expect_board(game.board(4))
    play.page.go_back()
    play.play(8)
    assert play.page.url != address
    expect(play.cell(8)).to_have_accessible_name("Bottom right, X")
    expect(play.move_list).to_have_count(2)


def test_back_from_the_next_game_leads_to_the_finished_one(play: PlayPage) -> None:
    game = plan("medium", Mark.O, "lost")
    play.start("medium", "o")
    play.play(*game.mine)
    finished = play.page.url
    with play.next_game():
        play.play_again.click()
    play.play(game.mine[0])
    following = play.page.url
    play.page.go_back()
    expect(play.page).to_have_url(finished)
    play.expect_board(game.board(9), winning=game.outcome.lines[0])
    # Going on from there leads to the same next game as before.
    play.play_again.click()
    expect(play.page).to_have_url(following)
    play.expect_board(game.board(3))


@pytest.mark.parametrize("way", ["Back", "the browser's own copy", "a reload"])
def test_a_page_that_comes_back_shows_what_was_played_meanwhile(play: PlayPage, way: str) -> None:
    game = plan("medium", Mark.X, "drawn")
    play.play(game.mine[0])
    path, version = play.path, play.version
    if way == "Back":
        play.page.get_by_role("link", name="Play", exact=True).click()
        expect(play.game).to_have_attribute("data-version", "0")
    form: dict[str, str | float | bool] = {"cell": str(game.mine[1]), "version": str(version)}
    assert play.post(f"{path}/moves", form).status == 303
    if way == "Back":
        play.page.go_back()
    elif way == "a reload":
        play.page.reload()
    else:
        # What Safari's back/forward cache does; Chromium does not keep pages that say no-store.
        with play.page.expect_event("load"):
            play.page.evaluate(
                "() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
            )
    expect(play.game).to_have_attribute("data-version", "2")
    play.expect_board(game.board(4))


# --- a bad network, a dead server ---------------------------------------------------------------


def lose_the_answer(route: Route) -> None:
    """Let the server do what was asked, and drop what it answers."""
    route.fetch(max_redirects=0)
    route.abort("connectionreset")


def expect_a_sentence_about_it(play: PlayPage, before: str) -> None:
    """Check that the page says, in one short sentence or two, that something went wrong."""
    expect(play.sentence).not_to_have_text(before)
    said = play.sentence.inner_text()
    assert said.endswith(".")
    assert len(said.split()) <= 15
    expect(play.live).to_have_text(said)


def test_a_move_whose_answer_is_lost_is_stored_once(play: PlayPage, noise: Noise) -> None:
    noise.expect_no_answer()
    noise.expect_refusal(409)
    game = plan("medium", Mark.X, "drawn")
    play.play(game.mine[0])
    before = play.sentence.inner_text()
    play.page.route(MOVES, lose_the_answer, times=1)
    play.cell(game.mine[1]).click()
    expect_a_sentence_about_it(play, before)
    play.expect_board(game.board(2))
    play.cell(game.mine[1]).click()
    expect(play.game).to_have_attribute("data-version", "2")
    play.expect_board(game.board(4))


def test_a_first_move_whose_answer_is_lost_starts_one_game(play: PlayPage, noise: Noise) -> None:
    noise.expect_no_answer()
    before = play.sentence.inner_text()
    play.page.route(MOVES, lose_the_answer, times=1)
    play.cell(0).click()
    expect_a_sentence_about_it(play, before)
    play.expect_board(EMPTY)
    play.cell(8).click()
    expect_one_game_with_one_move(play, 0)


def test_play_again_whose_answer_is_lost_leads_to_one_game(play: PlayPage, noise: Noise) -> None:
    noise.expect_no_answer()
    game = plan("medium", Mark.O, "lost")
    play.start("medium", "o")
    play.play(*game.mine)
    before = play.sentence.inner_text()
    sent: list[str] = []

    def lose(route: Route) -> None:
        sent.append(route.fetch(max_redirects=0).headers.get("hx-push-url", ""))
        route.abort("connectionreset")

    play.page.route(re.compile("/again$"), lose, times=1)
    play.play_again.click()
    expect_a_sentence_about_it(play, before)
    with play.next_game():
        play.play_again.click()
    assert [play.path] == sent
    play.expect_board(game.board(1))


@pytest.mark.parametrize(
    "status,told",
    [
        (429, "That was too fast. Try again in a few seconds."),
        (503, "The server could not do that just now. Try again."),
    ],
)
def test_a_server_that_cannot_answer_now_is_told_of_and_asked_again(
    play: PlayPage, noise: Noise, status: int, told: str
) -> None:
    noise.expect_refusal(status)
    game = plan("medium", Mark.X, "drawn")
    play.play(game.mine[0])
    # As the server sends it: htmx would put it in the place of the whole page.
    unwell: dict[str, Any] = {
        "status": status,
        "content_type": "text/html",
        "body": "<!doctype html><title>No</title><h1>Unavailable</h1>",
        "headers": {"HX-Retarget": "body", "HX-Reswap": "innerHTML", "Retry-After": "9"},
    }
    play.page.route(MOVES, lambda route: route.fulfill(**unwell), times=1)
    play.cell(game.mine[1]).click()
    expect(play.sentence).to_have_text(told)
    expect(play.live).to_have_text(told)
    play.expect_board(game.board(2))
    play.play(game.mine[1])


def test_a_server_that_never_answers_is_given_up_and_can_be_asked_again(
    visitor: Visitor, noise: Noise
) -> None:
    noise.expect("htmx:error: timeout")
    noise.expect_refusal(409)
    play = visitor()
    play.page.clock.install()
    play.open()
    play.play(4)
    before = play.sentence.inner_text()
    play.page.route(MOVES, lambda _: None, times=1)
    with play.page.expect_request(MOVES):
        play.cell(a_free_cell(play)).click()
    play.page.clock.fast_forward("00:30")
    expect_a_sentence_about_it(play, before)
    play.play(a_free_cell(play))
