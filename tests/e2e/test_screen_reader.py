"""What a screen reader is told: the names on the board, and each change once, in few words."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from playwright.sync_api import expect

from tests.e2e.plans import plan
from tests.e2e.tab import Tab
from webapp.core.board import Mark


def expect_one_announcement(play: Tab) -> str:
    [sentence] = play.announcements()
    assert 1 <= len(sentence.split()) <= 15, sentence
    return sentence


def test_the_page_has_its_landmarks_headings_and_named_controls(play: Tab) -> None:
    play.play(4)
    page = play.page
    for landmark in ("banner", "main", "navigation"):
        expect(page.get_by_role(landmark)).to_have_count(1)
    expect(play.title).to_have_text("Tic-Tac-Toe")
    expect(page.get_by_role("combobox", name="Opponent", exact=True)).to_have_count(1)
    marks = page.get_by_role("group", name="You play").get_by_role("radio")
    for radio, name in zip(marks.all(), ("X first", "O second", "Alternate"), strict=True):
        expect(radio).to_have_accessible_name(name)
    assert page.locator("html").get_attribute("lang") == "en"


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
        (play.next_game, play.again.click),
        (play.change, play.cell(game.mine[0]).click),
    ]
    for waiting, step in steps:
        with waiting():
            step()
        sentence = expect_one_announcement(play)
        assert sentence.endswith(".")
        expect(play.live).to_have_text(sentence)
    with play.change():  # and a refusal
        play.play_elsewhere(game.mine[1])
        play.cell(game.mine[2]).click()
    expect_one_announcement(play)
    # It is still the node that was there when the page was loaded.
    assert node.evaluate("(node) => node === document.getElementById('live')")
