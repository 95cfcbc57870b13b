"""Standings: what counts, what does not, and that nobody can be lifted by friends who lose."""

from __future__ import annotations

import random

import pytest

from webapp.analysis.standings import Played, Standing, standings, strength
from webapp.engines.perfect import HARD
from webapp.engines.registry import ENGINES, LEVELS


def against(player: str, opponent: str, recent: str, games: int | None = None) -> Played:
    return Played(player, opponent, recent[-5:], games or len(recent))


def points(*played: Played) -> dict[str, float]:
    return {one.player: one.points for one in standings(played)}


def average_student(player: str = "honest") -> list[Played]:
    """One who mostly beats Easy, now and then Medium, and draws with Hard once in a while."""
    return [
        against(player, "easy", "wwlww"),
        against(player, "medium", "ldwdl"),
        against(player, "hard", "lldll"),
    ]


def both(first: str, second: str, recent: str, games: int | None = None) -> list[Played]:
    """The games between two people, as each of them has them."""
    turned = recent.translate(str.maketrans("wl", "lw"))
    return [against(first, second, recent, games), against(second, first, turned, games)]


def test_strengths_go_from_one_to_ten() -> None:
    strengths = {slug: strength(engine) for slug, engine in ENGINES.items()}
    assert all(1 <= found <= 10 for found in strengths.values())
    assert strengths["hard"] == pytest.approx(10)
    easy, medium, hard = (strengths[level.slug] for level in LEVELS)
    assert easy < medium < hard
    assert easy == min(strengths.values())
    assert strength(HARD) == max(strengths.values())


def test_winning_counts_more_than_drawing_and_that_more_than_losing() -> None:
    found = points(
        against("w", "medium", "w"), against("d", "medium", "d"), against("l", "medium", "l")
    )
    assert found["w"] > found["d"] > found["l"] == 0


def test_beating_easy_a_hundred_times_is_worth_as_much_as_once() -> None:
    found = points(
        against("once", "easy", "w"),
        against("often", "easy", "wwwww", 100),
        *average_student(),
    )
    assert found["often"] == found["once"] < found["honest"]


def test_equal_points_share_a_place_and_the_next_is_counted_on() -> None:
    found = standings(
        [
            against("a", "hard", "d"),
            against("b", "hard", "d"),
            against("c", "easy", "w"),
            against("d", "easy", "l"),
        ]
    )
    assert [(one.player, one.place) for one in found] == [("a", 1), ("b", 1), ("c", 3), ("d", 4)]


def test_the_order_of_the_records_does_not_matter() -> None:
    played = [*average_student(), *both("honest", "b", "wwd"), against("b", "easy", "www")]
    expected = standings(played)
    rng = random.Random(1)
    for _ in range(20):
        rng.shuffle(played)
        assert standings(played) == expected


def test_an_opponent_who_is_no_engine_and_has_played_nothing_counts_for_nothing() -> None:
    assert standings([against("a", "rules:win", "w"), against("a", "mine", "w")]) == [
        Standing("a", 1, 0.0, 0)
    ]


# --- classmates -----------------------------------------------------------------------------------


@pytest.mark.parametrize("others,counts", [(0, False), (2, False), (3, True), (10, True)])
def test_a_classmate_counts_after_three_games_with_others(others: int, counts: bool) -> None:
    played = [*both("a", "b", "www"), against("b", "hard", "ddddd", 50)]
    if others:
        played += both("b", "c", "ddddd", others)
    (a,) = [one for one in standings(played) if one.player == "a"]
    assert (a.points > 0, a.opponents) == (counts, int(counts))


def known_to_others(*classmates: str) -> list[Played]:
    """These have finished enough games with somebody else, and lost them."""
    return [one for name in classmates for one in both("another", name, "www")]


def test_a_strong_classmate_counts_more_than_a_weak_one() -> None:
    played = [
        *both("a", "strong", "w"),
        *both("b", "weak", "w"),
        against("strong", "hard", "ddddd"),
        against("weak", "hard", "llldl"),
        *known_to_others("strong", "weak"),
    ]
    found = points(*played)
    assert found["a"] > found["b"] > 0


def test_the_best_five_classmates_count() -> None:
    played = []
    for number in range(8):
        played += both("a", f"b{number}", "w")
        played += [against(f"b{number}", "hard", "ddddd"), *known_to_others(f"b{number}")]
    (a,) = [one for one in standings(played) if one.player == "a"]
    assert a.opponents == 5


def test_replaying_one_friend_is_worth_as_much_as_once() -> None:
    friend = [against("friend", "hard", "lldll"), *known_to_others("friend")]
    once = points(*both("a", "friend", "w"), *friend)["a"]
    assert points(*both("a", "friend", "wwwww", 100), *friend)["a"] == once > 0


# --- invented to lose -----------------------------------------------------------------------------


@pytest.mark.parametrize("puppets", [1, 2, 5, 6, 30])
@pytest.mark.parametrize("games", [1, 5, 100])
def test_puppets_who_lose_to_one_lift_nobody(puppets: int, games: int) -> None:
    played = average_student()
    for number in range(puppets):
        played += both("cheat", f"puppet{number}", "wwwww", games)
    assert points(*played)["cheat"] < points(*played)["honest"]


@pytest.mark.parametrize("puppets", [2, 3, 6, 12])
def test_puppets_who_play_each_other_lift_nobody(puppets: int) -> None:
    """A ring: every one has enough games with others, and all are beaten by one."""
    played = average_student()
    for number in range(puppets):
        played += both("cheat", f"puppet{number}", "wwwww", 20)
        for other in range(number):
            played += both(f"puppet{number}", f"puppet{other}", "wlwlw", 20)
    assert points(*played)["cheat"] < points(*played)["honest"]


@pytest.mark.parametrize("games", [1, 5, 100])
def test_a_second_browser_lifts_nobody_however_well_it_plays(games: int) -> None:
    """What two tabs can do: one that plays as well as can be, and then loses to the other."""
    alone = [against("cheat", level, "wwwdd") for level in ("easy", "medium", "hard")]
    puppet = [against("puppet", level, "wwwww", 50) for level in ENGINES]
    found = points(*alone, *puppet, *both("cheat", "puppet", "wwwww", games))
    assert found["cheat"] == points(*alone)["cheat"]


@pytest.mark.parametrize("puppets", [2, 5, 6, 30])
def test_many_browsers_that_play_well_bring_less_than_one_strong_engine(puppets: int) -> None:
    """The worst case: all of them play perfectly, and each other too."""
    played = []
    for number in range(puppets):
        played += both("cheat", f"puppet{number}", "wwwww", 20)
        played += [against(f"puppet{number}", level, "wwwww", 50) for level in ENGINES]
        for other in range(number):
            played += both(f"puppet{number}", f"puppet{other}", "wlwlw", 20)
    assert points(*played)["cheat"] <= strength(HARD)


def test_a_puppet_does_not_pull_down_the_one_it_beats() -> None:
    """To lose to a classmate takes nothing away from anybody."""
    before = points(*average_student())["honest"]
    played = [*average_student(), *both("troll", "honest", "wwwww", 50)]
    assert points(*played)["honest"] == before
