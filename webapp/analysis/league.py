"""A league: exact results of every engine against every other with both marks, and a ranking.

May import ``core`` and ``engines``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from typing import NamedTuple

from webapp.analysis.matchup import Matchup, breadth_first, matchup
from webapp.analysis.policy import policy_of
from webapp.analysis.worth import RIVALS, worth
from webapp.core.board import Mark
from webapp.core.places import placed
from webapp.engines.base import Engine


@dataclass(frozen=True, slots=True)
class Pair:
    """The result of an engine with X against an engine with O.

    :param game: the cells of the shortest decisive game, if there is one; the last to move wins
    :param forfeit: whether that game ends because its loser gives no answer
    """

    result: Matchup
    game: tuple[int, ...] | None = None
    forfeit: bool = False


@dataclass(frozen=True, slots=True)
class Ranked:
    """A row of the ranking; all figures are expectations over all games of the engine.

    :param place: from 1; ties share a place
    :param lost_to_hard: of two games, one with each mark; likewise ``lost_to_easy``
    :param unbeatable: whether it is proved that nobody can beat it, in the league or outside
    """

    slug: str
    name: str
    place: int
    points: Fraction
    won: Fraction
    drawn: Fraction
    lost: Fraction
    lost_to_hard: Fraction
    lost_to_easy: Fraction
    unbeatable: bool


class League(NamedTuple):
    """The ranking from the top, and every pair by the slugs of X and O."""

    ranking: tuple[Ranked, ...]
    pairs: Mapping[tuple[str, str], Pair]


def league(engines: Iterable[Engine]) -> League:
    """Rank engines after a round robin with both marks: 2 points for a win, 1 for a draw.

    Ties are broken by games lost to Hard, then to Easy.
    """
    engines = list(engines)
    pairs = {}
    for x, o in permutations(engines, 2):
        result = matchup(x, o)
        pairs[x.slug, o.slug] = Pair(result, *(() if result.draws == 1 else shortest(x, o)))
    # Sorting is stable: engines that share a place stay in the given order.
    rows = placed(
        (_unplaced(engine, pairs) for engine in engines),
        lambda row: (-row.points, row.lost_to_hard, row.lost_to_easy),
    )
    return League(tuple(replace(row, place=place) for place, row in rows), pairs)


def _unplaced(engine: Engine, pairs: Mapping[tuple[str, str], Pair]) -> Ranked:
    won = drawn = lost = Fraction(0)
    for (x, o), pair in pairs.items():
        if engine.slug in (x, o):
            chances = pair.result.for_mark(Mark.X if x == engine.slug else Mark.O)
            won, drawn, lost = won + chances[0], drawn + chances[1], lost + chances[2]
    known = worth(engine)
    lost_to = {
        rival: sum((known.results[rival, mark].for_mark(mark)[2] for mark in Mark), Fraction(0))
        for rival in RIVALS
    }
    return Ranked(
        slug=engine.slug,
        name=engine.name,
        place=0,
        points=2 * won + drawn,
        won=won,
        drawn=drawn,
        lost=lost,
        lost_to_hard=lost_to["hard"],
        lost_to_easy=lost_to["easy"],
        unbeatable=known.unbeatable,
    )


def shortest(x: Engine, o: Engine) -> tuple[tuple[int, ...] | None, bool]:
    """Return the shortest decisive game, the first in cell order, and whether it is a forfeit."""
    players = policy_of(x).may_follow, policy_of(o).may_follow
    levels = breadth_first(*players, folds=x.symmetric and o.symmetric)
    for ply, (_, ended) in enumerate(levels):
        if decisive := [cells for cells, end in ended if end]:
            game = min(decisive, key=len)
            return game, len(game) == ply
    return None, False
