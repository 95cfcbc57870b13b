from fractions import Fraction
from itertools import count

from webapp.tournament.event import Entrant, Finished, Match
from webapp.tournament.table import Line, highlights, table

KEPT, LOST = "4", "8"
"""Second moves after a first one in a corner: one keeps the draw, and one loses it."""

_ids = map(str, count())


def game(x: str, o: str, outcome: str, second: str = "") -> Finished:
    """A game that is over; only the moves that count for a tie-break need to be there."""
    moves = f"0{second}" if second else ""
    return Finished(next(_ids), x, o, outcome, "resign", moves, given=min(1, len(moves)))


def lines(players: str, *games: Finished) -> dict[str, Line]:
    return {line.player: line for line in table([*map(Entrant, players)], [], games)}


def test_points_come_first_then_the_opponents() -> None:
    won = [game(x, o, "x") for x, o in ("ab", "bc", "ca")]
    drawn = [game("d", o, "draw") for o in "ac"]
    found = lines("abcd", *won, *drawn, game("a", "c", "cancelled"))
    assert [found[player].points for player in "abcd"] == [3, 2, 3, 2]
    # a beat b (2) and drew with d (2); c beat a (3) and drew with d.
    assert found["a"].sonneborn_berger == Fraction(2 + 1)
    assert found["c"].sonneborn_berger == Fraction(3 + 1)
    assert (found["c"].place, found["a"].place, found["a"].games) == (1, 2, 3)


def test_the_moves_break_what_is_left_and_then_a_place_is_shared() -> None:
    found = lines("abcd", game("a", "b", "draw", KEPT), game("c", "d", "draw", LOST))
    assert [(line.place, line.player) for line in found.values()] == [
        *((1, player) for player in "abc"),
        (4, "d"),
    ]
    assert [found[player].kept for player in "abd"] == [1, 1, 0]


def test_a_bye_and_coming_in_the_first_round_count_points_but_beat_no_one() -> None:
    entrants = [Entrant("a", joined=1), Entrant("b"), Entrant("c", joined=2)]
    found = table(entrants, [Match(1, 1, "b", None)], [])
    assert [(line.player, line.points) for line in found] == [("b", 2), ("a", 1), ("c", 0)]
    assert not any(line.sonneborn_berger for line in found)


def test_a_player_who_was_put_out_stays_in_the_table_only_after_a_match() -> None:
    entrants = [Entrant(player, playing=False, barred=True) for player in "abc"]
    found = table(entrants, [Match(1, 1, "a", "b")], [])
    assert {line.player for line in found} == {"a", "b"}


def test_a_player_looks_back_at_the_best_win_the_best_draw_and_the_places_gained() -> None:
    pairs = [*map(tuple, ("ab", "ac", "db", "cd", "ad", "bc", "cb", "da"))]
    results = ("x", "x", "draw", "x", "draw", "x", "draw", "x")
    games = [game(x, o, how) for (x, o), how in zip(pairs, results, strict=True)]
    matches = [
        Match(number, 0, one.x, one.o, games=(one.id,)) for number, one in enumerate(games, 1)
    ]
    entrants = [*map(Entrant, "abcd")]
    points = {line.player: (line.place, line.points) for line in table(entrants, matches, games)}
    assert points == {"a": (1, 5), "d": (2, 4), "b": (3, 4), "c": (4, 3)}
    assert highlights(entrants, matches, games, "d") == ("a", "a", 1)
    assert highlights(entrants, matches, games, "b") == ("c", "d", 0)
    assert highlights(entrants, matches, games, "c") == ("d", "b", -2)
    assert highlights([*entrants, Entrant("e")], matches, games, "e")[:2] == (None, None)
