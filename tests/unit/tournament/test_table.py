"""Points, tie-breaks and places."""

from fractions import Fraction

from webapp.tournament.table import Line, Result, table


def places(found: tuple[Line, ...]) -> list[tuple[int, str]]:
    return [(line.place, line.player) for line in found]


def test_points_come_first_then_the_opponents_then_the_moves() -> None:
    results = [
        Result("a", "b", 2),
        Result("b", "c", 2),
        Result("c", "a", 2),
        Result("d", "a", 1),
        Result("d", "c", 1),
    ]
    moves = {"a": (5, 9), "c": (6, 9)}
    found = {line.player: line for line in table("abcd", results, {}, moves)}
    assert {player: line.points for player, line in found.items()} == {
        "a": 3,
        "b": 2,
        "c": 3,
        "d": 2,
    }
    # a beat b (2) and drew with d (2); c beat a (3) and drew with d.
    assert found["a"].sonneborn_berger == Fraction(2 + 1)
    assert found["c"].sonneborn_berger == Fraction(3 + 1)
    assert (found["c"].place, found["a"].place) == (1, 2)
    assert found["a"].kept == Fraction(5, 9)
    assert found["a"].games == 3


def test_the_moves_break_what_is_left_and_then_a_place_is_shared() -> None:
    results = [Result("a", "b", 1), Result("c", "d", 1)]
    moves = {"a": (3, 4), "b": (3, 4), "c": (4, 4), "d": (1, 4)}
    assert places(table("abcd", results, {}, moves)) == [(1, "c"), (2, "a"), (2, "b"), (4, "d")]


def test_a_bye_counts_points_but_beats_no_one() -> None:
    found = table("ab", [], {"b": 2}, {})
    assert [(line.player, line.points, line.sonneborn_berger) for line in found] == [
        ("b", 2, Fraction(0)),
        ("a", 0, Fraction(0)),
    ]
