"""A class finds together: by the QR code, with one click, or by a code; and who is called what."""

from __future__ import annotations

import re
import time

import segno
from playwright.sync_api import Locator, expect

from tests.e2e.class_pages import (
    ClassmatePage,
    Classmates,
    Pair,
    at_the_same_moment,
    beat_easy,
    sit_down,
)
from tests.e2e.noise import Noise
from tests.e2e.play import EMPTY
from tests.e2e.server import Server

DEALT = re.compile(r"^[A-Z][a-z]+ [A-Z][a-z]+( \d+)?$")


def news(person: ClassmatePage, milliseconds: int = 3000) -> None:
    """Let the class page look again, on a clock that the test moves on."""
    with person.page.expect_response(re.compile("/class")):
        person.page.clock.fast_forward(milliseconds)


def wait_for_news(person: ClassmatePage, target: Locator, milliseconds: int = 3000) -> None:
    """Let the class page look again until this is there: standings are some seconds old."""
    patience = time.monotonic() + 5
    while not target.count() and time.monotonic() < patience:
        news(person, milliseconds)
    expect(target).to_have_count(1)


def look(person: ClassmatePage, path: str = "/class") -> ClassmatePage:
    """Look at the class, with a clock that the test moves on."""
    return person.own_clock().open(path)


# --- finding together ---------------------------------------------------------------------------


def test_a_class_comes_in_by_the_qr_code_and_plays(
    own_server: Server, classmate: Classmates
) -> None:
    small = classmate(own_server.url, viewport={"width": 390, "height": 500})
    wall = look(small, "/class/board")
    address = wall.page.locator(".way-in b").inner_text()
    assert address == f"{wall.server}/class"
    drawn = re.search(r' d="([^"]+)"', segno.make_qr(address).svg_inline(border=2, omitsize=True))
    assert drawn is not None
    expect(wall.qr.locator("path").last).to_have_attribute("d", drawn[1])

    # The wall is updated quietly: nothing is announced, replaced, scrolled or focused.
    expect(wall.page.locator("[aria-live], [role=status], [role=alert]")).to_have_count(0)
    expect(wall.page.locator("button, input")).to_have_count(0)
    region, qr = wall.class_region.element_handle(), wall.qr.element_handle()
    wall.page.evaluate("() => scrollTo(0, 60)")
    before = wall.page.evaluate("() => scrollY")

    ada, bob, cem = (look(classmate(wall.server)) for _ in range(3))
    code = ada.open_challenge("x")
    assert DEALT.match(ada.name)
    with bob.no_reload(), wall.no_reload():
        news(bob)
        expect(bob.challenges.filter(has_text=ada.name)).to_contain_text("You would play O")
        news(wall, 5000)
        expect(wall.challenges).to_have_text([ada.name])
    bob.join(code).click()
    expect(bob.page).to_have_url(ada.page.url)
    assert DEALT.match(bob.name)
    assert bob.name != ada.name
    with ada.no_reload():
        ada.look_again()
        ada.expect_turn("Your turn")
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
    won = ada.open("/class").page.get_by_role("link", name=f"Won against {bob.name}")
    expect(won).to_be_visible()


def test_of_two_who_join_at_once_one_sits_and_the_other_is_told(
    classmate: Classmates, noise: Noise
) -> None:
    noise.expect_refusal(409)
    ada, bob, cem = classmate(), look(classmate()), look(classmate())
    path, code = ada.open_challenge_elsewhere("o")
    ada.post(f"{path}/resign", {"version": "1"})
    path, another = ada.open_challenge_elsewhere()
    bob.code_field.fill("abc")
    for one in (bob, cem):
        with one.no_reload():
            news(one)
            expect(one.join(another)).to_be_visible()
            expect(one.join(code)).to_have_count(0)
            one.join(another).focus()
            news(one)
            expect(one.join(another)).to_be_focused()
    expect(bob.code_field).to_have_value("abc")
    press = f"async () => document.getElementById('join-{another}').click()"
    at_the_same_moment((bob, press), (cem, press))
    for one in (bob, cem):
        expect(one.page).to_have_url(re.compile(f"{path}|/join/{another}"))
    first, second = sorted((bob, cem), key=lambda one: path not in one.page.url)
    expect(first.page).to_have_url(f"{ada.server}{path}")
    expect(second.refusal).to_contain_text("Somebody was quicker")
    second.page.get_by_role("link", name="Watch", exact=True).click()
    expect(second.page).to_have_url(first.page.url)
    expect(second.page.get_by_text("You are watching.")).to_be_visible()


