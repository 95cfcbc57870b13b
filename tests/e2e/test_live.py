"""Two people at two devices: each move arrives by itself; neither is stuck or moves twice."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.class_pages import (
    Classmates,
    Pair,
    answers,
    at_the_same_moment,
    let_time_pass,
    sit_down,
)
from tests.e2e.noise import Noise
from tests.e2e.play import EMPTY, announcements, record_announcements
from tests.e2e.server import Server
from tests.support.pace import slowness

X_WINS = (0, 3, 1, 4, 2)
DRAWN = (0, 1, 2, 4, 3, 5, 7, 6, 8)
SOON = 1.5
"""Seconds after which a move is on the other board: asking comes once a second."""


@pytest.fixture
def pair(classmate: Classmates) -> Pair:
    """Two people who have just sat down to a game."""
    return sit_down(classmate(), classmate())


# --- whole games --------------------------------------------------------------------------------


def test_a_game_is_opened_joined_and_won_before_a_watcher(classmate: Classmates) -> None:
    ada, bob, watcher = (classmate().own_clock() for _ in range(3))
    code = ada.open_challenge("x")
    expect(ada.heading).to_have_text("Waiting for a classmate")
    expect(ada.link).to_have_text(f"{ada.server}/join/{code}")
    expect(ada.qr).to_be_visible()
    ada.cell(8).focus()
    with ada.no_reload():
        bob.open(f"/join/{code}")
        bob.sit.click()
        expect(bob.page).to_have_url(ada.page.url)
        ada.look_again()
        ada.expect_turn("Your turn")
        expect(ada.code).to_have_count(0)
        expect(ada.sentence).to_contain_text(f"{bob.name} is here")
        expect(ada.cell(8)).to_be_focused()
    pair = Pair(ada, bob, ada.path)
    watcher.open(pair.path)
    with ada.no_reload(), bob.no_reload(), watcher.no_reload():
        for ply, cell in enumerate(X_WINS):
            mover, other = pair.people if ply % 2 == 0 else pair.people[::-1]
            mover.expect_turn("Your turn")
            for one in (other, watcher):
                one.expect_turn(f"{mover.name} to move")
            pair.play(cell, begun=ply)
            watcher.look_again()
        pair.expect_board("XXXOO....", (0, 1, 2))
        watcher.expect_board("XXXOO....", winning=(0, 1, 2), role="img")
        ada.expect_turn("You win: top row")
        for one in (bob, watcher):
            one.expect_turn(f"{ada.name} wins: top row")
            expect(one.page).to_have_title(re.compile(f"{ada.name} wins: top row"))
            expect(one.page.get_by_role("link", name="Review this game")).to_be_visible()
    ada.expect_score(1, 0, 0)
    bob.expect_score(0, 0, 1)
    expect(ada.score_list).to_have_accessible_name(f"Score against {bob.name}")
    expect(watcher.page.locator("main button")).to_have_count(0)


def test_in_real_time_each_move_is_on_the_other_board_soon(classmate: Classmates) -> None:
    pair = sit_down(classmate(), classmate(), real_time=True)
    begun = time.monotonic()
    pair.play(*DRAWN)
    assert (time.monotonic() - begun) / len(DRAWN) < SOON * slowness()
    pair.expect_board("XOXXOOOXX")
    for one in pair.people:
        one.expect_turn("A draw")


# --- while the other one moves ------------------------------------------------------------------


def test_the_focus_stays_where_it_is_when_the_opponent_moves(pair: Pair) -> None:
    pair.o.cell(5).focus()
    node = pair.o.cell(5).element_handle()
    pair.play(4)
    expect(pair.o.cell(4)).to_have_accessible_name("Centre, X")
    expect(pair.o.cell(5)).to_be_focused()
    assert node.evaluate("(node) => node === document.getElementById('c5')")
    with pair.o.change():
        pair.o.page.keyboard.press("Enter")
    expect(pair.x.cell(5)).to_have_accessible_name("Middle right, O")
    pair.o.resign.focus()
    pair.play(0, begun=2)
    expect(pair.o.resign).to_be_focused()


def test_the_live_region_tells_the_move_the_turn_and_the_end_once_each(
    classmate: Classmates,
) -> None:
    pair = sit_down(classmate(), classmate(), "402")
    x, o = pair.people
    for one in pair.people:
        record_announcements(one)
    pair.play(3, begun=3)
    did = "took the middle left: threatens the left column."
    assert announcements(o) == [f"You {did} {x.name} to move."]
    assert announcements(x) == [f"{o.name} {did} Your turn."]
    pair.play(6, begun=4)
    for one, result in ((x, "You win: diagonal"), (o, f"{x.name} wins: diagonal")):
        [said_at_the_end] = announcements(one)
        assert said_at_the_end.startswith(result)
        assert len(said_at_the_end.split()) <= 15


def test_only_who_waits_asks_for_news_and_only_where_the_tab_is_seen(pair: Pair) -> None:
    mover, waiting = pair.people
    record_announcements(waiting)
    asked = mover.requests()
    for _ in range(3):
        with waiting.page.expect_response(lambda response: response.status == 204):
            waiting.page.clock.fast_forward(1000)
        mover.page.clock.fast_forward(1000)
    assert asked == []
    # Where nothing happens nothing is announced.
    assert waiting.page.evaluate("() => window.announcements") == []
    waiting.hide(True)
    asked = waiting.requests()
    with mover.change():
        mover.cell(4).click()
    for _ in range(3):
        waiting.page.clock.fast_forward(1000)
    waiting.expect_board(EMPTY)
    assert asked == []
    waiting.hide(False)
    waiting.page.clock.fast_forward(1000)
    waiting.expect_turn("Your turn")
    waiting.expect_board("....X....")


# --- a bad network, and coming back -------------------------------------------------------------


def test_a_lost_connection_is_told_once_and_over_by_itself(
    classmate: Classmates, noise: Noise
) -> None:
    noise.expect_no_answer()
    pair = sit_down(classmate(), classmate())
    record_announcements(pair.o)
    with pair.o.no_reload():
        pair.o.page.context.set_offline(True)
        for _ in range(3):
            with pair.o.page.expect_event("requestfailed"):
                pair.o.page.clock.fast_forward(1000)
        expect(pair.o.refusal).to_have_text("Connection lost, trying again.")
        assert announcements(pair.o) == ["Connection lost, trying again."]
        pair.o.expect_board(EMPTY)
        with pair.x.change():
            pair.x.cell(4).click()
        pair.o.page.context.set_offline(False)
        pair.o.page.clock.fast_forward(1000)
        pair.o.expect_turn("Your turn")
        pair.o.expect_board("....X....")
        expect(pair.o.refusal).to_have_count(0)
        expect(pair.o.sentence).to_have_text(f"{pair.x.name} took the centre.")
    assert announcements(pair.o) == [f"{pair.x.name} took the centre. Your turn."]
    with pair.o.change():
        pair.o.cell(0).click()
    pair.x.expect_turn("Your turn")


def test_a_player_who_closes_the_browser_finds_the_game_again(classmate: Classmates) -> None:
    pair = sit_down(classmate(), classmate(), "4")
    name = pair.o.name
    state = pair.o.page.context.storage_state()
    pair.o.page.context.close()
    back = classmate(storage_state=state).open()
    assert back.name == name
    back.page.get_by_role("link", name="Continue your game with a classmate").click()
    expect(back.page).to_have_url(pair.x.page.url)
    back.expect_turn("Your turn")
    Pair(pair.x, back, pair.path).play(0, begun=1)
    back.expect_board("O...X....")


# --- both at once -------------------------------------------------------------------------------

_PRESS = "async () => document.getElementById('c{}').click()"
_SEND = """async () => {{
  const body = new URLSearchParams({{ cell: "{}", version: "2" }});
  return (await fetch(`${{location.pathname}}/moves`, {{ method: "POST", body }})).status;
}}"""


def test_when_both_move_at_once_only_the_one_to_move_plays(pair: Pair, noise: Noise) -> None:
    noise.expect_refusal(409)
    at_the_same_moment((pair.x, _SEND.format(0)), (pair.o, _SEND.format(8)))
    assert answers(*pair.people) == [200, 409]
    pair.open()
    at_the_same_moment((pair.x, _PRESS.format(1)), (pair.o, _PRESS.format(7)))
    for one in pair.people:
        expect(one.game).to_have_attribute("data-version", "4")
    pair.expect_board("X......O.")


# --- giving up, and staying away ----------------------------------------------------------------


def test_a_player_who_resigns_is_asked_first_and_has_lost_and_all_are_told(
    pair: Pair, classmate: Classmates
) -> None:
    watcher = classmate().own_clock().open(pair.path)
    asked = pair.x.answer_dialogs(accept=False)
    pair.x.resign.click()
    pair.play(4, 0)  # the game goes on
    assert asked == ["Give this game up?"]
    pair.expect_board("O...X....")
    asked = pair.x.answer_dialogs(accept=True)
    with pair.x.change():
        pair.x.resign.click()
    assert asked == ["Give this game up?"]
    pair.x.expect_turn(f"{pair.o.name} wins: you resigned")
    watcher.look_again()
    watcher.expect_turn(f"{pair.o.name} wins: {pair.x.name} resigned")
    pair.o.open(pair.path).expect_turn(f"You win: {pair.x.name} resigned")
    pair.o.expect_score(1, 0, 0)
    for one in pair.people:
        expect(one.resign).to_have_count(0)
        expect(one.again).to_have_text("Ask for a rematch")


def test_after_a_minute_without_a_move_the_game_can_be_claimed(
    pair: Pair, server: Server, classmate: Classmates
) -> None:
    watcher = classmate().own_clock().open(pair.path)
    let_time_pass(server, pair.path, 61)
    pair.o.look_again()
    expect(pair.o.claim).to_be_visible()
    with pair.x.change():  # the player moves after all
        pair.x.cell(4).click()
    pair.o.look_again()
    pair.o.expect_turn("Your turn")
    expect(pair.o.claim).to_have_count(0)
    pair.play(0, begun=1)
    watcher.open(pair.path)
    for one in (pair.o, watcher):
        record_announcements(one)
    let_time_pass(server, pair.path, 57)
    expect(pair.o.claim).to_have_count(0)
    let_time_pass(server, pair.path, 4)
    with pair.o.no_reload():
        pair.o.look_again()
        expect(pair.o.claim).to_have_text("Claim the game")
        told = f"{pair.x.name} has not moved for a minute: you may claim the game."
        expect(pair.o.status).to_contain_text(told)
        assert announcements(pair.o)[-1:] == [told]
        expect(pair.x.claim).to_have_count(0)
        with watcher.page.expect_response(lambda response: "phase=1" in response.url):
            for _ in range(2):
                with watcher.page.expect_response(lambda response: "since=" in response.url):
                    watcher.look_again()
        assert watcher.page.evaluate("() => window.announcements") == []
        with pair.o.change():
            pair.o.claim.click()
    pair.o.expect_turn(f"You win: {pair.x.name} stayed away")
    pair.o.expect_score(1, 0, 0)
    pair.x.open(pair.path).expect_turn(f"{pair.o.name} wins: you stayed away")


# --- the next game ------------------------------------------------------------------------------


def test_a_rematch_is_asked_for_agreed_to_and_swaps_the_marks(
    classmate: Classmates,
) -> None:
    finished = sit_down(classmate(), classmate(), "03142")
    ada, bob = finished.people
    watcher = classmate().own_clock().open(finished.path)
    record_announcements(bob)
    with ada.change():
        ada.again.click()
    bob.look_again()
    expect(ada.status).to_contain_text(f"You asked for a rematch. {bob.name} has to agree.")
    expect(ada.again).to_have_attribute("aria-disabled", "true")
    ada.again.click(force=True)
    assert len(ada.posts) == 1
    with bob.no_reload():
        expect(bob.status).to_contain_text(f"{ada.name} asks for a rematch.")
        expect(bob.again).to_have_text("Rematch, swapped")
        asks = f"{ada.name} asks for a rematch."
        assert announcements(bob) == [f"{ada.name} wins: top row. {asks}"]
    with bob.next_game():
        bob.again.click()
    for one in (ada, watcher):
        one.look_again()
        expect(one.page).to_have_url(bob.page.url, timeout=3000)
    rematch = Pair(bob, ada, bob.path)
    rematch.x.expect_turn("Your turn")
    rematch.o.expect_turn(f"{bob.name} to move")
    version = rematch.x.version
    rematch.x.cell(4).click()
    for one in (ada, bob, watcher):
        one.look_again()
        expect(one.game).to_have_attribute("data-version", str(version + 1))
    rematch.expect_board("....X....")
    ada.expect_score(1, 0, 0)
    # The game before leads to this one.
    ada.open(finished.path)
    expect(ada.page).to_have_url(re.compile(f"{finished.path}|{rematch.path}"))


# --- a slow network -----------------------------------------------------------------------------


def test_while_one_question_for_news_is_on_its_way_none_is_asked_nor_kept_for_later(
    pair: Pair,
) -> None:
    asked = pair.o.requests()
    news = re.compile("since=")
    held: list[Route] = []
    pair.o.page.route(news, lambda route: held.append(route))  # noqa: PLW0108 - it sets attributes
    with pair.o.page.expect_request(news):
        pair.o.look_again()
    for _ in range(3):
        pair.o.look_again()
    with pair.x.change():
        pair.x.cell(4).click()
    assert len(held) == 1
    held.pop().continue_()
    pair.o.page.unroute(news)
    pair.o.expect_turn("Your turn")
    assert len([request for request in asked if request.endswith("since=2")]) == 1
