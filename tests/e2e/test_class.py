"""A class finds together: by the QR code, with one click, or by a code; and who is called what."""

from __future__ import annotations

import re
import time

import segno
from playwright.sync_api import Locator, expect

from tests.e2e.pair import Pair, beat_easy, sit_down
from tests.e2e.server import Server
from tests.e2e.tab import EMPTY, Tab, Visitor

DEALT = re.compile(r"^[A-Z][a-z]+ [A-Z][a-z]+( \d+)?$")


def news(person: Tab, milliseconds: int = 3000) -> None:
    """Let the class page look again, on a clock that the test moves on."""
    with person.page.expect_response(re.compile("/class")):
        person.let_pass(milliseconds)


def wait_for_news(person: Tab, target: Locator) -> None:
    """Let the class page look again until this is there: standings are some seconds old."""
    patience = time.monotonic() + 5
    while not target.count() and time.monotonic() < patience:
        news(person)
    expect(target).to_have_count(1)


def look(person: Tab, path: str = "/class") -> Tab:
    """Look at the class, with a clock that the test moves on."""
    return person.own_clock().open(path)


# --- finding together ---------------------------------------------------------------------------


def test_a_class_comes_in_by_the_qr_code_and_plays(own_server: Server, visitor: Visitor) -> None:
    wall = visitor(own_server.url, viewport={"width": 390, "height": 500})
    look(wall, "/class/board")
    address = f"{wall.server}/class"
    expect(wall.page.locator(".way-in b")).to_have_text(address)
    drawn = re.search(r' d="([^"]+)"', segno.make_qr(address).svg_inline(border=2, omitsize=True))
    expect(wall.qr.locator("path").last).to_have_attribute("d", drawn[1] if drawn else "")

    # The wall is updated quietly: nothing is announced, replaced, scrolled or focused.
    expect(wall.page.locator("[aria-live], [role=status], [role=alert]")).to_have_count(0)
    expect(wall.page.locator("button, input")).to_have_count(0)
    region, qr = wall.class_region.element_handle(), wall.qr.element_handle()
    wall.page.evaluate("() => scrollTo(0, 60)")
    before = wall.page.evaluate("() => scrollY")

    ada, bob, cem = (look(visitor(wall.server)) for _ in range(3))
    code = ada.open_challenge("x")
    assert DEALT.match(ada.name)
    with bob.no_reload(), wall.no_reload():
        news(bob)
        expect(bob.challenges.filter(has_text=ada.name)).to_contain_text("You would play O")
        news(wall, 5000)
        expect(wall.challenges).to_have_text([ada.name])
    bob.page.locator(f"#join-{code}").click()
    expect(bob.page).to_have_url(ada.page.url)
    expect(bob.own_name).to_have_text(DEALT)
    with cem.no_reload():
        news(cem)
        between = cem.games.filter(has_text=f"{ada.name} against {bob.name}")
        expect(between.get_by_role("link")).to_have_text("Watch")
    between.get_by_role("link").click()
    expect(cem.page.get_by_text("You are watching.")).to_be_visible()
    pair = Pair(ada, bob, ada.path)
    pair.play_elsewhere("03142")
    ada.open(pair.path).expect_turn("You win: top row")
    with wall.no_reload():
        news(wall, 5000)
        expect(wall.class_region).not_to_contain_text(f"{ada.name} against {bob.name}")
        expect(wall.standings.filter(has_text="(you)")).to_have_count(0)
    assert region.evaluate("(node) => node === document.getElementById('class')")
    assert qr.evaluate("(node) => node.isConnected")
    assert wall.page.evaluate("() => scrollY") == before
    expect(wall.page.locator(":focus")).to_have_count(0)
    beat_easy(ada)
    ada.open("/class")
    wait_for_news(ada, ada.standings.filter(has_text="(you)"))
    expect(ada.page.get_by_role("row", name=re.compile("^Easy 1 0 0"))).to_be_visible()
    expect(ada.page.get_by_role("link", name=f"Won against {bob.name}")).to_be_visible()


def test_of_two_who_join_the_same_game_one_sits_and_the_other_is_told(visitor: Visitor) -> None:
    ada, bob, cem = visitor(), look(visitor()), look(visitor())
    ada.noise.expect_refusal(409)
    path, code = ada.open_challenge_elsewhere("o")
    ada.post(f"{path}/resign", {"version": "1"})
    path, another = ada.open_challenge_elsewhere()
    bob.code_field.fill("abc")
    for one in (bob, cem):
        with one.no_reload():
            news(one)
            expect(one.page.locator(f"#join-{code}")).to_have_count(0)
            join = one.page.locator(f"#join-{another}")
            join.focus()
            news(one)
            expect(join).to_be_focused()
    expect(bob.code_field).to_have_value("abc")
    for one in (bob, cem):
        one.page.locator(f"#join-{another}").click()
    expect(bob.page).to_have_url(f"{ada.server}{path}")
    expect(cem.refusal).to_contain_text("Somebody was quicker")
    cem.a("Watch").click()
    expect(cem.page).to_have_url(bob.page.url)
    expect(cem.page.get_by_text("You are watching.")).to_be_visible()


