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
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import compress, product
from math import exp, log

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


def _nothing() -> None:
    pass


class Player:
    """A player, as far as results are known.

    :ivar rating: in points
    :ivar met: with how many people the player has finished a game
    :ivar games: how many, with people and engines
    :ivar is_read: whether the player's results are known
    """

    __slots__ = (
        *("_among", "_counts", "_fixed", "_halves", "_narrowed", "_others", "_score"),
        *("_with_engines", "games", "id", "is_read", "met", "rating"),
    )

    def __init__(self, player: str, rating: float = AVERAGE, met: int = 0, games: int = 0) -> None:
        self.id, self.rating, self.met, self.games = player, rating, met, games
        self.is_read = self._narrowed = False
        self._fixed = list(_PRIOR)
        self._score = _PRIOR_SCORE
        self._with_engines = self._among = 0
        # By opponent: their last games, and twice the points in them. A school has many.
        self._others: list[Player] = []
        self._counts, self._halves = bytearray(), bytearray()

    def read(self, results: Iterable[tuple["Player | float", str, int]]) -> None:
        """Learn the player's results.

        :param results: for each opponent, a player or the rating of an engine: the last ones, each
            ``w``, ``d`` or ``l``, and how many there were in all
        """
        self.games = 0
        for opponent, recent, games in results:
            halves = sum(map(_HALVES.__getitem__, recent))
            self.games += games
            if isinstance(opponent, Player):
                self._others.append(opponent)
                self._counts.append(len(recent))
                self._halves.append(halves)
            else:
                self._fixed.append((opponent, len(recent)))
                self._score += halves / 2
                self._with_engines += games
        self.met = len(self._others)
        self.is_read = True

    @property
    def others(self) -> list["Player"]:
        """The people whom the player has met."""
        return self._others

    @property
    def shown(self) -> int | None:
        """The rating as it is shown; ``None`` where the player has no place yet."""
        self._narrow()
        if self._among < WITH_PEOPLE and self._with_engines < WITH_ENGINES:
            return None
        return round(self.rating)

    def step(self) -> float:
        """Return how far the rating goes towards the most likely one: a step of Newton's method.

        :return: in points; 0 where it is near enough. Since the average player and the engines
            hold each rating, none is then further than :data:`TOLERANCE` from the exact one,
            whatever the others do
        """
        self._narrow()
        held, holding = _expected(self.rating, self._fixed)
        among, moving = _expected(
            self.rating, zip((one.rating for one in self._others), self._counts, strict=True)
        )
        missing = self._score - held - among
        if abs(missing) <= TOLERANCE * _POINT * holding:
            return 0.0
        step = missing / (holding + moving) / _POINT
        step *= _FURTHER if abs(step) < _SMALL else 1
        return max(-_LONGEST, min(_LONGEST, step))

    def _narrow(self) -> None:
        """Keep those opponents whose games count, once it is known whom everyone has met."""
        if self._narrowed:
            return
        self._narrowed = True
        count = [self.met > OTHERS < one.met for one in self._others]
        self._others = list(compress(self._others, count))
        self._counts = bytearray(compress(self._counts, count))
        self._score += sum(compress(self._halves, count)) / 2
        self._halves.clear()
        self._among = sum(self._counts)


def settle(
    due: Iterable[Player],
    read: Callable[[Player], object],
    rest: Callable[[], object] = _nothing,
) -> set[Player]:
    """Bring ratings to where the results want them; return all players that were looked at.

    :param due: of whom results have changed; of all others the ratings fit theirs
    :param read: reads a player's results
    :param rest: is called all the time, and may let others have a turn
    """
    due = list(due)
    for one in due:
        read(one)
        rest()
    # Those whom they have met are looked at in any case: a game may begin to count, or have gone.
    queue = deque(dict.fromkeys((*due, *(other for one in due for other in one.others))))
    waiting, seen = set(queue), set(queue)
    while queue:
        one = queue.popleft()
        waiting.discard(one)
        if not one.is_read:
            read(one)
        if step := one.step():
            one.rating += step
            some = [other for other in (one, *one.others) if other not in waiting]
            queue.extend(some)
            waiting.update(some)
            seen.update(some)
        rest()
    return seen


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


def engines(rest: Callable[[], object] = _nothing) -> Mapping[str, float]:
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
