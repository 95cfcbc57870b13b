"""Standings: what counts, what does not, and that nobody can be lifted by friends who lose."""

from __future__ import annotations

import pytest

from webapp.analysis.standings import Played, standings, strength
from webapp.engines.perfect import HARD
from webapp.engines.registry import ENGINES, LEVELS


def against(player: str, opponent: str, recent: str, games: int | None = None) -> Played:
    return Played(player, opponent, recent[-5:], games or len(recent))


def points(*played: Played) -> dict[str, float]:
    return {one.player: one.points for one in standings(played)}


def average_student(player: str = "honest") -> list[Played]:
    """A player who mostly beats Easy, now and then Medium, and draws with Hard once in a while."""
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


def test_a_result_counts_once_a_win_more_than_a_draw_and_that_more_than_a_loss() -> None:
    found = points(
        against("w", "medium", "w"),
        against("often", "medium", "wwwww", 100),
        against("d", "medium", "d"),
        against("l", "medium", "l"),
    )
    assert found["often"] == found["w"] > found["d"] > found["l"] == 0


def test_equal_points_share_a_place_and_the_next_is_counted_on() -> None:
    played = [against("a", "hard", "d"), against("b", "hard", "d")]
    found = standings([*played, against("c", "easy", "w"), against("d", "easy", "l")])
    assert [(one.player, one.place) for one in found] == [("a", 1), ("b", 1), ("c", 3), ("d", 4)]


@pytest.mark.parametrize("others,counts", [(0, False), (2, False), (3, True), (10, True)])
def test_a_classmate_counts_after_three_games_with_others(others: int, counts: bool) -> None:
    played = [*both("a", "b", "www"), against("b", "hard", "ddddd", 50)]
    if others:
        played += both("b", "c", "ddddd", others)
    (a,) = [one for one in standings(played) if one.player == "a"]
    assert (a.points > 0, a.opponents) == (counts, int(counts))


@pytest.mark.parametrize("puppets", [2, 3, 6, 12])
def test_puppets_who_play_each_other_lift_nobody(puppets: int) -> None:
    """A ring: each has enough games with others, and all lose to the same player."""
    played = average_student()
    for number in range(puppets):
        played += both("cheat", f"puppet{number}", "wwwww", 20)
        for other in range(number):
            played += both(f"puppet{number}", f"puppet{other}", "wlwlw", 20)
    assert points(*played)["cheat"] < points(*played)["honest"]


def test_a_second_browser_that_plays_well_and_loses_to_the_first_lifts_nobody() -> None:
    alone = [against("cheat", level, "wwwdd") for level in ("easy", "medium", "hard")]
    puppet = [against("puppet", level, "wwwww", 50) for level in ENGINES]
    found = points(*alone, *puppet, *both("cheat", "puppet", "wwwww", 100))
    assert found["cheat"] == points(*alone)["cheat"]