def test_a_code_can_be_typed_in_lower_case_and_mistyped(visitor: Visitor) -> None:
    ada, bob = visitor(), visitor()
    ada.noise.expect_refusal(404)
    path, code = ada.open_challenge_elsewhere("x")
    for typed in ("zzzzzz", f"{code[:3]} {code[3:]}".lower()):
        bob.open("/class").press(*typed, "Enter", on=bob.code_field)
        if typed == "zzzzzz":
            expect(bob.page.get_by_role("main")).to_contain_text("No game has this code.")
    expect(bob.page).to_have_url(f"{bob.server}/join/{code}")
    expect(bob.page.get_by_text("You would play O.")).to_be_visible()
    expect(bob.own_name).to_have_count(0)  # looking makes nobody a player
    bob.page.locator("#sit").click()
    expect(bob.page).to_have_url(f"{bob.server}{path}")
    expect(bob.own_name).to_have_text(DEALT)
    # Now both seats are taken.
    bob.open(f"/join/{code}").a("Go to the game").click()
    expect(bob.page).to_have_url(f"{bob.server}{path}")


def test_the_class_goes_on_by_itself_after_a_lost_connection_and_rests_while_hidden(
    visitor: Visitor,
) -> None:
    ada, bob = visitor(), look(visitor())
    ada.noise.expect_no_answer()
    asked = bob.requests()
    bob.hide(True)
    for _ in range(3):
        bob.let_pass(3000)
    bob.hide(False)
    news(bob)
    assert asked == ["GET /class"]
    bob.page.context.set_offline(True)
    for _ in range(2):
        with bob.page.expect_event("requestfailed"):
            bob.let_pass(5000)
    bob.page.context.set_offline(False)
    ada.open_challenge_elsewhere()
    ada.open("/class")
    with bob.no_reload():
        news(bob, 5000)
        expect(bob.class_region).to_contain_text(ada.name)
    expect(bob.refusal).to_have_count(0)


# --- names --------------------------------------------------------------------------------------


def test_a_name_can_be_dealt_as_often_as_wanted_or_chosen_where_that_is_allowed(
    visitor: Visitor,
) -> None:
    ada = visitor().open("/you")
    expect(ada.title).to_have_text("You have no name yet")
    for _ in range(2):
        before = ada.title.inner_text()
        ada.page.locator("#deal").click()
        expect(ada.title).not_to_have_text(before)
        expect(ada.title).to_have_text(f"You are {ada.name}")
        assert DEALT.match(ada.name)
    chosen = f"Ada {time.monotonic_ns() % 10**9}"
    ada.press(*chosen, "Enter", on=ada.page.get_by_label("A name of your own"))
    expect(ada.title).to_have_text(f"You are {chosen}")


def test_a_player_who_starts_as_someone_new_has_no_way_back(visitor: Visitor) -> None:
    ada = visitor().open()
    expect(ada.own_name).to_have_count(0)
    ada.play(4)
    expect(ada.own_name).to_have_text(DEALT)  # without a reload
    assert ada.loads == 1
    left, before = ada.path, ada.name
    [cookie] = ada.page.context.cookies()
    ada.page.locator("#someone-new").click()
    expect(ada.page).to_have_url(f"{ada.server}/")
    expect(ada.own_name).to_have_count(0)
    [another] = ada.page.context.cookies()
    assert another["value"] != cookie["value"]
    ada.open(left)
    expect(ada.page.get_by_text("You are watching.")).to_be_visible()
    with ada.next_game():
        ada.open().cell(0).click()
    assert ada.name != before


def test_a_player_who_asks_is_forgotten_and_the_opponent_is_not_stuck(visitor: Visitor) -> None:
    ada, bob = visitor(), look(visitor())
    ada.noise.expect_refusal(404)
    pair = sit_down(ada, bob)
    name, forget = ada.name, ada.page.locator("#forget")
    ada.a("Privacy").click()
    expect(forget).to_be_hidden()  # not to be pressed by accident
    ada.page.get_by_text("I want that").click()
    forget.click()
    expect(ada.page.get_by_role("status")).to_contain_text("You are forgotten")
    expect(ada.own_name).to_have_count(0)
    # The player who waited is led out of the game that is no more.
    bob.let_pass()
    expect(bob.title).to_have_text("Nothing here")
    asked = bob.requests()
    bob.let_pass(5000)
    bob.page.get_by_role("main").get_by_role("link").click()
    bob.expect_board(EMPTY)
    assert not any(pair.path in request for request in asked)
    bob.open("/class")
    expect(bob.page.get_by_role("main")).not_to_contain_text(name)


def test_without_javascript_a_class_finds_together_and_plays(
    server: Server, visitor: Visitor
) -> None:
    address = server.url.replace("127.0.0.1", "play.lan")
    ada, bob = (visitor(address, java_script_enabled=False) for _ in range(2))
    code = ada.open_challenge("o")
    expect(ada.link).to_have_text(f"{address}/join/{code}")
    bob.open("/class").page.locator(f"#join-{code}").click()
    bob.expect_turn("Your turn")
    bob.open("/class").a("Refresh").click()
    mine = bob.games.filter(has_text=ada.name).get_by_role("link")
    expect(mine).to_have_text("Go on")
    mine.click()
    for ply, cell in enumerate((0, 3, 1, 4, 2)):
        mover = (bob, ada)[ply % 2]
        if ply:
            mover.a("Refresh").click()
            mover.expect_turn("Your turn")
        mover.play(cell)
    bob.expect_turn("You win: top row")
    ada.a("Refresh").click()
    ada.expect_turn(f"{bob.name} wins: top row")
