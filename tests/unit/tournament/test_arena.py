"""Which of the free players of an arena meet."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from webapp.tournament.pairing import EXACT, PATIENCE, Player, arena

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


def test_all_who_are_free_are_paired_however_many_they_are() -> None:
    for number in (2, EXACT, EXACT + 1, 31, 100):
        rng = random.Random(number)
        waiting = [Player(f"{n:03}", rng.randrange(30)) for n in range(number)]
        pairs = arena(waiting)
        assert len(pairs) == number // 2
        assert len({one for pair in pairs for one in pair}) == 2 * len(pairs)
