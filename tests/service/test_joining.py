"""Games that players join by a code: taken, left and open again."""

from __future__ import annotations

import hashlib

import pytest

from tests.support.visitor import Site
from webapp.core.game import Game
from webapp.service import games, lobby, seeks
from webapp.service.site import Site as Service

ALICE, BOB, CAROL, EVE = (hashlib.sha256(name.encode()).hexdigest() for name in "ABCE")


@pytest.fixture
def host(site: Site) -> Service:
    return site.service


def opened(host: Service, player: str, mark: str) -> Game:
    """A game that a player opens."""
    return games.look(host, lobby.challenge(host, player, mark), player).game


@pytest.mark.parametrize("mark", ["x", "o"])
@pytest.mark.parametrize("onward", ["join", "challenge", "seek"])
@pytest.mark.parametrize("moved", [False, True])
def test_a_game_that_was_only_joined_is_open_again_when_its_player_takes_another_one(
    site: Site, host: Service, *, mark: str, onward: str, moved: bool
) -> None:
    site.service.live.presence.asked(ALICE)
    first = opened(host, ALICE, mark)
    code = first.code or ""
    lobby.join(host, code, EVE)
    by_whoever_opened = moved and mark == "x"
    if by_whoever_opened:
        games.play(host, first.id, ALICE, 4, 2)
    if onward == "join":
        other = opened(host, BOB, "x")
        lobby.join(host, other.code or "", EVE, give_up=True)
    elif onward == "challenge":
        lobby.challenge(host, EVE, "x", give_up=True)
    else:
        seeks.seek(host, EVE, give_up=True)
    left = games.look(host, first.id, ALICE).game
    assert (left.open, left.open_again, {*left.players}) == (True, True, {ALICE})
    assert (left.moves, left.code, left.outcome) == ((), code, None), "as it was before they came"
    assert first.id in {one.game.id for one in lobby.overview(host, BOB).challenges}
    lobby.join(host, code, CAROL)
    again = games.look(host, first.id, CAROL).game
    assert {*again.players} == {ALICE, CAROL}
    assert again.marks_of(ALICE) == first.marks_of(ALICE)


def test_whoever_has_moved_or_opened_the_game_gives_it_up(host: Service) -> None:
    first = opened(host, ALICE, "o")
    lobby.join(host, first.code or "", EVE)
    games.play(host, first.id, EVE, 4, 2)
    lobby.challenge(host, EVE, "x", give_up=True)
    ended = games.look(host, first.id, ALICE).game.outcome
    assert ended
    assert (ended.winner, ended.ending) == (*first.marks_of(ALICE), "resign")
    second = opened(host, BOB, "x")
    lobby.join(host, second.code or "", CAROL)
    lobby.challenge(host, BOB, "x", give_up=True)
    assert games.look(host, second.id, CAROL).game.outcome
