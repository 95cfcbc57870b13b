"""Playing an experiment again."""

from fractions import Fraction
from math import comb

import pytest

from tests.support.functions import engine_of
from webapp.analysis.matchup import matchup
from webapp.analysis.simulate import compare, compared, interval, simulate
from webapp.core.board import Mark
from webapp.engines.registry import ENGINES


@pytest.mark.parametrize("x, o", [("easy", "easy"), ("slips", "medium"), ("easy", "hard")])
def test_counts_lie_where_the_exact_chances_say(x: str, o: str) -> None:
    games = 20_000
    counted, exact = simulate(ENGINES[x], ENGINES[o], games, 5), matchup(ENGINES[x], ENGINES[o])
    assert counted.games == games
    found = compare(counted, exact)
    assert [one.counted for one in found] == [counted.x_wins, counted.draws, counted.o_wins]
    assert tuple(one.probability for one in found) == exact.for_mark(Mark.X)
    assert all(abs(one.z) < 4 for one in found)


def test_the_same_seed_gives_the_same_counts_watched_or_not() -> None:
    easy, steps = ENGINES["easy"], list[int]()
    watched = simulate(easy, easy, 12_345, 1, progress=steps.append)
    assert watched == simulate(easy, easy, 12_345, 1)
    assert (sum(steps), len(steps) > 1) == (12_345, True)
    assert simulate(easy, easy, 12_345, 2) != watched


def test_an_engine_is_asked_once_about_each_position_however_many_games_are_played() -> None:
    asked = list[str]()

    def first(board: str) -> int:
        asked.append(board)
        return board.index(".")

    assert simulate(engine_of(first), ENGINES["easy"], 10_000, 1).games == 10_000
    assert len(asked) == len({*asked})


def test_95_of_100_experiments_stay_within_the_sampling_error() -> None:
    easy, games, share = ENGINES["easy"], 400, matchup(ENGINES["easy"], ENGINES["easy"]).x_wins
    found = [compared(simulate(easy, easy, games, n).x_wins, games, share) for n in range(100)]
    within = [abs(one.counted - one.expected) <= one.error for one in found]
    assert 90 <= sum(within) <= 99


def test_a_share_lies_in_its_interval_95_times_in_100_even_where_few_are_expected() -> None:
    for games in (30, 1_000):
        inside = [
            sum(binomial(games, count, share) for count in range(games + 1)
                if interval(count, games)[0] <= share <= interval(count, games)[1])
            for share in (expected / games for expected in range(1, 11))
        ]  # fmt: skip
        assert min(inside) > 0.91
        assert sum(inside) / len(inside) == pytest.approx(0.95, abs=0.004)


def binomial(games: int, count: int, share: float) -> float:
    """How likely it is to count so many."""
    return comb(games, count) * share**count * (1 - share) ** (games - count)


def test_an_interval_is_wilsons() -> None:
    assert interval(0, 10) == pytest.approx((0, 0.2775), abs=1e-4)
    assert interval(10, 10) == pytest.approx((0.7225, 1), abs=1e-4)
    assert interval(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)


def test_errors_and_deviations_are_counted_in_standard_deviations() -> None:
    half = Fraction(1, 2)
    assert tuple(compared(60, 100, half)) == (60, half, 50, 1.96 * 5, 2.0)
    assert tuple(compared(0, 100, Fraction(0))) == (0, 0, 0, 0.0, 0.0)
    assert compared(1, 100, Fraction(0)).z == float("inf")
