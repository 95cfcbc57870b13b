"""A wrong clock, and a server that seldom runs: no name and no game goes too soon."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.people import Clock, name_of, played_out
from tests.support.visitor import Site, Visitor, open_site
from webapp.service import teacher as acts
from webapp.service.site import Site as Service
from webapp.service.teacher import DAY, IDLE_DAYS, UNFINISHED_DAYS

HOUR = 60 * 60


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with open_site(tmp_path, seed="tests") as site:
        yield site


def run(clock: Clock, hours: int, *hosts: Service) -> None:
    for _ in range(hours):
        for host in hosts:
            acts.tidy(host)
        clock.goes_on(HOUR)


def test_no_wrong_clock_forgets(site: Site, clock: Clock, alice: Visitor, bob: Visitor) -> None:
    host = site.service
    ahead = clock.another(host, 100 * DAY)  # on another computer
    for who in (alice, bob):
        played_out(who)
        who.start("easy", "x", cell=4)
    before = site.dump()
    acts.tidy(host)
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
        clock.goes_on(HOUR if day % (2 * every) else -HOUR)
        run(clock, 1, clock.another(site.service))
        clock.goes_on(every * DAY - HOUR)
        gone = {table: day for table in ("games", "players") if not site.dump()[table]} | gone
    for table, after in (("games", UNFINISHED_DAYS), ("players", IDLE_DAYS)):
        assert after < gone[table] <= after + 2 * max(2, every)
