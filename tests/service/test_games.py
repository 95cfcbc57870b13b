"""The use cases, below the pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from tests.support.people import Clock, name_of, sit_down
from tests.support.visitor import Site
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES, Catalogue
from webapp.live.presence import SETTLED_S
from webapp.service.games import Games
from webapp.service.pov import Pov

ALICE = "a" * 64


@pytest.fixture
def games(site: Site) -> Games:
    return games_over(site, seed="tests")


def games_over(
    site: Site, engines: Mapping[str, Engine] = ENGINES, seed: str | None = None
) -> Games:
    return Games(site.database, Catalogue(engines), site.app.extensions["live"], seed=seed)


def start(games: Games, opponent: str, mark: str = "x", cell: int | None = 4) -> Pov:
    return games.start(ALICE, {"opponent": opponent, "mark": mark}, cell)


def test_the_same_seed_answers_the_same_position_alike(site: Site) -> None:
    first, again, other = (
        [start(games_over(site, seed=seed), "easy", cell=cell).game.moves for cell in range(9)]
        for seed in ("a", "a", "b")
    )
    assert first == again != other


def test_without_a_seed_every_free_cell_is_played_now_and_then(site: Site) -> None:
    games = games_over(site)
    seen = {start(games, "easy").game.moves[1] for _ in range(200)}
    assert seen == set(range(9)) - {4}


def test_an_opponent_whom_this_server_no_longer_offers_is_replaced(site: Site) -> None:
    gone = replace(ENGINES["hard"], slug="gone", name="Gone")
    pov = start(games_over(site, {**ENGINES, "gone": gone}), "gone")
    fewer = games_over(site)
    assert fewer.front(ALICE, {}).options.opponent == "medium"
    assert fewer.look(pov.game.id, ALICE).game == pov.game
    assert fewer.again(pov.game.id, ALICE, {"mark": "o"}).game.engine == "medium"


def test_looking_with_options_remembers_nothing(site: Site, games: Games) -> None:
    before = site.dump()
    assert games.front(ALICE, {"opponent": "hard", "mark": "o"}).game.engine == "hard"
    assert games.front(ALICE, {}).game.engine == "medium"
    assert site.dump() == before


def test_soon_after_a_start_no_player_is_away_and_no_game_can_be_claimed(
    site: Site, clock: Clock
) -> None:
    alice, bob = site.visitor(), site.visitor()
    pair, presence = sit_down(alice, bob), site.app.extensions["live"].presence
    pair.play("0")
    clock.goes_on(3600)  # in which the server was down
    presence._began = presence._now()
    page = alice.get(pair.address)
    assert (page.heading, pair.act(alice, "claim").status) == (f"{name_of(bob)} is thinking", 409)
    assert alice.ask(page).status == 204
    clock.goes_on(SETTLED_S)
    told = alice.ask(page)
    assert told.heading == f"{name_of(bob)} to move"
    assert pair.act(alice, "claim").status == 303
