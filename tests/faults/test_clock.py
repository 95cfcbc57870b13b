"""The computer's clock is set in mid-game: nobody loses a seat, a name or a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from webapp.service.visits import ABSENT_AFTER

from tests.e2e.server import Server
from tests.support.http import Somebody
from tests.support.people import Clock, name_of, sit_down
from tests.support.visitor import Site, open_site
from webapp.service.host import DAY, IDLE_DAYS, UNFINISHED_DAYS, Host

HOUR = 60 * 60
STEPS = pytest.mark.parametrize("step", [-5, -HOUR, DAY], ids=["-5 s", "-1 h", "+1 day"])
LONG = 100 * DAY


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with open_site(tmp_path, seed="tests") as site:
        yield site


@pytest.fixture
def clock(site: Site) -> Clock:
    return Clock(site)


@pytest.fixture
def host(site: Site) -> Host:
    found: Host = site.app.extensions["host"]
    return found


# --- in mid-game ----------------------------------------------------------------------------------


@STEPS
def test_a_game_against_the_computer_goes_on(site: Site, clock: Clock, step: int) -> None:
    alice = site.visitor()
    page = alice.start("hard", "x", cell=4)
    name, cookie = name_of(alice), alice.cookie()
    clock.is_set(step)
    while not page.outcome:
        page = alice.move(page, page.playable[0])
        assert alice.get(f"{page.address}?since={page.version}").status == 204
    assert not alice.start("hard", "x", cell=4).outcome
    assert (name_of(alice), alice.cookie()) == (name, cookie)


@STEPS
def test_a_game_between_two_goes_on_and_cannot_be_claimed_at_once(
    site: Site, clock: Clock, step: int
) -> None:
    alice, bob = site.visitor(), site.visitor()
    pair = sit_down(alice, bob)
    news = f"{pair.address}?since={pair.play('0').version}&phase=0"
    names = name_of(alice), name_of(bob)
    clock.is_set(step)
    assert alice.get(news, fragment=True).status == 204
    assert "Claim the game" not in " ".join(alice.get(pair.address).buttons)
    assert pair.act(alice, "claim").status == 409
    clock.goes_on(ABSENT_AFTER - 1)
    assert pair.act(alice, "claim").status == 409
    clock.goes_on(2 * HOUR)
    assert "Claim the game" in " ".join(alice.get(pair.address).buttons)
    page = pair.play("3142")
    assert page.outcome == "x"
    pair.act(alice, "again")
    assert pair.act(bob, "again").status == 303
    assert (name_of(alice), name_of(bob)) == names


def test_a_page_keeps_what_it_was_told_of_an_absence_when_the_clock_goes_back(
    site: Site, clock: Clock
) -> None:
    alice, bob = site.visitor(), site.visitor()
    page = sit_down(alice, bob).play("0")
    news = f"{page.address}?since={page.version}"
    clock.goes_on(ABSENT_AFTER)
    assert alice.get(f"{news}&phase=0", fragment=True).status == 200
    clock.is_set(-HOUR)
    assert alice.get(f"{news}&phase=1", fragment=True).status == 204


# --- what is forgotten ----------------------------------------------------------------------------


def played(site: Site) -> str:
    """Finish a game as a player, begin another, and return the second one's address."""
    alice = site.visitor()
    page = alice.start("easy", "x", cell=4)
    while not page.outcome:
        page = alice.move(page, page.playable[0])
    return alice.start("easy", "x", cell=4).address


@pytest.mark.parametrize("step", [-5, -HOUR, DAY, LONG, -LONG])
def test_nobody_is_forgotten_because_the_clock_was_set(
    site: Site, clock: Clock, host: Host, step: int
) -> None:
    played(site)
    before = site.dump()
    clock.is_set(step)
    host.tidy()
    Host(site.database, clock.anew()).tidy()  # as after a start: nobody has seen it being set
    clock.goes_on(HOUR)
    host.tidy()
    assert site.dump() == before


def test_a_game_begun_while_the_clock_was_far_ahead_makes_nobody_be_forgotten(
    site: Site, clock: Clock, host: Host
) -> None:
    alice, bob = site.visitor(), site.visitor()
    alice.start("easy", "x", cell=4)
    clock.is_set(LONG)
    bob.start("easy", "x", cell=4)
    host.tidy()
    clock.is_set(-LONG)
    host.tidy()
    clock.goes_on(DAY)
    host.tidy()
    assert name_of(alice)
    assert name_of(bob)


def test_who_played_while_the_clock_was_far_behind_is_not_forgotten(
    site: Site, clock: Clock, host: Host
) -> None:
    alice = site.visitor()
    alice.start("easy", "x", cell=4)
    clock.is_set(-LONG)
    alice.start("medium", "x", cell=4)
    clock.is_set(LONG)
    clock.goes_on(DAY)
    site.visitor().start("easy", "x", cell=4)
    host.tidy()
    assert name_of(alice)


def test_with_the_new_time_what_was_promised_is_done_again(
    site: Site, clock: Clock, host: Host
) -> None:
    unfinished = played(site)
    clock.is_set(-HOUR)
    host.tidy()
    clock.goes_on((UNFINISHED_DAYS + 1) * DAY)
    host.tidy()
    assert site.visitor().get(unfinished).status == 404
    clock.goes_on(IDLE_DAYS * DAY)
    host.tidy()
    assert site.dump()["players"] == []


# --- a real server --------------------------------------------------------------------------------

SET = """
import os
import time

real = time.time


def moved():
    with open(os.environ["CLOCK"]) as file:
        return real() + float(file.read() or 0)


time.time = moved
"""


def test_the_clock_of_a_running_server_is_set_again_and_again(tmp_path: Path) -> None:
    (tmp_path / "python").mkdir()
    (tmp_path / "python" / "sitecustomize.py").write_text(SET)
    clock = tmp_path / "clock"
    clock.write_text("0")
    server = Server(
        tmp_path / "data",
        {"TTT_LIMITS": "off", "PYTHONPATH": str(tmp_path / "python"), "CLOCK": str(clock)},
    )
    try:
        for step in (-5, -HOUR, DAY, 0):
            check_a_step(server.url, partial(clock.write_text, str(step)))
    finally:
        server.stop()


def check_a_step(url: str, set_clock: Callable[[], object]) -> None:
    """Begin games, set the clock, and go on with them."""
    alice, bob, carol = (Somebody(url) for _ in range(3))
    carol.start()
    begun = alice.post("/challenges", mark="x").headers["Location"]
    assert bob.post(f"/join/{code_on(alice.get(begun).text)}").status == 303
    assert alice.post(f"{begun}/moves", cell=0, version=2).status == 303
    set_clock()
    # Whichever worker is asked: the one who is to move is not away.
    assert {alice.post(f"{begun}/claim", version=3).status for _ in range(6)} == {409}
    assert {bob.get(f"{begun}?since=3").status for _ in range(6)} == {204}
    assert bob.post(f"{begun}/moves", cell=3, version=3).status == 303
    assert bob.post(f"{begun}/resign", version=4).status == 303
    assert carol.move().status == 303


def code_on(text: str) -> str:
    return text.partition('class="code">')[2].partition("<")[0]
