"""The table of a tournament computed again, and its matches checked, from what is stored.

It shares no computation with the program: plain SQL, rules of the tests' own, and sums game
by game.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any, NamedTuple

import sqlalchemy as sa

from tests.support import rules
from webapp.store import Database

_QUARTER, _MIRROR = "630741852", "210543876"
"""Which cell comes to a place where the square is turned, or mirrored."""


class Row(NamedTuple):
    """A line of the table."""

    place: int
    player: str
    points: int
    sonneborn_berger: Fraction
    kept: Fraction
    games: int


class Stored(NamedTuple):
    """All that is stored of a tournament."""

    tournament: dict[str, Any]
    entrants: list[dict[str, Any]]
    matches: list[dict[str, Any]]
    games: dict[str, dict[str, Any]]


def stored(database: Database, tournament: str) -> Stored:
    """Read a tournament as it is at one moment."""
    with database.read() as connection:

        def rows(table: str, column: str = "tournament") -> list[dict[str, Any]]:
            query = sa.text(f"SELECT * FROM {table} WHERE {column} = :id")  # noqa: S608
            return [dict(row) for row in connection.execute(query, {"id": tournament}).mappings()]

        (found,) = rows("tournaments", "id")
        matches = sorted(rows("matches"), key=lambda one: int(one["number"]))
        games = {game["id"]: game for game in rows("games")}
        return Stored(found, rows("entrants"), matches, games)


def recomputed(found: Stored) -> list[Row]:
    """Compute the table, the first line first."""
    counted = [game for game in found.games.values() if game["outcome"] in ("x", "o", "draw")]
    points, games = _points(found, counted), defaultdict[str, int](int)
    for game in counted:
        for seat in ("x_seat", "o_seat"):
            games[game[seat]] += 1
    berger = defaultdict[str, Fraction](Fraction)
    kept, made = defaultdict[str, int](int), defaultdict[str, int](int)
    for game in counted:
        x, o = game["x_seat"], game["o_seat"]
        for player, mark, other in ((x, "x", o), (o, "o", x)):
            if game["outcome"] in (mark, "draw"):
                share = 1 if game["outcome"] == mark else Fraction(1, 2)
                berger[player] += share * points[other]
        for ply in range(game["given"], len(game["moves"])):
            before, after = game["moves"][:ply], game["moves"][: ply + 1]
            made[(x, o)[ply % 2]] += 1
            kept[(x, o)[ply % 2]] += -_value(after) >= _value(before)

    def rank(player: str) -> tuple[int, Fraction, Fraction]:
        share = Fraction(kept[player], made[player]) if made[player] else Fraction(1)
        return points[player], berger[player], share

    met = {match[name] for match in found.matches for name in ("one", "other")}
    players = sorted(
        one["player"] for one in found.entrants if one["player"] in met or not one["barred"]
    )
    return [
        Row(1 + sum(rank(other) > rank(one) for other in players), one, *rank(one), games[one])
        for one in sorted(players, key=rank, reverse=True)
    ]


def _points(found: Stored, counted: list[dict[str, Any]]) -> dict[str, int]:
    points = defaultdict[str, int](int)
    for one in found.entrants:
        points[one["player"]] += one["joined"] == 1  # a draw for coming in the first round
    for match in found.matches:
        if match["other"] is None:
            points[match["one"]] += 2
    for game in counted:
        for seat, mark in (("x_seat", "x"), ("o_seat", "o")):
            points[game[seat]] += {mark: 2, "draw": 1}.get(game["outcome"], 0)
    return points


def _value(moves: str) -> int:
    """What a position is worth to the player to move: 1 for a win, -1 for a loss."""
    return rules.value(rules.after(map(int, moves)))[0]


def check_matches(found: Stored) -> None:
    """Check that all fits together, whatever became of the games and of the servers."""
    assert [match["number"] for match in found.matches] == [*range(1, len(found.matches) + 1)]
    known, used = {one["player"] for one in found.entrants}, set[tuple[str, ...]]()
    going, in_rounds = list[str](), set[tuple[int, str]]()
    for match in found.matches:
        both = match["one"], match["other"]
        assert known.issuperset(filter(None, both)), match
        if found.tournament["format"] == "swiss":
            for player in filter(None, both):
                assert (match["round"], player) not in in_rounds, "two matches in a round"
                in_rounds.add((match["round"], player))
        if match["other"] is None:
            continue
        shape = (*sorted(both), _shape(rules.after(map(int, match["opening"]))))
        assert match["opening"] == "" or shape not in used, "an opening came again"
        used.add(shape)
        for name, seats in (("first_game", both), ("second_game", both[::-1])):
            if (game := found.games.get(match[name])) is None:
                continue  # not begun, or deleted by its player
            assert (game["x_seat"], game["o_seat"]) == seats, "the marks are not swapped"
            assert game["given"] == len(match["opening"])
            assert game["moves"].startswith(match["opening"])
            if game["outcome"] == "":
                going += seats
                assert match["step"] == (1 if name == "first_game" else 3)
    assert len(going) == len(set(going)), "a player is in two games"
    of_matches = {match[name] for match in found.matches for name in ("first_game", "second_game")}
    assert of_matches.issuperset(found.games), "a game belongs to no match"


def _shape(board: str) -> str:
    """The same for all images of a position."""
    images = [board]
    for way in (_MIRROR, *[_QUARTER] * 3):
        images += ["".join(one[int(cell)] for cell in way) for one in images]
    return min(images)
