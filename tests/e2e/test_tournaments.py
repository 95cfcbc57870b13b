"""A tournament in browsers: the host, two players and the wall, from the form to the podium."""

from __future__ import annotations

import codecs
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from math import ceil
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.server import Server
from tests.e2e.tab import Tab
from tests.e2e.test_every_page import misfits, what_axe_finds, what_is_wrong_with_the_focus
from tests.support.patience import PATIENCE, until

Come = Callable[..., Tab]

NO_MOVE_IS_LATE = f"""
import webapp.tournament.due
webapp.tournament.due.NETWORK_MS = {1000 * PATIENCE:.0f}
"""
# For the clocks of a page.
STANDS_STILL = """
const began = Date.now();
window.passed = 0;
Date.now = () => began + window.passed;
"""

WON = "03142"
GAME = re.compile("/games/")


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """Players lose on time only where the test says so, however slow the computer is."""
    server = Server(tmp_path / "data", patch=NO_MOVE_IS_LATE)
    yield server
    server.stop()


def run_out(server: Server) -> None:
    """Let the player to move have thought for too long."""
    with closing(sqlite3.connect(server.database, timeout=PATIENCE)) as connection, connection:
        more, moments = 2000 * PATIENCE, ("begun_at", "x_opened", "o_opened", "moved_at")
        changes = ", ".join(f"{moment} = {moment} - {more}" for moment in moments)
        connection.execute(f"UPDATE games SET {changes} WHERE outcome = ''")  # noqa: S608


def elapsed(server: Server) -> int:
    """What the clock of the tournament says, in milliseconds."""
    with closing(sqlite3.connect(server.database, timeout=PATIENCE)) as connection:
        (found,) = connection.execute("SELECT elapsed FROM tournaments").fetchone()
        return int(found)


def button(one: Tab, name: str) -> Locator:
    return one.page.get_by_role("button", name=name, exact=True)


def make(
    host: Tab, *, opening: str = "The empty board", form: str = "Arena", rounds: str = "5"
) -> str:
    """Make a tournament by the host's form; return its address."""
    host.open("/host")
    host.page.get_by_label("Rounds").fill(rounds)
    for name in (form, opening):
        host.page.get_by_role("radio", name=name, exact=True).check()
    host.page.get_by_label("Seconds a move").select_option("30")
    button(host, "Make a tournament").click()
    expect(host.title).to_have_text("Tournament")
    return host.path


def join(come: Come, number: int = 2) -> list[Tab]:
    """Bring players, who join from the page of the class."""
    players = [come().open("/class") for _ in range(number)]
    for one in players:
        button(one, "Join the tournament").click()
        expect(one.page.get_by_text("You are in.")).to_be_visible()
    return players


def start(host: Tab) -> None:
    host.open("/host")
    with host.no_reload():
        button(host, "Start").click()
        expect(button(host, "Start")).to_have_attribute("aria-disabled", "true")
        expect(button(host, "Start")).to_be_focused()


def seated(players: list[Tab], before: str = "") -> tuple[Tab, Tab]:
    """Wait until another game has opened by itself for both; return who has X and O."""
    for one in players:
        one.page.wait_for_url(lambda url: GAME.search(url) is not None and url != before)
        expect(one.page.locator("#clock")).to_be_visible()
    assert len({one.page.url for one in players}) == 1
    x, o = sorted(players, key=lambda one: one.heading.text_content() != "Your turn")
    expect(x.heading).to_have_text("Your turn")
    return x, o


def play_out(x: Tab, o: Tab) -> str:
    """Play a game that X wins, with X's keys and O's mouse; return where it was."""
    for ply, cell in enumerate(map(int, WON)):
        mover = o if ply % 2 else x
        expect(mover.heading).to_have_text("Your turn")
        if mover is x:
            x.press(str(cell + 1))
        else:
            o.cell(cell).click()
    expect(o.heading).to_have_text(re.compile("wins: top row$"))
    expect(x.page.locator("#onward")).to_contain_text("+2 points.")
    return x.page.url


