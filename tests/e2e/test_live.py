"""Two people at two devices: each move arrives by itself; neither is stuck or moves twice."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import expect

from tests.e2e.answers import late
from tests.e2e.pair import Pair, let_time_pass, sit_down
from tests.e2e.server import Server
from tests.e2e.tab import EMPTY, Tab, Visitor
from tests.support.pace import slowness


@pytest.fixture
def pair(visitor: Visitor) -> Pair:
    """Two people who have just sat down to a game."""
    return sit_down(visitor(), visitor())


@pytest.fixture
def watcher(visitor: Visitor) -> Tab:
    return visitor().own_clock()


# --- whole games --------------------------------------------------------------------------------


def test_a_game_is_opened_joined_and_won_before_a_watcher(visitor: Visitor, watcher: Tab) -> None:
    ada, bob = (visitor().own_clock() for _ in range(2))
    code = ada.open_challenge("x")
    expect(ada.heading).to_have_text("Waiting for a classmate")
    ada.cell(8).focus()
    with ada.no_reload():
        bob.open(f"/join/{code}").page.locator("#sit").click()
        expect(bob.page).to_have_url(ada.page.url)
        ada.let_pass()
        ada.expect_turn("Your turn")
        expect(ada.sentence).to_contain_text(f"{bob.name} is here")
        expect(ada.cell(8)).to_be_focused()
    pair = Pair(ada, bob, ada.path)
    watcher.open(pair.path)
    with ada.no_reload(), bob.no_reload(), watcher.no_reload():
        for ply, cell in enumerate((0, 3, 1, 4, 2)):
            mover, other = pair.people if ply % 2 == 0 else pair.people[::-1]
            mover.expect_turn("Your turn")
            for one in (other, watcher):
                one.expect_turn(f"{mover.name} to move")
            pair.play(cell, begun=ply)
            watcher.let_pass()
        ada.expect_turn("You win: top row")
        for one in (bob, watcher):
            one.expect_turn(f"{ada.name} wins: top row")
            expect(one.page).to_have_title(re.compile(f"{ada.name} wins: top row"))
    for one, role in ((ada, "button"), (bob, "button"), (watcher, "img")):
        one.expect_board("XXXOO....", winning=(0, 1, 2), role=role)
    bob.expect_score(0, 0, 1)
    expect(watcher.page.locator("main button")).to_have_count(0)


def test_in_real_time_each_move_is_on_the_other_board_soon(visitor: Visitor) -> None:
    pair = sit_down(visitor(), visitor(), real_time=True)
    begun, cells = time.monotonic(), (0, 1, 2, 4)
    pair.play(*cells)
    # Asking comes once a second.
    assert (time.monotonic() - begun) / len(cells) < 1.5 * slowness()


# --- while the other one moves ------------------------------------------------------------------


def test_by_keys_alone_a_game_is_played_and_given_up_and_the_focus_stays_where_it_is(
    pair: Pair,
) -> None:
    pair.o.cell(5).focus()
    node = pair.o.cell(5).element_handle()
    pair.x.tab_to(".cell")
    with pair.x.change():
        pair.x.press("5")
    pair.o.let_pass()
    expect(pair.o.cell(4)).to_have_accessible_name("Centre, X")
    expect(pair.o.cell(5)).to_be_focused()
    assert node.evaluate("(node) => node.isConnected")
    with pair.o.change():
        pair.o.press("Enter")
    pair.x.let_pass()
    expect(pair.x.cell(5)).to_have_accessible_name("Middle right, O")
    pair.o.resign.focus()
    pair.play(0, begun=2)
    expect(pair.o.resign).to_be_focused()
    pair.o.page.once("dialog", lambda dialog: dialog.accept())
    for button in ("#resign", "#again"):
        pair.o.tab_to(button)
        with pair.o.change():
            pair.o.press("Enter")
        pair.o.expect_focus_somewhere()


def test_the_live_region_tells_the_move_the_turn_and_the_end_once_each(visitor: Visitor) -> None:
    pair = sit_down(visitor(), visitor(), "402")
    x, o = pair.people
    for one in pair.people:
        one.record_announcements()
    pair.play(3, begun=3)
    did = "took the middle left and threatened the left column."
    assert o.announcements() == [f"You {did} {x.name} to move."]
    assert x.announcements() == [f"{o.name} {did} Your turn."]
    pair.play(6, begun=4)
    for one, result in ((x, "You win: diagonal"), (o, f"{x.name} wins: diagonal")):
        [said_at_the_end] = one.announcements()
        assert said_at_the_end.startswith(result)
        assert len(said_at_the_end.split()) <= 15


def test_only_the_player_who_waits_asks_for_news_and_only_in_a_tab_that_is_seen(
    pair: Pair,
) -> None:
    mover, waiting = pair.people
    waiting.record_announcements()
    asked = mover.requests()
    for _ in range(2):
        with waiting.page.expect_response(lambda response: response.status == 204):
            waiting.let_pass()
        mover.let_pass()
    assert asked == []
    # Where nothing happens nothing is announced.
    assert waiting.page.evaluate("() => window.announcements") == []
    waiting.hide(True)
    asked = waiting.requests()
    mover.play(4)
    for _ in range(3):
        waiting.let_pass()
    waiting.expect_board(EMPTY)
    assert asked == []
    waiting.hide(False)
    waiting.let_pass()
    waiting.expect_turn("Your turn")


# --- a bad network ------------------------------------------------------------------------------


def test_a_lost_connection_is_told_once_and_over_by_itself(pair: Pair) -> None:
    x, o = pair.people
    o.noise.expect_no_answer()
    o.record_announcements()
    with o.no_reload():
        o.page.context.set_offline(True)
        for _ in range(3):
            with o.page.expect_event("requestfailed"):
                o.let_pass()
        expect(o.refusal).to_have_text("Connection lost, trying again.")
        assert o.announcements() == ["Connection lost, trying again."]
        o.expect_board(EMPTY)
        x.play(4)
        o.page.context.set_offline(False)
        o.let_pass()
        o.expect_turn("Your turn")
        expect(o.refusal).to_have_count(0)
        expect(o.sentence).to_have_text(f"{x.name} took the centre.")
    assert o.announcements() == [f"{x.name} took the centre. Your turn."]
    o.play(0)


def test_while_one_question_for_news_is_on_its_way_none_is_asked_nor_kept_for_later(
    pair: Pair,
) -> None:
    sent = pair.o.requests()
    with late(pair.o.page, "since=2") as asked:
        pair.o.let_pass()
        asked()
        for _ in range(3):
            pair.o.let_pass()
        pair.x.play(4)
        assert sent == []
    pair.o.expect_turn("Your turn")
    assert len([request for request in sent if request.endswith("since=2")]) == 1


# --- giving up, staying away, and the next game -------------------------------------------------


def test_a_player_who_resigns_is_asked_first_and_both_are_told(pair: Pair) -> None:
    x, o = pair.people
    x.page.once("dialog", lambda dialog: dialog.dismiss())
    x.resign.click()
    pair.play(4, 0)  # the game goes on
    x.page.once("dialog", lambda dialog: dialog.accept())
    with x.change():
        x.resign.click()
    x.expect_turn(f"{o.name} wins: you gave up")
    o.open(pair.path).expect_turn(f"You win: {x.name} gave up")


def test_a_game_that_can_be_claimed_is_told_once_to_the_player_who_waits(
    pair: Pair, server: Server, watcher: Tab
) -> None:
    x, o = pair.people
    watcher.open(pair.path)
    for one in (o, watcher):
        one.record_announcements()
    let_time_pass(server, pair.path, 61)
    o.cell(4).focus()
    with o.no_reload():
        o.let_pass()
        expect(o.claim).to_be_visible()
        expect(o.cell(4)).to_be_focused()
        told = f"{x.name} has not moved for a minute: you can claim the game."
        assert o.announcements() == [told]
    with watcher.page.expect_response(lambda response: "phase=1" in response.url):
        for _ in range(2):
            with watcher.page.expect_response(lambda response: "since=" in response.url):
                watcher.let_pass()
    assert watcher.page.evaluate("() => window.announcements") == []
    x.play(4)  # the player moves after all
    o.let_pass()
    o.expect_turn("Your turn")
    expect(o.claim).to_have_count(0)
    pair.play(0, begun=1)
    let_time_pass(server, pair.path, 61)
    o.let_pass()
    with o.change():
        o.press("Enter", on=o.claim)
    o.expect_focus_somewhere()
    o.expect_turn(f"You win: {x.name} stayed away")


def test_a_rematch_is_asked_for_agreed_to_and_leads_all_to_the_next_game(
    visitor: Visitor, watcher: Tab
) -> None:
    finished = sit_down(visitor(), visitor(), "03142")
    ada, bob = finished.people
    watcher.open(finished.path)
    bob.record_announcements()
    with ada.change():
        ada.again.click()
    expect(ada.asides).to_contain_text(f"You asked for a rematch. {bob.name} has to agree.")
    ada.again.click(force=True)
    assert len(ada.posts) == 1
    bob.let_pass()
    with bob.no_reload():
        asks = f"{ada.name} asks for a rematch."
        expect(bob.asides).to_contain_text(asks)
        assert bob.announcements() == [f"{ada.name} wins: top row. {asks}"]
    bob.go_on()
    for one in (ada, watcher):
        one.let_pass()
        expect(one.page).to_have_url(bob.page.url, timeout=3000)
    Pair(bob, ada, bob.path).play(4)
    watcher.let_pass()
    watcher.expect_board("....X....", role="img")
