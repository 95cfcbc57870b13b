"""How strong players are, by whom they have won against: one rating each, on the scale of chess.

The model is Bradley and Terry's: of two players whose ratings differ by 400 points, the stronger
wins ten games for each that the weaker wins; a draw is half a win for both. A rating is the one
that makes the player's last five results against each opponent most likely, so the order in which
players meet makes no difference. (Estimation: D. R. Hunter, MM algorithms for generalized
Bradley-Terry models, The Annals of Statistics 32, 2004.)

Each player has also won and lost a game against a fixed average player: the conjugate prior of
R. R. Davidson and D. L. Solomon, A Bayesian approach to paired comparison experimentation,
Biometrika 60, 1973. So every rating is finite, and one game moves it little. The average player is
as strong as ``medium``, and both have :data:`AVERAGE`. Engines keep their :data:`STRENGTHS`.

A game between two people counts only once each of them has played with three more people: a second
browser that loses on purpose lifts no one, and neither do three that also play each other.
Standard library only.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from math import exp, log
from typing import NamedTuple, TypeAlias

AVERAGE = 1000.0
"""The rating of the average player, and of ``medium``."""

STRENGTHS: Mapping[str, float] = {
    "easy": 645.3826,
    "medium": AVERAGE,
    "hard": 1194.2473,
    "human": 1192.9355,
    "minimax": 1194.4203,
    "slips": 1057.574,
    "corners": 1068.0329,
    "forks": 1075.406,
    "fork-blocker": 1145.9965,
    "scenarios": 1140.8478,
}
"""The ratings of engines, which follow from their exact results against each other: a test holds
them against these."""

OTHERS = 3
"""With how many people besides each other two must have played for their games to count."""

WITH_PEOPLE, WITH_ENGINES = 3, 10
"""After how many games with people that count, or with engines, a player has a place."""

TOLERANCE = 0.002
"""How far a rating may be from the exact one, in points."""

_POINT = log(10) / 400
"""What a point is worth, as the logarithm of the odds to win."""

_LONGEST = 170.0
"""How far a rating goes in one step, in points: a longer one might overshoot."""

_FURTHER, _SMALL = 1.5, 20.0
"""Steps that are shorter than so many points go further by this factor. In a class whose players
have met each other only, all ratings hold each other, and move together slowly otherwise."""

_POINTS = {"w": 1.0, "d": 0.5, "l": 0.0}


class Rated(NamedTuple):
    """What a player's results come to.

    :param rating: in points, not rounded
    :param shown: the rating in whole points; ``None`` where the player has no place yet
    :param games: how many the player has finished
    :param met: with how many people
    """

    rating: float
    shown: int | None
    games: int
    met: int = 0


Result: TypeAlias = tuple[str, str, bool, str, int]
"""What a player did against one opponent: the player, the opponent, whether that is a person, the
last results (``w``, ``d``, ``l``), and how many there were in all."""


@dataclass(slots=True, eq=False)
class _Player:
    """What is known of a player while ratings are computed; at first, the prior.

    :param with_engines: how many games against engines there were
    :param score: the points in all the games below
    :param fixed: ratings that stay, and the number of games against each
    :param others: likewise people, whose ratings move
    """

    rating: float
    games: int = 0
    with_engines: int = 0
    score: float = 1.0
    fixed: list[tuple[float, int]] = field(default_factory=lambda: [(AVERAGE, 2)])
    others: list[tuple[_Player, int]] = field(default_factory=list)

    @property
    def is_placed(self) -> bool:
        """Whether the player has played enough."""
        with_people = sum(games for _, games in self.others)
        return with_people >= WITH_PEOPLE or self.with_engines >= WITH_ENGINES

    def step(self) -> float:
        """Return how far the rating goes towards the most likely one: a step of Newton's method.

        :return: in points; 0 where it is near enough. Since the average player and the engines
            hold each rating, none is then further than :data:`TOLERANCE` from the exact one,
            whatever the others do
        """
        held, holding = _expected(self.rating, self.fixed)
        among, moving = _expected(self.rating, [(one.rating, games) for one, games in self.others])
        missing = self.score - held - among
        if abs(missing) <= TOLERANCE * _POINT * holding:
            return 0.0
        step = missing / (holding + moving) / _POINT
        step *= _FURTHER if abs(step) < _SMALL else 1
        return max(-_LONGEST, min(_LONGEST, step))


def table(results: Iterable[Result], before: Mapping[str, Rated]) -> dict[str, Rated]:
    """Return what the results of each player come to; of those with none that counts, nothing.

    :param results: of people, as each of the two has them
    :param before: what they came to the last time: where the computation starts from
    """
    rows = [row for row in results if row[2] or row[1] in STRENGTHS]
    met = Counter(player for player, _, is_person, *_ in rows if is_person)
    start = {player: one.rating for player, one in before.items()}
    players = {row[0]: _Player(start.get(row[0], AVERAGE)) for row in rows}
    for player, opponent, is_person, recent, games in rows:
        one = players[player]
        one.games += games
        if not is_person:
            one.with_engines += games
            one.fixed.append((STRENGTHS[opponent], len(recent)))
        elif met[player] > OTHERS < met[opponent]:
            one.others.append((players[opponent], len(recent)))
        else:
            continue
        one.score += sum(map(_POINTS.__getitem__, recent))
    _settle(players.values())
    return {
        player: Rated(
            one.rating, round(one.rating) if one.is_placed else None, one.games, met[player]
        )
        for player, one in players.items()
    }


def _settle(players: Collection[_Player]) -> None:
    """Bring ratings to where the results want them."""
    queue, waiting = deque(players), set(players)
    while queue:
        one = queue.popleft()
        waiting.discard(one)
        if step := one.step():
            one.rating += step
            linked = (one, *(other for other, _ in one.others))
            again = [other for other in linked if other not in waiting]
            queue.extend(again)
            waiting.update(again)


def _expected(rating: float, opponents: Iterable[tuple[float, int]]) -> tuple[float, float]:
    """Return the points that a rating expects, and how much more another one would expect.

    :param opponents: the rating of each, and the number of games
    """
    points = more = 0.0
    for other, games in opponents:
        share = 1 / (1 + exp(_POINT * (other - rating)))
        points += games * share
        more += games * share * (1 - share)
    return points, more
