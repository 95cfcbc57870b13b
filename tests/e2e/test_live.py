"""Two people at two devices: each move arrives by itself; neither is stuck or moves twice."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.games import Pair, let_time_pass, sit_down
from tests.e2e.server import Server
from tests.e2e.tab import EMPTY, Visitor


@pytest.fixture
def pair(visitor: Visitor) -> Pair:
    return sit_down(visitor(), visitor())


def test_two_browsers_play_a_game_before_a_watcher_and_then_a_rematch(visitor: Visitor) -> None:
    alice, bob, watcher = (visitor() for _ in range(3))
    code = alice.open_challenge()
    bob.open(f"/join/{code}").page.locator("#sit").click()
    alice.expect_turn("Your turn")
    expect(bob.page).to_have_url(alice.page.url)
    expect(alice.sentence).to_contain_text(f"{bob.name} is here")
    pair = Pair(alice, bob, alice.path)
    watcher.open(pair.path)
    with alice.no_reload(), bob.no_reload(), watcher.no_reload():
        for ply, cell in enumerate((0, 3, 1, 4, 2)):
            mover, other = pair.people if ply % 2 == 0 else pair.people[::-1]
            mover.expect_turn("Your turn")
            for one in (other, watcher):
                one.expect_turn(f"{mover.name} is thinking")
            pair.play(cell, begun=ply)
        alice.expect_turn("You win: top row")
        for one in (bob, watcher):
            one.expect_turn(f"{alice.name} wins: top row")
            expect(one.page).to_have_title(re.compile(f"{alice.name} wins: top row"))
    for one, role in ((alice, "button"), (bob, "button"), (watcher, "img")):
        one.expect_board("XXXOO....", winning=(0, 1, 2), role=role)
    bob.record_announcements()
    with alice.change():
        alice.again.click()
    with bob.no_reload():
        asks = f"{alice.name} wants a rematch."
        expect(bob.page.locator("#record .asides")).to_contain_text(asks)
        assert bob.announcements()[-1].endswith(asks)
    bob.go_on()
    for one in (alice, watcher):
        expect(one.page).to_have_url(bob.page.url)
    Pair(bob, alice, bob.path).play(4)
    watcher.expect_board("....X....", role="img")


def test_by_keys_and_by_ear_each_move_is_told_once_and_the_focus_stays(pair: Pair) -> None:
    x, o = pair.people
    o.cell(5).focus()
    node = o.cell(5).element_handle()
    for one in pair.people:
        expect(one.seconds_left).to_have_count(0)
        one.record_announcements()
    x.tab_to(".cell")
    with x.change():
        x.press("5")
    expect(o.cell(4)).to_have_accessible_name("Centre, X")
    assert o.announcements() == [f"{x.name} took the centre. Your turn."]
    expect(o.cell(5)).to_be_focused()
    assert node.evaluate("(node) => node.isConnected")
    with o.change():
        o.press("Enter")
    expect(x.cell(5)).to_have_accessible_name("Middle right, O")
    x.announcements()
    o.page.once("dialog", lambda dialog: dialog.dismiss())
    o.tab_to("#resign")
    o.press("Enter")
    pair.play(0, begun=2)
    expect(o.resign).to_be_focused()
    o.page.once("dialog", lambda dialog: dialog.accept())
    with o.change():
        o.press("Enter")
    o.expect_focus_somewhere()
    x.expect_turn(f"You win: {o.name} gave up")
    assert x.announcements()[-1].startswith(f"You win: {o.name} gave up")


def test_a_hidden_page_holds_no_stream_asks_seldom_and_at_once_when_it_is_seen(pair: Pair) -> None:
    x, o = pair.people
    after_fifteen_seconds = o.hold_timers(15_000)
    with (
        o.page.expect_event("requestfailed", lambda one: "/events" in one.url),
        o.page.expect_response(lambda one: one.request.headers.get("page-here") == "hidden"),
    ):
        o.hide(True)
    x.play(4)
    o.expect_board(EMPTY)
    after_fifteen_seconds()
    expect(o.page).to_have_title(re.compile("^Your turn"))
    with (
        o.page.expect_request(re.compile("/events")),
        o.page.expect_request(lambda one: one.headers.get("page-here") == "seen"),
    ):
        o.hide(False)


def test_a_lost_connection_is_told_once_and_over_by_itself(pair: Pair) -> None:
    x, o = pair.people
    o.noise.expect_no_answer()
    o.record_announcements()
    with o.no_reload():
        o.page.context.set_offline(True)
        for _ in range(3):
            with o.page.expect_event("requestfailed"):
                pass
        expect(o.refusal).to_have_text("Connection lost, trying again.")
        x.play(4)
        o.page.context.set_offline(False)
        o.expect_turn("Your turn")
        expect(o.refusal).to_have_count(0)
    moved = f"{x.name} took the centre. Your turn."
    assert o.announcements() == ["Connection lost, trying again.", moved]
    o.play(0)


def test_nine_tabs_of_one_browser_do_not_starve_each_other(visitor: Visitor) -> None:
    x, o = sit_down(visitor(), visitor(), "031").people
    tabs = [x, *(x.another() for _ in range(8))]
    o.play(4)
    for tab in tabs:
        tab.expect_turn("Your turn")
    tabs[2].play(2)
    for tab in tabs:
        tab.expect_turn("You win: top row")


@pytest.mark.parametrize("fault", ["refuses", "swallows"])
def test_where_a_proxy_lets_no_stream_through_pages_ask(fault: str, visitor: Visitor) -> None:
    x, o = visitor(), visitor()
    faulty, tried = [True], list[Route]()

    def answer(route: Route) -> None:
        tried.append(route)
        if not faulty[0]:
            route.continue_()
        elif fault == "refuses":
            route.fulfill(status=502)

    o.page.route("**/events?**", answer)
    o.noise.expect("502|ERR_")
    pair = sit_down(x, o)
    with o.no_reload():
        pair.play(4)
        o.expect_turn("Your turn")
        assert tried
        faulty[0] = False
        if fault == "swallows":
            o.hide(True)
            o.hide(False)
        with o.page.expect_response(lambda one: "/events" in one.url and one.status == 200):
            pass
    pair.play(0, 1, begun=1)
    o.expect_turn("Your turn")


def test_a_player_who_stays_away_is_claimed(server: Server, pair: Pair, visitor: Visitor) -> None:
    x, o = pair.people
    watcher, name, claim = visitor().open(pair.path), x.name, o.page.locator("#claim")
    x.page.goto("about:blank")
    for one, can in ((o, "You can claim the win"), (watcher, "The win can be claimed")):
        expect(one.seconds_left).to_have_text(
            re.compile(rf"^{name} seems to be away\. {can} in [0-9]+\ss\.$")
        )
        one.expect_turn(f"{name} to move")
    x.open(pair.path)
    for one in (o, watcher):
        one.expect_turn(f"{name} is thinking")
        expect(one.seconds_left).to_have_count(0)
    o.record_announcements()
    o.cell(4).focus()
    let_time_pass(server, pair.path, 61)
    with o.no_reload():
        x.page.goto("about:blank")  # of which the other one is told
        expect(claim).to_be_visible()
        expect(o.cell(4)).to_be_focused()
        told = f"{name} has not moved for a minute: you can claim the win."
        assert o.announcements() == [told]
    with o.change():
        o.press("Enter", on=claim)
    o.expect_focus_somewhere()
    o.expect_turn(f"You win: {name} did not come back")


def test_a_player_who_plays_on_is_called_when_a_classmate_joins_and_moves(visitor: Visitor) -> None:
    alice, bob = visitor(), visitor()
    code = alice.open_challenge_elsewhere("o")
    alice.open("/learn")
    title, strip = alice.page.title(), alice.calls.element_handle()
    expect(alice.calls).to_be_empty()
    path = bob.do(f"/join/{code}")
    name = bob.open("/privacy").name

    def expect_call(text: str) -> None:
        expect(alice.a(f"{name} {text}: go to your game")).to_be_visible()
        expect(alice.page).to_have_title(f"{name} {text}")

    # It is announced, as its place was there before.
    expect_call("is here")
    assert strip.evaluate("(strip) => strip.isConnected")
    alice.tab_to("#calls a")
    alice.press("Tab", "Enter")
    expect(alice.button("Not now")).to_be_hidden()
    expect(alice.page).to_have_title(title)
    alice.expect_focus_somewhere()
    # What comes next calls again, in a game against the computer as well.
    alice.open().play(0)
    bob.play_elsewhere(4, 1, path)
    expect_call("has moved")
    # It stays in the title when the answer to a move brings the title of the page.
    with alice.change():
        alice.page.get_by_role("button", name=re.compile("empty$")).first.click()
    expect(alice.page).to_have_title(f"{name} has moved")
    # Where the player goes the call ends, and on the other pages.
    alice.another().open(path).play(0)
    expect(alice.calls).to_be_empty()
    expect(alice.page).not_to_have_title(re.compile("has moved"))
