"""A class finds together: by the QR code, with one click, or by a code."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
import segno
from playwright.sync_api import Locator, expect

from tests.e2e.pair import Pair, sit_down
from tests.e2e.server import Server
from tests.e2e.tab import Tab, Visitor

# --- finding together ---------------------------------------------------------------------------


def test_a_class_comes_in_and_plays_while_the_wall_is_updated_quietly(visitor: Visitor) -> None:
    wall = visitor(viewport={"width": 390, "height": 500}).open("/class/board")
    address = f"{wall.server}/class"
    expect(wall.page.locator(".way-in b")).to_have_text(address.removeprefix("http://"))
    expected = segno.make_qr(address).svg_inline(border=3, omitsize=True)
    path = re.compile(r'class="qrline".* d="([^"]+)"')
    assert path.findall(wall.qr.inner_html()) == path.findall(expected)
    # Nothing is announced, replaced, scrolled or focused.
    expect(wall.page.locator("[aria-live], [role=status], [role=alert]")).to_have_count(0)
    region, qr = wall.class_region.element_handle(), wall.qr.element_handle()
    wall.page.evaluate("() => scrollTo(0, 60)")
    before = wall.page.evaluate("() => scrollY")

    ada, bob, cem = (visitor().open("/class") for _ in range(3))
    bob.code_field.fill("abc")
    ada.open_challenge("x")
    join = [row(one, ada.name).get_by_role("button") for one in (bob, cem)]
    with bob.no_reload(), cem.no_reload(), wall.no_reload():
        expect(row(bob, ada.name)).to_contain_text("open game")
        expect(wall.items("Standings").filter(has_text=ada.name)).to_have_count(1)
        join[0].focus()
        later = visitor()
        later.open_challenge_elsewhere()
        expect(bob.challenges.filter(has_text=later.open("/class").name)).to_be_visible()
        expect(join[0]).to_be_focused()
        expect(bob.code_field).to_have_value("abc")
    expect(join[1]).to_be_visible()
    cem.pause.click()  # or the row would say that it is too late
    join[0].click()
    expect(bob.page).to_have_url(ada.page.url)
    cem.noise.expect_refusal(409)
    join[1].click()
    expect(cem.page.get_by_role("alert")).to_have_text(f"{ada.name} is playing.")
    cem.a(f"{ada.name} against {bob.name}").click()
    expect(cem.page.get_by_text("You are watching.")).to_be_visible()
    Pair(ada, bob, ada.path).play_elsewhere("03142")
    with wall.no_reload():
        board = wall.items("Games in progress").filter(has_text=ada.name)
        expect(board).to_contain_text("X wins: top row")
        expect(board.locator(".won")).to_contain_text(ada.name)
    assert region.evaluate("(node) => node.isConnected")
    assert qr.evaluate("(node) => node.isConnected")
    assert wall.page.evaluate("() => scrollY") == before
    expect(wall.page.locator(":focus")).to_have_count(0)


def test_the_class_goes_on_by_itself_after_a_lost_connection_and_rests_while_hidden(
    visitor: Visitor,
) -> None:
    ada, cem, bob = visitor(), visitor(), visitor().own_clock().open("/class")
    ada.noise.expect_no_answer()

    def open_a_game(one: Tab) -> str:
        one.open_challenge_elsewhere()
        return one.open("/class").name

    bob.hide(True)
    asked = bob.requests()
    name = open_a_game(ada)
    bob.let_pass(20_000)
    expect(bob.class_region).not_to_contain_text(name)
    assert asked == []
    with bob.no_reload():
        bob.hide(False)
        expect(bob.class_region).to_contain_text(name)
        with bob.page.expect_event("requestfailed"):
            bob.page.context.set_offline(True)
        name = open_a_game(cem)
        bob.page.context.set_offline(False)
        expect(bob.class_region).to_contain_text(name)
    expect(bob.refusal).to_have_count(0)


def test_without_javascript_a_class_finds_together_and_plays(visitor: Visitor) -> None:
    ada, bob = (visitor(java_script_enabled=False) for _ in range(2))
    code = ada.open_challenge("o")
    for page in ("/class/board", "/class"):
        expect(bob.open(page).a("Refresh")).to_be_visible()
        expect(bob.pause).to_be_hidden()
    bob.press(*f"{code[:3]} {code[3:]}".lower(), "Enter", on=bob.code_field)
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


# --- rows that stay, and news that can wait -----------------------------------------------------


@pytest.fixture
def class_of(own_server: Server, visitor: Visitor) -> Callable[[], Tab]:
    """Bring people into a class of their own."""
    return lambda: visitor(own_server.url)


def row(one: Tab, name: str) -> Locator:
    """The chip of a player."""
    return one.people.filter(has_text=name)


def place(locator: Locator) -> object:
    """Where it is on the page, and how large."""
    return locator.evaluate("(one) => JSON.stringify(one.getBoundingClientRect())")


def rows(one: Tab) -> list[str]:
    """The names of the players who are here, from the first."""
    return one.people.locator("bdi").all_text_contents()


def leave(one: Tab) -> None:
    """Go, and say good-bye."""
    one.page.goto("about:blank")


def test_chips_keep_their_place_and_their_order(class_of: Callable[[], Tab]) -> None:
    viewer = class_of().open("/class")
    people = [class_of().open("/class") for _ in range(3)]
    expect(viewer.people).to_have_count(3)
    names = [one.name for one in people]
    shown = rows(viewer)
    assert sorted(shown) == sorted(names)
    # The first by name, and then others: no one is put before anyone who is there.
    late = [class_of().open("/class") for _ in range(3)]
    expect(viewer.people).to_have_count(6)
    assert rows(viewer)[:3] == shown
    shown = rows(viewer)

    gone = next(one for one in (*people, *late) if one.name == shown[1])
    last = row(viewer, shown[-1])
    row(viewer, shown[0]).hover()
    before = [place(one) for one in viewer.people.all()]
    leave(gone)
    expect(row(viewer, shown[1]).get_by_text("This player has left.")).to_be_visible()
    expect(row(viewer, shown[1]).get_by_role("button")).to_have_count(0)  # not to be pressed
    new = class_of().open("/class").name
    expect(row(viewer, new)).to_be_visible()
    assert rows(viewer) == [*shown, new]
    assert [place(one) for one in viewer.people.all()][:6] == before
    expect(last).to_be_visible()
    viewer.page.mouse.move(0, 0)
    expect(row(viewer, shown[1])).to_have_count(0)
    assert rows(viewer) == [shown[0], *shown[2:], new]


def test_a_row_that_goes_away_under_the_focus_hands_it_to_the_heading(
    class_of: Callable[[], Tab],
) -> None:
    ada, viewer = class_of().open("/class"), class_of()
    pair = sit_down(class_of(), class_of(), "0314")
    viewer.open("/class").record_announcements()
    row(viewer, ada.name).get_by_role("button").focus()
    leave(ada)
    heading = viewer.page.get_by_role("heading", name="Here now", exact=True)
    expect(heading).to_be_focused()
    assert viewer.announcements()[0] == "This player has left."
    expect(viewer.people.filter(has_text="This player has left.")).to_have_count(0)
    expect(heading).to_be_focused()

    viewer.page.locator(f"#to-{pair.path.rpartition('/')[2]}").focus()
    pair.x.play_elsewhere(2, 6, pair.path)
    expect(viewer.page.get_by_role("heading", name="Live boards")).to_be_focused()
    assert "This game is over." in viewer.announcements()


def test_a_list_above_a_pointer_neither_grows_nor_shrinks(class_of: Callable[[], Tab]) -> None:
    pair, ada = sit_down(class_of(), class_of()), class_of().open("/class")
    viewer = class_of().open("/class")
    expect(viewer.people).to_have_count(3)
    shown = rows(viewer)
    watch = viewer.page.locator(f"#to-{pair.path.rpartition('/')[2]}")
    watch.hover()
    before = place(watch)
    late = class_of().open("/class").name
    leave(ada)
    gone = viewer.people.nth(shown.index(next(one for one in shown if one not in pair_names(pair))))
    expect(gone).to_have_text(re.compile("This player has left.$"))
    assert (rows(viewer), place(watch)) == (shown, before)
    viewer.page.mouse.move(0, 0)
    expect(row(viewer, late)).to_be_visible()
    expect(viewer.people).to_have_count(3)
    assert late in rows(viewer)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_chip_that_leaves_fades_and_no_other_moves_under_a_pointer(
    own_server: Server, visitor: Visitor, motion: str
) -> None:
    viewer = visitor(own_server.url, reduced_motion=motion)
    viewer.page.add_init_script(
        """const { setTimeout } = window;
        window.setTimeout = (then, ms) => {
          if (ms !== 200) return setTimeout(then, ms);
          window.close_up = then; // when the test says so
        };"""
    )
    viewer.open("/class")
    people = [visitor(own_server.url).open("/class") for _ in range(3)]
    expect(viewer.people).to_have_count(3)
    first, *others = rows(viewer)
    before = [place(row(viewer, name)) for name in others]
    leaves = viewer.page.locator(f"#{row(viewer, first).get_attribute('id')}")
    leave(next(one for one in people if one.name == first))
    expect(leaves).to_have_class("leaving")
    expect(leaves).to_have_css("opacity", "0" if motion == "no-preference" else "1")
    row(viewer, others[0]).hover()
    viewer.page.evaluate("close_up()")
    assert [place(row(viewer, name)) for name in others] == before
    viewer.page.mouse.move(0, 0)
    viewer.page.evaluate("close_up()")
    expect(leaves).to_have_count(0)
    assert rows(viewer) == others


def pair_names(pair: Pair) -> list[str]:
    return [one.name for one in pair.people]


def test_updates_can_be_paused_and_go_on(visitor: Visitor) -> None:
    ada, bob = visitor(), visitor().own_clock().open("/class")
    # An answer that comes just then changes nothing any more.
    bob.page.evaluate(
        """() => {
          const pause = () => document.getElementById("pause").click();
          document.addEventListener("htmx:after:request", pause, { once: true });
          document.addEventListener("htmx:finally:request", () => { window.answered = true; });
        }"""
    )
    ada.open_challenge()
    waits = bob.challenges.filter(has_text=ada.name)
    bob.page.wait_for_function("() => window.answered")
    expect(bob.pause).to_have_text("Resume updates")
    expect(waits).to_have_count(0)
    bob.page.evaluate(
        """() => {
          window.tries = 0;
          document.addEventListener("news", () => { window.tries += 1; });
        }"""
    )
    for _ in range(3):
        bob.let_pass(5000)
    assert bob.page.evaluate("() => window.tries") == 0
    bob.press("Enter", on=bob.pause)
    expect(bob.pause).to_have_text("Pause updates")
    expect(bob.pause).to_be_focused()
    expect(waits).to_have_count(1)
