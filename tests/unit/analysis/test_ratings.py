"""Ratings: the table is the one that the class would have drawn up, and no one can bend it."""

from itertools import combinations, pairwise
from math import log10
from pathlib import Path
from random import Random

import pytest

from tests.support.tables import Results, both, fitted
from webapp.analysis.matchup import matchup
from webapp.analysis.ratings import AVERAGE, STRENGTHS, TOLERANCE_POINTS, table
from webapp.engines.perfect import HARD
from webapp.engines.registry import ENGINES, LEVELS
from webapp.engines.three_levels import MEDIUM

CLASS = [f"pupil{number:02}" for number in range(30)]  # the strongest first
PAGE = Path(__file__).parents[3] / "templates" / "lobby" / "_standings.html"


def share(rating: float, other: float) -> float:
    return float(1 / (1 + 10 ** ((other - rating) / 400)))


def played(seed: int, draws: float = 0.0) -> Results:
    chance, results = Random(seed), Results()
    pairs = list(combinations(CLASS, 2))
    chance.shuffle(pairs)
    for one, other in pairs:
        both(results, one, other, "d" if chance.random() < draws else "w")
    return results


def test_where_the_stronger_always_wins_the_table_is_in_their_order_whatever_that_of_play() -> None:
    first, *others = (
        {player: float(one.shown or 0) for player, one in fitted(played(seed)).items()}
        for seed in range(4)
    )
    assert all(first[one] > first[other] for one, other in pairwise(CLASS))
    assert others == [first] * 3


def test_a_rating_is_the_one_that_the_results_want_wherever_the_computation_begins() -> None:
    """Each player expects as many points as there are, the two of the prior included."""
    chance, results = Random(3), Results()
    for one, other in combinations(CLASS[:12], 2):
        both(results, one, other, "".join(chance.choices("wdl", k=5)))
    for one in CLASS[:12]:
        results[one, "hard"] = "".join(chance.choices("dl", k=7))
    found = fitted(results)
    for player, rated in found.items():
        missing = 1 - 2 * share(rated.rating, AVERAGE)
        for (one, other), how in results.items():
            if one == player:
                games = how[-5:]
                won = games.count("w") + games.count("d") / 2
                against = STRENGTHS.get(other) or found[other].rating
                missing += won - len(games) * share(rated.rating, against)
        assert abs(missing) < 1e-4
    rows = [(*pair, pair[1] in found, how[-5:], len(how)) for pair, how in results.items()]
    again = table(rows, {player: one._replace(rating=1500) for player, one in found.items()})
    for player, rated in again.items():
        assert rated.rating == pytest.approx(found[player].rating, abs=2 * TOLERANCE_POINTS)


def test_engines_are_as_strong_as_their_exact_results_say() -> None:
    assert STRENGTHS.keys() == ENGINES.keys()
    assert [round(STRENGTHS[level.slug]) for level in LEVELS] == [645, 1000, 1194]
    for slug, engine in ENGINES.items():
        expected = points = 0.0
        for other, rival in ENGINES.items():
            if other != slug != MEDIUM.slug:
                as_x, as_o = matchup(engine, rival), matchup(rival, engine)
                points += float(as_x.x_wins + as_x.draws / 2 + as_o.o_wins + as_o.draws / 2) / 2
                expected += share(STRENGTHS[slug], STRENGTHS[other])
        assert expected == pytest.approx(points, abs=1e-6)


def test_400_points_are_odds_of_ten_to_one_and_the_example_on_the_page_is_true() -> None:
    won = {("a", "medium"): "wwwww", ("b", "easy"): "wwwww", ("c", HARD.slug): "ddddd"}
    found = fitted(won)
    medium, easy, hard = (found[player].rating for player in "abc")
    assert 7 * share(medium, AVERAGE) == pytest.approx(6, abs=1e-4)
    assert medium == pytest.approx(AVERAGE + 400 * log10(6), abs=0.01)
    text = " ".join(PAGE.read_text(encoding="utf-8").split()).replace('" "', "")
    assert f"Easy ({STRENGTHS['easy']:.0f} points) give a rating of {easy:.0f}." in text
    assert f"Hard ({STRENGTHS['hard']:.0f} points) give {hard:.0f}," in text


def test_a_place_takes_ten_games_with_engines_or_three_with_people_that_count() -> None:
    """A game counts once each of the two has played with three others."""
    for games in (9, 10):
        one = fitted({("a", "easy"): "w" * 5, ("a", "hard"): "l" * (games - 5)})["a"]
        assert ((one.shown is not None), one.games) == (games == 10, games)
    for people in (3, 4):
        results: Results = {}
        for one_, other in combinations("abcde", 2):
            both(results, one_, other, "d")
        for other in "abcde"[:people]:
            both(results, "new", other, "w")
        found = fitted(results)
        assert found["a"].shown is not None
        assert (found["new"].shown is not None) is (people == 4)


def lose_on_purpose(results: Results, browsers: int, among: str) -> None:
    names = [f"second{number}" for number in range(browsers)]
    for name in names:
        both(results, "owner", name, "w" * 5)
    for one, other in combinations(names, 2):
        both(results, one, other, among)


def test_up_to_three_second_browsers_that_lose_lift_no_one() -> None:
    """Also where they play each other, or play well against the computer."""
    alone: Results = {("owner", "easy"): "wwlwwwwlww", ("owner", "medium"): "ldwdl"}
    among = played(0, draws=0.5)
    for pupil in CLASS[:8]:
        both(among, "owner", pupil, "wd")
    for browsers, honest in ((1, among), (3, alone), (3, among)):
        results = dict(honest)
        lose_on_purpose(results, browsers, "wlwlw")
        for number in range(browsers):
            results[f"second{number}", "hard"] = "d" * 50
        before, after = fitted(honest)["owner"], fitted(results)["owner"]
        assert after.rating == pytest.approx(before.rating, abs=2 * TOLERANCE_POINTS)
        assert after.shown == before.shown


def test_from_four_on_they_lift_their_owner_and_stand_in_the_table() -> None:
    """As docs/hosting.md says; the teacher sees them, and can remove them."""
    docs = (PAGE.parents[2] / "docs" / "hosting.md").read_text("utf-8")
    for browsers, lifted in ((4, 1461), (10, 1651)):
        results: Results = {}
        lose_on_purpose(results, browsers, "d")
        found = fitted(results)
        assert found["owner"].shown == lifted
        assert all((found[f"second{number}"].shown or 0) > 900 for number in range(browsers))
        assert f"{lifted}" in docs