def points(wall: Tab) -> list[str]:
    return [one.split()[-1] for one in wall.page.locator(".best tbody tr").all_inner_texts()]


def test_from_the_form_to_the_podium(
    host: Tab, come: Come, own_server: Server, tmp_path: Path
) -> None:
    wall = come().open("/class/board")
    make(host)
    expect(wall.page.get_by_text("Press “Join the tournament”")).to_be_visible()
    players = join(come)
    for one in players:
        expect(wall.items("Who has joined").filter(has_text=one.name)).to_be_visible()
    start(host)
    expect(wall.page.locator("[data-ends]")).to_have_text(re.compile(r"^1[0-5]:\d\d$"))

    # Two matches of two games: each has X twice, and wins twice.
    game, first = "", list[Tab]()
    for _ in range(4):
        x, o = seated(players, game)
        first.append(x)
        expect(wall.items("Games in progress")).to_have_count(1)
        game = play_out(x, o)
        expect(x.page.locator(":focus")).to_have_count(1)
    assert first[0] is first[1] or {first[0].name, first[1].name} == {one.name for one in players}
    assert first.count(players[0]) == first.count(players[1]) == 2
    expect(wall.page.locator(".best td b")).to_have_text(["4", "4"])

    # One takes a break, while no game begins, and comes back.
    one, other = players
    one.a("Tournament").click()
    button(one, "Leave for now").click()
    expect(button(one, "Come back")).to_be_visible()
    expect(other.heading).not_to_have_text("Your turn")
    before = elapsed(own_server)
    until(lambda: elapsed(own_server) > before + 4000)  # in which the next game would have begun
    assert other.page.url == game
    button(one, "Come back").click()
    seated(players, game)

    wall.page.evaluate(
        """() => {
          window.clouds = 0;
          new MutationObserver((changes) => {
            for (const { addedNodes } of changes)
              for (const node of addedNodes) if (node.matches?.(".cloud")) window.clouds++;
          }).observe(document.body, { childList: true, subtree: true });
        }"""
    )
    host.page.get_by_text("End the tournament").click()
    button(host, "End it").click()
    expect(button(host, "Make a tournament")).to_be_visible()
    expect(wall.items("The first three").first).to_contain_text("4 points")
    expect(wall.page.get_by_text("The tournament is over.")).to_be_visible()
    wall.page.wait_for_function("window.clouds === 1")
    for one in players:
        expect(one.title).to_have_text("Tournament")
        expect(one.items("Your games")).to_have_count(5)
    players[0].items("Your games").first.get_by_role("link").click()
    expect(players[0].page.get_by_role("heading", level=1)).to_have_text(re.compile("^Review"))

    with host.page.expect_download() as downloads:
        host.a("Results (CSV)").click()
    today = datetime.now(UTC).astimezone().date()
    assert downloads.value.suggested_filename == f"results-{today}.csv"
    downloads.value.save_as(tmp_path / "table.csv")
    table = (tmp_path / "table.csv").read_bytes()
    assert table.startswith(codecs.BOM_UTF8)
    assert all(one.name in table.decode() for one in players)
    # It was celebrated once.
    other = come().open("/class")
    expect(wall.page.locator(".podium")).to_be_visible()
    assert wall.page.evaluate("window.clouds") == 1
    assert other.name


def test_who_does_nothing_loses_on_time_is_out_and_can_come_back(
    host: Tab, come: Come, own_server: Server
) -> None:
    make(host)
    active, idle = players = join(come)
    start(host)
    game = ""
    for _ in range(2):
        x, _o = seated(players, game)
        if x is active:
            active.play(4)
        run_out(own_server)
        expect(active.heading).to_have_text(f"You win: {idle.name} ran out of time")
        game = active.page.url
    expect(idle.title).to_have_text("Tournament")
    missed = "You missed two games in a row, so you are out. You can come back."
    expect(idle.page.locator("#mine-now")).to_have_text(missed)
    button(idle, "Come back").click()
    seated(players, game)