def test_a_code_can_be_typed_in_lower_case(classmate: Classmates, noise: Noise) -> None:
    noise.expect_refusal(404)
    ada, bob = classmate(), classmate()
    path, code = ada.open_challenge_elsewhere("x")
    bob.open("/class")
    bob.code_field.fill("zzzzzz")
    bob.find.click()
    expect(bob.page.get_by_role("main")).to_contain_text("No game has this code.")
    bob.open("/class")
    bob.code_field.fill(f"{code[:3]} {code[3:]}".lower())
    bob.code_field.press("Enter")
    expect(bob.page).to_have_url(f"{bob.server}/join/{code}")
    expect(bob.page.get_by_text("You would play O.")).to_be_visible()
    expect(bob.own_name).to_have_count(0)  # looking makes nobody a player
    bob.sit.click()
    expect(bob.page).to_have_url(f"{bob.server}{path}")
    expect(bob.own_name).to_have_text(DEALT)
    # Now both seats are taken.
    bob.open(f"/join/{code}").page.get_by_role("link", name="Go to the game").click()
    expect(bob.page).to_have_url(f"{bob.server}{path}")
    stranger = classmate().open(f"/join/{code}")
    expect(stranger.page.get_by_text("Both seats are taken.")).to_be_visible()
    expect(stranger.sit).to_have_count(0)


def test_the_class_goes_on_by_itself_after_a_lost_connection_and_rests_while_hidden(
    classmate: Classmates, noise: Noise
) -> None:
    noise.expect_no_answer()
    ada, bob = classmate(), look(classmate())
    asked = bob.requests()
    bob.hide(True)
    for _ in range(3):
        bob.page.clock.fast_forward(3000)
    bob.hide(False)
    news(bob)
    assert asked == ["GET /class"]
    bob.page.context.set_offline(True)
    for _ in range(2):
        with bob.page.expect_event("requestfailed"):
            bob.page.clock.fast_forward(5000)
    bob.page.context.set_offline(False)
    ada.open_challenge_elsewhere()
    ada.open("/class")
    with bob.no_reload():
        news(bob, 5000)
        expect(bob.class_region).to_contain_text(ada.name)
    expect(bob.refusal).to_have_count(0)


# --- names --------------------------------------------------------------------------------------


def test_a_name_can_be_dealt_and_dealt_once_more(classmate: Classmates) -> None:
    ada = classmate().open("/you")
    expect(ada.title).to_have_text("You have no name yet")
    for _ in range(2):
        before = ada.title.inner_text()
        ada.deal.click()
        expect(ada.title).not_to_have_text(before)
        expect(ada.title).to_have_text(f"You are {ada.name}")
        assert DEALT.match(ada.name)
    expect(ada.page.get_by_label("A name of your own")).to_have_count(0)  # names are dealt here


def test_a_player_who_starts_as_someone_new_has_no_way_back(classmate: Classmates) -> None:
    ada = classmate().open()
    expect(ada.own_name).to_have_count(0)
    with ada.change():
        ada.cell(4).click()
    expect(ada.own_name).to_have_text(DEALT)  # without a reload
    assert ada.loads == 1
    left, before = ada.path, ada.name
    [cookie] = ada.page.context.cookies()
    ada.someone_new.click()
    expect(ada.page).to_have_url(f"{ada.server}/")
    expect(ada.own_name).to_have_count(0)
    [another] = ada.page.context.cookies()
    assert another["value"] != cookie["value"]
    ada.open(left)
    expect(ada.page.get_by_text("You are watching.")).to_be_visible()
    with ada.next_game():
        ada.open().cell(0).click()
    assert ada.name != before


def test_a_player_who_asks_is_forgotten_and_the_opponent_is_not_stuck(
    classmate: Classmates, noise: Noise
) -> None:
    noise.expect_refusal(404)
    ada, bob = classmate(), look(classmate())
    pair = sit_down(ada, bob)
    name = ada.name
    ada.page.get_by_role("link", name="Privacy", exact=True).click()
    expect(ada.forget).to_be_hidden()  # not to be pressed by accident
    ada.page.get_by_text("I want that").click()
    ada.forget.click()
    expect(ada.page.get_by_role("status")).to_contain_text("You are forgotten")
    expect(ada.own_name).to_have_count(0)
    # The player who waited is led out of the game that is no more.
    bob.look_again()
    expect(bob.title).to_have_text("Nothing here")
    asked = bob.requests()
    bob.page.clock.fast_forward(5000)
    bob.page.get_by_role("main").get_by_role("link").click()
    bob.expect_board(EMPTY)
    assert not any(pair.path in request for request in asked)
    bob.open("/class")
    expect(bob.page.get_by_role("main")).not_to_contain_text(name)


def test_without_javascript_a_class_finds_together_and_plays(
    server: Server, classmate: Classmates
) -> None:
    address = server.url.replace("127.0.0.1", "play.lan")
    ada, bob = (classmate(address, java_script_enabled=False) for _ in range(2))
    code = ada.open_challenge("o")
    expect(ada.link).to_have_text(f"{address}/join/{code}")
    bob.open("/class")
    bob.join(code).click()
    bob.expect_turn("Your turn")
    bob.open("/class")
    bob.refresh.click()
    mine = bob.games.filter(has_text=ada.name).get_by_role("link")
    expect(mine).to_have_text("Go on")
    mine.click()
    people = (bob, ada)
    for ply, cell in enumerate((0, 3, 1, 4, 2)):
        mover = people[ply % 2]
        if ply:
            mover.refresh.click()
            mover.expect_turn("Your turn")
        with mover.change():
            mover.cell(cell).click()
    bob.expect_turn("You win: top row")
    ada.refresh.click()
    ada.expect_turn(f"{bob.name} wins: top row")
