"""How strong players are, by whom they have won against: one rating each, on the scale of chess.

The model is Bradley and Terry's: of two players whose ratings differ by 400 points, the stronger
wins ten games for each that the weaker wins; a draw is half a win for both. A rating is the one
that makes the player's last five results against each opponent most likely, so the order in which
players meet makes no difference. (Estimation: D. R. Hunter, MM algorithms for generalized
Bradley-Terry models, The Annals of Statistics 32, 2004.)

Each player has also won and lost a game against a fixed average player: the conjugate prior of
R. R. Davidson and D. L. Solomon, A Bayesian approach to paired comparison experimentation,
Biometrika 60, 1973. So every rating is finite, and one game moves it little. The average player is
as strong as ``medium``, and both have :data:`AVERAGE`. Engines keep the ratings that follow from
their exact results against each other.

A game between two people counts only once each of them has played with three more people: a second
browser that loses on purpose lifts no one, and neither do three that also play each other.
May import ``core`` and ``engines``.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from itertools import compress, product
from math import exp, log
from typing import NamedTuple, TypeAlias

from webapp.analysis.matchup import matchup
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES
from webapp.engines.three_levels import MEDIUM

AVERAGE = 1000.0
"""The rating of the average player, and of ``medium``."""

OTHERS = 3
"""With how many people besides each other two must have played for their games to count."""

WITH_PEOPLE, WITH_ENGINES = 3, 10
"""After how many games with people that count, or with engines, a player has a place."""

TOLERANCE = 0.002
"""How far a rating may be from the exact one, in points."""

_PRIOR = ((AVERAGE, 2),)
_PRIOR_SCORE = 1.0
_POINT = log(10) / 400
"""What a point is worth, as the logarithm of the odds to win."""

_LONGEST = 170.0
"""How far a rating goes in one step, in points: a longer one might overshoot."""

_FURTHER, _SMALL = 1.5, 20.0
"""Steps that are shorter than so many points go further by this factor. In a class whose players
have met each other only, all ratings hold each other, and move together slowly otherwise."""

_HALVES = {"w": 2, "d": 1, "l": 0}


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


class _Player:
    """What is known of a player while ratings are computed."""

    __slots__ = (
        *("among", "counts", "fixed", "games", "halves", "met", "others", "rating", "score"),
        "with_engines",
    )

    def __init__(self, rating: float) -> None:
        self.rating = rating
        self.games = self.met = self.with_engines = self.among = 0
        self.fixed = list(_PRIOR)
        self.score = _PRIOR_SCORE
        # By opponent: their last games, and twice the points in them. A school has many.
        self.others: list[_Player] = []
        self.counts, self.halves = bytearray(), bytearray()

    def narrow(self) -> None:
        """Keep those opponents whose games count, once it is known how many everyone has met."""
        count = [self.met > OTHERS < other.met for other in self.others]
        self.others = list(compress(self.others, count))
        self.counts = bytearray(compress(self.counts, count))
        self.score += sum(compress(self.halves, count)) / 2
        self.among = sum(self.counts)

    def step(self) -> float:
        """Return how far the rating goes towards the most likely one: a step of Newton's method.

        :return: in points; 0 where it is near enough. Since the average player and the engines
            hold each rating, none is then further than :data:`TOLERANCE` from the exact one,
            whatever the others do
        """
        held, holding = _expected(self.rating, self.fixed)
        among, moving = _expected(
            self.rating, zip((one.rating for one in self.others), self.counts, strict=True)
        )
        missing = self.score - held - among
        if abs(missing) <= TOLERANCE * _POINT * holding:
            return 0.0
        step = missing / (holding + moving) / _POINT
        step *= _FURTHER if abs(step) < _SMALL else 1
        return max(-_LONGEST, min(_LONGEST, step))

    def rated(self) -> Rated:
        """Return what the results come to, once the rating is where they want it."""
        placed = self.among >= WITH_PEOPLE or self.with_engines >= WITH_ENGINES
        return Rated(self.rating, round(self.rating) if placed else None, self.games, self.met)


def table(
    results: Iterable[Result],
    before: Mapping[str, Rated],
    rest: Callable[[], object] = bool,
) -> dict[str, Rated]:
    """Return what the results of each player come to; of those with none that counts, nothing.

    :param results: of people, as each of the two has them
    :param before: what they came to the last time: where the computation starts from
    :param rest: is called all the time, and may let others have a turn
    """
    strengths, players = dict[str, float](), dict[str, _Player]()

    def known(player: str) -> _Player:
        if player not in players:
            players[player] = _Player(before[player].rating if player in before else AVERAGE)
        return players[player]

    for player, opponent, is_person, recent, games in results:
        rest()
        if not is_person and not strengths:
            strengths = dict(engines(rest))
        halves = sum(map(_HALVES.__getitem__, recent))
        if is_person:
            one = known(player)
            one.others.append(known(opponent))
            one.counts.append(len(recent))
            one.halves.append(halves)
        elif opponent in strengths:
            one = known(player)
            one.fixed.append((strengths[opponent], len(recent)))
            one.score += halves / 2
            one.with_engines += games
        else:
            continue
        one.games += games
    for one in players.values():
        one.met = len(one.others)
    for one in players.values():
        rest()
        one.narrow()
    _settle(players.values(), rest)
    return {player: one.rated() for player, one in players.items()}


def _settle(players: Collection[_Player], rest: Callable[[], object]) -> None:
    """Bring ratings to where the results want them."""
    queue, waiting = deque(players), set(players)
    while queue:
        rest()
        one = queue.popleft()
        waiting.discard(one)
        if step := one.step():
            one.rating += step
            some = [other for other in (one, *one.others) if other not in waiting]
            queue.extend(some)
            waiting.update(some)


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


# --- engines ------------------------------------------------------------------------------------


def engines(rest: Callable[[], object] = bool) -> Mapping[str, float]:
    """Return the rating of each engine, by its slug."""
    for x, o in product(ENGINES.values(), repeat=2):
        matchup(x, o)
        rest()
    return _engines()


@cache
def _engines() -> Mapping[str, float]:
    ratings = dict.fromkeys(ENGINES, AVERAGE)
    pairs = product(ENGINES.items(), repeat=2)
    scores = {(one, two): _score(first, second) for (one, first), (two, second) in pairs}
    moved = 1.0
    while moved > TOLERANCE / 1000:
        moved = 0.0
        for slug, rating in ratings.items():
            others = [other for other in ratings if other != slug]
            points, more = _expected(rating, [(ratings[other], 1) for other in others])
            missing = sum(scores[slug, other] for other in others) - points
            if slug != MEDIUM.slug:
                ratings[slug] += missing / more / _POINT
                moved = max(moved, abs(ratings[slug] - rating))
    return ratings


def _score(engine: Engine, rival: Engine) -> float:
    """An engine's average result against another, half of the games with each mark."""
    first, second = matchup(engine, rival), matchup(rival, engine)
    return float(first.x_wins + first.draws / 2 + second.o_wins + second.draws / 2) / 2
