"""Who meets whom, against all ways of pairing, for every number of players."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.tournament.matching import Matching, preferred
from webapp.tournament.pairing import (
    AT_ONCE,
    LAST,
    PATIENCE,
    Entrant,
    Round,
    Waiting,
    arena,
    swiss,
)

# --- the most pairs -------------------------------------------------------------------------------


def most_pairs(neighbours: Sequence[set[int]]) -> int:
    """How many pairs there can be, by trying all."""

    @cache
    def most(free: int) -> int:
        if not free:
            return 0
        one = (free & -free).bit_length() - 1
        rest = free & ~(1 << one)
        with_one = (1 + most(rest & ~(1 << o)) for o in neighbours[one] if rest >> o & 1)
        return max(most(rest), *with_one, 0)

    return most((1 << len(neighbours)) - 1)


@st.composite
def graphs(draw: st.DrawFn) -> list[set[int]]:
    size = draw(st.integers(0, 9))
    edges = draw(st.lists(st.sampled_from([*combinations(range(size), 2)] or [(0, 0)])))
    found: list[set[int]] = [set() for _ in range(size)]
    for one, other in edges if size > 1 else ():
        found[one].add(other)
        found[other].add(one)
    return found


@given(graphs(), st.randoms())
def test_as_many_are_paired_as_can_be(graph: list[set[int]], rng: random.Random) -> None:
    mates = Matching(graph).mates
    for one, other in enumerate(mates):
        assert other is None or (other in graph[one] and mates[other] == one)
    assert sum(mate is not None for mate in mates) == 2 * most_pairs(graph)
    pairs, alone = preferred(graph, lambda _, left: rng.sample(left, len(left)))
    assert len(pairs) == most_pairs(graph)
    assert all(other in graph[one] for one, other in pairs)
    assert sorted([*alone, *(one for pair in pairs for one in pair)]) == [*range(len(graph))]


@given(graphs())
def test_the_first_have_their_first_wish_that_leaves_as_many_pairs(graph: list[set[int]]) -> None:
    pairs, _ = preferred(graph, lambda _, left: left)
    left, made = set(range(len(graph))), 0
    for one in range(len(graph)):
        if one in left:
            inside = [others & left if at in left else set() for at, others in enumerate(graph)]
            chosen = next((other for a, other in pairs if a == one), None)
            for other in sorted(inside[one]):
                if chosen is not None and other >= chosen:
                    break
                without = [
                    set() if at in (one, other) else s - {one, other} for at, s in enumerate(inside)
                ]
                assert 1 + most_pairs(without) < most_pairs(inside), "an earlier wish would do"
            left -= {one, chosen} if chosen is not None else {one}
            made += chosen is not None
    assert made == len(pairs)


# --- a Swiss --------------------------------------------------------------------------------------


class Swiss:
    """A Swiss with random results, in which some leave and some come late."""

    def __init__(self, players: int, seed: int) -> None:
        self.rng = random.Random(seed)
        self.points = Counter({f"{number:02}": 0 for number in range(players)})
        self.met: dict[str, set[str]] = {player: set() for player in self.points}
        self.byes = Counter[str]()
        self.playing = set(self.points)

    def entrants(self) -> list[Entrant]:
        order = sorted(self.playing, key=lambda one: (-self.points[one], one))
        return [
            Entrant(one, self.points[one], frozenset(self.met[one]), self.byes[one])
            for one in order
        ]

    def play(self, made: Round) -> None:
        for one, other in made.pairs:
            self.met[one].add(other)
            self.met[other].add(one)
            won = self.rng.randrange(5)
            self.points[one] += won
            self.points[other] += 4 - won
        if made.bye:
            self.byes[made.bye] += 1
            self.points[made.bye] += 2

    def come(self) -> None:
        player = f"{len(self.points):02}"
        self.points[player], self.met[player] = 0, set()
        self.playing.add(player)

    def rounds(self, number: int) -> Iterator[tuple[list[Entrant], Round]]:
        for _ in range(number):
            before = self.entrants()
            made = swiss(before)
            yield before, made
            self.play(made)


def check(before: Sequence[Entrant], made: Round) -> None:
    """Everyone is there once, and only one of an odd number has a bye, who had the fewest."""
    there = [one for pair in made.pairs for one in pair] + [made.bye] * (made.bye is not None)
    assert sorted(map(str, there)) == sorted(one.player for one in before)
    assert (made.bye is not None) == len(before) % 2
    byes = {one.player: one.byes for one in before}
    assert made.bye is None or byes[made.bye] == min(byes.values())


@pytest.mark.parametrize("players", range(2, 65))
def test_every_number_of_players_is_paired_and_no_one_meets_again(players: int) -> None:
    event = Swiss(players, seed=players)
    for before, made in event.rounds(min(5, players - 1)):
        check(before, made)
        met = {one.player: one.met for one in before}
        if players > 9:
            assert not any(other in met[one] for one, other in made.pairs)
        if players > 20 and event.rng.random() < 0.3:
            event.playing.remove(event.rng.choice(sorted(event.playing)))
            event.come()


@pytest.mark.parametrize("players", range(4, 17, 2))
def test_a_swiss_of_all_rounds_is_nearly_a_round_robin(players: int) -> None:
    event = Swiss(players, seed=players)
    again = 0
    for before, made in event.rounds(players - 1):
        met = {one.player: one.met for one in before}
        again += sum(other in met[one] for one, other in made.pairs)
    # A round looks at itself alone: the last ones may be left with a rematch.
    assert again <= players // 2


@given(st.integers(2, 10), st.integers(0, 12), st.integers(0, 10**6))
def test_no_rematch_is_made_that_can_be_avoided_in_its_round(
    players: int, rounds: int, seed: int
) -> None:
    event = Swiss(players, seed)
    for before, made in event.rounds(rounds):
        check(before, made)
        met = {one.player: one.met for one in before}
        again = sum(other in met[one] for one, other in made.pairs)
        fewest = min(one.byes for one in before)
        may_rest = [one.player for one in before if one.byes == fewest] if made.bye else [None]
        least = min(least_rematches(before, resting) for resting in may_rest)
        assert again == least
        if made.bye:
            lower = [one.player for one in before][
                [one.player for one in before].index(made.bye) + 1 :
            ]
            for one in lower:
                assert one not in may_rest or least_rematches(before, one) > again


def least_rematches(entrants: Sequence[Entrant], resting: str | None) -> int:
    there = [one for one in entrants if one.player != resting]
    fresh = [
        {at for at, other in enumerate(there) if other.player not in one.met and other != one}
        for one in there
    ]
    return len(there) // 2 - most_pairs(fresh)


def test_the_upper_half_of_a_score_group_meets_the_lower() -> None:
    made = swiss([Entrant(name, 0) for name in "abcdefgh"])
    assert made.pairs == (("a", "e"), ("b", "f"), ("c", "g"), ("d", "h"))


def test_a_bye_goes_to_the_lowest_without_one() -> None:
    points = {"a": 8, "b": 6, "c": 4, "d": 2, "e": 0}
    byes = Counter("de")
    made = swiss([Entrant(one, points[one], byes=byes[one]) for one in points])
    assert made.bye == "c"
    assert swiss([Entrant(one, points[one], byes=1) for one in points]).bye == "e"


# --- an arena -------------------------------------------------------------------------------------

people = st.lists(
    st.builds(
        lambda points, seconds, last: (points, seconds, last),
        st.integers(0, 20),
        st.integers(0, 10),
        st.lists(st.integers(0, 7), max_size=LAST),
    ),
    max_size=8,
).map(
    lambda some: [
        Waiting(str(n), p, tuple(str(o) for o in last if o != n), s)
        for n, (p, s, last) in enumerate(some)
    ]
)


@given(people)
def test_as_many_who_wait_are_paired_as_may_meet(waiting: list[Waiting]) -> None:
    pairs = arena(waiting)
    there = [one for pair in pairs for one in pair]
    assert len(there) == len(set(there))
    known = {one.player: one for one in waiting}
    assert all(may_meet(known[one], known[other]) for one, other in pairs)
    graph = [
        {at for at, other in enumerate(waiting) if other != one and may_meet(one, other)}
        for one in waiting
    ]
    assert len(pairs) == most_pairs(graph)


def may_meet(one: Waiting, other: Waiting) -> bool:
    lately = other.player in one.last[:LAST] or one.player in other.last[:LAST]
    return not lately or min(one.seconds, other.seconds) >= PATIENCE


def test_the_nearest_in_score_meet() -> None:
    found = arena([Waiting("a", 9), Waiting("b", 1), Waiting("c", 8), Waiting("d", 0)])
    assert {frozenset(pair) for pair in found} == {frozenset("ac"), frozenset("bd")}


def test_a_last_opponent_is_met_again_only_after_some_patience() -> None:
    for seconds, paired in ((PATIENCE - 1, 0), (PATIENCE, 1)):
        two = [Waiting("a", 0, ("b",), seconds), Waiting("b", 0, ("a",), 60)]
        assert len(arena(two)) == paired
    three = [*two, Waiting("c", 20, (), PATIENCE)]
    assert {"c"} & {one for pair in arena(three) for one in pair}, "someone else is free"


def test_of_an_odd_number_the_one_is_left_who_came_last() -> None:
    waiting = [Waiting(name, 0, (), seconds) for name, seconds in (("a", 9), ("b", 0), ("c", 5))]
    assert {one for pair in arena(waiting) for one in pair} == {"a", "c"}


@pytest.mark.parametrize("number", [2, AT_ONCE, AT_ONCE + 1, 30, 31, 100])
def test_more_than_can_be_tried_are_split_by_their_scores(number: int) -> None:
    rng = random.Random(number)
    waiting = [Waiting(f"{n:03}", rng.randrange(30)) for n in range(number)]
    pairs = arena(waiting)
    assert len(pairs) == number // 2
    assert len({one for pair in pairs for one in pair}) == 2 * len(pairs)
