"""Exact results between engines, and proofs that they cannot be beaten.

May import ``core`` and ``engines``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, product
from math import lcm
from typing import NamedTuple, TypeAlias

from webapp.analysis.policy import TabularPolicy, cell_played, may_follow, policy_of, result, value
from webapp.core import tactics
from webapp.core.board import Board, Mark, unpacked
from webapp.core.symmetry import fold, orbit
from webapp.engines.base import Engine

Follow: TypeAlias = Callable[[int], Iterable[int]]
"""From a packed position to the positions that a player may move to."""


@dataclass(frozen=True, slots=True)
class Matchup:
    """Exact probabilities of the three results; they sum to 1."""

    x_wins: Fraction
    draws: Fraction
    o_wins: Fraction

    def for_mark(self, mark: Mark) -> tuple[Fraction, Fraction, Fraction]:
        """Return the probabilities to win, draw and lose with this mark."""
        chances = self.x_wins, self.draws, self.o_wins
        return chances if mark is Mark.X else chances[::-1]


def matchup(x: Engine, o: Engine) -> Matchup:
    """Return the exact results of an engine with X against an engine with O."""
    return matchup_from(0, x, o)


@lru_cache(4096)
def matchup_from(start: int, x: Engine, o: Engine) -> Matchup:
    """Return the exact results from a packed position.

    Goes forward, ply by ply, with whole numbers over a common denominator for each ply. If both
    engines are symmetric, only canonical positions are followed.
    """
    minds = policy_of(x), policy_of(o)
    folds = x.symmetric and o.symmetric
    ends = dict.fromkeys((1, 0, -1), Fraction(0))
    level, denominator = {fold(start) if folds else start: 1}, 1
    for ply in range(start.bit_count(), 9):
        mind = minds[ply % 2]
        asked = [(mind.moves(packed), weight) for packed, weight in level.items()]
        common = lcm(*{moves.total for moves, _ in asked})
        denominator *= common
        level, ended = {}, dict.fromkeys(ends, 0)
        for moves, weight in asked:
            share = weight * (common // moves.total)
            if not moves.after:
                ended[-1 if ply % 2 == 0 else 1] += share
            for raw, times in moves.after:
                after = fold(raw) if folds else raw
                level[after] = level.get(after, 0) + share * times
        for packed in list(level):
            if (end := result(packed)) is not None:
                ended[end] += level.pop(packed)
        for end, weight in ended.items():
            ends[end] += Fraction(weight, denominator)
    return Matchup(ends[1], ends[0], ends[-1])


def table(engines: Iterable[Engine]) -> Mapping[tuple[str, str], Matchup]:
    """Return the results of all pairs, an engine against itself included, by slugs of X and O."""
    return {(x.slug, o.slug): matchup(x, o) for x, o in product(engines, repeat=2)}


def breadth_first(
    x: Follow, o: Follow, *, folds: bool
) -> Iterator[tuple[Iterable[int], list[tuple[tuple[int, ...], int]]]]:
    """Go ply by ply through all games of two players, in cell order.

    Of several games that lead to a position, only the first is followed.

    :param folds: follow a single image of each position, as both players are symmetric
    :return: for each ply, the positions before it, and the games that it ends, with their results.
        A player who gives no answer loses; such a game is a move shorter
    """
    games: dict[int, tuple[int, ...]] = {0: ()}
    for ply in range(9):
        following: dict[int, tuple[int, ...]] = {}
        ended: list[tuple[tuple[int, ...], int]] = []
        seen = set()
        for packed, cells in games.items():
            afters = sorted((o if ply % 2 else x)(packed))
            if not afters:
                ended.append((cells, 1 if ply % 2 else -1))
            for after in afters:
                end, game = result(after), (*cells, cell_played(packed, after))
                stands_for = fold(after) if folds else after
                if end is not None:
                    ended.append((game, end))
                elif stands_for not in seen:
                    seen.add(stands_for)
                    following[after] = game
        yield games, ended
        games = following


class Proof(NamedTuple):
    """Whether an engine can be beaten when it plays one mark.

    :param game: the cells of the shortest game that beats it, the first in cell order; ``None``
        if no opponent can
    :param positions: the number of positions in which it may have to move
    :param symmetric: whether each position below stands for all its images
    :param passing_up: packed positions in which it may pass up an immediate win
    :param giving_away: packed positions in which it may give away a forced win or a draw
    """

    engine: str
    mark: Mark
    game: tuple[int, ...] | None
    positions: int
    symmetric: bool
    passing_up: tuple[int, ...]
    giving_away: tuple[int, ...]

    @property
    def beatable(self) -> bool:
        return self.game is not None

    @property
    def perfect(self) -> bool:
        """Whether it keeps the value of every position that it can meet."""
        return not self.giving_away

    @property
    def passed_up(self) -> tuple[Board, ...]:
        """The boards of ``passing_up``, with all their images."""
        images = map(orbit, self.passing_up) if self.symmetric else [self.passing_up]
        return tuple(map(unpacked, chain.from_iterable(images)))


@lru_cache(1024)
def proof(engine: Engine, mark: Mark) -> Proof:
    """Try every move of an opponent against every choice of the engine."""
    mind, loss = policy_of(engine), -1 if mark is Mark.X else 1
    players = (mind.may_follow, may_follow) if mark is Mark.X else (may_follow, mind.may_follow)
    met: list[int] = []
    lost: tuple[int, ...] | None = None
    for ply, (games, ended) in enumerate(breadth_first(*players, folds=engine.symmetric)):
        if tuple(Mark)[ply % 2] is mark:
            met += games
        if lost is None:
            lost = next((cells for cells, end in ended if end == loss), None)
    return Proof(
        engine=engine.slug,
        mark=mark,
        game=lost,
        positions=sum(len(orbit(packed)) for packed in met) if engine.symmetric else len(met),
        symmetric=engine.symmetric,
        passing_up=tuple(packed for packed in met if _passes_up(mind, packed)),
        giving_away=tuple(packed for packed in met if _gives_away(mind, packed)),
    )


def _passes_up(mind: TabularPolicy, packed: int) -> bool:
    board = unpacked(packed)
    wins = tactics.wins(board, board.turn)
    return bool(wins) and None in map(result, mind.may_follow(packed))


def _gives_away(mind: TabularPolicy, packed: int) -> bool:
    before = value(packed)
    return any(-value(after) < before for after in mind.may_follow(packed))
