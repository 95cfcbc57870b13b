"""What two do at the same moment, step by step: who waits for whom, and what comes of it."""

import threading
from concurrent.futures import Executor, wait
from typing import Any

import pytest

from tests.service.conftest import on_both
from tests.support.patience import PATIENCE
from tests.support.people import Clock, player_of, sit_down
from tests.support.visitor import Site, Visitor
from webapp.classroom import PAUSED
from webapp.service import teacher as acts
from webapp.service.teacher import DAY, UNFINISHED_DAYS
from webapp.store import games, players


@on_both
def test_a_player_forgotten_during_a_rematch_stays_forgotten(
    site: Site, aside: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob = site.visitor(), site.visitor()
    pair = sit_down(alice, bob)
    pair.play("03142")
    pair.act(alice, "again")
    gone, find, found = player_of(alice), games.find, threading.Event()

    def noted(*about: Any) -> games.Found | None:
        here = find(*about)
        found.set()
        return here

    monkeypatch.setattr(games, "find", noted)
    # Bob has found the game when Alice goes, and waits for her.
    with site.database.write(gone) as connection:
        answer = aside.submit(bob.post, f"{pair.address}/again")
        assert found.wait(PATIENCE)
        wait([answer], timeout=0.3)
        players.forget(connection, gone)
    assert answer.result().status == 303
    assert gone not in str(site.dump())
    (game,) = site.dump()["games"]
    assert game[0] == pair.address.removeprefix("/games/"), "and no rematch has begun"


def test_a_pause_is_in_time(site: Site, alice: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    page, find = alice.start("hard", "x", cell=4), games.find
    before = site.dump()

    def paused(*about: Any) -> games.Found | None:
        here = find(*about)
        acts.pause(site.service)
        return here

    monkeypatch.setattr(games, "find", paused)
    for what in ("moves", "undo", "hint"):
        answer = alice.try_to(what, page, {"cell": page.playable[0]})
        assert (answer.status, answer.refusal) == (409, PAUSED)
        acts.pause(site.service, paused=False)
        assert site.dump() == before


@on_both
def test_tidying_at_once(site: Site, clock: Clock, alice: Visitor, aside: Executor) -> None:
    over = alice.start("friend", "x", cell=0)
    for cell in (3, 1, 4, 2):
        over = alice.move(over, cell)
    for _ in range(5):
        alice.start("hard", "x", cell=4)
    clock.goes_on((UNFINISHED_DAYS + 1) * DAY)
    hosts = [clock.another(site.service) for _ in range(4)]
    for _ in range(3):
        list(aside.map(acts.tidy, hosts))
        clock.goes_on(DAY)
    (left,) = site.dump()["games"]
    assert left[0] == over.address.removeprefix("/games/")
