"""Ratings: the table is the one that the class would have drawn up, and no one can bend it."""

from __future__ import annotations

from itertools import combinations
from math import log10
from pathlib import Path
from random import Random
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.tables import Results, both, fitted, in_order, kendall, round_robin
from webapp.analysis.matchup import matchup
from webapp.analysis.ratings import AVERAGE, TOLERANCE, engines
from webapp.engines.perfect import HARD
from webapp.engines.registry import ENGINES, LEVELS
from webapp.engines.three_levels import MEDIUM

CLASS = [f"pupil{number:02}" for number in range(30)]
"""The strongest first."""

PAGE = Path(__file__).parents[3] / "templates" / "lobby" / "_standings.html"


def table(results: Results) -> dict[str, float]:
    return {player: one.rating for player, one in fitted(results).items()}


def shown(results: Results) -> dict[str, int | None]:
    return {player: one.shown for player, one in fitted(results).items()}


# --- a class ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_where_the_stronger_always_wins_the_table_is_in_their_order(seed: int) -> None:
    """In whatever order they play; ten orders a test, a hundred in all."""
    first = None
    for number in range(10):
        results: Results = {}
        for one, other, how in round_robin(CLASS, Random(100 * seed + number)):
            both(results, one, other, how)
        found = shown(results)
        assert first in (None, found), "the order of play bends nothing"
        first = found
        ratings = {player: float(rating or 0) for player, rating in found.items()}
        assert kendall(CLASS, ratings) == 1
        assert in_order(ratings)[:3] == CLASS[:3]


def test_with_three_draws_in_five_the_table_is_still_much_like_their_order() -> None:
    taus = []
    for seed in range(40):
        results: Results = {}
        for one, other, how in round_robin(CLASS, Random(seed), draws=0.6):
            both(results, one, other, how)
        taus.append(kendall(CLASS, table(results)))
    assert 0.74 <= mean(taus) <= 0.82


PEOPLE = list("abcdefg")


@given(
    st.lists(
        st.tuples(st.sampled_from(PEOPLE), st.sampled_from([*PEOPLE, "easy", "hard"]),
                  st.sampled_from("wdl")),
        max_size=60,
    ),
    st.randoms(use_true_random=False),
)  # fmt: skip
@settings(deadline=None)  # the first of them computes the ratings of the engines
def test_the_order_of_play_makes_no_difference(
    games: list[tuple[str, str, str]], chance: Random
) -> None:
    """As long as the last five results of a pair are the same."""
    tables = list[dict[str, float]]()
    for _ in range(2):
        results: Results = {}
        for one, other, how in games:
            if one == other or len(results.get((one, other), "")) == 5:
                continue
            if other in PEOPLE:
                both(results, one, other, how)
            else:
                results[one, other] = results.get((one, other), "") + how
        tables.append(table(results))
        by_pair: dict[frozenset[str], list[tuple[str, str, str]]] = {}
        for game in games:
            by_pair.setdefault(frozenset(game[:2]), []).append(game)
        pairs = list(by_pair.values())
        chance.shuffle(pairs)
        games = [game for some in pairs for game in some]
    assert tables[0].keys() == tables[1].keys()
    for player, rating in tables[0].items():
        assert rating == pytest.approx(tables[1][player], abs=2 * TOLERANCE)


def test_a_rating_is_the_one_that_the_results_want() -> None:
    """Each player expects as many points as there are, the two of the prior included."""
    chance, results = Random(3), Results()
    for one, other in combinations(CLASS[:12], 2):
        both(results, one, other, "".join(chance.choices("wdl", k=5)))
    for one in CLASS[:12]:
        results[one, "hard"] = "".join(chance.choices("dl", k=7))
    found, strengths = table(results), engines()
    for one, rating in found.items():
        missing = 1 - 2 * share(rating, AVERAGE)
        for (player, other), how in results.items():
            if player == one:
                games = how[-5:]
                won = games.count("w") + games.count("d") / 2
                against = strengths.get(other) or found[other]
                missing += won - len(games) * share(rating, against)
        assert abs(missing) < 1e-4


def share(rating: float, other: float) -> float:
    """What a rating lets expect of a game, on the scale of chess."""
    return float(1 / (1 + 10 ** ((other - rating) / 400)))


def test_everyone_beaten_or_beating_all_has_a_finite_rating() -> None:
    results: Results = {}
    for one, other in combinations(CLASS, 2):
        how = "wwwww" if one == CLASS[0] or other == CLASS[-1] else "d"
        both(results, one, other, how)
    found = table(results)
    assert 1500 < found[CLASS[0]] < 2500
    assert -500 < found[CLASS[-1]] < 500


# --- engines ------------------------------------------------------------------------------------


def test_engines_are_as_strong_as_their_exact_results_say() -> None:
    found = engines()
    assert found.keys() == ENGINES.keys()
    easy, medium, hard = (found[level.slug] for level in LEVELS)
    assert easy < medium == AVERAGE < hard
    assert found["easy"] == min(found.values())
    assert max(found.values()) - hard < 1
    assert [round(rating) for rating in (easy, hard)] == [645, 1194]
    for slug, engine in ENGINES.items():
        if slug == MEDIUM.slug:
            continue
        expected = played = 0.0
        for other, rival in ENGINES.items():
            if other != slug:
                as_x, as_o = matchup(engine, rival), matchup(rival, engine)
                played += float(as_x.x_wins + as_x.draws / 2 + as_o.o_wins + as_o.draws / 2) / 2
                expected += share(found[slug], found[other])
        assert expected == pytest.approx(played, abs=1e-6)