def test_the_line_of_the_clock_shrinks_and_five_seconds_are_announced_once(
    host: Tab, come: Come
) -> None:
    make(host)
    players = join(come)
    for one in players:
        one.page.add_init_script(STANDS_STILL)
    start(host)
    x, o = seated(players)
    o.page.reload()  # it may have been made before X opened the game, and let X's clock wait
    for one in players:
        one.record_announcements()

    def there_are(left: float) -> None:
        """Let the clocks of both pages go on until so many seconds are left."""
        for one in players:
            line = one.page.locator("#clock progress")
            line.evaluate("(line) => { line.value = 0; }")
            shown = one.page.wait_for_function(
                "(line) => line.value", arg=line.element_handle()
            ).json_value()
            one.page.evaluate("(more) => { window.passed += 1000 * more; }", shown - left)
            expect(one.page.locator("#clock b")).to_have_text(f"{ceil(left)} s")

    there_are(5.5)
    expect(x.page.locator("#clock.short")).to_have_count(0)
    there_are(4.5)
    expect(x.page.locator("#clock.short")).to_be_visible()
    assert x.announcements() == ["5 seconds left."]
    place = o.heading.bounding_box()
    there_are(1.5)
    assert x.page.evaluate("window.announcements") == []
    assert "5 seconds left." not in o.page.evaluate("window.announcements")
    x.cell(4).click()
    expect(o.heading).to_have_text("Your turn")
    assert o.heading.bounding_box() == place
    expect(o.page.locator("#clock b")).to_have_text(re.compile("^([12].|30) s$"))
    expect(o.page.locator("#clock.short")).to_have_count(0)
    # What a screen reader has of it: no line, and no region that speaks by itself.
    assert o.page.locator("#clock").get_by_role("progressbar").count() == 0
    assert o.page.locator("[aria-live] #clock, [role=status] #clock").count() == 0


def test_what_is_open_and_what_is_typed_stay_when_news_come(host: Tab, come: Come) -> None:
    host.open("/host")
    host.page.get_by_label("Minutes").fill("7")
    host.page.get_by_role("radio", name="Swiss", exact=True).check()
    name = come().open("/class").name
    expect(host.items("Who is here").filter(has_text=name)).to_be_visible()
    expect(host.page.get_by_label("Minutes")).to_have_value("7")
    expect(host.page.locator("[value=swiss]")).to_be_checked()

    one = join_page = come().open(make(host))
    join_page.page.get_by_text("Tie-breaks").wait_for(state="detached")
    players = join(come)
    one.page.get_by_text("Tie-breaks").click()
    another = join(come, 1)
    expect(one.standings).to_have_count(3)
    expect(one.page.locator("#tie-breaks")).to_have_attribute("open", "")
    assert {one.name for one in [*players, *another]}


def test_the_host_puts_a_player_out_and_lets_them_in_again(host: Tab, come: Come) -> None:
    make(host)
    players = join(come)
    start(host)
    x, o = seated(players)
    name = x.name
    host.page.get_by_text("Players of the tournament (2)").click()
    with host.no_reload():
        for what in ("No late players", f"Out {name}"):
            pressed = button(host, what)
            pressed.scroll_into_view_if_needed()
            before = pressed.bounding_box()
            pressed.click()
            expect(pressed).to_have_attribute("aria-disabled", "true")
            expect(pressed).to_be_focused()
            assert pressed.bounding_box() == before
        expect(o.heading).to_contain_text("gave up")
        x.open("/class")
        said = "Your teacher has put you out of this tournament."
        expect(x.page.get_by_text(said)).to_be_visible()
        late = come().open("/class")
        expect(late.page.get_by_text("no one else can join it")).to_be_visible()
        button(host, f"Let in {name}").click()
        expect(x.page.get_by_text(said)).to_have_count(0)
    button(x, "Join the tournament").click()
    expect(button(x, "Leave for now")).to_be_visible()
    wrong = [what for width in (1280, 390, 320) for what in misfits(host.page, width)]
    wrong += what_axe_finds(host, 320)
    assert not wrong, "\n".join(wrong)


