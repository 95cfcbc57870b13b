"""Playing an experiment again."""

from fractions import Fraction
from functools import partial

import pytest

from tests.support import pace
from webapp.analysis.matchup import matchup
from webapp.analysis.simulate import Experiment, deviation, sampling_error, simulate
from webapp.engines.registry import ENGINES


@pytest.mark.parametrize("x, o", [("easy", "easy"), ("slips", "medium"), ("easy", "hard")])
def test_counts_lie_where_the_exact_chances_say(x: str, o: str) -> None:
    games = 20_000
    counted, exact = simulate(ENGINES[x], ENGINES[o], games, 5), matchup(ENGINES[x], ENGINES[o])
    assert counted.games == games
    for count, probability in (
        (counted.x_wins, exact.x_wins),
        (counted.draws, exact.draws),
        (counted.o_wins, exact.o_wins),
    ):
        assert abs(deviation(count, games, probability)) < 4


def test_the_same_seed_gives_the_same_counts() -> None:
    easy = ENGINES["easy"]
    assert simulate(easy, easy, 1_000, 3) == simulate(easy, easy, 1_000, 3)
    assert simulate(easy, easy, 1_000, 3) != simulate(easy, easy, 1_000, 4)


def test_progress_changes_no_count_and_adds_up() -> None:
    easy, steps = ENGINES["easy"], list[int]()
    watched = simulate(easy, easy, 12_345, 1, progress=steps.append)
    assert watched == simulate(easy, easy, 12_345, 1)
    assert sum(steps) == 12_345
    assert len(steps) > 1


def test_two_engines_without_chance_play_the_same_game_each_time() -> None:
    assert simulate(ENGINES["corners"], ENGINES["forks"], 50, 1) in (
        Experiment(50, 0, 0),
        Experiment(0, 50, 0),
        Experiment(0, 0, 50),
    )


def test_no_games_are_no_games() -> None:
    assert simulate(ENGINES["easy"], ENGINES["easy"], 0, 1) == Experiment(0, 0, 0)


def test_ten_thousand_games_take_a_tenth_of_a_second() -> None:
    simulate(ENGINES["forks"], ENGINES["easy"], 10, 1)
    many = partial(simulate, ENGINES["forks"], ENGINES["easy"], 10_000, 1)
    assert pace.shortest(many, 3) < 0.1


def test_95_of_100_experiments_stay_within_the_sampling_error() -> None:
    easy, games, share = ENGINES["easy"], 400, matchup(ENGINES["easy"], ENGINES["easy"]).x_wins
    error = sampling_error(games, share)
    within = [
        abs(simulate(easy, easy, games, seed).x_wins - games * share) <= error
        for seed in range(100)
    ]
    assert 90 <= sum(within) <= 99


def test_a_sampling_error_is_1_96_standard_deviations() -> None:
    assert sampling_error(100, Fraction(1, 2)) == 1.96 * 5
    assert sampling_error(100, Fraction(1)) == sampling_error(100, Fraction(0)) == 0


def test_a_deviation_is_counted_in_standard_deviations() -> None:
    assert deviation(60, 100, Fraction(1, 2)) == 2.0
    assert deviation(0, 100, Fraction(0)) == 0.0
    assert deviation(1, 100, Fraction(0)) == float("inf")
