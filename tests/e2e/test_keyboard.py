"""Playing by keys alone, and by ear: a focus that is never lost, and each change told once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from playwright.sync_api import Locator, expect

from tests.e2e.plans import DRAWN, LOST, WON, plan
from tests.e2e.tab import CELLS, EMPTY, Tab
from webapp.core.board import Mark


def expect_one_tab_stop(play: Tab, before: Locator, after: Locator) -> None:
    """Check that Tab enters the board once and leaves it at once, both ways."""
    play.tab_to(".cell")
    cell = play.page.locator(":focus").get_attribute("id")
    play.press("Tab")
    expect(after).to_be_focused()
    play.press("Shift+Tab")
    expect(play.page.locator(f"#{cell}")).to_be_focused()
    play.press("Shift+Tab")
    expect(before).to_be_focused()


def test_the_board_is_one_tab_stop_before_during_and_after_a_game(play: Tab) -> None:
    name = play.page.locator("#you a")
    expect_one_tab_stop(play, play.a("Learn", "Site"), play.mark("x"))
    play.play(LOST.mine[0])
    expect_one_tab_stop(play, name, play.hint)
    play.play(*LOST.mine[1:])
    play.page.reload()
    expect_one_tab_stop(play, name, play.again)


def test_a_skip_link_leads_to_a_free_cell_and_arrows_move_over_the_board(play: Tab) -> None:
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
    play.press("Tab", "Shift+Tab")
    expect(play.cell(6)).to_be_focused()
    skip = play.a("Skip to the board")
    for taken in ((), (4,)):
        play.play(*taken)
        play.page.reload()
        play.press("Tab")
        expect(skip).to_be_focused()
        expect(skip).to_be_in_viewport()
        play.press("Enter", "Tab")
        expect(play.page.locator(".cell:focus .ghost")).to_have_count(1)


def test_games_can_be_played_by_keys_alone_and_the_focus_is_never_lost(play: Tab) -> None:
    play.tab_to(".cell")
    with play.change():
        play.press(str(WON.mine[0] + 1))
    for button in (play.hint, play.undo):
        with play.change():
            play.press("Enter", on=button)
        expect(button).to_be_focused()
    play.press("Enter", on=play.again)
    expect(play.a("Keep playing")).to_be_focused()
    give_up = play.button("New game")
    play.expect_focus_somewhere()
    play.press("Enter", on=give_up)
    expect(give_up).to_have_count(0)
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


def test_after_the_end_enter_and_space_play_again_from_the_board(play: Tab) -> None:
    for key, place in (("Enter", "cell"), ("Space", "cell"), ("Enter", "page"), ("Space", "page")):
        play.play(*LOST.mine)
        if place == "page":
            play.page.evaluate("() => document.activeElement.blur()")
        with play.next_game():
            play.press(key)
        play.expect_board(EMPTY)
    play.play(*LOST.mine)
    path = play.path
    for key in ("Enter", "Space"):
        play.unfold()
        play.press(key, on=play.mark("x"))
        play.page.reload()
        assert play.path == path, "on a field they mean what they mean there"


def test_where_the_computer_begins_the_cells_are_inert_and_the_focus_is_kept(play: Tab) -> None:
    play.press("ArrowRight", on=play.mark("x"))
    expect(play.again).to_have_text("Let the computer begin")
    expect(play.mark("o")).to_be_focused()
    play.cell(0).click(force=True)
    assert play.posts == []
    for cells in ((), plan("medium", Mark.O, "lost").mine):
        play.play(*cells)
        with play.next_game():
            play.press("Enter", on=play.again)
        play.expect_focus_somewhere()


def test_enter_and_space_play_the_focused_cell_and_a_taken_one_submits_nothing(play: Tab) -> None:
    for posts, (key, number) in enumerate(zip(("Enter", "Space"), DRAWN.mine, strict=False), 1):
        taken = play.cell(number)
        node = taken.element_handle()
        with play.change():
            play.press(key, on=taken)
        expect(taken).to_have_accessible_name(f"{CELLS[number]}, X")
        expect(taken).to_be_focused()
        # The same element as before, so that no screen reader loses its place.
        assert node.evaluate("(node) => node.isConnected")
        play.press("Enter", "Space", str(number + 1))
        taken.click(force=True)
        assert len(play.posts) == posts


def test_numbers_play_from_anywhere_but_a_field_and_once(play: Tab) -> None:
    for field in (play.opponent, play.mark("x")):
        play.press("5", on=field)
    play.expect_board(EMPTY)
    assert play.posts == []
    play.a("Learn", "Site").focus()
    with play.change():
        for _ in range(3):  # down again without up is what a held key sends
            play.page.keyboard.down("1")
    play.page.keyboard.up("1")
    expect(play.cell(0)).to_be_focused()
    play.page.reload()
    play.expect_version(1)
    assert len(play.posts) == 1


def test_numbers_can_be_kept_to_the_board_and_the_browser_remembers_that(play: Tab) -> None:
    keys = play.page.get_by_label("Arrow keys or 1–9")
    keys.uncheck()
    play.page.reload()
    expect(keys).not_to_be_checked()
    play.press("5", on=play.a("Learn", "Site"))
    assert play.posts == []
    with play.change():
        play.press("5", on=play.cell(0))


def test_enter_on_the_controls_plays_no_cell_and_leaves_no_game(play: Tab) -> None:
    # Before a game, in one, in one that was loaded again, and after it.
    for cells in ((), LOST.mine[:2], (), LOST.mine[2:]):
        play.play(*cells)
        sent, version, path = len(play.posts), play.version, play.path.partition("?")[0]
        play.unfold()
        for value in ("x", "alternate", "o"):
            play.press("Enter", on=play.mark(value))
        play.press("Enter", on=play.opponent)
        play.press("Escape")
        # Whatever one of these had set off would be there by the time this page has loaded.
        play.page.reload()
        assert (len(play.posts), play.version) == (sent, version)
        assert play.path.partition("?")[0] == path
        expect(play.page.get_by_text("you left")).to_have_count(0)


# --- what a screen reader is told --------------------------------------------------------------


def expect_one_announcement(play: Tab) -> None:
    [sentence] = play.announcements()
    assert sentence.endswith(".")
    assert len(sentence.split()) <= 15, sentence
    expect(play.live).to_have_text(sentence)


def test_every_change_is_announced_once_and_in_at_most_fifteen_words(play: Tab) -> None:
    game = plan("medium", Mark.X, "drawn", plies=9)
    play.noise.expect_refusal(409)
    play.record_announcements()
    node = play.live.element_handle()
    for opponent in ("hard", "medium"):
        play.choose(opponent=opponent)
        expect_one_announcement(play)
    steps: list[tuple[Callable[[], AbstractContextManager[None]], Callable[[], None]]] = [
        (play.change, play.cell(game.mine[0]).click),
        (play.change, play.hint.click),
        (play.change, play.undo.click),
        *((play.change, play.cell(cell).click) for cell in game.mine),
        (play.next_game, play.again.click),
        (play.change, play.cell(game.mine[0]).click),
    ]
    for waiting, step in steps:
        with waiting():
            step()
        expect_one_announcement(play)
    play.hears_nothing()
    with play.change():  # and a refusal
        play.play_elsewhere(game.mine[1])
        play.cell(game.mine[2]).click()
    expect_one_announcement(play)
    # It is still the node that was there when the page was loaded.
    assert node.evaluate("(node) => node.isConnected")
