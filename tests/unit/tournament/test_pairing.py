"""Who meets whom in a Swiss, a round robin and an arena, against all ways of pairing."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.patience import Times
from webapp.tournament import pairing
from webapp.tournament.pairing import EXACT, PATIENCE, Player, Round, arena, round_robin, swiss

Cost = tuple[int, int, int, int]
"""Byes that the resting player has had, rematches, the place of the bye from below, differences."""


class Swiss:
    """A Swiss with random results, in which some leave and some come late."""

    def __init__(self, players: int, seed: int) -> None:
        self.rng = random.Random(f"{players} {seed}")
        self.points = Counter({f"{number:03}": 0 for number in range(players)})
        self.met = {player: Counter[str]() for player in self.points}
        self.byes = Counter[str]()
        self.playing = set(self.points)

    def entrants(self) -> list[Player]:
        order = sorted(self.playing, key=lambda one: (-self.points[one], one))
        return [Player(one, self.points[one], self.met[one], self.byes[one]) for one in order]

    def play(self, made: Round) -> None:
        for one, other in made.pairs:
            self.met[one][other] += 1
            self.met[other][one] += 1
            won = self.rng.randrange(5)
            self.points[one] += won
            self.points[other] += 4 - won
        if made.bye:
            self.byes[made.bye] += 1
            self.points[made.bye] += 2

    def rounds(self, number: int, *, changing: bool = False) -> Iterator[tuple[list[Player], Cost]]:
        """Play so many, in which players may come and go; yield who was there, and the cost."""
        for _ in range(number):
            before = self.entrants()
            made = swiss(before)
            yield before, cost_of(before, made)
            self.play(made)
            if changing and self.rng.random() < 0.2:
                self.playing.remove(self.rng.choice(sorted(self.playing)))
                player = f"{len(self.points):03}"
                self.points[player], self.met[player] = 0, Counter()
                self.playing.add(player)


def cost_of(before: Sequence[Player], made: Round) -> Cost:
    """What a round costs; everyone is in it once, and there is a bye if their number is odd."""
    there = [one for pair in made.pairs for one in pair] + [made.bye] * (made.bye is not None)
    assert sorted(map(str, there)) == sorted(one.player for one in before)
    assert (made.bye is not None) == len(before) % 2
    known = {one.player: one for one in before}
    pairs = [(known[one], known[other]) for one, other in made.pairs]
    resting = [one for one in before if one.player == made.bye]
    return (
        sum(one.byes for one in resting),
        sum(one.met[other.player] for one, other in pairs),
        sum(len(before) - before.index(one) for one in resting),
        sum((one.points - other.points) ** 2 for one, other in pairs),
    )


def least(cost: Sequence[Sequence[int]], alone: Sequence[int]) -> int:
    """What all pairs cost at least; of an odd number, one is left alone."""

    @cache
    def of(free: int) -> int:
        if not free:
            return 0
        one = free.bit_length() - 1
        free ^= 1 << one
        found = [cost[one][o] + of(free ^ 1 << o) for o in range(one) if free >> o & 1]
        if free.bit_count() % 2 == 0:
            found.append(alone[one] + of(free))
        return min(found)

    return of((1 << len(cost)) - 1)


def weighed(cost: Cost) -> int:
    byes, rematches, place, differences = cost
    return ((byes * 10**3 + rematches) * 10**3 + place) * 10**6 + differences


def test_a_round_costs_the_least_of_all_ways() -> None:
    few = [(number, 2 * number, 16) for number in range(2, 11)]
    for players, rounds, seeds in (*few, (11, 14, 1), (12, 14, 1), (13, 5, 1), (16, 3, 1)):
        for seed in range(seeds):
            for there, cost in Swiss(players, seed).rounds(rounds, changing=seed % 2 == 1):
                pairs = [
                    [
                        weighed((0, one.met[o.player], 0, (one.points - o.points) ** 2))
                        for o in there
                    ]
                    for one in there
                ]
                size = len(there)
                byes = [weighed((one.byes, 0, size - at, 0)) for at, one in enumerate(there)]
                assert weighed(cost) == least(pairs, byes)


@pytest.mark.parametrize("players, rounds", [(22, 8), (31, 8), (100, 3)])
def test_beyond_twenty_players_hardly_more_than_the_least(
    players: int, rounds: int, monkeypatch: pytest.MonkeyPatch, times: Times
) -> None:
    assert players > EXACT
    some = list(Swiss(players, 0).rounds(times(1 + (players < 50), rounds), changing=True))
    monkeypatch.setattr(pairing, "STATES", 2000)
    wide = [cost_of(before, swiss(before)) for before, _ in some]
    assert [cost[:3] for _, cost in some] == [cost[:3] for cost in wide]
    assert sum(cost[1] for _, cost in some) == 0, "no one meets again"
    assert sum(cost[3] for _, cost in some) <= 1.012 * sum(cost[3] for cost in wide)
    for before, cost in some:
        assert cost[0] == (min(one.byes for one in before) if players % 2 else 0)


def robin(players: Sequence[str], rounds: int) -> list[Round]:
    made: list[Round] = []
    while len(made) < rounds:
        following = round_robin(players, rounds, [one.matches for one in made])
        if following is None:
            break
        made.append(following)
    return made


def test_in_a_round_robin_everyone_meets_everyone_once() -> None:
    for players in range(2, 21):
        names = [f"{number:02}" for number in range(players)]
        rounds = players - 1 + players % 2
        made = robin(names, rounds)
        assert len(made) == rounds
        met = [frozenset(pair) for one in made for pair in one.pairs]
        assert sorted(map(sorted, met)) == [list(pair) for pair in combinations(names, 2)]
        assert sorted(one.bye for one in made if one.bye) == (names if players % 2 else [])
        assert all(len(one.matches) == (players + 1) // 2 for one in made)


def test_it_takes_that_many_rounds_and_the_same_players_from_the_first_on() -> None:
    for players in ("abcdef", "abcde"):
        for rounds in {*range(1, 9)} - {5}:
            assert robin(players, rounds) == []
        before = [one.matches for one in robin(players, 5)[:2]]
        assert round_robin(players, 5, before)
        assert round_robin(players[:-1], 5, before) is None, "someone has left"
        assert round_robin(f"{players}g", 5, before) is None, "someone has come"
        assert round_robin(players, 5, before[::-1]) is None, "the rounds were others"


@st.composite
def some_who_wait(draw: st.DrawFn) -> list[Player]:
    size = draw(st.integers(0, 8))
    others = st.sampled_from([str(number) for number in range(8)])
    return [
        Player(
            player, draw(st.integers(0, 20)),
            draw(st.dictionaries(others, st.integers(1, 3), max_size=4)),
            last=draw(st.none() | others), seconds=draw(st.integers(0, PATIENCE + 5)),
        )
        for player in map(str, range(size))
    ]  # fmt: skip


def may_meet(one: Player, other: Player) -> bool:
    have_just_met = other.player == one.last or one.player == other.last
    return not have_just_met or min(one.seconds, other.seconds) >= PATIENCE


def most_pairs(waiting: Sequence[Player]) -> int:
    if not waiting:
        return 0
    one, *others = waiting
    with_one = (
        1 + most_pairs([*others[:at], *others[at + 1 :]])
        for at, other in enumerate(others)
        if may_meet(one, other)
    )
    return max(most_pairs(others), *with_one, 0)


@given(some_who_wait())
def test_as_many_who_wait_are_paired_as_may_meet(waiting: list[Player]) -> None:
    known = {one.player: one for one in waiting}
    pairs = arena(waiting)
    there = [one for pair in pairs for one in pair]
    assert len(there) == len(set(there))
    assert all(may_meet(known[one], known[other]) for one, other in pairs)
    assert len(pairs) == most_pairs(waiting)


def test_the_nearest_in_score_meet_and_before_them_those_who_have_not_met() -> None:
    points = {"a": 9, "b": 1, "c": 8, "d": 0}
    near = arena([Player(one, points[one]) for one in points])
    assert {frozenset(pair) for pair in near} == {frozenset("ac"), frozenset("bd")}
    met = {"a": {"c": 1}, "c": {"a": 1}}
    new = arena([Player(one, points[one], met.get(one, {})) for one in points])
    assert {frozenset(pair) for pair in new} == {frozenset("ab"), frozenset("cd")}


def test_the_last_opponent_is_met_again_only_after_both_have_waited() -> None:
    for seconds, paired in ((PATIENCE - 1, 0), (PATIENCE, 1)):
        two = [
            Player("a", 0, {"b": 1}, last="b", seconds=seconds),
            Player("b", 0, {"a": 1}, last="a", seconds=60),
        ]
        assert len(arena(two)) == paired
    three = [*two, Player("c", 20, seconds=PATIENCE)]
    assert {"c"} & {one for pair in arena(three) for one in pair}, "someone else is free"


def test_of_an_odd_number_the_one_is_left_who_came_last() -> None:
    waiting = [
        Player(one, 0, {"c": 1} if one == "a" else {}, seconds=seconds)
        for one, seconds in (("a", 9), ("b", 0), ("c", 5))
    ]
    assert {one for pair in arena(waiting) for one in pair} == {"a", "c"}


def test_all_who_are_free_are_paired_however_many_they_are() -> None:
    for number in (2, EXACT, EXACT + 1, 31, 100):
        rng = random.Random(number)
        waiting = [Player(f"{n:03}", rng.randrange(30)) for n in range(number)]
        pairs = arena(waiting)
        assert len(pairs) == number // 2
        assert len({one for pair in pairs for one in pair}) == 2 * len(pairs)
