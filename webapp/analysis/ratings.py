"""Player strength from results (Bradley–Terry), on the scale of chess. Standard library only.

A player who is 400 points stronger wins ten games for each that the weaker player wins; a draw is
half a win for both. Ratings maximise the likelihood of each player's last five results against each
opponent, so the order in which players meet makes no difference. (D. R. Hunter, MM algorithms for
generalized Bradley-Terry models, The Annals of Statistics 32, 2004.)

Each player has also won and lost a game against a fixed average player: the conjugate prior of
R. R. Davidson and D. L. Solomon, A Bayesian approach to paired comparison experimentation,
Biometrika 60, 1973. It keeps ratings finite, and a single game moves them little. The average
player is as strong as ``medium``, and both have :data:`AVERAGE`. Engines keep their
:data:`STRENGTHS`.

A game between two people counts only once each of them has played with three more people: nobody
gains from a second browser that loses on purpose, or from three that also play each other.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from math import exp, log
from typing import NamedTuple, TypeAlias

AVERAGE = 1000.0  # the rating of the average player, and of `medium`

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
"""The ratings of engines, from their exact results against each other; a test derives them."""

OTHERS = 3  # more people that both players must have played with before their games count

# Enough games that count, with either, give a player a place.
_GAMES_WITH_PEOPLE, _GAMES_WITH_ENGINES = 3, 10

TOLERANCE_POINTS = 0.002  # the largest error of a rating
_POINT = log(10) / 400  # a rating point in log odds
_MAX_STEP_POINTS = 170.0  # a longer step might overshoot

# Over-relaxation: without it, ratings in a class that has only met itself converge slowly.
_OVER_RELAXATION, _SMALL_STEP_POINTS = 1.5, 20.0

_SCORES = {"w": 1.0, "d": 0.5, "l": 0.0}


class Rated(NamedTuple):
    """A player's rating, ``shown`` rounded once there is a place; ``met`` counts people."""

    rating: float
    shown: int | None
    games: int
    met: int = 0


Result: TypeAlias = tuple[str, str, bool, str, int]
"""Player, opponent, whether that is a person, last results (such as ``wwdl``), number of games."""


@dataclass(slots=True, eq=False)
class _Player:
    """A player while ratings are computed; at first, the prior.

    :param fixed: opponents' ratings that stay, and the number of games against each
    :param others: opponents whose ratings change, and the number of games against each
    """

    rating: float
    games: int = 0
    with_engines: int = 0
    score: float = 1.0
    fixed: list[tuple[float, int]] = field(default_factory=lambda: [(AVERAGE, 2)])
    others: list[tuple[_Player, int]] = field(default_factory=list)

    @property
    def is_placed(self) -> bool:
        with_people = sum(games for _, games in self.others)
        return with_people >= _GAMES_WITH_PEOPLE or self.with_engines >= _GAMES_WITH_ENGINES

    def step(self) -> float:
        """Return the Newton step to the most likely rating, in points; 0 if near enough.

        The average player and the engines anchor each rating: once all steps are 0, no rating is
        off by more than :data:`TOLERANCE_POINTS`.
        """
        fixed, fixed_slope = _expected(self.rating, self.fixed)
        moving, moving_slope = _expected(
            self.rating, [(other.rating, games) for other, games in self.others]
        )
        missing = self.score - fixed - moving
        if abs(missing) <= TOLERANCE_POINTS * _POINT * fixed_slope:
            return 0.0
        step = missing / (fixed_slope + moving_slope) / _POINT
        step *= _OVER_RELAXATION if abs(step) < _SMALL_STEP_POINTS else 1
        return max(-_MAX_STEP_POINTS, min(_MAX_STEP_POINTS, step))


def table(results: Iterable[Result], before: Mapping[str, Rated]) -> dict[str, Rated]:
    """Return the ratings of all players who have results.

    :param results: of people; a game between two people is in the results of both
    :param before: earlier ratings, to start from
    """
    rows = [row for row in results if row[2] or row[1] in STRENGTHS]
    met = Counter(id_ for id_, _, is_person, *_ in rows if is_person)
    start = {id_: rated.rating for id_, rated in before.items()}
    players = {id_: _Player(start.get(id_, AVERAGE)) for id_, *_ in rows}
    for id_, opponent, is_person, recent, games in rows:
        player = players[id_]
        player.games += games
        if not is_person:
            player.with_engines += games
            player.fixed.append((STRENGTHS[opponent], len(recent)))
        elif met[id_] > OTHERS < met[opponent]:
            player.others.append((players[opponent], len(recent)))
        else:
            continue
        player.score += sum(map(_SCORES.__getitem__, recent))
    _settle(players.values())
    return {
        id_: Rated(
            rating=player.rating,
            shown=round(player.rating) if player.is_placed else None,
            games=player.games,
            met=met[id_],
        )
        for id_, player in players.items()
    }


def _settle(players: Collection[_Player]) -> None:
    """Step until all ratings have converged."""
    queue, queued = deque(players), set(players)
    while queue:
        player = queue.popleft()
        queued.discard(player)
        if step := player.step():
            player.rating += step
            affected = (player, *(opponent for opponent, _ in player.others))
            again = [other for other in affected if other not in queued]
            queue.extend(again)
            queued.update(again)


def _expected(rating: float, opponents: Iterable[tuple[float, int]]) -> tuple[float, float]:
    """Return the expected score in games against rated opponents, and its slope by log odds."""
    score = slope = 0.0
    for other, games in opponents:
        share = 1 / (1 + exp(_POINT * (other - rating)))
        score += games * share
        slope += games * share * (1 - share)
    return score, slope
