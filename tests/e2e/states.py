"""Every state of the pages that a person can come to, and the way there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from playwright.sync_api import expect

from tests.e2e.learn_pages import PAGES
from tests.e2e.noise import Noise
from tests.e2e.plans import plan
from tests.e2e.play import PlayPage
from webapp.core.board import Mark

State = Callable[[PlayPage, Noise], None]


def front(play: PlayPage, _: Noise) -> None:
    """Nothing but an empty board."""
    play.open()


def front_as_o(play: PlayPage, _: Noise) -> None:
    """An empty board, and a button that lets the computer begin."""
    play.open()
    play.choose_for_an_empty_board(mark="o")
    expect(play.begin).to_be_visible()


def front_with_a_game_waiting(play: PlayPage, _: Noise) -> None:
    """An empty board, and a line that offers to go on with another."""
    play.open()
    play.play(4)
    play.open()


def mid_game(play: PlayPage, _: Noise) -> None:
    """Two moves and two replies."""
    play.start("medium")
    play.play(*plan("medium", Mark.X, "drawn").mine[:2])


def mid_game_changed(play: PlayPage, noise: Noise) -> None:
    """In mid-game, another opponent was chosen for the next game."""
    mid_game(play, noise)
    play.choose(opponent="hard", mark="alternate")


def hinted(play: PlayPage, noise: Noise) -> None:
    """A cell is suggested."""
    mid_game(play, noise)
    with play.change():
        play.hint.click()


def refused(play: PlayPage, noise: Noise) -> None:
    """A move was refused, because another tab was quicker."""
    noise.expect_refusal(409)
    play.start("medium")
    game = plan("medium", Mark.X, "drawn")
    play.play(game.mine[0])
    play.play_elsewhere(game.mine[1])
    with play.change():
        play.cell(game.mine[2]).click()


def won(play: PlayPage, _: Noise) -> None:
    """The person has won."""
    play.start("medium")
    play.play(*plan("medium", Mark.X, "won", plies=9).mine)


def lost(play: PlayPage, _: Noise) -> None:
    """The computer has won."""
    play.start("medium")
    play.play(*plan("medium", Mark.X, "lost").mine)


def drawn(play: PlayPage, _: Noise) -> None:
    """All cells are taken."""
    play.start("medium")
    play.play(*plan("medium", Mark.X, "drawn").mine)


def friends(play: PlayPage, _: Noise) -> None:
    """Two people play."""
    play.start("friend")
    play.play(0, 4, 8)


def missing(play: PlayPage, noise: Noise) -> None:
    """There is nothing at this address."""
    noise.expect_refusal(404)
    play.open("/games/nothing-of-this-name")


def bad_review(play: PlayPage, noise: Noise) -> None:
    """Nobody can have played the game at this address."""
    noise.expect_refusal(404)
    play.open("/review/44")


_ALL: tuple[State, ...] = (
    *(front, front_as_o, front_with_a_game_waiting, mid_game, mid_game_changed, hinted, refused),
    *(won, lost, drawn, friends, missing),
)
STATES: Mapping[str, State] = {state.__name__: state for state in _ALL}
WATCHED = ("mid_game", "won")
"""The states that a watcher is shown as well."""


def arrive(name: str, play: PlayPage, noise: Noise, visitor: Callable[..., Any]) -> PlayPage:
    """Bring somebody into a state by its name; "watching …" is seen by somebody else."""
    if name in PAGES:
        return play.open(PAGES[name])
    if name == bad_review.__name__:
        bad_review(play, noise)
        return play
    state = name.removeprefix("watching ")
    STATES[state](play, noise)
    if state == name:
        return play
    watcher: PlayPage = visitor()
    return watcher.open(play.path)


EVERY_STATE = (*STATES, *(f"watching {name}" for name in WATCHED))
"""Those of the game."""
TO_LEARN_FROM = (*PAGES, bad_review.__name__)
"""The pages beside the game."""
