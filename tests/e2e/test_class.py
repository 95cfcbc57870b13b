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
    code = ada.open_challenge("x")
    join = [one.page.locator(f"#join-{code}") for one in (bob, cem)]
    with bob.no_reload(), cem.no_reload(), wall.no_reload():
        expect(bob.challenges.filter(has_text=ada.name)).to_contain_text("You would play O")
        expect(wall.items("Standings").filter(has_text=ada.name)).to_have_count(1)
        join[0].focus()
        _, later = visitor().open_challenge_elsewhere()
        expect(bob.page.locator(f"#join-{later}")).to_be_visible()
        expect(join[0]).to_be_focused()
        expect(bob.code_field).to_have_value("abc")
    expect(join[1]).to_be_visible()
    cem.pause.click()  # or the row would say that it is too late
    join[0].click()
    expect(bob.page).to_have_url(ada.page.url)
    cem.noise.expect_refusal(409)
    join[1].click()
    expect(cem.refusal).to_contain_text("Someone else was quicker")
    cem.a("Watch").click()
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


def row(one: Tab, code: str) -> Locator:
    return one.page.locator(f"#open-{code}")


def place(locator: Locator) -> object:
    """Where it is on the page, and how large."""
    return locator.evaluate("(one) => JSON.stringify(one.getBoundingClientRect())")


def rows(one: Tab) -> list[str]:
    """The codes of the open games, from the top."""
    found = one.challenges.evaluate_all("(rows) => rows.map((row) => row.id.slice(5))")
    return [str(code) for code in found]


def test_rows_keep_their_place_under_a_pointer(class_of: Callable[[], Tab]) -> None:
    for person in (class_of() for _ in range(3)):
        person.open_challenge()
    viewer, late = class_of().open("/class"), class_of()
    first, second, third = rows(viewer)
    viewer.page.locator(f"#join-{third}").hover()
    before = [place(row(viewer, code)) for code in (first, second, third)]
    path = class_of().post(f"/join/{second}", {}).headers["location"]
    new = late.open_challenge()
    expect(row(viewer, new)).to_be_visible()
    expect(row(viewer, second).get_by_role("button")).to_have_count(0)  # not to be pressed
    assert rows(viewer) == [first, second, third, new]
    assert [place(row(viewer, code)) for code in (first, second, third)] == before
    expect(row(viewer, second).get_by_text("This game is no longer open.")).to_be_visible()
    # Later news leave it there, until the pointer has gone.
    later = class_of().open_challenge()
    expect(row(viewer, later)).to_be_visible()
    assert rows(viewer) == [first, second, third, new, later]
    viewer.page.mouse.move(0, 0)
    expect(row(viewer, second)).to_have_count(0)
    assert rows(viewer) == [first, third, new, later]
    expect(viewer.page.locator(f"#to-{path.rpartition('/')[2]}")).to_have_text("Watch")


def test_a_row_that_goes_away_under_the_focus_hands_it_to_the_heading(
    class_of: Callable[[], Tab],
) -> None:
    ada, viewer = class_of(), class_of()
    code = ada.open_challenge()
    pair = sit_down(class_of(), class_of(), "0314")
    viewer.open("/class").record_announcements()
    viewer.page.locator(f"#join-{code}").focus()
    class_of().post(f"/join/{code}", {})
    heading = viewer.page.get_by_role("heading", name="Open games", exact=True)
    expect(heading).to_be_focused()
    assert viewer.announcements()[0] == "This game is no longer open."
    expect(row(viewer, code)).to_have_count(0)
    expect(heading).to_be_focused()

    viewer.page.locator(f"#to-{pair.path.rpartition('/')[2]}").focus()
    pair.x.play_elsewhere(2, 6, pair.path)
    expect(viewer.page.get_by_role("heading", name="Games in progress")).to_be_focused()
    assert "This game is over." in viewer.announcements()


def test_a_list_above_a_pointer_neither_grows_nor_shrinks(class_of: Callable[[], Tab]) -> None:
    pair, ada = sit_down(class_of(), class_of()), class_of()
    ada.open_challenge()
    viewer = class_of().open("/class")
    (code,) = rows(viewer)
    watch = viewer.page.locator(f"#to-{pair.path.rpartition('/')[2]}")
    watch.hover()
    before = place(watch)
    late = class_of().open_challenge()
    class_of().post(f"/join/{code}", {})
    expect(row(viewer, code)).to_have_text(re.compile("This game is no longer open.$"))
    expect(viewer.games).to_have_count(2)
    assert (rows(viewer), place(watch)) == ([code], before)
    viewer.page.mouse.move(0, 0)
    expect(row(viewer, late)).to_be_visible()
    assert rows(viewer) == [late]


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
