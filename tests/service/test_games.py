"""The use cases, below the pages."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import replace

import pytest

from tests.support.patience import until
from tests.support.people import Clock, name_of, sit_down
from tests.support.visitor import Site
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES, Catalogue
from webapp.live.presence import SETTLED_S
from webapp.service import games
from webapp.service.pov import Pov
from webapp.service.site import Site as Service

ALICE = "a" * 64


@pytest.fixture
def host(site: Site) -> Service:
    return serving(site, seed="tests")


def serving(
    site: Site, engines: Mapping[str, Engine] = ENGINES, seed: str | None = None
) -> Service:
    """A process that offers these engines, whose choices the seed makes repeatable."""
    other = copy(site.service)
    other.engines, other.settings = Catalogue(engines), replace(site.settings, seed=seed)
    return other


def start(host: Service, opponent: str, mark: str = "x", cell: int | None = 4) -> Pov:
    return games.start(host, ALICE, {"opponent": opponent, "mark": mark}, cell)


def test_the_same_seed_answers_the_same_position_alike(site: Site) -> None:
    first, again, other = (
        [start(serving(site, seed=seed), "easy", cell=cell).game.moves for cell in range(9)]
        for seed in ("a", "a", "b")
    )
    assert first == again != other


def test_without_a_seed_every_free_cell_is_played_now_and_then(site: Site) -> None:
    host, seen = serving(site), set[int]()

    def has_played_all() -> bool:
        seen.add(start(host, "easy").game.moves[1])
        return seen == set(range(9)) - {4}

    until(has_played_all)


def test_an_opponent_whom_this_server_no_longer_offers_is_replaced(site: Site) -> None:
    gone = replace(ENGINES["hard"], slug="gone", name="Gone")
    pov = start(serving(site, {**ENGINES, "gone": gone}), "gone")
    fewer = serving(site)
    assert games.front(fewer, ALICE, {}).options.opponent == "medium"
    assert games.look(fewer, pov.game.id, ALICE).game == pov.game
    assert games.again(fewer, pov.game.id, ALICE, {"mark": "o"}).game.engine == "medium"


def test_soon_after_a_start_no_player_is_away_and_no_game_can_be_claimed(
    site: Site, clock: Clock
) -> None:
    alice, bob = site.visitor(), site.visitor()
    pair, presence = sit_down(alice, bob), site.service.live.presence
    pair.play("0")
    clock.goes_on(3600)  # in which the server was down
    presence._began = presence.now()
    page = alice.get(pair.address)
    assert (page.heading, pair.act(alice, "claim").status) == (f"{name_of(bob)} is thinking", 409)
    assert alice.ask(page).status == 204
    clock.goes_on(SETTLED_S)
    told = alice.ask(page)
    assert told.heading == f"{name_of(bob)} to move"
    assert pair.act(alice, "claim").status == 303
