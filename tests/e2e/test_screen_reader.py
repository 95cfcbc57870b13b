"""What a screen reader is told: each change once, in few words."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from playwright.sync_api import expect

from tests.e2e.plans import plan
from tests.e2e.tab import Tab
from webapp.core.board import Mark


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
    with play.change():  # and a refusal
        play.play_elsewhere(game.mine[1])
        play.cell(game.mine[2]).click()
    expect_one_announcement(play)
    # It is still the node that was there when the page was loaded.
    assert node.evaluate("(node) => node.isConnected")
