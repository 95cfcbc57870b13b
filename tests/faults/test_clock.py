"""The computer's clock is set in mid-game: nobody loses a seat, a name or a game."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.e2e.server import Server
from tests.support.http import Player
from tests.support.people import Clock, name_of, played_out, player_of, sit_down
from tests.support.visitor import Site, open_site
from webapp import store
from webapp.core.game import ABSENT_AFTER
from webapp.service.host import DAY, IDLE_DAYS, UNFINISHED_DAYS, Host
from webapp.store import schema
from webapp.store.schema import idle

HOUR = 60 * 60
LONG, YEAR = 100 * DAY, 365 * DAY


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with open_site(tmp_path, seed="tests") as site:
        yield site


@pytest.fixture
def host(site: Site) -> Host:
    found: Host = site.app.extensions["host"]
    return found


# --- in mid-game ----------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [-5, -HOUR, DAY])
def test_games_go_on_and_none_can_be_claimed_at_once(site: Site, clock: Clock, step: int) -> None:
    alice, bob, carol = site.visitor(), site.visitor(), site.visitor()
    page = carol.start("hard", "x", cell=4)
    pair = sit_down(alice, bob)
    # The game has just begun: Bob counts as here.
    news = f"{pair.address}?since={pair.play('0').version}.0.0"
    known = [(name_of(one), one.cookie()) for one in (alice, bob, carol)]
    clock.is_set(step)
    while not page.outcome:
        page = carol.move(page, page.playable[0])
        assert carol.get(f"{page.address}?since={page.version}").status == 204
    assert not carol.start("hard", "x", cell=4).outcome
    assert alice.get(news, fragment=True).status == 204
    assert "Claim the game" not in alice.get(pair.address).buttons
    assert pair.act(alice, "claim").status == 409
    clock.goes_on(ABSENT_AFTER - 1)
    assert pair.act(alice, "claim").status == 409
    clock.goes_on(2 * HOUR)
    assert "Claim the game" in alice.get(pair.address).buttons
    assert pair.play("3142").outcome == "x"
    pair.act(alice, "again")
    assert pair.act(bob, "again").status == 303
    assert [(name_of(one), one.cookie()) for one in (alice, bob, carol)] == known


def test_a_page_keeps_what_it_was_told_of_an_absence_when_the_clock_goes_back(
    site: Site, clock: Clock
) -> None:
    alice, bob = site.visitor(), site.visitor()
    page = sit_down(alice, bob).play("04")
    news = f"{page.address}?since={page.version}"
    # No page of Alice's has asked: she seems to be away.
    clock.goes_on(ABSENT_AFTER)
    assert bob.get(f"{news}.0.1", fragment=True).status == 200
    clock.is_set(-HOUR)
    assert bob.get(f"{news}.1.1", fragment=True).status == 204


# --- what is forgotten ----------------------------------------------------------------------------


@pytest.mark.parametrize("step", [-5, -HOUR, DAY, 8 * DAY, LONG, -LONG, 10 * YEAR, -10 * YEAR])
def test_for_a_day_of_running_nobody_is_forgotten_because_the_clock_is_wrong(
    site: Site, clock: Clock, step: int
) -> None:
    alice, bob = site.visitor(), site.visitor()
    played_out(alice)
    alice.start("easy", "x", cell=4)
    bob.start("easy", "x", cell=4)
    before = site.dump()

    def run(hours: int) -> None:
        """Two workers tidy; one of them is replaced each hour, and both after six."""
        hosts: list[Host] = []
        for hour in range(hours):
            hosts = [hosts[-1]] if hour % 6 else []
            hosts += [Host(site.database, clock.after_a_start()) for _ in range(2 - len(hosts))]
            for _ in range(12):
                clock.goes_on(HOUR / 12)
                for host in hosts:
                    host.tidy()

    clock.is_set(step)
    run(23)
    assert site.dump() == before
    played_out(bob)  # anyone who returns while it is wrong stays
    clock.is_set(-step)
    run(1)
    assert marks(site) == []
    clock.is_set(step)
    run(23)
    clock.is_set(-step)
    assert [row in site.dump()["games"] for row in before["games"]] == [True] * len(before["games"])
    assert name_of(alice)
    assert name_of(bob)


def marks(site: Site) -> list[tuple[object, ...]]:
    with site.database.read() as connection:
        return [tuple(row) for row in connection.execute(sa.select(idle))]


def test_of_several_workers_one_counts_how_long_they_have_run(site: Site, clock: Clock) -> None:
    hosts = [Host(site.database, clock.after_a_start()) for _ in range(3)]
    for _ in range(12):
        for host in hosts:
            clock.goes_on(100)
            host.tidy()
    with site.database.read() as connection:
        assert 3000 <= store.idle.ran(connection) <= 3600


def test_what_was_promised_is_done_after_a_day(site: Site, clock: Clock, host: Host) -> None:
    alice = site.visitor()
    unfinished = alice.start("easy", "x", cell=4).address
    clock.is_set(-HOUR)
    host.tidy()
    clock.goes_on((UNFINISHED_DAYS + 1) * DAY)
    clock.tidied(host)
    assert alice.get(unfinished).status == 404
    clock.goes_on(IDLE_DAYS * DAY)
    clock.tidied(host)
    assert site.dump()["players"] == []


def test_that_a_player_was_here_is_known_for_half_a_minute(site: Site, clock: Clock) -> None:
    alice = site.visitor()
    alice.start("easy", "x", cell=4)
    presence = site.app.extensions["presence"]
    presence.asked(player_of(alice), seldom=True)
    left = []
    for seconds in (0, 29, 2):
        clock.goes_on(seconds)
        presence.write({})
        with site.database.read() as connection:
            left.append(len(connection.execute(sa.select(schema.presence)).all()))
    assert left == [1, 1, 0]


# --- a real server --------------------------------------------------------------------------------

SET = """
import os, time
real = time.time
time.time = lambda: real() + float(open(os.environ["CLOCK"]).read() or 0)
"""


def test_the_clock_of_a_running_server_is_set_again_and_again(tmp_path: Path) -> None:
    clock = tmp_path / "clock"
    clock.write_text("0")
    server = Server(tmp_path / "data", {"CLOCK": str(clock)}, patch=SET)
    try:
        for step in (-5, -HOUR, DAY, 0):
            alice, bob, carol = (Player(server.url) for _ in range(3))
            carol.start()
            begun = alice.post("/challenges", mark="x").headers["Location"]
            code = alice.get(begun).text.partition('class="code">')[2].partition("<")[0]
            assert bob.post(f"/join/{code}").status == 303
            assert alice.post(f"{begun}/moves", cell=0, version=2).status == 303
            clock.write_text(str(step))
            # Every worker knows that the player who is to move is not away.
            assert {alice.post(f"{begun}/claim", version=3).status for _ in range(6)} == {409}
            assert {bob.get(f"{begun}?since=3").status for _ in range(6)} == {204}
            assert bob.post(f"{begun}/moves", cell=3, version=3).status == 303
            assert bob.post(f"{begun}/resign", version=4).status == 303
            assert carol.move().status == 303
    finally:
        server.stop()
