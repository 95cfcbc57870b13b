"""Playing by keys alone: one tab stop for the board, and a focus that is never lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.noise import Noise
from tests.e2e.plans import plan
from tests.e2e.play import EMPTY, PlayPage, Visitor
from webapp.core.board import Mark


def press(play: PlayPage, *keys: str) -> None:
    for key in keys:
        play.page.keyboard.press(key)


def press_on(target: Locator, key: str) -> None:
    target.focus()
    target.page.keyboard.press(key)


def tab_to_the_board(play: PlayPage) -> None:
    """Press Tab until a cell has the focus, if none has it yet."""
    on_the_board = play.page.locator("[id^=c]:focus")
    for _ in range(10):
        if on_the_board.count():
            return
        press(play, "Tab")
    pytest.fail("the board cannot be reached by Tab")


def expect_one_tab_stop(play: PlayPage) -> None:
    """Check that Tab enters the board once and leaves it at once, both ways."""
    tab_to_the_board(play)
    focused = play.page.locator(":focus")
    cell = focused.get_attribute("id") or ""
    press(play, "Tab")
    expect(play.opponent).to_be_focused()
    press(play, "Shift+Tab")
    expect(play.page.locator(f"#{cell}")).to_be_focused()
    press(play, "Shift+Tab")
    expect(play.page.get_by_role("link", name="Learn", exact=True)).to_be_focused()


def test_the_board_is_one_tab_stop_before_during_and_after_a_game(play: PlayPage) -> None:
    expect_one_tab_stop(play)
    game = plan("medium", Mark.X, "lost")
    play.play(game.mine[0])
    expect_one_tab_stop(play)
    play.play(*game.mine[1:])
    play.page.reload()
    expect_one_tab_stop(play)


def test_arrows_move_over_the_board_and_stop_at_its_edges(play: PlayPage) -> None:
    play.cell(4).focus()
    walk = {
        "ArrowRight": (5, 5),
        "ArrowUp": (2, 2),
        "ArrowLeft": (1, 0, 0),
        "ArrowDown": (3, 6, 6),
    }
    for key, cells in walk.items():
        for cell in cells:
            press(play, key)
            expect(play.cell(cell)).to_be_focused()
    play.expect_board(EMPTY)
    # Every focused cell is seen to be focused, and Tab comes back to it.
    outline = "(cell) => [getComputedStyle(cell).outlineStyle, getComputedStyle(cell).outlineWidth]"
    style, width = play.cell(6).evaluate(outline)
    assert style != "none"
    assert float(width.removesuffix("px")) >= 2
    press(play, "Tab")
    expect(play.opponent).to_be_focused()
    press(play, "Shift+Tab")
    expect(play.cell(6)).to_be_focused()


def test_games_can_be_played_by_keys_alone_and_the_focus_is_never_lost(play: PlayPage) -> None:
    game = plan("medium", Mark.X, "won")
    tab_to_the_board(play)
    with play.change():
        press(play, str(game.mine[0] + 1))
    for button in (play.hint, play.undo):
        with play.change():
            press_on(button, "Enter")
        expect(button).to_be_focused()
    with play.next_game():
        press_on(play.new_game, "Enter")
    play.expect_focus_somewhere()
    play.cell(0).focus()
    for cell in game.mine:
        with play.change():
            press(play, str(cell + 1))
        expect(play.cell(cell)).to_be_focused()
    expect(play.game).to_have_attribute("data-outcome", "x")
    for _ in range(6):
        press(play, "Tab")
        if play.page.locator(":focus").inner_text() == "Play again":
            break
    with play.next_game():
        press(play, "Enter")
    play.expect_focus_somewhere()


def test_the_focus_is_kept_where_the_computer_begins(play: PlayPage) -> None:
    press_on(play.mark("x"), "ArrowRight")
    expect(play.begin).to_be_visible()
    expect(play.mark("o")).to_be_focused()
    with play.next_game():
        press_on(play.begin, "Enter")
    play.expect_focus_somewhere()
    play.play(*plan("medium", Mark.O, "lost").mine)
    with play.next_game():
        press_on(play.play_again, "Enter")
    play.expect_focus_somewhere()


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_enter_and_space_play_the_focused_cell(play: PlayPage, key: str) -> None:
    play.cell(4).focus()
    press(play, "ArrowUp")
    node = play.cell(1).element_handle()
    with play.change():
        press(play, key)
    expect(play.cell(1)).to_have_accessible_name("Top centre, X")
    expect(play.cell(1)).to_be_focused()
    # The same element as before, so that no screen reader loses its place.
    assert node.evaluate("(node) => node === document.getElementById('c1')")


def test_numbers_play_once_and_only_while_the_board_has_the_focus(play: PlayPage) -> None:
    for place in (play.opponent, play.mark("x"), play.page.get_by_role("link").first):
        press_on(place, "5")
    play.page.locator("body").press("5")
    play.expect_board(EMPTY)
    assert play.posts == []
    play.cell(4).focus()
    with play.change():
        for _ in range(3):  # down again without up is what a held key sends
            play.page.keyboard.down("1")
    play.page.keyboard.up("1")
    play.page.reload()
    expect(play.game).to_have_attribute("data-version", "1")
    assert len(play.posts) == 1


def test_a_taken_cell_can_be_focused_and_submits_nothing(play: PlayPage) -> None:
    play.play(4)
    taken = play.cell(4)
    expect(taken).to_have_attribute("aria-disabled", "true")
    expect(taken).to_have_attribute("type", "button")
    expect(taken).to_be_focused()
    press(play, "Enter", "Space", "5")
    taken.click(force=True)
    press(play, "ArrowUp", "ArrowDown")
    expect(taken).to_be_focused()
    assert len(play.posts) == 1
    expect(play.game).to_have_attribute("data-version", "1")


def test_the_focus_is_kept_when_a_move_is_refused(play: PlayPage, noise: Noise) -> None:
    noise.expect_refusal(409)
    play.play(4)
    with play.change():  # by another tab, which this one does not know of yet
        play.play_elsewhere(7 if play.cell(8).get_attribute("aria-disabled") else 8)
        free = play.page.locator("[id^=c]:not([aria-disabled])").first
        cell = play.page.locator(f"#{free.get_attribute('id')}")
        press_on(cell, "Enter")
    expect(cell).to_be_focused()


@pytest.mark.parametrize("scripted,begun", [(True, False), (True, True), (False, True)])
def test_enter_on_the_controls_never_plays_a_cell(
    visitor: Visitor, scripted: bool, begun: bool
) -> None:
    play = visitor(java_script_enabled=scripted).open()
    if begun:
        play.play(4)
    sent, version = len(play.posts), play.version
    for value in ("x", "alternate", "o"):
        press_on(play.mark(value), "Enter")
    press_on(play.opponent, "Enter")
    press(play, "Escape")
    # Whatever one of these had set off would be there by the time this page has loaded.
    play.page.reload()
    assert len(play.posts) == sent
    assert play.version == version
