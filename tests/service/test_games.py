import datetime as dt
import time
from collections.abc import Mapping
from copy import copy
from dataclasses import replace

from tests.service.conftest import ALICE, on_both
from tests.support.patience import until
from tests.support.people import Clock, name_of, sit_down
from tests.support.visitor import Site, Visitor
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES, Catalogue
from webapp.live import SETTLED_S
from webapp.service import games, players, puzzles
from webapp.service.site import Site as Service


def serving(site: Site, engines: Mapping[str, Engine] = ENGINES, seed: str = "") -> Service:
    other = copy(site.service)
    other.engines, other.settings = Catalogue(engines), replace(site.settings, seed=seed or None)
    return other


def reply(host: Service, cell: int = 4) -> int:
    return games.start(host, ALICE, {"opponent": "easy", "mark": "x"}, cell).game.moves[1]


def test_the_same_seed_answers_alike_and_without_one_chance_decides(site: Site) -> None:
    first, again, other = (
        [reply(serving(site, seed=seed), cell) for cell in range(9)] for seed in ("a", "a", "b")
    )
    assert first == again != other
    host, seen = serving(site), set[int]()

    def has_played_all() -> bool:
        seen.add(reply(host))
        return seen == {*range(9)} - {4}

    until(has_played_all)


def test_an_opponent_whom_this_server_no_longer_offers_is_replaced(site: Site) -> None:
    gone = replace(ENGINES["hard"], slug="gone", name="Gone")
    offering = serving(site, {**ENGINES, "gone": gone})
    pov = games.start(offering, ALICE, {"opponent": "gone", "mark": "x"}, 4)
    fewer = serving(site)
    assert games.front(fewer, ALICE, {}).options.opponent == "medium"
    assert games.look(fewer, pov.game.id, ALICE).game == pov.game
    assert games.again(fewer, pov.game.id, ALICE, {"mark": "o"}).game.engine == "medium"


def test_no_one_is_away_at_a_start(site: Site, clock: Clock, alice: Visitor, bob: Visitor) -> None:
    pair, live = sit_down(alice, bob), site.service.live
    pair.play("0")
    clock.goes_on(3600)  # in which the server was down
    live._began = live.now()
    page = alice.get(pair.address)
    assert (page.heading, pair.act(alice, "claim").status) == (f"{name_of(bob)} is thinking", 409)
    assert alice.ask(page).heading == page.heading
    assert page.game.get("data-again") == str(int(SETTLED_S))
    clock.goes_on(SETTLED_S)
    told = alice.ask(page)
    assert told.heading == f"{name_of(bob)} to move"
    assert pair.act(alice, "claim").status == 303


@on_both
def test_a_run_shows_the_same_puzzle_again_and_goes_with_its_player(host: Service) -> None:
    seen = puzzles.run(host, ALICE)
    assert puzzles.run(host, ALICE) == seen
    puzzles.run_again(host, ALICE)
    assert puzzles.run(host, ALICE) == seen, "the first one is not over"
    puzzle = seen[1]
    assert puzzles.answer(host, ALICE, puzzle.moves, puzzle.right[0])
    players.forget(host, ALICE)
    assert puzzles.run(host, ALICE)[0].best == 0


def test_todays_puzzle_changes_at_midnight(host: Service, clock: Clock) -> None:
    today = puzzles.todays(host)
    assert puzzles.todays(host) == today
    now = dt.datetime.fromtimestamp(clock(), dt.UTC).astimezone()
    to_midnight = 86400 - (now.hour * 3600 + now.minute * 60 + now.second)
    clock.goes_on(to_midnight - 1)
    assert puzzles.todays(host) == today
    clock.goes_on(3601 if time.daylight else 1)
    assert puzzles.todays(host).board != today.board
