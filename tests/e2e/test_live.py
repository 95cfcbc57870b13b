"""Two people at two devices: each move arrives by itself, and nobody is stuck or moves twice."""

from __future__ import annotations

import re
from statistics import median
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.class_pages import (
    BEFORE_THE_FIRST_MOVE,
    ClassmatePage,
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
    with ada.no_reload():
        bob.open(f"/join/{code}")
        bob.sit.click()
        expect(bob.page).to_have_url(ada.page.url)
        ada.look_again()
        ada.expect_turn("Your turn")
        expect(ada.code).to_have_count(0)
        expect(ada.sentence).to_contain_text(f"{bob.name} is here")
    pair = Pair(ada, bob, ada.path)
    watcher.open(pair.path)
    with ada.no_reload(), bob.no_reload(), watcher.no_reload():
        board = list(EMPTY)
        for ply, cell in enumerate(X_WINS):
            mover, other = pair.people if ply % 2 == 0 else pair.people[::-1]
            if ply:
                mover.expect_turn("Your turn")
            other.expect_turn(f"{mover.name} to move")
            watcher.expect_turn(f"{mover.name} to move")
            pair.play(cell, begun=ply)
            watcher.look_again()
            board[cell] = "XO"[ply % 2]
            winning = (0, 1, 2) if ply + 1 == len(X_WINS) else ()
            pair.expect_board("".join(board), winning)
            watcher.expect_board("".join(board), winning=winning, role="img")
        ada.expect_turn("You win: top row")
        for one in (bob, watcher):
            one.expect_turn(f"{ada.name} wins: top row")
            expect(one.page).to_have_title(re.compile(f"{ada.name} wins: top row"))
    for one in (ada, bob, watcher):
        expect(one.move_list).to_have_count(len(X_WINS))
        expect(one.page.get_by_role("link", name="Review this game")).to_be_visible()
    ada.expect_score(1, 0, 0)
    bob.expect_score(0, 0, 1)
    expect(ada.score_list).to_have_accessible_name(f"Score against {bob.name}")
    expect(watcher.page.locator("main button")).to_have_count(0)


# Notes when a cell first has a mark: the tabs and the test have one clock.
_WHEN_PLAYED = """() => {
  window.played = {};
  const look = () => {
    for (const cell of document.querySelectorAll(".cell:not([aria-label$=empty])")) {
      window.played[cell.id] ??= Date.now();
    }
  };
  look();
  new MutationObserver(look).observe(document.getElementById("game").parentElement,
    { subtree: true, childList: true, attributes: true });
}"""


def test_in_a_drawn_game_each_move_is_on_the_other_boards_soon(classmate: Classmates) -> None:
    pair = sit_down(classmate(), classmate(), real_time=True)
    watcher = classmate().open(pair.path)
    everybody = (*pair.people, watcher)
    for one in everybody:
        one.page.evaluate(_WHEN_PLAYED)
    pair.play(*DRAWN)
    expect(watcher.game).to_have_attribute("data-outcome", "draw")
    pair.expect_board("XOXXOOOXX")
    watcher.expect_board("XOXXOOOXX", role="img")
    for one in everybody:
        one.expect_turn("A draw")
    seen = [one.page.evaluate("() => window.played") for one in everybody]
    late = [
        (when[f"c{cell}"] - min(other[f"c{cell}"] for other in seen)) / 1000
        for cell in DRAWN
        for when in seen
    ]
    assert sum(delay > 0 for delay in late) >= len(DRAWN)  # it did measure something
    assert median(sorted(late)[len(DRAWN) :]) <= 1.0
    # Each of them, but for one or two that a busy computer may delay.
    assert sorted(late)[-3] <= SOON, late


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


def test_the_focus_stays_on_the_board_when_somebody_joins(classmate: Classmates) -> None:
    ada, bob = classmate().own_clock(), classmate()
    code = ada.open_challenge()
    ada.cell(8).focus()
    assert bob.post(f"/join/{code}", {}).status == 303
    ada.look_again()
    ada.expect_turn("Your turn")
    expect(ada.cell(8)).to_be_focused()
    with ada.change():
        ada.page.keyboard.press("1")


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


def test_one_who_waits_asks_for_news_quietly_and_one_who_is_to_move_does_not(
    classmate: Classmates,
) -> None:
    pair = sit_down(classmate(), classmate())
    asked = pair.x.requests()
    record_announcements(pair.o)
    for _ in range(4):
        with pair.o.page.expect_response(lambda response: response.status == 204):
            pair.o.page.clock.fast_forward(1000)
        pair.x.page.clock.fast_forward(1000)
    pair.x.expect_board(EMPTY)
    assert asked == []
    # Where nothing happens nothing is announced.
    assert pair.o.page.evaluate("() => window.announcements") == []
    # After a move it is the other way round.
    with pair.x.change():
        pair.x.cell(4).click()
    pair.o.page.clock.fast_forward(1000)
    pair.o.expect_turn("Your turn")
    asked = pair.o.requests()
    for _ in range(4):
        with pair.x.page.expect_response(lambda response: response.status == 204):
            pair.x.page.clock.fast_forward(1000)
        pair.o.page.clock.fast_forward(1000)
    pair.o.expect_board("....X....")
    assert asked == []


def test_a_tab_that_nobody_sees_does_not_ask_and_catches_up_when_seen(
    classmate: Classmates,
) -> None:
    pair = sit_down(classmate(), classmate())
    pair.o.hide(True)
    asked = pair.o.requests()
    with pair.x.change():
        pair.x.cell(4).click()
    for _ in range(4):
        pair.o.page.clock.fast_forward(1000)
    pair.o.expect_board(EMPTY)
    assert asked == []
    pair.o.hide(False)
    pair.o.page.clock.fast_forward(1000)
    pair.o.expect_turn("Your turn")
    pair.o.expect_board("....X....")


# --- a bad network, and coming back -------------------------------------------------------------


def test_ten_seconds_offline_are_told_once_and_over_by_themselves(
    classmate: Classmates, noise: Noise
) -> None:
    noise.expect_no_answer()
    pair = sit_down(classmate(), classmate())
    record_announcements(pair.o)
    with pair.o.no_reload():
        pair.o.page.context.set_offline(True)
        for _ in range(10):
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


def test_a_lost_connection_is_forgotten_though_nothing_has_happened_meanwhile(
    classmate: Classmates, noise: Noise
) -> None:
    noise.expect_no_answer()
    pair = sit_down(classmate(), classmate())
    sentence = pair.o.sentence.inner_text()
    pair.o.page.context.set_offline(True)
    pair.o.look_again()
    expect(pair.o.refusal).to_have_text("Connection lost, trying again.")
    pair.o.page.context.set_offline(False)
    pair.o.look_again()
    expect(pair.o.refusal).to_have_count(0)
    expect(pair.o.sentence).to_have_text(sentence)


def test_whoever_closes_the_browser_finds_the_game_again(classmate: Classmates) -> None:
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
  const body = new URLSearchParams({{ cell: "{}", version: "{}" }});
  return (await fetch(`${{location.pathname}}/moves`, {{ method: "POST", body }})).status;
}}"""


def test_when_both_press_at_once_only_the_one_to_move_plays(pair: Pair) -> None:
    at_the_same_moment((pair.x, _PRESS.format(0)), (pair.o, _PRESS.format(8)))
    for one in pair.people:
        expect(one.game).to_have_attribute("data-version", "3")
    pair.expect_board("X........")
    assert pair.o.posts == []
    at_the_same_moment((pair.x, _PRESS.format(1)), (pair.o, _PRESS.format(7)))
    for one in pair.people:
        expect(one.game).to_have_attribute("data-version", "4")
    pair.expect_board("X......O.")


def test_when_both_send_a_move_at_once_the_server_takes_the_one_whose_turn_it_is(
    pair: Pair, noise: Noise
) -> None:
    noise.expect_refusal(409)
    for version, (x, o), board in ((2, (0, 8), "X........"), (3, (1, 7), "X......O.")):
        at_the_same_moment((pair.x, _SEND.format(x, version)), (pair.o, _SEND.format(o, version)))
        assert answers(*pair.people) == (
            [200, 409] if version == BEFORE_THE_FIRST_MOVE else [409, 200]
        )
        pair.open()
        pair.expect_board(board)


def test_one_person_in_two_tabs_plays_one_move(pair: Pair, noise: Noise) -> None:
    noise.expect_refusal(409)
    other_tab = ClassmatePage(pair.x.page.context.new_page(), pair.x.server).open(pair.path)
    at_the_same_moment((pair.x, _PRESS.format(0)), (other_tab, _PRESS.format(8)))
    for one in (*pair.people, other_tab):
        expect(one.game).to_have_attribute("data-version", "3")
        expect(one.move_list).to_have_count(1)
    assert pair.x.refusal.count() + other_tab.refusal.count() == 1


# --- giving up, and staying away ----------------------------------------------------------------


def test_whoever_resigns_is_asked_first_and_has_lost_and_all_are_told(
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


def test_a_move_after_the_opponents_resignation_is_answered_with_the_end(
    pair: Pair, noise: Noise
) -> None:
    noise.expect_refusal(409)
    form: dict[str, str | float | bool] = {"version": str(BEFORE_THE_FIRST_MOVE)}
    assert pair.o.post(f"{pair.path}/resign", form).status == 303
    pair.x.cell(4).click()
    pair.x.expect_turn(f"You win: {pair.o.name} resigned")
    expect(pair.x.refusal).not_to_be_empty()
    pair.x.expect_board(EMPTY)
    expect(pair.x.again).to_have_text("Ask for a rematch")


def test_after_a_minute_without_a_move_the_game_can_be_claimed(pair: Pair, server: Server) -> None:
    pair.play(4, 0)
    record_announcements(pair.o)
    let_time_pass(server, pair.path, 57)
    expect(pair.o.claim).to_have_count(0)
    let_time_pass(server, pair.path, 4)
    pair.o.look_again()
    with pair.o.no_reload():
        expect(pair.o.claim).to_have_text("Claim the game")
        told = f"{pair.x.name} has not moved for a minute: you may claim the game."
        expect(pair.o.status).to_contain_text(told)
        assert announcements(pair.o)[-1:] == [told]
        expect(pair.x.claim).to_have_count(0)
        with pair.o.change():
            pair.o.claim.click()
    pair.o.expect_turn(f"You win: {pair.x.name} stayed away")
    pair.o.expect_score(1, 0, 0)
    pair.x.open(pair.path).expect_turn(f"{pair.o.name} wins: you stayed away")


def test_whoever_moves_after_all_cannot_be_claimed_against(
    pair: Pair, server: Server, noise: Noise
) -> None:
    noise.expect_refusal(409)
    let_time_pass(server, pair.path, 61)
    pair.o.look_again()
    expect(pair.o.claim).to_be_visible()
    with pair.x.change():
        pair.x.cell(4).click()
    pair.o.look_again()
    pair.o.expect_turn("Your turn")
    expect(pair.o.claim).to_have_count(0)
    form: dict[str, str | float | bool] = {"version": "3"}
    assert pair.o.post(f"{pair.path}/claim", form).status == 409
    assert pair.x.post(f"{pair.path}/claim", form).status == 409
    expect(pair.x.claim).to_have_count(0)


def test_a_watcher_is_told_nothing_when_a_minute_has_passed(
    pair: Pair, server: Server, classmate: Classmates
) -> None:
    watcher = classmate().own_clock().open(pair.path)
    record_announcements(watcher)
    let_time_pass(server, pair.path, 61)
    with watcher.page.expect_response(lambda response: "phase=1" in response.url):
        for _ in range(2):
            with watcher.page.expect_response(lambda response: "since=" in response.url):
                watcher.look_again()
    assert watcher.page.evaluate("() => window.announcements") == []


def test_a_challenge_that_nobody_took_can_be_withdrawn(classmate: Classmates, noise: Noise) -> None:
    noise.expect_refusal(404)
    ada, bob = classmate(), classmate()
    code = ada.open_challenge()
    asked = ada.answer_dialogs(accept=True)
    expect(ada.resign).to_have_text("Withdraw")
    ada.resign.click()
    expect(ada.page).to_have_url(f"{ada.server}/class")
    assert asked == []
    bob.open(f"/join/{code}")
    expect(bob.title).to_have_text("Nothing here")


# --- the next game ------------------------------------------------------------------------------


@pytest.fixture
def finished(classmate: Classmates) -> Pair:
    """Two people after a game that X has won."""
    return sit_down(classmate(), classmate(), "03142")


def test_a_rematch_is_asked_for_agreed_to_and_swaps_the_marks(
    finished: Pair, classmate: Classmates
) -> None:
    ada, bob = finished.people
    watcher = classmate().own_clock().open(finished.path)
    record_announcements(bob)
    with ada.change():
        ada.again.click()
    bob.look_again()
    expect(ada.status).to_contain_text(f"You asked for a rematch. {bob.name} has to agree.")
    expect(ada.again).to_have_attribute("aria-disabled", "true")
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


def test_when_both_ask_for_a_rematch_at_once_they_play_it(finished: Pair) -> None:
    press = "async () => document.getElementById('again').click()"
    at_the_same_moment((finished.x, press), (finished.o, press))
    for one in finished.people:
        expect(one.page).not_to_have_url(f"{one.server}{finished.path}")
    expect(finished.x.page).to_have_url(finished.o.page.url)
    finished.o.expect_turn("Your turn")


def test_a_rematch_takes_two(finished: Pair) -> None:
    ada = finished.x
    with ada.change():
        ada.again.click()
    posts = len(ada.posts)
    ada.again.click(force=True)
    ada.page.reload()
    ada.expect_turn("You win: top row")
    expect(ada.again).to_have_attribute("aria-disabled", "true")
    assert len(ada.posts) == posts


# --- without JavaScript -------------------------------------------------------------------------


def refresh_until(person: ClassmatePage, heading: str) -> None:
    """Press the link that stands where the page cannot look by itself."""
    person.refresh.click()
    expect(person.heading).to_have_text(heading)


def test_without_javascript_a_whole_game_can_be_played_with_the_link(
    classmate: Classmates,
) -> None:
    plain: dict[str, Any] = {"java_script_enabled": False}
    ada, bob = classmate(**plain), classmate(**plain)
    code = ada.open_challenge("x")
    expect(ada.refresh).to_be_visible()
    bob.open(f"/join/{code}")
    bob.sit.click()
    refresh_until(ada, "Your turn")
    expect(ada.refresh).to_have_count(0)
    people = (ada, bob)
    for ply, cell in enumerate(X_WINS):
        mover = people[ply % 2]
        if ply:
            refresh_until(mover, "Your turn")
        with mover.change():
            mover.cell(cell).click()
        expect(mover.refresh).to_have_count(1)
    expect(ada.heading).to_have_text("You win: top row")
    refresh_until(bob, f"{ada.name} wins: top row")
    for one in people:
        one.expect_board("XXXOO....", winning=(0, 1, 2))


# --- a slow network -----------------------------------------------------------------------------


def test_while_one_question_for_news_is_on_its_way_none_is_asked_nor_kept_for_later(
    pair: Pair,
) -> None:
    asked = pair.o.requests()
    record_announcements(pair.o)
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
    with pair.o.change():
        pair.o.cell(0).click()
    assert len([request for request in asked if request.endswith("since=2")]) == 1
    assert len(announcements(pair.o)) == 2  # their move, and the own
