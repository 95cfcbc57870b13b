import re

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.answers import late
from tests.e2e.games import ROW, Pair, sit_down
from tests.e2e.tab import Tab, Visitor

GAME = re.compile("/games/")
PLACES = "(all) => all.map((one) => JSON.stringify(one.getBoundingClientRect()))"


@pytest.fixture
def come(come: Visitor) -> Visitor:
    return lambda **browser: come(**browser).open("/class")


def row(one: Tab, name: str) -> Locator:
    return one.people.filter(has=one.page.locator("bdi").get_by_text(name, exact=True))


def chip(one: Tab, other: Tab) -> Locator:
    return row(one, other.name).get_by_role("button")


def expect_call(one: Tab, other: Tab) -> None:
    expect(one.calls).to_contain_text(f"{other.name} wants to play you")


def test_a_class_comes_in_and_plays_while_the_wall_is_updated_quietly(come: Visitor) -> None:
    wall = come(viewport={"width": 390, "height": 500}).open("/class/board")
    # Nothing is announced, replaced, scrolled or focused.
    kept = [wall.page.locator(part).element_handle() for part in ("#class", ".qr")]
    wall.page.evaluate("() => scrollTo(0, 60)")
    before = wall.page.evaluate("() => scrollY")
    alice, bob = come(), come()
    for one in (alice, bob):  # by itself, once
        expect(one.own_name).to_be_visible()
        assert [post.url for post in one.posts] == [f"{one.server}/class/come-in"]
    bob.code_field.fill("abc")
    alice.open_challenge()
    join = chip(bob, alice)
    with bob.no_reload(), wall.no_reload():
        expect(row(bob, alice.name)).to_contain_text("open game")
        join.focus()
        new = come()
        expect(new.own_name).to_be_visible()
        expect(row(bob, new.name)).to_be_visible()
        expect(join).to_be_focused()
        expect(bob.code_field).to_have_value("abc")
    join.click()
    expect(bob.page).to_have_url(GAME)
    expect(alice.page).to_have_url(bob.page.url)
    Pair(alice, bob, alice.path).play_elsewhere(ROW)
    with wall.no_reload():
        board = wall.items("Games in progress").filter(has_text=alice.name)
        expect(board).to_contain_text("X wins: top row")
        expect(board.locator(".won")).to_contain_text(alice.name)
    assert all(part.evaluate("(node) => node.isConnected") for part in kept)
    assert wall.page.evaluate("() => scrollY") == before
    expect(wall.page.locator(":focus")).to_have_count(0)


def test_updates_can_be_paused_and_go_on(come: Visitor) -> None:
    bob = come()
    # An answer that comes just then changes nothing any more.
    bob.page.evaluate(
        """() => {
          const pause = () => document.getElementById("pause").click();
          document.addEventListener("htmx:after:request", pause, { once: true });
          document.addEventListener("news", () => { window.tried = true; });
        }"""
    )
    new = [come().name]
    expect(bob.pause).to_have_text("Resume updating")
    bob.page.evaluate("() => { window.tried = false; }")
    other = come()
    expect(row(other, new[0])).to_be_visible()
    new.append(other.name)
    for name in new:
        expect(row(bob, name)).to_have_count(0)
    assert bob.page.evaluate("() => window.tried") is False
    bob.press("Enter", on=bob.pause)
    expect(bob.pause).to_have_text("Pause updating")
    for name in new:
        expect(row(bob, name)).to_be_visible()


def test_two_who_press_are_in_their_game_and_then_look_for_the_next(come: Visitor) -> None:
    alice, bob = come(), come()
    expect(alice.own_name).to_be_visible()
    posts = len(alice.posts)
    with late(alice.page, "/seeks"):
        for _ in range(4):  # a thumb that presses one spot looks once
            alice.page.locator("#seek").click(force=True)
    expect(alice.page.locator(".looking")).to_be_focused()
    assert len(alice.posts) == posts + 1
    expect(bob.class_region).to_contain_text(f"{alice.name} looking")
    bob.page.locator("#seek").click()
    for one in (alice, bob):
        expect(one.page).to_have_url(GAME)
        expect(one.heading).to_have_text(re.compile("Your turn|is thinking"))
    x, o = (alice, bob) if alice.heading.inner_text() == "Your turn" else (bob, alice)
    x.play(4)
    o.expect_turn("Your turn")
    o.page.once("dialog", lambda dialog: dialog.accept())
    o.resign.click()
    over = x.page.url
    for one in (x, o):
        one.button("Next opponent").click()
        expect(one.page).not_to_have_url(over)
    for one in (x, o):
        expect(one.page).to_have_url(GAME)
    expect(o.heading).to_have_text("Your turn")


