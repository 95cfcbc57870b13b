"""Who is first: points, tie-breaks and places."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

WIN, DRAW, LOSS = 2, 1, 0
"""What a game is worth."""

BYE = 2 * DRAW
"""What a bye is worth: a match of two draws."""

LATE = DRAW
"""What the first round of a Swiss is worth to a player who comes while it is played."""


class Result(NamedTuple):
    """A game of two players, and the points of the first; the second has the rest of two."""

    one: str
    other: str
    points: int


class Line(NamedTuple):
    """A line of the table.

    :param place: from 1; players who are equal in everything share one
    :param sonneborn_berger: the points of those the player has beaten, and half of those of whom
        the player drew with, game by game
    :param kept: the share of own moves that kept what the position was worth; 1 without any
    """

    place: int
    player: str
    points: int
    sonneborn_berger: Fraction
    kept: Fraction
    games: int


def table(
    players: Collection[str],
    results: Iterable[Result],
    given: Mapping[str, int],
    moves: Mapping[str, tuple[int, int]],
) -> tuple[Line, ...]:
    """Return the table, the first line first; equal players come by their ids.

    Ties are broken by W. Neustadtl's score, known as Sonneborn-Berger, and then by the moves.

    :param given: points without a game: byes, and a first round that was missed
    :param moves: how many own moves kept the value of the position, and how many there were
    """
    points, games = Counter(given), Counter[str]()
    seen = [one for result in results for one in (result, _turned(result))]
    for one in seen:
        points[one.one] += one.points
        games[one.one] += 1
    beaten = Counter[str]()
    for one in seen:
        beaten[one.one] += one.points * points[one.other]
    found = [
        Line(
            0,
            player,
            points[player],
            Fraction(beaten[player], WIN),
            _share(*moves.get(player, (0, 0))),
            games[player],
        )
        for player in players
    ]
    lines = list[Line]()
    for _, equal in groupby(sorted(found, key=lambda one: (_rank(one), one.player)), _rank):
        place = len(lines) + 1
        lines += (one._replace(place=place) for one in equal)
    return tuple(lines)


def _turned(result: Result) -> Result:
    return Result(result.other, result.one, WIN - result.points)


def _rank(line: Line) -> tuple[int, Fraction, Fraction]:
    return -line.points, -line.sonneborn_berger, -line.kept


def _share(kept: int, of: int) -> Fraction:
    return Fraction(kept, of) if of else Fraction(1)
