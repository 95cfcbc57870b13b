"""Who plays well, by a rule that no one can bend by playing the same opponent again and again.

Each opponent counts once: the average of the last five games against it, a win 1 and a draw half,
times its strength. An engine's strength goes from 1 to 10 by how well it holds out against
``hard``, a classmate's by their own games against Medium and Hard. Of classmates the best five
count, a fifth each, and none before they have finished three games with other people.

A second browser to beat gains a player nothing, since it has no games with others; many of them,
played well, at most what one strong engine is worth. May import ``core`` and ``engines``.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from heapq import nlargest
from typing import NamedTuple

from webapp.analysis.matchup import matchup
from webapp.core.record import LAST_GAMES
from webapp.engines.base import Engine
from webapp.engines.perfect import HARD
from webapp.engines.registry import ENGINES
from webapp.engines.three_levels import MEDIUM

CLASSMATES_COUNT = 5
"""How many classmates count, the best of them; together they weigh as much as one engine."""

YARDSTICK = (MEDIUM, HARD)
"""The engines by which the strength of a classmate is measured; anyone can beat ``easy``."""
_YARDSTICK_SLUGS = [engine.slug for engine in YARDSTICK]

GAMES_WITH_OTHERS = 3
"""How many games a classmate must have finished with other people before they count."""

WEAKEST, STRONGEST = 1.0, 10.0

_WORTH = {"w": 1.0, "d": 0.5, "l": 0.0}


class Played(NamedTuple):
    """What a player did against one opponent.

    :param opponent: slug of an engine, or a player
    :param recent: the last results, each ``w``, ``d`` or ``l``
    :param games: how many there were in all
    """

    player: str
    opponent: str
    recent: str
    games: int

    @property
    def average(self) -> float:
        """Of the last results: 1 if all were won, 0 if all were lost."""
        return _average(self.recent)


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place.

    :param place: from 1; equal points share one
    :param opponents: how many opponents count
    """

    player: str
    place: int
    points: float
    opponents: int


# There are 363 of them, and thousands ask.
@cache
def _average(recent: str) -> float:
    return sum(_WORTH[result] for result in recent) / len(recent)


@cache
def strength(engine: Engine) -> float:
    """Return how much an average of 1 against an engine is worth, from 1 to 10.

    One that always draws with ``hard`` is worth 10, one that always loses to it 1.
    """
    return _strength(2 * _score(engine, HARD))


def _strength(share: float) -> float:
    """Return the strength of a player with this share, from 0 to 1, of all points within reach."""
    return WEAKEST + (STRONGEST - WEAKEST) * share


def _score(engine: Engine, rival: Engine) -> float:
    """An engine's average result against another, half of the games with each mark."""
    first, second = matchup(engine, rival), matchup(rival, engine)
    return float(first.x_wins + first.draws / 2) / 2 + float(second.o_wins + second.draws / 2) / 2


@cache
def _within_reach() -> float:
    """What ``hard`` itself would have against the yardstick, so about the most that one can."""
    return sum(strength(engine) * _score(HARD, engine) for engine in YARDSTICK)


@cache
def _engines() -> dict[str, float]:
    return {slug: strength(engine) for slug, engine in ENGINES.items()}


def standings(played: Iterable[Played]) -> list[Standing]:
    """Return everyone's place, the best first, from one record for each player and opponent."""
    by_player: dict[str, list[Played]] = defaultdict(list)
    for one in played:
        if one.recent:
            by_player[one.player].append(one)
    engines = _engines()
    own = {player: _strength_of(some) for player, some in by_player.items()}
    with_people = {
        player: sum(one.games for one in some if one.opponent in own)
        for player, some in by_player.items()
    }
    found = []
    for player, some in by_player.items():
        points = [engines[one.opponent] * one.average for one in some if one.opponent in engines]
        classmates = (
            own[one.opponent] * one.average / CLASSMATES_COUNT
            for one in some
            if with_people.get(one.opponent, 0) - one.games >= GAMES_WITH_OTHERS
        )
        points += nlargest(CLASSMATES_COUNT, classmates)
        found.append((sum(points), len(points), player))
    return _placed(found)


def _strength_of(some: Iterable[Played]) -> float:
    """A classmate's strength: their points against the yardstick, of those within reach.

    Games against it that were not played count as lost: one lucky game makes no one strong.
    """
    engines = _engines()
    points = sum(
        engines[one.opponent] * one.average * len(one.recent) / LAST_GAMES
        for one in some
        if one.opponent in _YARDSTICK_SLUGS
    )
    return _strength(min(1.0, points / _within_reach()))


def _placed(found: Iterable[tuple[float, int, str]]) -> list[Standing]:
    standings: list[Standing] = []
    for points, opponents, player in sorted(found, key=lambda one: (-one[0], one[2])):
        # What a table shows with one digit is equal where it looks equal.
        shown = round(points, 1)
        last = standings[-1] if standings else None
        place = last.place if last and last.points == shown else len(standings) + 1
        standings.append(Standing(player, place, shown, opponents))
    return standings
