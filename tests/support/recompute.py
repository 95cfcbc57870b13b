"""The table of a tournament computed again, and its matches checked, by rules of the tests' own."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from tests.support import rules
from tests.support.played import Row, Stored

_QUARTER, _MIRROR = "630741852", "210543876"
"""Which cell comes to a place where the square is turned, or mirrored."""

Line: TypeAlias = tuple[int, str, int, Fraction, Fraction, int]
"""Place, player, points, Sonneborn-Berger, the share of moves that kept the value, and games."""


class Side(NamedTuple):
    """A counted game as one player sees it, and of each move, whether it kept the value."""

    player: str
    other: str
    share: Fraction
    kept: list[bool]


def _of(stored: Stored, tournament: str) -> Iterator[list[Row]]:
    for name in ("entrants", "matches", "games"):
        yield [row for row in stored[name].values() if row["tournament"] == tournament]


def _sides(game: Row) -> Iterator[Side]:
    moves, seats = game["moves"], (game["x_seat"], game["o_seat"])
    boards = [rules.after(map(int, moves[:ply])) for ply in range(len(moves) + 1)]
    values = [rules.value(board)[0] for board in boards]  # to the player to move
    for at, mark in enumerate("xo"):
        share = {mark: Fraction(1), "draw": Fraction(1, 2)}.get(game["outcome"], Fraction(0))
        own = [ply for ply in range(game["given"], len(moves)) if ply % 2 == at]
        kept = [-values[ply + 1] >= values[ply] for ply in own]
        yield Side(seats[at], seats[1 - at], share, kept)


def table(stored: Stored, tournament: str) -> list[Line]:
    entrants, matches, games = _of(stored, tournament)
    counted = [game for game in games if game["outcome"] in ("x", "o", "draw")]
    sides = [side for game in counted for side in _sides(game)]
    points = {one["player"]: int(one["joined"] == 1) for one in entrants}  # as for a draw
    for match in matches:
        points[match["one"]] += 2 * (match["other"] is None)
    for side in sides:
        points[side.player] += int(2 * side.share)

    def line(player: str) -> tuple[int, Fraction, Fraction, int]:
        mine = [side for side in sides if side.player == player]
        berger = sum((side.share * points[side.other] for side in mine), Fraction(0))
        kept = [move for side in mine for move in side.kept]
        share = Fraction(sum(kept), len(kept)) if kept else Fraction(1)
        return points[player], berger, share, len(mine)

    met = {match[name] for match in matches for name in ("one", "other")}
    shown = [one["player"] for one in entrants if one["player"] in met or not one["barred"]]
    lines = {player: line(player) for player in shown}
    return [
        (1 + sum(other[:3] > mine[:3] for other in lines.values()), player, *mine)
        for player, mine in lines.items()
    ]


def check_matches(stored: Stored, tournament: str) -> None:
    entrants, matches, rows = _of(stored, tournament)
    assert sorted(match["number"] for match in matches) == [*range(1, len(matches) + 1)]
    games = {game["id"]: game for game in rows}
    known, openings = {one["player"] for one in entrants}, set[tuple[str, ...]]()
    playing, in_rounds = list[str](), list[tuple[int, str]]()
    for match in matches:
        seats = [player for player in (match["one"], match["other"]) if player]
        assert known.issuperset(seats), match
        in_rounds += [(match["round"], player) for player in seats]
        if match["other"] is None:
            continue
        opening = (*sorted(seats), _shape(rules.after(map(int, match["opening"]))))
        assert match["opening"] == "" or opening not in openings, "an opening came again"
        openings.add(opening)
        for step, name in ((1, "first_game"), (3, "second_game")):
            if game := games.pop(match[name], None):  # begun, and not deleted by its player
                swapped = seats if step == 1 else seats[::-1]
                assert [game["x_seat"], game["o_seat"]] == swapped, "the marks are not swapped"
                assert game["given"] == len(match["opening"])
                assert game["moves"].startswith(match["opening"])
                if game["outcome"] == "":
                    playing += seats
                    assert match["step"] == step
    assert len(playing) == len(set(playing)), "a player is in two games"
    assert games == {}, "a game belongs to no match"
    if stored["tournaments"][tournament,]["format"] == "swiss":
        assert len(in_rounds) == len(set(in_rounds)), "two matches in a round"


def _shape(board: str) -> str:
    images = [board]
    for way in (_MIRROR, *[_QUARTER] * 3):
        images += ["".join(one[int(cell)] for cell in way) for one in images]
    return min(images)
