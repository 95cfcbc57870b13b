"""Who meets whom in a Swiss and in a round robin, against all ways of pairing."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.tournament import pairing
from webapp.tournament.pairing import EXACT, Player, Round, cheapest, round_robin, swiss

Times = Callable[[int, int], int]
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

    def come_and_go(self) -> None:
        self.playing.remove(self.rng.choice(sorted(self.playing)))
        player = f"{len(self.points):03}"
        self.points[player], self.met[player] = 0, Counter()
        self.playing.add(player)

    def rounds(self, number: int, *, changing: bool = False) -> Iterator[tuple[list[Player], Cost]]:
        for _ in range(number):
            before = self.entrants()
            made = swiss(before)
            yield before, cost_of(before, made)
            self.play(made)
            if changing and self.rng.random() < 0.2:
                self.come_and_go()


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


def least_of_all(before: Sequence[Player]) -> Cost:
    if len(before) % 2 == 0:
        rematches, differences = least_of_pairs(before)
        return 0, rematches, 0, differences
    found = []
    for at, resting in enumerate(before):
        rematches, differences = least_of_pairs([*before[:at], *before[at + 1 :]])
        found.append((resting.byes, rematches, len(before) - at, differences))
    return min(found)


def least_of_pairs(some: Sequence[Player]) -> tuple[int, int]:
    """The fewest rematches of an even number of players, and the least differences with these."""
    price = [
        [(one.met[other.player], (one.points - other.points) ** 2) for other in some]
        for one in some
    ]

    @cache
    def least(free: int) -> tuple[int, int]:
        if not free:
            return 0, 0
        one = (free & -free).bit_length() - 1
        free ^= 1 << one
        found = []
        for other in range(one + 1, len(some)):
            if free >> other & 1:
                rematches, differences = least(free ^ 1 << other)
                again, apart = price[one][other]
                found.append((rematches + again, differences + apart))
        return min(found)

    return least((1 << len(some)) - 1)


MORE = [(11, 14, 1), (12, 14, 1), (13, 5, 1), (14, 6, 1), (16, 3, 1)]


def test_a_round_costs_the_least_of_all_ways(times: Times) -> None:
    cases = [(number, 2 * number, times(4, 16)) for number in range(2, times(10, 11))]
    for players, rounds, seeds in [*cases, *MORE[: times(2, 5)]]:
        for seed in range(seeds):
            for before, cost in Swiss(players, seed).rounds(rounds, changing=seed % 2 == 1):
                assert cost == least_of_all(before)


@st.composite
def costs(draw: st.DrawFn) -> list[list[int]]:
    """What the pairs of up to eight cost, whatever their order."""
    size = draw(st.integers(0, 8))
    found = [[0] * size for _ in range(size)]
    for one, other in combinations(range(size), 2):
        found[one][other] = found[other][one] = draw(st.integers(0, 20))
    return found


@given(costs(), st.lists(st.integers(0, 20), min_size=8, max_size=8))
def test_pairs_of_any_costs_add_up_to_the_least(cost: list[list[int]], alone: list[int]) -> None:
    pairs, left = cheapest(cost, alone[: len(cost)])
    there = [one for pair in pairs for one in pair] + ([] if left is None else [left])
    assert sorted(there) == [*range(len(cost))]

    def least(free: tuple[int, ...]) -> int:
        if not free:
            return 0
        one, *rest = free
        found = [cost[one][o] + least(tuple({*rest} - {o})) for o in rest]
        return min(found + ([alone[one] + least(tuple(rest))] if len(free) % 2 else []))

    found = sum(cost[one][other] for one, other in pairs)
    assert found + (0 if left is None else alone[left]) == least(tuple(range(len(cost))))


@pytest.mark.parametrize("players, rounds", [(22, 8), (31, 8), (100, 3)])
def test_beyond_twenty_players_hardly_more_than_the_least(
    players: int, rounds: int, monkeypatch: pytest.MonkeyPatch, times: Times
) -> None:
    assert players > EXACT
    for before, cost in Swiss(players, 1).rounds(times(2, rounds), changing=True):
        assert cost[0] == (min(one.byes for one in before) if players % 2 else 0)
    some = list(Swiss(players, 0).rounds(times(3 if players < 50 else 1, rounds)))
    monkeypatch.setattr(pairing, "STATES", 2000)
    wide = [cost_of(before, swiss(before)) for before, _ in some]
    assert [cost[:3] for _, cost in some] == [cost[:3] for cost in wide]
    assert sum(cost[1] for _, cost in some) == 0, "no one meets again"
    assert sum(cost[3] for _, cost in some) <= 1.012 * sum(cost[3] for cost in wide)


def test_a_bye_goes_to_the_lowest_without_one() -> None:
    points = {"a": 8, "b": 6, "c": 4, "d": 2, "e": 0}
    byes = Counter("de")
    made = swiss([Player(one, points[one], byes=byes[one]) for one in points])
    assert made.bye == "c"
    assert swiss([Player(one, points[one], byes=1) for one in points]).bye == "e"


def robin(players: Sequence[str], rounds: int) -> list[Round]:
    made: list[Round] = []
    while len(made) < rounds and (
        following := round_robin(players, rounds, [one.matches for one in made])
    ):
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
