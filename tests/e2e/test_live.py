"""Two people at two devices: each move arrives by itself; neither is stuck or moves twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Response, expect

from tests.e2e.answers import refused
from tests.e2e.pair import Pair, sit_down
from tests.e2e.plans import WON
from tests.e2e.server import NEWS_COME_SOON, Server
from tests.e2e.tab import EMPTY, Tab, Visitor

SOON_ABSENT = """
from webapp.core import game
from webapp.live import presence
game.ABSENT_AFTER, presence.SETTLED_S = 8, 6
"""
"""A patch: a minute without a move is over in eight seconds, and a server has settled by then."""


@pytest.fixture
def pair(visitor: Visitor) -> Pair:
    """Two people who have just sat down to a game."""
    return sit_down(visitor(), visitor())


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path / "data", patch=NEWS_COME_SOON + SOON_ABSENT)
    yield server
    server.stop()


@pytest.fixture
def watcher(visitor: Visitor) -> Tab:
    return visitor()


# --- whole games --------------------------------------------------------------------------------


def test_a_game_is_opened_joined_and_won_before_a_watcher(visitor: Visitor, watcher: Tab) -> None:
    ada, bob = visitor(), visitor()
    code = ada.open_challenge("x")
    expect(ada.heading).to_have_text("Waiting for a classmate")
    ada.cell(8).focus()
    with ada.no_reload():
        bob.open(f"/join/{code}").page.locator("#sit").click()
        expect(bob.page).to_have_url(ada.page.url)
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
                one.expect_turn(f"{mover.name} is thinking")
            pair.play(cell, begun=ply)
        ada.expect_turn("You win: top row")
        for one in (bob, watcher):
            one.expect_turn(f"{ada.name} wins: top row")
            expect(one.page).to_have_title(re.compile(f"{ada.name} wins: top row"))
    for one, role in ((ada, "button"), (bob, "button"), (watcher, "img")):
        one.expect_board("XXXOO....", winning=(0, 1, 2), role=role)
    bob.expect_score(0, 0, 1)
    expect(watcher.page.locator("main button")).to_have_count(0)


# --- while the other one moves ------------------------------------------------------------------


def test_by_keys_alone_a_game_is_played_and_given_up_and_the_focus_stays_where_it_is(
    pair: Pair,
) -> None:
    pair.o.cell(5).focus()
    node = pair.o.cell(5).element_handle()
    pair.x.tab_to(".cell")
    with pair.x.change():
        pair.x.press("5")
    expect(pair.o.cell(4)).to_have_accessible_name("Centre, X")
    expect(pair.o.cell(5)).to_be_focused()
    assert node.evaluate("(node) => node.isConnected")
    with pair.o.change():
        pair.o.press("Enter")
    expect(pair.x.cell(5)).to_have_accessible_name("Middle right, O")
    pair.o.resign.focus()
    pair.play(0, begun=2)
    expect(pair.o.resign).to_be_focused()
    # A player who gives up is asked first, and the other one is told.
    pair.o.page.once("dialog", lambda dialog: dialog.dismiss())
    pair.o.press("Enter")
    pair.play(8, 1, begun=3)
    pair.o.page.once("dialog", lambda dialog: dialog.accept())
    for button in ("#resign", "#again"):
        pair.o.tab_to(button)
        with pair.o.change():
            pair.o.press("Enter")
        pair.o.expect_focus_somewhere()
    pair.x.expect_turn(f"You win: {pair.o.name} gave up")


def test_each_move_comes_with_one_answer_that_has_waited_and_is_told_once(visitor: Visitor) -> None:
    pair = sit_down(visitor(), visitor(), "402")
    x, o = pair.people
    pair.settle()
    news = list[Response]()

    def note(answer: Response) -> None:
        if "since=" in answer.url:
            news.append(answer)

    for one in pair.people:
        one.record_announcements()
        one.page.on("response", note)
    asked = [one.requests() for one in pair.people]
    pair.play(3, begun=3)
    did = "took the middle left and threatened the left column."
    assert o.announcements() == [f"You {did} {x.name} is thinking."]
    assert x.announcements() == [f"{o.name} {did} Your turn."]
    pair.play(6, begun=4)
    for one, result in ((x, "You win: diagonal"), (o, f"{x.name} wins: diagonal")):
        [said_at_the_end] = one.announcements()
        assert said_at_the_end.startswith(result)
        assert len(said_at_the_end.split()) <= 15
    assert [one.headers.get("waited") for one in news] == ["yes", "yes"]
    # Each asks once after each answer; the player who moves has cut the question short for it.
    for questions in asked:
        assert len([one for one in questions if "since=" in one]) <= 3


def test_a_hidden_page_lets_go_asks_seldom_and_asks_at_once_when_it_is_seen_again(
    visitor: Visitor,
) -> None:
    x, o = sit_down(visitor(), visitor()).people
    with o.page.expect_request(re.compile("since=")):  # now one is under way, for ten seconds
        o.open(o.path)
    after_fifteen_seconds = o.hold_timers(15_000)
    strip = re.compile(r"/calls\?")
    with (
        o.page.expect_event("requestfailed", lambda one: o.path in one.url) as let_go,
        o.page.expect_response(lambda answer: o.path in answer.url) as hidden,
        o.page.expect_response(strip),
    ):
        o.hide(True)
    assert let_go.value.url == hidden.value.url
    assert hidden.value.status == 204
    assert hidden.value.request.headers["page-hidden"] == "true"
    assert "waited" not in hidden.value.headers
    asked = o.requests()
    x.play(4)
    o.expect_board(EMPTY)
    assert asked == []
    after_fifteen_seconds()
    expect(o.page).to_have_title(re.compile("^Your turn"))
    with o.page.expect_request(re.compile("since=3")) as asks:
        o.hide(False)
    assert "page-hidden" not in asks.value.headers


# --- a bad network ------------------------------------------------------------------------------


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
        o.page.context.set_offline(False)
        expect(o.refusal).to_have_count(0)
        assert o.announcements() == ["Connection lost, trying again."]
        o.page.context.set_offline(True)
        expect(o.refusal).to_be_visible()
        x.play(4)
        o.page.context.set_offline(False)
        o.expect_turn("Your turn")
        expect(o.refusal).to_have_count(0)
        expect(o.sentence).to_have_text(f"{x.name} took the centre.")
    lost, told = o.announcements()
    assert (lost, told) == (
        "Connection lost, trying again.",
        f"{x.name} took the centre. Your turn.",
    )
    o.play(0)


def test_a_watcher_is_told_once_of_a_server_in_trouble_and_goes_on_afterwards(
    play: Tab, watcher: Tab
) -> None:
    play.play(WON.mine[0])
    watching = watcher.open(play.path)
    watching.record_announcements()
    with refused(watching.page, "since=", 429, times=3):
        play.play(WON.mine[1])
    watching.expect_board(WON.board(4), role="img")
    expect(watching.refusal).to_have_count(0)
    # Either may come first: the page of the move may be asked for before or after the trouble.
    lost, moved = sorted(watching.announcements(), key=lambda one: one.endswith("X to move."))
    assert moved.endswith("X to move.")
    assert lost == "Connection lost, trying again."
    play.play(WON.mine[2])
    watching.expect_board(WON.board(6), role="img")


def test_six_tabs_of_one_browser_do_not_starve_each_other(visitor: Visitor) -> None:
    pair = sit_down(visitor(), visitor(), "031")
    x, o = pair.people
    tabs = [x, *(x.another() for _ in range(4))]
    look = Tab(x.page.context.new_page(), x.server, x.noise).open("/class")
    between = look.page.locator(f"#game-{pair.path.rpartition('/')[2]}")
    expect(between).to_be_visible()
    o.play(4)
    for tab in tabs:
        expect(tab.heading).to_have_text("Your turn")
    tabs[2].play(2)
    for tab in tabs:
        expect(tab.heading).to_have_text("You win: top row")
    expect(between).to_have_count(0)


# --- giving up, staying away, and the next game -------------------------------------------------


def test_a_player_who_has_closed_the_page_seems_to_be_away_until_it_is_opened_again(
    visitor: Visitor, watcher: Tab
) -> None:
    pair = sit_down(visitor(), visitor())
    x, o = pair.people
    name = x.name
    watcher.open(pair.path)
    pair.play(4, 0)
    o.record_announcements()
    x.page.goto("about:blank")
    for one, claim in ((o, "You can claim the game"), (watcher, "The game can be claimed")):
        told = re.compile(rf"^{name} seems to be away\. {claim} in [0-9]+ s\.$")
        expect(one.seconds_left).to_have_text(told)
        expect(one.heading).to_have_text(f"{name} to move")
    [said] = o.announcements()
    assert told.pattern.startswith("^" + said.split(".")[0])
    left = int(o.seconds_left.inner_text().split()[-2])
    # As where the page was hidden, and its timers rested.
    o.page.evaluate("() => { const now = Date.now; Date.now = () => now.call(Date) + 5000; }")
    few = "|".join(map(str, range(1, left - 4)))
    expect(o.seconds_left).to_contain_text(re.compile(f" in ({few}) s"))
    x.open(pair.path)
    for one in (o, watcher):
        expect(one.heading).to_have_text(f"{name} is thinking")
        expect(one.seconds_left).to_have_count(0)
    assert o.page.evaluate("() => window.announcements") == []


def test_a_game_that_can_be_claimed_is_told_once_to_the_player_who_waits(
    come: Visitor,
) -> None:
    pair, watcher = sit_down(come(), come()), come()
    x, o = pair.people
    watcher.open(pair.path)
    for one in (o, watcher):
        one.record_announcements()
    o.cell(4).focus()
    with o.no_reload(), watcher.page.expect_request(re.compile("since=2[.]1")):
        expect(o.claim).to_be_visible()
        expect(o.cell(4)).to_be_focused()
        told = f"{x.name} has not moved for a minute: you can claim the game."
        assert o.announcements() == [told]
    assert watcher.page.evaluate("() => window.announcements") == []
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
    expect(ada.asides).to_contain_text(f"Rematch asked for: {bob.name} has to accept.")
    ada.again.click(force=True)
    assert len(ada.posts) == 1
    with bob.no_reload():
        asks = f"{ada.name} asks for a rematch."
        expect(bob.asides).to_contain_text(asks)
        assert bob.announcements() == [f"{ada.name} wins: top row. {asks}"]
    bob.go_on()
    for one in (ada, watcher):
        expect(one.page).to_have_url(bob.page.url)
    Pair(bob, ada, bob.path).play(4)
    watcher.expect_board("....X....", role="img")
