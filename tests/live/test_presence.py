"""Who is here: anyone whose page waits or has just asked, until it says good-bye."""

import pytest

from tests.live.test_topics import Steady
from webapp.live.presence import Presence


@pytest.fixture
def clock() -> Steady:
    return Steady()


@pytest.fixture
def presence(clock: Steady) -> Presence:
    return Presence(clock)


def test_a_player_is_here_for_some_time_after_a_page_has_asked(
    presence: Presence, clock: Steady
) -> None:
    for asks, seconds in (([False], 5), ([True], 20), ([True, False], 20)):
        for seldom in asks:
            presence.asked("anna", seldom=seldom)
        clock.seconds += seconds
        assert presence.here() == {"anna"}
        clock.seconds += 0.01
        assert presence.here() == set()


def test_a_player_who_waits_is_here(presence: Presence, clock: Steady) -> None:
    for _ in range(9):
        presence.beat(["anna"])
        clock.seconds += 4
    assert presence.is_here("anna")


def test_a_good_bye_ends_it_soon_but_a_page_undoes_it(presence: Presence, clock: Steady) -> None:
    presence.asked("anna", seldom=True)
    presence.left("anna")
    clock.seconds += 2
    assert presence.is_here("anna")
    clock.seconds += 1
    assert not presence.is_here("anna")
    assert presence.has_left("anna")
    presence.asked("anna")
    assert presence.is_here("anna")
    assert not presence.has_left("anna")


def test_a_beat_says_who_has_come_and_who_has_gone(presence: Presence, clock: Steady) -> None:
    presence.asked("anna")
    assert presence.beat(["ben"]) == {"anna", "ben"}
    clock.seconds += 3
    assert presence.beat(["ben"]) == set()
    clock.seconds += 3
    assert presence.beat([]) == {"anna"}


def test_who_came_last_is_known_although_pages_ask_again(presence: Presence, clock: Steady) -> None:
    for player in ("anna", "ben", "cem"):
        presence.asked(player)
        clock.seconds += 1
    presence.beat(["anna", "ben"])
    assert presence.newest() == ["cem", "ben", "anna"]
    presence.left("anna")
    clock.seconds += 5
    presence.beat(["ben"])
    assert presence.newest() == ["ben"]
    presence.hear({"dan": 5000})
    presence.asked("anna")  # who was away for less than a minute
    assert presence.newest() == ["dan", "ben", "anna"]
    clock.seconds += 66
    presence.beat([])
    presence.asked("anna")
    assert presence.newest() == ["anna"]


def test_another_process_says_who_is_on_its_pages(presence: Presence, clock: Steady) -> None:
    other = Presence(clock)
    other.asked("anna")
    other.left("ben")
    presence.hear(other.own())
    assert presence.here() == {"anna"}
    assert presence.own() == {}, "what was heard is not told on"
    assert not presence.teachers()
    other.note_teacher("anna", teaches=True)
    presence.hear(other.own())
    assert presence.teachers() == {"anna"}
    clock.seconds += 4
    other.asked("anna")
    presence.hear(other.own())
    clock.seconds += 4
    assert presence.is_here("anna")


def test_after_a_sleep_no_one_is_away_until_pages_can_be_back(
    presence: Presence, clock: Steady
) -> None:
    def away(seconds: float) -> bool:
        clock.seconds += seconds
        return presence.is_away("anna")

    for _ in range(30):
        presence.tick()
        clock.seconds += 4
    assert away(0)
    assert not away(75), "before anyone has ticked again"
    presence.tick()
    assert not away(4)
    presence.tick()
    assert not away(4)
    presence.tick()
    assert away(4)
