"""Playing by keys alone: one tab stop for the board, and a focus that is never lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.plans import DRAWN, LOST, WON, plan
from tests.e2e.tab import EMPTY, Tab, Visitor
from webapp.core.board import Mark


def expect_one_tab_stop(play: Tab) -> None:
    """Check that Tab enters the board once and leaves it at once, both ways."""
    play.tab_to(".cell")
    cell = play.page.locator(":focus").get_attribute("id")
    play.press("Tab")
    expect(play.opponent).to_be_focused()
    play.press("Shift+Tab")
    expect(play.page.locator(f"#{cell}")).to_be_focused()
    play.press("Shift+Tab")
    expect(play.a("Learn", "Site")).to_be_focused()


def test_the_board_is_one_tab_stop_before_during_and_after_a_game(play: Tab) -> None:
    expect_one_tab_stop(play)
    play.play(LOST.mine[0])
    expect_one_tab_stop(play)
    play.play(*LOST.mine[1:])
    play.page.reload()
    expect_one_tab_stop(play)


def test_arrows_move_over_the_board_and_stop_at_its_edges(play: Tab) -> None:
    play.cell(4).focus()
    walk = {
        "ArrowRight": (5, 5),
        "ArrowUp": (2, 2),
        "ArrowLeft": (1, 0, 0),
        "ArrowDown": (3, 6, 6),
    }
    for key, cells in walk.items():
        for cell in cells:
            play.press(key)
            expect(play.cell(cell)).to_be_focused()
    play.expect_board(EMPTY)
    # A focused cell is seen to be focused, and Tab comes back to it.
    outline = "(cell) => [getComputedStyle(cell).outlineStyle, getComputedStyle(cell).outlineWidth]"
    style, width = play.cell(6).evaluate(outline)
    assert style != "none"
    assert float(width.removesuffix("px")) >= 2
    play.press("Tab", "Shift+Tab")
    expect(play.cell(6)).to_be_focused()


def test_games_can_be_played_by_keys_alone_and_the_focus_is_never_lost(play: Tab) -> None:
    play.tab_to(".cell")
    with play.change():
        play.press(str(WON.mine[0] + 1))
    for button in (play.hint, play.undo):
        with play.change():
            play.press("Enter", on=button)
        expect(button).to_be_focused()
    with play.next_game():
        play.press("Enter", on=play.again)
    play.expect_focus_somewhere()
    play.cell(0).focus()
    for cell in WON.mine:
        with play.change():
            play.press(str(cell + 1))
        expect(play.cell(cell)).to_be_focused()
    expect(play.game).to_have_attribute("data-outcome", "x")
    play.tab_to("#again")
    with play.next_game():
        play.press("Enter")
    play.expect_focus_somewhere()


def test_the_focus_is_kept_where_the_computer_begins(play: Tab) -> None:
    play.press("ArrowRight", on=play.mark("x"))
    expect(play.again).to_have_text("Let the computer begin")
    expect(play.mark("o")).to_be_focused()
    for cells in ((), plan("medium", Mark.O, "lost").mine):
        play.play(*cells)
        with play.next_game():
            play.press("Enter", on=play.again)
        play.expect_focus_somewhere()


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_enter_and_space_play_the_focused_cell_and_a_taken_one_submits_nothing(
    play: Tab, key: str
) -> None:
    play.press("ArrowUp", on=play.cell(4))
    taken, node = play.cell(1), play.cell(1).element_handle()
    with play.change():
        play.press(key)
    expect(taken).to_have_accessible_name("Top centre, X")
    expect(taken).to_be_focused()
    # The same element as before, so that no screen reader loses its place.
    assert node.evaluate("(node) => node === document.getElementById('c1')")
    expect(taken).to_have_attribute("aria-disabled", "true")
    expect(taken).to_have_attribute("type", "button")
    play.press("Enter", "Space", "2")
    taken.click(force=True)
    play.press("ArrowDown", "ArrowUp")
    expect(taken).to_be_focused()
    assert len(play.posts) == 1


def test_numbers_play_once_and_only_while_the_board_has_the_focus(play: Tab) -> None:
    for place in (play.opponent, play.mark("x"), play.page.get_by_role("link").first):
        play.press("5", on=place)
    play.page.locator("body").press("5")
    play.expect_board(EMPTY)
    assert play.posts == []
    play.cell(4).focus()
    with play.change():
        for _ in range(3):  # down again without up is what a held key sends
            play.page.keyboard.down("1")
    play.page.keyboard.up("1")
    play.page.reload()
    play.expect_version(1)
    assert len(play.posts) == 1


def test_the_focus_is_kept_when_a_move_is_refused(play: Tab) -> None:
    play.noise.expect_refusal(409)
    play.play(DRAWN.mine[0])
    cell = play.cell(DRAWN.mine[2])
    with play.change():
        play.play_elsewhere(DRAWN.mine[1])
        play.press("Enter", on=cell)
    expect(cell).to_be_focused()


@pytest.mark.parametrize("scripted", [True, False])
@pytest.mark.parametrize(
    "stage", ["before a game", "in a game", "in a game, loaded again", "after"]
)
def test_enter_on_the_controls_plays_no_cell_and_leaves_no_game(
    visitor: Visitor, *, scripted: bool, stage: str
) -> None:
    play = visitor(java_script_enabled=scripted).open()
    if stage != "before a game":
        play.play(*LOST.mine[: None if stage == "after" else 2])
    if "again" in stage:
        play.page.reload()
    sent, version, path = len(play.posts), play.version, play.page.url.partition("?")[0]
    for value in ("x", "alternate", "o"):
        play.press("Enter", on=play.mark(value))
    play.press("Enter", on=play.opponent)
    play.press("Escape")
    # Whatever one of these had set off would be there by the time this page has loaded.
    play.page.reload()
    assert len(play.posts) == sent
    assert (play.version, play.page.url.partition("?")[0]) == (version, path)
    expect(play.page.get_by_text("you left")).to_have_count(0)
