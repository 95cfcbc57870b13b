from playwright.sync_api import Locator, expect

from tests.e2e.games import DRAWN, LOST, WON
from tests.e2e.tab import EMPTY, Tab


def expect_one_tab_stop(play: Tab, before: Locator, after: Locator) -> None:
    play.tab_to(".cell")
    cell = play.page.locator(":focus").get_attribute("id")
    for key, reached in (("Tab", after), ("Shift+Tab", play.page.locator(f"#{cell}"))):
        play.press(key)
        expect(reached).to_be_focused()
    play.press("Shift+Tab")
    expect(before).to_be_focused()


def test_the_board_is_one_tab_stop_with_arrows_and_a_skip_link(play: Tab) -> None:
    name = play.page.locator("#you a")
    sound = play.page.get_by_label("Sound and vibration")
    expect_one_tab_stop(play, play.a("Learn", "Site"), sound)
    play.cell(4).focus()
    walk = {"ArrowRight": (5, 5), "ArrowUp": (2, 2), "ArrowLeft": (1, 0, 0), "ArrowDown": (3, 6, 6)}
    for key, cells in walk.items():
        for cell in cells:
            play.press(key)
            expect(play.cell(cell)).to_be_focused()
    play.press("Tab", "Shift+Tab")
    expect(play.cell(6)).to_be_focused()
    play.play(LOST.mine[0])
    expect_one_tab_stop(play, name, sound)
    play.page.reload()
    play.press("Tab")
    expect(play.a("Skip to the board")).to_be_in_viewport()
    play.press("Enter", "Tab")
    expect(play.page.locator(".cell:focus .ghost")).to_have_count(1)
    play.play(*LOST.mine[1:])
    play.page.reload()
    expect_one_tab_stop(play, name, sound)


def test_a_game_is_played_by_keys_alone_and_the_focus_is_never_lost(play: Tab) -> None:
    play.tab_to(".cell")
    with play.change():
        play.press(str(WON.mine[0] + 1))
    for button in (play.hint, play.undo):
        with play.change():
            play.press("Enter", on=button)
        expect(button).to_be_focused()
    play.press("Enter", on=play.again)
    expect(play.live).to_have_text("Your game against Medium is waiting. Start a new game?")
    expect(play.a("Keep playing")).to_be_focused()
    play.press("Enter", on=play.button("New game"))
    expect(play.button("New game")).to_have_count(0)
    play.expect_focus_somewhere()
    for posts, (key, cell) in enumerate(zip(("Enter", "Space", None), WON.mine, strict=False), 5):
        taken = play.cell(cell)
        node = taken.element_handle()
        with play.change():
            if key:
                play.press(key, on=taken)
            else:
                play.press(str(cell + 1))
        expect(taken).to_be_focused()
        # The same element as before, so that no screen reader loses its place.
        assert node.evaluate("(node) => node.isConnected")
        play.press("Enter", "Space", str(cell + 1))
        taken.click(force=True)
        assert len(play.posts) == posts
    play.play(*WON.mine[3:])
    expect(play.game).to_have_attribute("data-outcome", "x")
    play.tab_to("#again")
    with play.next_game():
        play.press("Enter")
    play.expect_focus_somewhere()


def test_after_the_end_enter_and_space_play_again_but_not_on_a_field(play: Tab) -> None:
    for key in ("Enter", "Space"):
        play.play(*LOST.mine)
        if key == "Space":
            play.page.evaluate("() => document.activeElement.blur()")
        with play.next_game():
            play.press(key)
        play.expect_board(EMPTY)
    for cells in (LOST.mine[:2], LOST.mine[2:]):  # in a game, and after it
        play.play(*cells)
        sent, version, path = len(play.posts), play.version, play.path
        for value in ("x", "alternate", "o"):
            play.press("Enter", "Space", on=play.mark(value))
        play.press("Enter", on=play.opponent)
        play.press("Escape")
        # Whatever one of these had set off would be there by the time this page has loaded.
        play.page.reload()
        assert (len(play.posts), play.version, play.path) == (sent, version, path)


def test_numbers_play_once_from_anywhere_but_a_field_or_are_kept_to_the_board(play: Tab) -> None:
    for field in (play.opponent, play.mark("x")):
        play.press("5", on=field)
    for kept in (True, False):
        play.open("/you").page.get_by_label("Play with the keys 1–9").set_checked(not kept)
        play.open()
        if kept:
            play.press("5", on=play.a("Learn", "Site"))
            assert play.posts == []
    play.a("Learn", "Site").focus()
    with play.change():
        for _ in range(3):  # down again without up is what a held key sends
            play.page.keyboard.down("1")
    play.page.keyboard.up("1")
    expect(play.cell(0)).to_be_focused()
    assert len(play.posts) == 1


def test_every_change_is_announced_once_and_in_at_most_fifteen_words(play: Tab) -> None:
    def expect_one_announcement() -> None:
        [sentence] = play.announcements()
        assert sentence.endswith(".")
        assert len(sentence.split()) <= 15, sentence

    play.record_announcements()
    for opponent in ("hard", "medium"):
        play.choose(opponent=opponent)
        expect_one_announcement()
    first, *cells = map(play.cell, DRAWN.mine)
    for button in (first, play.hint, play.undo, first, *cells):
        with play.change():
            button.click()
        expect_one_announcement()
    play.go_on()
    expect_one_announcement()
