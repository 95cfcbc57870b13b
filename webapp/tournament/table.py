"""Who is first: points, tie-breaks and places."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from webapp.analysis.review import review
from webapp.core.board import Mark
from webapp.core.game import moves_of
from webapp.core.places import placed
from webapp.tournament.event import Entrant, Finished, Match

WIN, DRAW, LOSS = 2, 1, 0  # points of a game
BYE = 2 * DRAW  # points of a bye: those of two draws
LATE = DRAW  # points for the first round of a Swiss if the player comes during it

_POINTS = {"x": (WIN, LOSS), "draw": (DRAW, DRAW), "o": (LOSS, WIN)}


class Line(NamedTuple):
    """A line of the table.

    :param place: from 1; players who are equal in everything share one
    :param sonneborn_berger: points of beaten opponents and half those of opponents drawn with, game
        by game
    :param kept: the share of the player's moves that kept the value; 1 without moves
    """

    place: int
    player: str
    points: int
    sonneborn_berger: Fraction
    kept: Fraction
    games: int


def table(
    entrants: Collection[Entrant], matches: Iterable[Match], finished: Iterable[Finished]
) -> tuple[Line, ...]:
    """Return the table, the best first; equal players in the order of their ids.

    Ties are broken by W. Neustadtl's score, known as Sonneborn-Berger, and then by the moves. A
    player who was barred before any match is left out.
    """
    met = set[str]()
    points = Counter({entrant.player: LATE * (entrant.joined == 1) for entrant in entrants})
    for match in matches:
        met.update(match.players)
        if match.other is None:
            points[match.one] += BYE
    games, kept, moves = Counter[str](), Counter[str](), Counter[str]()
    won = Counter[tuple[str, str]]()
    for game in finished:
        if game.outcome == "cancelled":
            continue
        own = kept_by(game.moves, game.given)
        sides = (Mark.X, game.x, game.o), (Mark.O, game.o, game.x)
        for brought, (mark, player, other) in zip(_POINTS[game.outcome], sides, strict=True):
            points[player] += brought
            won[player, other] += brought
            games[player] += 1
            kept[player] += own[mark][0]
            moves[player] += own[mark][1]
    beaten = Counter[str]()
    for (player, other), brought in won.items():
        beaten[player] += brought * points[other]
    lines = [
        Line(
            place=0,
            player=player,
            points=points[player],
            sonneborn_berger=Fraction(beaten[player], WIN),
            kept=Fraction(kept[player], moves[player]) if moves[player] else Fraction(1),
            games=games[player],
        )
        for player in sorted(
            entrant.player for entrant in entrants if not entrant.barred or entrant.player in met
        )
    ]
    ranked = placed(lines, lambda line: (-line.points, -line.sonneborn_berger, -line.kept))
    return tuple(line._replace(place=place) for place, line in ranked)


def highlights(
    entrants: Collection[Entrant], matches: Sequence[Match], finished: Collection[Finished], me: str
) -> tuple[str | None, str | None, int]:
    """Return the highest-placed opponents beaten and drawn with, and places gained since half-time.

    These are negative if lost.
    """
    half = matches[: len(matches) // 2]
    early = {id_ for match in half for id_ in match.games}
    before = table(entrants, half, [game for game in finished if game.id in early])
    after, best = table(entrants, matches, finished), dict[int, str]()
    for line in after:
        for game in finished:
            if {game.x, game.o} == {me, line.player} and game.outcome in _POINTS:
                best.setdefault(_POINTS[game.outcome][me == game.o], line.player)
    then, now = ({line.player: line.place for line in lines} for lines in (before, after))
    return best.get(WIN), best.get(DRAW), then.get(me, 0) - now.get(me, 0)


@lru_cache(maxsize=8192)
def kept_by(moves: str, given: int) -> Mapping[Mark, tuple[int, int]]:
    """Count each mark's moves that kept the value, and all its moves."""
    own = review(moves_of(moves)).moves[given:]
    kept = Counter(move.mark for move in own if move.after.value >= move.before.value)
    all_moves = Counter(move.mark for move in own)
    return {mark: (kept[mark], all_moves[mark]) for mark in Mark}
