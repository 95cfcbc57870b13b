"""The free players of an arena, at the pace of people."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.tournament.pairing import EXACT, PATIENCE, Player, arena

REST_S, TICK_S, MINUTES = 3.0, 0.5, 15
SEEDS = range(8)


@dataclass
class Arena:
    """An arena of made-up players, as the service leads it.

    A match is two games of five to nine moves with a rest between them, and a player is free after
    another rest. Each player is better than some, so that points differ.

    :param move_s: the shortest and the longest time for a move
    :ivar waits_s: from the end of a match to the beginning of the next one
    :ivar rematches: pairs of two who had met before
    :ivar again: pairs of two who had just met; ``at_once``: before both had waited for it
    """

    players: int
    move_s: tuple[float, float]
    seed: int
    waits_s: list[float] = field(default_factory=list)
    pairs: int = 0
    rematches: int = 0
    again: int = 0
    at_once: int = 0

    def __post_init__(self) -> None:
        self._rng = random.Random(f"{self.players} {self.move_s} {self.seed}")
        names = [f"{number:02}" for number in range(self.players)]
        self._skill = {name: self._rng.random() for name in names}
        self._points = Counter[str]()
        self._opponents = defaultdict[str, list[str]](list)
        self._free_since_s = dict.fromkeys(names, -REST_S)
        self._ends_s = dict[tuple[str, str], float]()

    def play(self) -> None:
        for tick in range(int(60 * MINUTES / TICK_S)):
            now_s = tick * TICK_S
            for pair in [pair for pair, end_s in self._ends_s.items() if end_s <= now_s]:
                self._end(pair, now_s)
            waiting = [
                self._waiting(name, now_s - since_s - REST_S)
                for name, since_s in self._free_since_s.items()
                if now_s - since_s >= REST_S
            ]
            for pair in arena(waiting) if len(waiting) > 1 else ():
                self._begin(pair, now_s)

    def _waiting(self, name: str, seconds: float) -> Player:
        met = self._opponents[name]
        last = met[-1] if met else None
        return Player(name, self._points[name], Counter(met), last=last, seconds=int(seconds))

    def _begin(self, pair: tuple[str, str], now_s: float) -> None:
        one, other = pair
        self.pairs += 1
        self.rematches += other in self._opponents[one]
        free_s = now_s - REST_S - max(self._free_since_s[one], self._free_since_s[other])
        again = other in self._opponents[one][-1:] or one in self._opponents[other][-1:]
        self.again += again
        self.at_once += again and free_s < 30
        for name, opponent in (pair, pair[::-1]):
            self._opponents[name].append(opponent)
            self.waits_s.append(now_s - max(0, self._free_since_s.pop(name)))
        moves = self._rng.randint(5, 9) + self._rng.randint(5, 9)
        thought_s = sum(self._rng.uniform(*self.move_s) for _ in range(moves))
        self._ends_s[pair] = now_s + thought_s + REST_S

    def _end(self, pair: tuple[str, str], now_s: float) -> None:
        one, other = pair
        chance = (1 + self._skill[one] - self._skill[other]) / 2
        for _ in range(2):
            won = self._rng.choices((1, 2, 0), (0.2, 0.8 * chance, 0.8 * (1 - chance)))[0]
            self._points[one] += won
            self._points[other] += 2 - won
        del self._ends_s[pair]
        self._free_since_s[one] = self._free_since_s[other] = now_s


def played(players: int, move_s: tuple[float, float]) -> list[Arena]:
    found = [Arena(players, move_s, seed) for seed in SEEDS]
    for one in found:
        one.play()
    return found


@pytest.mark.parametrize(
    "move_s, most_p99_s, pairs_before, rematches_before",
    # The last two: what these arenas came to when any two met again after three seconds.
    [((1, 4), 15, 2621, 929), ((2, 8), 25, 1445, 546)],
)
def test_thirty_meet_others_and_do_not_wait_long(
    move_s: tuple[float, float], most_p99_s: float, pairs_before: int, rematches_before: int
) -> None:
    found = played(30, move_s)
    waits_s = sorted(wait_s for one in found for wait_s in one.waits_s)
    pairs = sum(one.pairs for one in found)
    assert sum(one.at_once for one in found) == 0
    assert sum(one.again for one in found) <= pairs / 100, "no one else was free for 30 seconds"
    assert waits_s[int(0.99 * len(waits_s))] <= most_p99_s
    assert pairs >= 0.95 * pairs_before
    assert sum(one.rematches for one in found) <= 2 / 3 * rematches_before


@pytest.mark.parametrize("move_s, pairs_before", [((1, 4), 682), ((2, 8), 377)])
def test_eight_wait_for_another_opponent_but_not_too_long(
    move_s: tuple[float, float], pairs_before: int
) -> None:
    found = played(8, move_s)
    assert sum(one.at_once for one in found) == 0
    assert max(max(one.waits_s) for one in found) <= 35
    assert sum(one.pairs for one in found) >= 0.9 * pairs_before


# --- at once ------------------------------------------------------------------------------------

people = st.lists(
    st.tuples(
        st.integers(0, 20),
        st.integers(0, PATIENCE + 5),
        st.dictionaries(st.integers(0, 7), st.integers(1, 3), max_size=4),
        st.none() | st.integers(0, 7),
    ),
    max_size=8,
).map(
    lambda some: [
        Player(
            str(number),
            points,
            {str(other): times for other, times in met.items()},
            last=None if last in (number, None) else str(last),
            seconds=seconds,
        )
        for number, (points, seconds, met, last) in enumerate(some)
    ]
)


def may_meet(one: Player, other: Player) -> bool:
    have_just_met = other.player == one.last or one.player == other.last
    return not have_just_met or min(one.seconds, other.seconds) >= PATIENCE


def most_pairs(waiting: Sequence[Player]) -> int:
    """How many pairs there can be, by trying all."""
    if not waiting:
        return 0
    one, *others = waiting
    with_one = (
        1 + most_pairs([*others[:at], *others[at + 1 :]])
        for at, other in enumerate(others)
        if may_meet(one, other)
    )
    return max(most_pairs(others), *with_one, 0)


@given(people)
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
    seconds = {"a": 9, "b": 0, "c": 5}
    waiting = [
        Player(one, 0, {"c": 1} if one == "a" else {}, seconds=seconds[one]) for one in "abc"
    ]
    assert {one for pair in arena(waiting) for one in pair} == {"a", "c"}


@pytest.mark.parametrize("number", [2, EXACT, EXACT + 1, 30, 31, 100])
def test_all_who_are_free_are_paired_however_many_they_are(number: int) -> None:
    rng = random.Random(number)
    waiting = [Player(f"{n:03}", rng.randrange(30)) for n in range(number)]
    pairs = arena(waiting)
    assert len(pairs) == number // 2
    assert len({one for pair in pairs for one in pair}) == 2 * len(pairs)
