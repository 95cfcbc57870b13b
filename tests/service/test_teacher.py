"""Who and what goes, and when: every day, also by a wrong clock, and at the same moment."""

import threading
from concurrent.futures import Executor, wait
from typing import Any

import pytest

from tests.service.conftest import on_both
from tests.support.patience import PATIENCE
from tests.support.people import Clock, challenge, code_of, name_of, played_out, player_of, sit_down
from tests.support.visitor import Site, Visitor
from webapp.service import players, tidying
from webapp.service.site import Site as Service
from webapp.service.tidying import DAY, IDLE_DAYS, UNFINISHED_DAYS
from webapp.store import games
from webapp.store import players as stored


@on_both
def test_idle_players_are_forgotten(site: Site, clock: Clock, alice: Visitor, bob: Visitor) -> None:
    host = site.service
    played_out(alice)
    clock.goes_on(DAY)
    kept = played_out(bob).address
    clock.goes_on((IDLE_DAYS - 1) * DAY + 1)
    tidying.tidy(host)
    clock.goes_on(DAY - 1)
    tidying.tidy(host)
    assert len(site.dump()["players"]) == 2, "she has been seen to be idle for less than a day"
    clock.goes_on(1)
    tidying.tidy(host)
    assert (name_of(alice), bool(name_of(bob))) == ("", True)
    left = site.dump()
    assert [row[0] for row in left["games"]] == [kept.removeprefix("/games/")]
    assert [len(left[table]) for table in ("players", "records")] == [1, 1]


def test_an_unfinished_game_goes(site: Site, clock: Clock, alice: Visitor, bob: Visitor) -> None:
    kept, played_on = played_out(alice).address, sit_down(site.visitor(), site.visitor())
    games = [alice.start(opponent, "x", cell=4).address for opponent in ("hard", "friend")]
    games += [sit_down(alice, bob).address, f"/join/{code_of(challenge(site.visitor()))}"]
    clock.goes_on(UNFINISHED_DAYS * DAY + 1)
    played_on.play("0")
    for status in (200, 404):
        tidying.tidy(site.service)
        assert {alice.get(game).status for game in games} == {status}
        clock.goes_on(DAY)
    assert alice.get(kept).status == alice.get(played_on.address).status == 200
    assert name_of(alice)


def test_games_stay_without_a_name(site: Site, host: Service, alice: Visitor, bob: Visitor) -> None:
    played = sit_down(alice, bob)
    played.play("03142")
    for opponent in ("easy", "friend"):
        alice.start(opponent, "x", cell=4)
    going = sit_down(alice, bob)
    going.play("03")
    name, player = name_of(alice), player_of(alice)
    players.forget(host, player)
    left = site.dump()
    assert {row[0] for row in left["games"]} == {one.address[7:] for one in (played, going)}
    assert site.stored(going.address)["outcome"] == "o", "it is given up"
    assert player not in str(left)
    assert [row[5] for row in left["players"]] == [name_of(bob)]
    page = bob.get(played.address).text
    assert (name in page, "A player who left" in page) == (False, True)
    assert "Lost to a player who left" in bob.get("/you").text
    challenge(bob)
    players.forget(host, player_of(bob))
    left = site.dump()
    assert (left["players"], left["games"], left["records"]) == ([], [], []), "no one has them"


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
        stored.forget(connection, gone)
    assert answer.result().status == 303
    assert gone not in str(site.dump())
    (game,) = site.dump()["games"]
    assert game[0] == pair.address.removeprefix("/games/"), "and no rematch has begun"


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
        list(aside.map(tidying.tidy, hosts))
        clock.goes_on(DAY)
    (left,) = site.dump()["games"]
    assert left[0] == over.address.removeprefix("/games/")


def run(clock: Clock, hours: int, *hosts: Service) -> None:
    for _ in range(hours):
        for host in hosts:
            tidying.tidy(host)
        clock.goes_on(3600)


def test_no_wrong_clock_forgets(site: Site, clock: Clock, alice: Visitor, bob: Visitor) -> None:
    host = site.service
    ahead = clock.another(host, 100 * DAY)  # on another computer
    for who in (alice, bob):
        played_out(who)
        who.start("easy", "x", cell=4)
    before = site.dump()
    tidying.tidy(host)
    for days in (8, -100, 3650):
        for wrong in (days * DAY, -days * DAY):
            clock.is_set(wrong)
            run(clock, 23, host)
            assert site.dump() == before
    run(clock, UNFINISHED_DAYS * 24 - 6 * 23, host, ahead)
    assert site.dump() == before
    run(clock, 49, host, ahead)
    assert len(site.dump()["games"]) == 2
    clock.is_set(100 * DAY)  # which is believed, but anyone who plays meanwhile stays
    run(clock, 23, host)
    assert name_of(alice)
    played_out(bob)
    run(clock, 2, host)
    assert (name_of(alice), bool(name_of(bob))) == ("", True)


@pytest.mark.parametrize("every", [1, 7, 40])
def test_what_was_promised_is_done_even_if_seldom(site: Site, clock: Clock, every: int) -> None:
    site.visitor().start("easy", "x", cell=4)
    gone: dict[str, int] = {}
    for day in range(0, IDLE_DAYS + 3 * max(2, every), every):
        # Each run begins a little earlier or later than the one before.
        clock.goes_on(3600 if day % (2 * every) else -3600)
        run(clock, 1, clock.another(site.service))
        clock.goes_on(every * DAY - 3600)
        gone = {table: day for table in ("games", "players") if not site.dump()[table]} | gone
    for table, after in (("games", UNFINISHED_DAYS), ("players", IDLE_DAYS)):
        assert after < gone[table] <= after + 2 * max(2, every)
