"""Who is here: anyone whose page has just asked, until it says good-bye."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from tests.support.people import Clock
from tests.support.visitor import Site
from webapp.service.presence import Presence
from webapp.store.presence import is_here, until

ALICE, BOB = "a" * 64, "b" * 64
DAY = 24 * 60 * 60


@pytest.fixture
def presence(site: Site) -> Presence:
    """What one worker has heard."""
    found: Presence = site.app.extensions["presence"]
    return found


def here(site: Site, clock: Clock) -> str:
    """The first letters of the players who are here, as it is written down."""
    with site.database.read() as connection:
        return "".join(
            player[0]
            for player in (ALICE, BOB)
            if is_here(until(connection, player), clock.milliseconds())
        )


def rows(site: Site) -> list[str]:
    with site.database.read() as connection:
        return list(connection.scalars(sa.text("SELECT player FROM presence ORDER BY player")))


@pytest.mark.parametrize("seldom,seconds", [(False, 5), (True, 20)])
def test_a_player_is_here_for_some_time_after_a_page_has_asked(
    site: Site, clock: Clock, presence: Presence, *, seldom: bool, seconds: int
) -> None:
    presence.asked(ALICE, seldom=seldom)
    assert here(site, clock) == "", "it is written down every few seconds only"
    presence.write({})
    clock.goes_on(seconds)
    assert here(site, clock) == "a"
    clock.goes_on(0.001)
    assert here(site, clock) == ""


def test_a_visible_page_shortens_nothing_that_a_hidden_one_has_said(
    site: Site, clock: Clock, presence: Presence
) -> None:
    presence.asked(ALICE, seldom=True)
    presence.asked(ALICE)
    presence.write({})
    clock.goes_on(20)
    assert here(site, clock) == "a"


def test_anyone_whose_page_waits_stays_here_and_nobody_else(
    site: Site, clock: Clock, presence: Presence
) -> None:
    presence.asked(BOB)
    since = clock.milliseconds()
    for _ in range(5):
        presence.write({ALICE: since})
        assert here(site, clock).startswith("a")
        clock.goes_on(2)
    assert here(site, clock) == "a"


def test_after_a_good_bye_there_is_time_to_come_to_another_page(
    site: Site, clock: Clock, presence: Presence
) -> None:
    presence.asked(ALICE)
    presence.leave(ALICE)
    presence.write({})
    clock.goes_on(2)
    assert here(site, clock) == "a"
    clock.goes_on(1)
    assert here(site, clock) == ""


def test_what_was_seen_before_a_good_bye_does_not_undo_it_and_what_comes_after_does(
    site: Site, clock: Clock, presence: Presence
) -> None:
    other = Presence(site.database, clock)
    other.asked(ALICE, seldom=True)
    waiting = {ALICE: clock.milliseconds()}
    clock.goes_on(1)
    presence.leave(ALICE)
    other.write(waiting)
    clock.goes_on(3)
    assert here(site, clock) == ""
    other.asked(ALICE)  # another tab that is still there
    other.write({})
    assert here(site, clock) == "a"


@pytest.mark.parametrize("days", [100, -100])
@pytest.mark.parametrize("bye", [False, True])
def test_a_clock_that_is_set_and_set_right_again_keeps_no_one_out_and_no_one_in(
    site: Site, clock: Clock, presence: Presence, *, days: int, bye: bool
) -> None:
    for _ in range(2):
        presence.asked(ALICE)
        presence.asked(BOB)
        presence.write({})
        if bye:
            presence.leave(ALICE)
        clock.is_set(days * DAY)
        days = -days
        assert here(site, clock) == ""
        presence.asked(ALICE)
        presence.write({})
        assert here(site, clock) == "a"
        assert rows(site) == [ALICE], "what is far from now is deleted"


def test_what_a_worker_has_heard_when_its_clock_is_set_back_is_over_with_the_next_writing(
    site: Site, clock: Clock, presence: Presence
) -> None:
    presence.asked(ALICE)
    clock.is_set(-DAY)
    for _ in range(2):
        presence.asked(ALICE)
        presence.write({})
    assert here(site, clock) == "a"
    clock.goes_on(6)
    assert here(site, clock) == ""


def test_nothing_is_kept_of_players_who_have_been_forgotten_or_have_long_gone(
    site: Site, clock: Clock, presence: Presence
) -> None:
    presence.asked(ALICE)
    presence.asked(BOB)
    presence.write({})
    assert rows(site) == [ALICE, BOB]
    site.app.extensions["players"].forget(ALICE)
    assert rows(site) == [BOB]
    clock.goes_on(30)
    presence.write({})
    assert rows(site) == [BOB]
    clock.goes_on(1)
    presence.write({})
    assert rows(site) == [], "also where no one has come since"