def test_without_javascript_a_player_plays(host: Tab, come: Come) -> None:
    make(host)
    one = come(java_script_enabled=False).open("/class")
    button(one, "Join the tournament").click()
    (other,) = join(come, 1)
    start(host)
    # The page leads to the game by itself, as it does with a script.
    expect(other.page.locator("#clock")).to_be_visible()
    expect(one.page.locator("#clock b")).to_have_text(re.compile(r"^\d+ s$"))
    if other.heading.text_content() == "Your turn":
        other.cell(0).click()
        expect(other.heading).to_contain_text("is thinking")
        one.a("Refresh").click()
    one.cell(8).click()
    expect(other.heading).to_have_text("Your turn")
    game = one.page.url
    one.a("Tournament").click()
    one.page.wait_for_url(game)


@pytest.mark.parametrize("scripted", [True, False])
def test_it_fits_can_be_touched_and_tabbed_through_and_axe_finds_nothing(
    host: Tab, sign_in: Come, come: Come, *, scripted: bool
) -> None:
    def check(one: Tab, path: str) -> list[str]:
        one.page.set_viewport_size({"width": 1280, "height": 720})
        one.open(path)
        one.page.emulate_media(reduced_motion="reduce")
        wrong = what_is_wrong_with_the_focus(one)
        for width in (1280, 820, 390, 320):
            wrong += misfits(one.page, width)
        for width in (820, 320) if scripted else (320,):
            wrong += what_axe_finds(one, width)
            wrong += what_axe_finds(one, width, "dark")
        return [f"{path}: {what}" for what in wrong]

    one = come(has_touch=True, java_script_enabled=scripted)
    desk = sign_in(has_touch=True, java_script_enabled=scripted)
    address = make(host, form="Swiss", opening="Sharp openings")
    wrong = check(one, "/class")
    players = join(come)
    wrong += check(one, address) + check(one, "/class/board") + check(desk, "/host")
    start(host)
    x, _ = seated(players)
    x.page.locator("button.cell:has(.ghost)").first.click()
    expect(x.heading).to_contain_text("is thinking")
    wrong += check(one, x.path) + check(one, address) + check(one, "/class/board")
    x.page.once("dialog", lambda dialog: dialog.accept())
    x.resign.click()
    expect(host.items("Just finished")).to_have_count(1)
    host.page.get_by_text("End the tournament").click()
    button(host, "End it").click()
    expect(button(host, "Make a tournament")).to_be_visible()
    wrong += check(one, address) + check(one, "/class/board") + check(desk, "/host")
    wrong += check(one, "/openings")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("width,height", [(390, 664), (667, 375), (320, 568), (1366, 625)])
def test_board_clock_turn_and_buttons_fit_and_stay_where_they_are(
    host: Tab, come: Come, width: int, height: int
) -> None:
    make(host)
    players = join(come)
    start(host)
    x, o = seated(players)
    for one in players:
        one.page.set_viewport_size({"width": width, "height": height})
    places = [
        [one.page.locator(part).bounding_box() for part in ("#board", "#turn")] for one in players
    ]
    for part in ("#board", "#clock", "#turn", "#resign"):
        expect(x.page.locator(part)).to_be_in_viewport(ratio=1)
    x.page.once("dialog", lambda dialog: dialog.accept())
    x.resign.click()
    expect(o.page.locator("#clock")).to_have_count(0)
    now = [
        [one.page.locator(part).bounding_box() for part in ("#board", "#turn")] for one in players
    ]
    assert now == places