def test_400_points_are_odds_of_ten_to_one() -> None:
    """A player who has no other results than with one engine, and the two of the prior."""
    rating = table({("a", "medium"): "wwwww"})["a"]
    assert 7 * share(rating, AVERAGE) == pytest.approx(6, abs=1e-4)
    assert rating == pytest.approx(AVERAGE + 400 * log10(6), abs=0.01)


def test_who_draws_with_hard_and_mostly_beats_medium_is_above_who_always_beats_easy() -> None:
    found = table({("a", "hard"): "ddddd", ("a", "medium"): "wwdlw", ("b", "easy"): "w" * 100})
    assert found["a"] > found["b"] + 20


def test_the_example_on_the_page_is_true() -> None:
    found, text = engines(), PAGE.read_text(encoding="utf-8")
    made = table({("a", "easy"): "wwwww", ("b", HARD.slug): "ddddd"})
    for said in (f"Easy ({found['easy']:.0f} points) make a rating of {made['a']:.0f}.",
                 f"Hard ({found['hard']:.0f} points) make {made['b']:.0f},"):  # fmt: skip
        assert said in text.replace("\n", " ")


# --- places -------------------------------------------------------------------------------------


@pytest.mark.parametrize("games, placed", [(0, False), (9, False), (10, True), (100, True)])
def test_a_place_takes_ten_games_with_engines(games: int, placed: bool) -> None:
    results = {("a", "easy"): "w" * (games // 2), ("a", "hard"): "l" * (games - games // 2)}
    found = fitted(results)
    assert (found["a"].shown is not None) is placed
    assert found["a"].games == games


@pytest.mark.parametrize("people, placed", [(3, False), (4, True)])
def test_or_three_games_with_people_that_count(people: int, placed: bool) -> None:
    """A game counts once each of the two has played with three others."""
    results: Results = {}
    for one, other in combinations("abcde", 2):
        both(results, one, other, "d")
    for other in "abcde"[:people]:
        both(results, "new", other, "w")
    assert shown(results)["a"] is not None
    assert (shown(results)["new"] is not None) is placed


# --- second browsers ----------------------------------------------------------------------------

HONEST = {("owner", "easy"): "wwlwwwwlww", ("owner", "medium"): "ldwdl", ("owner", "hard"): "lldll"}


@pytest.mark.parametrize("browsers", [1, 2, 3])
@pytest.mark.parametrize("among", [False, True])
def test_up_to_three_second_browsers_that_lose_lift_no_one(browsers: int, among: bool) -> None:
    """Also where they play each other, or play well against the computer."""
    alone, results = fitted(dict(HONEST))["owner"], dict(HONEST)
    lose_on_purpose(results, browsers, among=among)
    for number in range(browsers):
        results[f"second{number}", "hard"] = "d" * 50
    owner = fitted(results)["owner"]
    assert (owner.rating, owner.shown) == (alone.rating, alone.shown)


@pytest.mark.parametrize("browsers", [1, 2, 3])
def test_nor_do_they_where_the_owner_plays_in_the_class(browsers: int) -> None:
    results: Results = {}
    for one, other in combinations(["owner", *CLASS[:8]], 2):
        both(results, one, other, "wd")
    alone = fitted(dict(results))["owner"]
    lose_on_purpose(results, browsers, among=True)
    owner = fitted(results)["owner"]
    assert (owner.rating, owner.shown) == (alone.rating, alone.shown)


@pytest.mark.parametrize("browsers, lifted", [(4, 1461), (10, 1651)])
def test_from_four_on_they_lift_their_owner_and_stand_in_the_table(
    browsers: int, lifted: int
) -> None:
    """As docs/teachers.md says; the host sees them, and can remove them."""
    results: Results = {}
    names = [f"second{number}" for number in range(browsers)]
    for one, other in combinations(names, 2):
        both(results, one, other, "d")
    for name in names:
        both(results, "owner", name, "w" * 5)
    found = shown(results)
    assert found["owner"] == lifted
    assert all((found[name] or 0) > 900 for name in names)
    assert f"{lifted}" in (PAGE.parents[2] / "docs" / "teachers.md").read_text("utf-8")


def test_they_lift_less_who_has_played_with_the_computer() -> None:
    results = dict(HONEST)
    alone = table(dict(HONEST))["owner"]
    lose_on_purpose(results, 10, among=True)
    lifted = table(results)["owner"]
    assert (round(alone), round(lifted)) == (908, 1191)


def lose_on_purpose(results: Results, browsers: int, *, among: bool) -> None:
    names = [f"second{number}" for number in range(browsers)]
    for name in names:
        both(results, "owner", name, "w" * 20)
    if among:
        for one, other in combinations(names, 2):
            both(results, one, other, "wlwlw")
