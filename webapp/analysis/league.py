"""A league: every engine against every other with both marks, exactly, and the ranking.

May import ``core`` and ``engines``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations

from webapp.analysis.matchup import Matchup, courses, matchup
from webapp.analysis.policy import policy_of
from webapp.analysis.worth import RIVALS, worth
from webapp.core.board import Mark
from webapp.core.places import placed
from webapp.engines.base import Engine


@dataclass(frozen=True, slots=True)
class Pair:
    """One engine as X against another as O.

    :param game: the cells of the shortest game that is no draw, if any is: the last to move wins
    :param forfeit: whether its loser has no answer where it ends
    """

    result: Matchup
    game: tuple[int, ...] | None = None
    forfeit: bool = False


@dataclass(frozen=True, slots=True)
class Ranked:
    """What an engine has reached: all figures are expectations, over all its games.

    :param place: from 1; those that are equal in everything share one, and the next is left out
    :param lost_to_hard: of the two games against Hard, one with each mark
    :param lost_to_easy: likewise against Easy
    :param unbeatable: whether no one at all can beat it, in the league or outside
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


@dataclass(frozen=True, slots=True)
class League:
    """The ranking from the top, and every pair by slugs, X's first."""

    ranking: tuple[Ranked, ...]
    pairs: Mapping[tuple[str, str], Pair]


def league(engines: Iterable[Engine]) -> League:
    """Let every engine play every other, and rank them: 2 points for a win, 1 for a draw.

    Equal points are told apart by what is lost against Hard, then against Easy.
    """
    engines = list(engines)
    pairs = {}
    for x, o in permutations(engines, 2):
        found = matchup(x, o)
        pairs[x.slug, o.slug] = Pair(found, *(() if found.draws == 1 else shortest(x, o)))
    # Those that share a place stay in the order in which they were given.
    rows = placed(
        (_unplaced(engine, pairs) for engine in engines),
        lambda row: (-row.points, row.lost_to_hard, row.lost_to_easy),
    )
    return League(tuple(replace(row, place=place) for place, row in rows), pairs)


def _unplaced(engine: Engine, pairs: Mapping[tuple[str, str], Pair]) -> Ranked:
    won = drawn = lost = Fraction(0)
    for (x, o), pair in pairs.items():
        if engine.slug in (x, o):
            found = pair.result.for_mark(Mark.X if x == engine.slug else Mark.O)
            won, drawn, lost = won + found[0], drawn + found[1], lost + found[2]
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
    """Find the shortest game between two engines that is no draw, the first of them in cell order.

    Return with it whether it ends where a player has no answer.
    """
    minds = policy_of(x), policy_of(o)
    following = courses(*(mind.may_follow for mind in minds), folds=x.symmetric and o.symmetric)
    for ply, (_, ended) in enumerate(following):
        if decisive := [cells for cells, end in ended if end]:
            game = min(decisive, key=len)
            return game, len(game) == ply
    return None, False
