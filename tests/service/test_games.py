"""The use cases, below the pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from tests.support.visitor import Site
from webapp.core.game import NotAllowed
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES, Catalogue
from webapp.service.games import Games
from webapp.service.pov import Pov
from webapp.service.refusals import Refusal

ALICE, BOB = "a" * 64, "b" * 64


@pytest.fixture
def games(site: Site) -> Games:
    return games_over(site, seed="tests")


def games_over(
    site: Site, engines: Mapping[str, Engine] = ENGINES, seed: str | None = None
) -> Games:
    return Games(site.database, Catalogue(engines), seed=seed)


def start(games: Games, opponent: str, mark: str = "x", cell: int | None = 4) -> Pov:
    return games.start(ALICE, {"opponent": opponent, "mark": mark}, cell)


def play(games: Games, pov: Pov, *cells: int) -> Pov:
    for cell in cells:
        pov = games.play(pov.game.id, ALICE, cell, pov.game.version)
    return pov


def test_every_refusal_is_a_sentence_short_enough_to_be_said(games: Games) -> None:
    pov, friends = start(games, "hard"), start(games, "friend")
    over = play(games, start(games, "friend", cell=0), 3, 1, 4, 2)
    one, two, done, last = pov.game.id, friends.game.id, over.game.id, over.game.version
    several: list[Callable[[], object]] = [
        lambda: games.play(one, BOB, 0, 1),
        lambda: games.look("nothing", BOB),
        lambda: start(games, "hard", "o", cell=4),
        lambda: games.start(ALICE, {}, given=(0, 0)),
        lambda: games.play(one, ALICE, 0, 7),
        lambda: games.play(two, ALICE, 4, 1),
        lambda: games.play(done, ALICE, 8, last),
        lambda: games.undo(done, ALICE, last),
        lambda: games.undo(start(games, "easy", "o", None).game.id, ALICE, 1),
        lambda: games.hint(two, ALICE, 1),
        lambda: games.hint(done, ALICE, last),
        lambda: games.resign(one, ALICE, 1),
        lambda: games.claim(two, ALICE, 1),
    ]
    for refused in several:
        with pytest.raises((Refusal, NotAllowed)) as refusal:
            refused()
        sentence = str(refusal.value)
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert len(sentence.split()) <= 15


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
