"""Games that players join by a code: taken, left and open again."""

from __future__ import annotations

import hashlib

import pytest

from tests.support.visitor import Site
from webapp.core.game import Game
from webapp.service.games import Games
from webapp.service.lobby import Lobby
from webapp.service.seeks import Seeks

ALICE, BOB, CAROL, EVE = (hashlib.sha256(name.encode()).hexdigest() for name in "ABCE")


@pytest.fixture
def lobby(site: Site) -> Lobby:
    found: Lobby = site.app.extensions["lobby"]
    return found


@pytest.fixture
def games(site: Site) -> Games:
    found: Games = site.app.extensions["games"]
    return found


def opened(lobby: Lobby, games: Games, player: str, mark: str) -> Game:
    """A game that a player opens."""
    return games.look(lobby.challenge(player, mark), player).game


@pytest.mark.parametrize("mark", ["x", "o"])
@pytest.mark.parametrize("onward", ["join", "challenge", "seek"])
@pytest.mark.parametrize("moved", [False, True])
def test_a_game_that_was_only_joined_is_open_again_when_its_player_takes_another_one(
    site: Site, lobby: Lobby, games: Games, *, mark: str, onward: str, moved: bool
) -> None:
    site.app.extensions["live"].presence.asked(ALICE)
    first = opened(lobby, games, ALICE, mark)
    code = first.code or ""
    lobby.join(code, EVE)
    by_whoever_opened = moved and mark == "x"
    if by_whoever_opened:
        games.play(first.id, ALICE, 4, 2)
    if onward == "join":
        other = opened(lobby, games, BOB, "x")
        lobby.join(other.code or "", EVE, give_up=True)
    elif onward == "challenge":
        lobby.challenge(EVE, "x", give_up=True)
    else:
        seeks: Seeks = site.app.extensions["seeks"]
        seeks.seek(EVE, give_up=True)
    left = games.look(first.id, ALICE).game
    assert (left.open, left.open_again, {*left.players}) == (True, True, {ALICE})
    assert (left.moves, left.code, left.outcome) == ((), code, None), "as it was before they came"
    assert first.id in {one.game.id for one in lobby.overview(BOB).challenges}
    lobby.join(code, CAROL)
    again = games.look(first.id, CAROL).game
    assert {*again.players} == {ALICE, CAROL}
    assert again.marks_of(ALICE) == first.marks_of(ALICE)


def test_whoever_has_moved_or_opened_the_game_gives_it_up(lobby: Lobby, games: Games) -> None:
    first = opened(lobby, games, ALICE, "o")
    lobby.join(first.code or "", EVE)
    games.play(first.id, EVE, 4, 2)
    lobby.challenge(EVE, "x", give_up=True)
    ended = games.look(first.id, ALICE).game.outcome
    assert ended
    assert (ended.winner, ended.ending) == (*first.marks_of(ALICE), "resign")
    second = opened(lobby, games, BOB, "x")
    lobby.join(second.code or "", CAROL)
    lobby.challenge(BOB, "x", give_up=True)
    assert games.look(second.id, CAROL).game.outcome
