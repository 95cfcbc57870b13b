"""What two do at the same moment, step by step: who waits for whom, and what comes of it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait

import pytest

from tests.support.people import Clock, challenge, code_of, player_of, sit_down
from tests.support.visitor import Site
from webapp.service.host import DAY, UNFINISHED_DAYS, Host
from webapp.store import players


@pytest.fixture
def aside() -> Iterator[ThreadPoolExecutor]:
    """Somebody who does something at the same time."""
    with ThreadPoolExecutor(4) as threads:
        yield threads


def test_who_is_forgotten_during_a_rematch_stays_forgotten(
    site: Site, aside: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob = site.visitor(), site.visitor()
    pair = sit_down(alice, bob)
    pair.play("03142")
    pair.act(alice, "again")
    gone = player_of(alice)
    visits = site.app.extensions["games"].visits
    find, found = visits.seat, threading.Event()

    def seat(game_id: str, player: str) -> object:
        here = find(game_id, player)
        found.set()
        return here

    monkeypatch.setattr(visits, "seat", seat)
    # Bob has found the game when Alice goes, and waits for her.
    with site.database.write(gone) as connection:
        answer = aside.submit(bob.post, f"{pair.address}/again")
        found.wait(10)
        wait([answer], timeout=0.3)
        players.forget(connection, gone)
    assert answer.result().status == 404
    assert gone not in str(site.dump())
    assert site.dump()["games"] == []


def test_a_game_that_goes_while_somebody_acts_in_it_is_a_page_that_is_not_there(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = site.visitor()
    page = alice.start("hard", "x", cell=4)
    visits = site.app.extensions["games"].visits
    found = visits.seat

    def seat(game_id: str, player: str) -> object:
        here = found(game_id, player)
        with site.database.write(player) as connection:
            players.forget(connection, player)
        return here

    monkeypatch.setattr(visits, "seat", seat)
    for fragment in (False, True):
        answer = alice.try_to("moves", page, {"cell": page.playable[0]}, fragment=fragment)
        assert answer.status == 404
        page = alice.start("hard", "x", cell=4)


def test_two_who_have_played_each_other_can_be_forgotten_at_once(
    site: Site, aside: ThreadPoolExecutor
) -> None:
    for _ in range(2):
        alice, bob = site.visitor(), site.visitor()
        sit_down(alice, bob).play("03142")
        sit_down(bob, alice).play("03142")
        answers = aside.map(lambda who: who.post("/you/forget").status, (alice, bob))
        assert list(answers) == [303, 303]
        left = site.dump()
        assert (left["games"], left["players"], left["records"]) == ([], [], [])


def test_several_servers_may_tidy_at_once(site: Site, aside: ThreadPoolExecutor) -> None:
    clock = Clock(site)
    alice = site.visitor()
    over = alice.start("friend", "x", cell=0)
    for cell in (3, 1, 4, 2):
        over = alice.move(over, cell)
    for _ in range(30):
        alice.start("hard", "x", cell=4)
    alice.act("again", over)
    clock.goes_on((UNFINISHED_DAYS + 1) * DAY)
    hosts = [Host(site.database, clock) for _ in range(4)]
    list(aside.map(Host.tidy, hosts))
    (left,) = site.dump()["games"]
    assert left[0] == over.address.removeprefix("/games/")
    assert alice.act("again", over).version == 1


def test_a_challenge_is_taken_or_withdrawn_whichever_comes_first(
    site: Site, aside: ThreadPoolExecutor
) -> None:
    for _ in range(5):
        alice, bob = site.visitor(), site.visitor()
        bob.get("/")
        page = challenge(alice)
        taken = aside.submit(bob.post, f"/join/{code_of(page)}")
        withdrawn = alice.post(f"{page.address}/resign", {"version": page.version})
        statuses = (taken.result().status, withdrawn.status)
        # Taken, so it is too late to withdraw; or withdrawn, and there is nothing to take.
        assert statuses in ((303, 409), (404, 303), (409, 303)), statuses
        there = alice.get(page.address).status
        assert there == (200 if statuses == (303, 409) else 404)
