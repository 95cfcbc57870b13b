"""A class finds together: by the QR code, with one click, or by a code."""

from __future__ import annotations

import re

import segno
from playwright.sync_api import expect

from tests.e2e.pair import Pair, sit_down
from tests.e2e.tab import EMPTY, Tab, Visitor


def news(person: Tab, milliseconds: int = 3000) -> None:
    """Let the class page look again, on a clock that the test moves on."""
    with person.page.expect_response(re.compile("/class")):
        person.let_pass(milliseconds)


def look(person: Tab, path: str = "/class") -> Tab:
    """Look at the class, with a clock that the test moves on."""
    return person.own_clock().open(path)


# --- finding together ---------------------------------------------------------------------------


def test_a_class_comes_in_and_plays_while_the_wall_is_updated_quietly(visitor: Visitor) -> None:
    wall = look(visitor(viewport={"width": 390, "height": 500}), "/class/board")
    address = f"{wall.server}/class"
    expect(wall.page.locator(".way-in b")).to_have_text(address)
    expected = segno.make_qr(address).svg_inline(border=2, omitsize=True)
    path = re.compile(r'class="qrline".* d="([^"]+)"')
    assert path.findall(wall.qr_drawn()) == path.findall(expected)
    # Nothing is announced, replaced, scrolled or focused.
    expect(wall.page.locator("[aria-live], [role=status], [role=alert]")).to_have_count(0)
    region, qr = wall.class_region.element_handle(), wall.qr.element_handle()
    wall.page.evaluate("() => scrollTo(0, 60)")
    before = wall.page.evaluate("() => scrollY")

    ada, bob, cem = (look(visitor()) for _ in range(3))
    code = ada.open_challenge("x")
    with bob.no_reload(), wall.no_reload():
        news(bob)
        expect(bob.challenges.filter(has_text=ada.name)).to_contain_text("You would play O")
        news(wall, 5000)
        expect(wall.challenges.filter(has_text=ada.name)).to_have_count(1)
    bob.page.locator(f"#join-{code}").click()
    expect(bob.page).to_have_url(ada.page.url)
    with cem.no_reload():
        news(cem)
        between = cem.games.filter(has_text=f"{ada.name} against {bob.name}")
    between.get_by_role("link", name="Watch").click()
    expect(cem.page.get_by_text("You are watching.")).to_be_visible()
    Pair(ada, bob, ada.path).play_elsewhere("03142")
    with wall.no_reload():
        news(wall, 5000)
        expect(wall.class_region).not_to_contain_text(f"{ada.name} against {bob.name}")
    assert region.evaluate("(node) => node.isConnected")
    assert qr.evaluate("(node) => node.isConnected")
    assert wall.page.evaluate("() => scrollY") == before
    expect(wall.page.locator(":focus")).to_have_count(0)


def test_of_two_who_join_the_same_game_one_sits_and_the_other_is_told(visitor: Visitor) -> None:
    ada, bob, cem = visitor(), look(visitor()), look(visitor())
    ada.noise.expect_refusal(409)
    path, code = ada.open_challenge_elsewhere()
    bob.code_field.fill("abc")
    for one in (bob, cem):
        with one.no_reload():
            news(one)
            join = one.page.locator(f"#join-{code}")
            join.focus()
            news(one)
            expect(join).to_be_focused()
    expect(bob.code_field).to_have_value("abc")
    for one in (bob, cem):
        one.page.locator(f"#join-{code}").click()
    expect(bob.page).to_have_url(f"{ada.server}{path}")
    expect(cem.refusal).to_contain_text("Someone else was quicker")
    cem.a("Watch").click()
    expect(cem.page.get_by_text("You are watching.")).to_be_visible()


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


def test_without_javascript_a_class_finds_together_and_plays(visitor: Visitor) -> None:
    ada, bob = (visitor(java_script_enabled=False) for _ in range(2))
    code = ada.open_challenge("o")
    bob.open("/class").press(*f"{code[:3]} {code[3:]}".lower(), "Enter", on=bob.code_field)
    bob.page.locator("#sit").click()
    bob.expect_turn("Your turn")
    for ply, cell in enumerate((0, 3, 1, 4, 2)):
        mover = (bob, ada)[ply % 2]
        if ply:
            mover.a("Refresh").click()
            mover.expect_turn("Your turn")
        mover.play(cell)
    bob.expect_turn("You win: top row")
    ada.a("Refresh").click()
    ada.expect_turn(f"{bob.name} wins: top row")


# --- a player who leaves ----------------------------------------------------------------------


def test_the_opponent_of_a_forgotten_player_is_led_out_of_the_game(visitor: Visitor) -> None:
    ada, bob = visitor(), visitor()
    ada.noise.expect_refusal(404)
    pair = sit_down(ada, bob)
    forget = ada.page.locator("#forget")
    ada.a("Privacy").click()
    expect(forget).to_be_hidden()  # not to be pressed by accident
    ada.page.get_by_text("I want to delete my data").click()
    forget.click()
    expect(ada.page.get_by_role("status")).to_contain_text("Your data is deleted")
    expect(ada.own_name).to_have_count(0)
    bob.let_pass()
    expect(bob.title).to_have_text("Not found")
    asked = bob.requests()
    bob.let_pass(5000)
    bob.page.get_by_role("main").get_by_role("link").click()
    bob.expect_board(EMPTY)
    assert not any(pair.path in request for request in asked)
