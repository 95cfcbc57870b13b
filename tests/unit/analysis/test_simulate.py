"""Experiments played again, and the sources' claims and tables: against what is exactly so."""

from fractions import Fraction
from unittest.mock import Mock

import pytest

from tests.support.functions import engine_of
from webapp.analysis.claims import CLAIMS, verdicts
from webapp.analysis.matchup import matchup
from webapp.analysis.simulate import compare, compare_count, experiment, hundredths, interval
from webapp.core.board import Mark
from webapp.core.game import Game
from webapp.engines.registry import ENGINES


def test_counts_lie_where_the_exact_chances_say() -> None:
    for pair in (("easy", "easy"), ("slips", "medium"), ("easy", "hard")):
        x, o = map(ENGINES.__getitem__, pair)
        counted, exact = experiment(x, o, 20_000, 5), matchup(x, o)
        assert counted.games == 20_000
        found = compare(counted, exact)
        assert [one.counted for one in found] == [counted.x_wins, counted.draws, counted.o_wins]
        assert tuple(one.probability for one in found) == exact.for_mark(Mark.X)
        assert all(abs(one.z) < 4 for one in found)


def test_a_hundred_marks_are_shared_out_by_largest_remainder() -> None:
    assert hundredths([1, 1, 1]) == [34, 33, 33]
    assert hundredths([884, 97, 19]) == [88, 10, 2]
    assert hundredths([0, 1, 0]) == [0, 100, 0]


def test_the_same_seed_gives_the_same_counts() -> None:
    play, easy = experiment.__wrapped__, ENGINES["easy"]
    assert play(easy, easy, 1_234, 1) == play(easy, easy, 1_234, 1) != play(easy, easy, 1_234, 2)


def test_an_engine_is_asked_once_about_each_position_however_many_games_are_played() -> None:
    first = Mock(side_effect=lambda board: board.index("."))
    assert experiment(engine_of(first), ENGINES["easy"], 10_000, 1).games == 10_000
    asked = [call.args for call in first.call_args_list]
    assert len(asked) == len({*asked})


def test_an_interval_is_wilsons_and_deviations_are_counted_in_standard_deviations() -> None:
    for won, ends in ((0, (0, 0.2775)), (10, (0.7225, 1)), (5, (0.2366, 0.7634))):
        assert interval(won, 10) == pytest.approx(ends, abs=1e-4)
    half = Fraction(1, 2)
    assert tuple(compare_count(60, 100, half)) == (60, half, 50, 1.96 * 5, 2.0)
    assert tuple(compare_count(0, 100, Fraction(0))) == (0, 0, 0, 0.0, 0.0)
    assert compare_count(1, 100, Fraction(0)).z == float("inf")


PUBLISHED = [
    # Engine, its mark, and how many of source C's games it won, drew and lost.
    ("corners", Mark.O, (8088, 1410, 501)), ("corners", Mark.X, (9689, 254, 57)),
    ("forks", Mark.O, (7764, 2036, 200)), ("forks", Mark.X, (9769, 231, 0)),
    ("fork-blocker", Mark.O, (8846, 1154, 0)), ("fork-blocker", Mark.X, (9731, 269, 0)),
]  # fmt: skip


def test_the_tables_of_source_c_are_what_chance_allows() -> None:
    for slug, mark, counts in PUBLISHED:
        easy, mind, games = ENGINES["easy"], ENGINES[slug], sum(counts)
        assert games in (9_999, 10_000)  # one of them adds up to 9,999 in the source
        pair = matchup(mind, easy) if mark is Mark.X else matchup(easy, mind)
        for count, probability in zip(counts, pair.for_mark(mark), strict=True):
            assert abs(compare_count(count, games, probability).z) <= 3


def test_of_the_sources_claims_one_is_false_and_comes_with_the_game_that_refutes_it() -> None:
    found = verdicts()
    assert len(found) == len(CLAIMS) == 8
    assert {verdict.claim.source for verdict in found} == set("ABCDE")
    (false,) = [verdict for verdict in found if not verdict.holds]
    assert (false.claim.source, false.claim.engine) == ("E", "scenarios")
    assert [verdict for verdict in found if verdict.losing_game] == [false]
    outcome = Game(false.losing_game or ()).outcome
    assert outcome
    assert outcome.winner
