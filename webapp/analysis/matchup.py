"""Exact results between engines, and proofs about one. May import ``core`` and ``engines``."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, product
from math import lcm
from typing import TypeAlias

from webapp.analysis.policy import (
    TabularPolicy,
    cell_played,
    may_follow,
    policy_of,
    result,
    unpack,
    value,
)
from webapp.core import tactics
from webapp.core.board import Board, Mark
from webapp.core.symmetry import fold, orbit
from webapp.engines.base import Engine

Follow: TypeAlias = Callable[[int], Iterable[int]]
"""The positions that a player may go to from one, packed."""


@dataclass(frozen=True, slots=True)
class Matchup:
    """Exact probabilities of the three results; they sum to 1."""

    x_wins: Fraction
    draws: Fraction
    o_wins: Fraction

    def for_mark(self, mark: Mark) -> tuple[Fraction, Fraction, Fraction]:
        """Return won, drawn and lost for the player of this mark."""
        found = self.x_wins, self.draws, self.o_wins
        return found if mark is Mark.X else found[::-1]


def matchup(x: Engine, o: Engine) -> Matchup:
    """Return the exact results of ``x``, who moves first, against ``o``."""
    return matchup_from(0, x, o)


@lru_cache(4096)
def matchup_from(start: int, x: Engine, o: Engine) -> Matchup:
    """Return the exact results of ``x``, who has X, against ``o`` from a packed position.

    Goes forward, ply by ply, with whole numbers over a denominator that all positions of a ply
    share. Where both are symmetric, one position stands for all its images.
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
    """Return the results of every engine against every one, by slugs, X's first."""
    return {(x.slug, o.slug): matchup(x, o) for x, o in product(engines, repeat=2)}


def courses(
    x: Follow, o: Follow, *, folds: bool
) -> Iterator[tuple[Iterable[int], list[tuple[tuple[int, ...], int]]]]:
    """Go ply by ply through all games of two players, in cell order.

    Where several games lead to a position, only the first is followed: whatever the others reach,
    it reaches by an earlier game.

    :param folds: whether both are symmetric, so that one position stands for all its images
    :return: for each ply, the positions before it, and the games that end there with their results.
        A player without an answer loses; such a game is one move shorter
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


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether an engine with one mark can be beaten.

    :param game: the cells of the shortest game that beats it, the first of them in cell order;
        ``None`` where every reply of every opponent has been tried and none does
    :param positions: how many positions it can meet on its move, whatever the opponent does
    :param symmetric: whether each position below stands for all its images
    :param passing_up: positions, packed, in which it may pass up an immediate win
    :param giving_away: likewise those in which it may give away a forced win or a draw
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
        """Whether anyone can beat it."""
        return self.game is not None

    @property
    def perfect(self) -> bool:
        """Whether it keeps the value of every position that it can meet, won ones included."""
        return not self.giving_away

    @property
    def passed_up(self) -> tuple[Board, ...]:
        """The boards of ``passing_up``, with all their images."""
        images = map(orbit, self.passing_up) if self.symmetric else [self.passing_up]
        return tuple(map(unpack, chain.from_iterable(images)))


@lru_cache(1024)
def proof(engine: Engine, mark: Mark) -> Proof:
    """Try every opponent: all that they can play against all that the engine may choose."""
    mind, loss = policy_of(engine), -1 if mark is Mark.X else 1
    players = (mind.may_follow, may_follow) if mark is Mark.X else (may_follow, mind.may_follow)
    met: list[int] = []
    lost: tuple[int, ...] | None = None
    for ply, (games, ended) in enumerate(courses(*players, folds=engine.symmetric)):
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
    """Whether the engine may do something else than win at once where it could."""
    board = unpack(packed)
    could = tactics.wins(board, board.turn)
    return bool(could) and None in map(result, mind.may_follow(packed))


def _gives_away(mind: TabularPolicy, packed: int) -> bool:
    """Whether the engine may leave a position of less value than it found."""
    before = value(packed)
    return any(-value(after) < before for after in mind.may_follow(packed))