def test_of_two_who_are_asked_one_declines_and_one_accepts(come: Visitor) -> None:
    alice, bob, other = (come() for _ in range(3))
    expect(alice.people).to_have_count(2)
    places = alice.people.evaluate_all(PLACES)
    with alice.no_reload(), bob.no_reload():
        # By keys the focus stays on the chip, which has not moved.
        alice.tab_to(".chip")
        for said in ("invited · cancel", "free", "invited · cancel"):
            alice.press("Enter", on=chip(alice, bob))
            expect(chip(alice, bob)).to_contain_text(said)
            expect(chip(alice, bob)).to_be_focused()
        expect(chip(bob, alice)).to_contain_text("invites you")
        expect(other.class_region).not_to_contain_text(re.compile("ask(s you|ed)"))
        assert alice.people.evaluate_all(PLACES) == places
        expect(bob.page).to_have_title(re.compile(f"^{re.escape(alice.name)} wants to play you"))
        expect_call(bob, alice)
        bob.tab_to("#decline")
        bob.press("Enter")
        expect(bob.calls).to_be_empty()
        bob.expect_focus_somewhere()
        expect(chip(alice, bob)).to_contain_text("is busy")
        expect(chip(alice, bob)).to_have_attribute("aria-disabled", "true")
        expect(chip(alice, bob)).to_be_focused()
        posts = len(alice.posts)
        chip(alice, other).dblclick()
        expect(chip(alice, other)).to_contain_text("invited · cancel")
        assert len(alice.posts) == posts + 1
    other.open("/learn")
    expect_call(other, alice)
    other.tab_to("#accept")
    other.press("Enter")
    for one in (alice, other):
        expect(one.page).to_have_url(GAME)
    assert alice.path == other.path


def test_without_scripts_people_come_in_ask_by_their_faces_and_play(come: Visitor) -> None:
    alice, bob = (come(java_script_enabled=False) for _ in range(2))
    for one in (alice, bob):
        one.button("Come in").click()
    alice.a("Refresh").click()
    chip(alice, bob).click()
    expect(chip(alice, bob)).to_contain_text("invited · cancel")
    bob.a("Refresh").click()
    expect_call(bob, alice)
    bob.calls.get_by_role("button", name="Accept").click()
    for one in (alice, bob):  # the page of the player who asks loads itself again
        expect(one.page).to_have_url(GAME)
    x, o = (alice, bob) if alice.heading.inner_text() == "Your turn" else (bob, alice)
    for mover, cell in ((x, 4), (o, 0)):
        mover.open(mover.path.partition("?")[0]).expect_turn("Your turn")
        mover.play(cell)
    x.open(x.path.partition("?")[0]).expect_turn("Your turn")


def test_rows_stay_under_a_pointer_and_one_that_goes_hands_the_focus_on(come: Visitor) -> None:
    viewer, *people = (come() for _ in range(4))
    pair = sit_down(come(), come(), "0314")
    expect(viewer.people).to_have_count(5)
    names = viewer.people.locator("bdi")
    shown = names.all_text_contents()
    first, gone = (
        next(one for one in people if one.name == name)
        for name in [name for name in shown if any(name == p.name for p in people)][:2]
    )
    row(viewer, first.name).hover()
    before = viewer.people.evaluate_all(PLACES)
    gone_name = gone.name
    gone.page.goto("about:blank")
    left = row(viewer, gone_name)
    expect(left.get_by_text("This player has left.")).to_be_visible()
    expect(left.get_by_role("button")).to_have_count(0)  # not to be pressed
    # No one is put before anyone who is there.
    new = come().name
    expect(row(viewer, new)).to_be_visible()
    assert names.all_text_contents() == [*shown, new]
    assert viewer.people.evaluate_all(PLACES)[:5] == before
    viewer.page.mouse.move(0, 0)
    expect(row(viewer, gone_name)).to_have_count(0)
    viewer.record_announcements()
    chip(viewer, first).focus()
    first.page.goto("about:blank")
    heading = viewer.page.get_by_role("heading", name="Here now", exact=True)
    expect(heading).to_be_focused()
    assert viewer.announcements()[0] == "This player has left."
    viewer.page.locator(f"#to-{pair.path.rpartition('/')[2]}").focus()
    pair.x.play_elsewhere(2, 5, pair.path)
    expect(heading).to_be_focused()
    assert "This game is over." in viewer.announcements()
