"""Who meets whom: the rounds of a Swiss and of a round robin, and the free players of an arena.

A Swiss and an arena differ in what a pair costs; :func:`cheapest` finds the pairs for both.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from heapq import nsmallest
from itertools import accumulate
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

PATIENCE = 30  # seconds that both players wait in an arena before they may meet again at once

EXACT = 20
"""Up to this many players, :func:`cheapest` finds the minimum."""

STATES = 300  # states kept with more players than that: 30 players take 15 ms, and 100 take 80 ms

_NO_ONE: Mapping[str, int] = MappingProxyType({})


class Player(NamedTuple):
    """A player to be paired.

    :param met: the opponents so far, with the number of matches
    :param byes: the number of byes, in a Swiss
    :param last: the last opponent, in an arena
    :param seconds: how long the player has been free, in an arena
    """

    player: str
    points: int
    met: Mapping[str, int] = _NO_ONE
    byes: int = 0
    last: str | None = None
    seconds: int = 0


class Round(NamedTuple):
    """The pairs of a round, the first boards first; ``bye``: the player without an opponent."""

    pairs: tuple[tuple[str, str], ...]
    bye: str | None = None

    @property
    def matches(self) -> Set[frozenset[str]]:
        """The players of each match, and of the bye."""
        return {*map(frozenset, self.pairs), *([frozenset([self.bye])] if self.bye else [])}


# --- a Swiss and a round robin ------------------------------------------------------------------


def swiss(entrants: Sequence[Player]) -> Round:
    """Pair all players, the best first; ``docs/tournaments.md`` says what matters most."""
    size = len(entrants)
    # Each weight exceeds the sum of all that counts less.
    rematch = size * (place := _above_differences(entrants))
    bye = rematch * _above_rematches(entrants)
    alone = [bye * player.byes + place * (size - at) for at, player in enumerate(entrants, 1)]
    pairs, left = cheapest(_costs(entrants, rematch), alone)
    named = tuple((entrants[first].player, entrants[second].player) for first, second in pairs)
    return Round(named, None if left is None else entrants[left].player)


def round_robin(
    players: Sequence[str], rounds: int, before: Sequence[Set[frozenset[str]]]
) -> Round | None:
    """Return the next round of a round robin.

    :param players: everyone in this round, in the same order for every round
    :param rounds: the length of the tournament
    :param before: its rounds so far, as the players of each match or bye
    :return: ``None`` if the length differs, or these players have not played all rounds so far
    """
    if rounds != len(players) - 1 + len(players) % 2:
        return None
    *made, following = (_circle(players, turn) for turn in range(len(before) + 1))
    return following if [round_.matches for round_ in made] == list(before) else None


def _circle(players: Sequence[str], turn: int) -> Round:
    """Pair by the circle method: the players rotate, except the first of an even number."""
    still = 1 - len(players) % 2
    around = players[still:]
    first, *others = *around[turn:], *around[:turn]
    half = len(others) // 2
    pairs = tuple(zip(others[:half], reversed(others[half:]), strict=True))
    return Round(((players[0], first), *pairs)) if still else Round(pairs, first)


# --- an arena -----------------------------------------------------------------------------------


def arena(waiting: Sequence[Player]) -> tuple[tuple[str, str], ...]:
    """Pair as many free players as may meet now, preferring those who have waited longest.

    Then the fewest rematches count, then the smallest squared differences in points.
    """
    ordered = sorted(waiting, key=lambda player: (-player.points, -player.seconds, player.player))
    rematch = _above_differences(ordered)
    second = rematch * _above_rematches(ordered)
    left = second * (1 + sum(player.seconds for player in ordered))
    alone = [left + second * player.seconds for player in ordered]
    cost = _costs(ordered, rematch)
    for a, player in enumerate(ordered):
        for b, other in enumerate(ordered):
            if not _may_meet(player, other):
                cost[a][b] = alone[a] + alone[b]
    pairs, _ = cheapest(cost, alone)
    return tuple(
        (ordered[a].player, ordered[b].player)
        for a, b in pairs
        if _may_meet(ordered[a], ordered[b])
    )


def _may_meet(player: Player, other: Player) -> bool:
    have_just_met = player.last == other.player or other.last == player.player
    return not have_just_met or min(player.seconds, other.seconds) >= PATIENCE


# --- what pairs cost ----------------------------------------------------------------------------


def _costs(players: Sequence[Player], rematch: int) -> list[list[int]]:
    """The cost of each pair: its rematches, and the squared difference in points."""
    return [
        [rematch * player.met.get(other.player, 0) + (player.points - other.points) ** 2
         for other in players]
        for player in players
    ]  # fmt: skip


def _above_differences(players: Sequence[Player]) -> int:
    """More than all pairs' squared differences together."""
    points = [player.points for player in players] or [0]
    return 1 + len(points) * (max(points) - min(points)) ** 2


def _above_rematches(players: Sequence[Player]) -> int:
    """More than all pairs' rematches together."""
    return 1 + sum(sum(player.met.values()) for player in players)


_Chain: TypeAlias = tuple[int, int, "_Chain"] | None  # the pairs made so far, the last first

_States: TypeAlias = dict[int, tuple[int, _Chain]]
"""The cost of the pairs so far, by the players who still wait for a partner, as bits."""


def cheapest(
    cost: Sequence[Sequence[int]], alone: Sequence[int]
) -> tuple[list[tuple[int, int]], int | None]:
    """Return the pairs of the least total cost, and the player who is left of an odd number.

    Goes through the players in order and keeps the cheapest way to each state. With more than
    :data:`EXACT` players, it keeps only the most promising states: the cost is nearly minimal if
    cheap pairs are near each other in the order.

    :param cost: of each pair
    :param alone: of leaving each player without a partner
    """
    if is_odd := len(cost) % 2:  # a pair with nobody, who comes first
        cost = [(0, *alone), *((left, *row) for left, row in zip(alone, cost, strict=True))]
    size = len(cost)
    # For each player and each place: the least cost of a pair with anyone from there on.
    least = [[*accumulate(reversed(row), min)][::-1] for row in cost]
    states: _States = {0: (0, None)}
    for player in range(size):
        following: _States = {}
        for waiting, (paid, chain) in states.items():
            if waiting.bit_count() < size - player:
                following[waiting | 1 << player] = paid, chain
            for other in _of(waiting):
                state, total = waiting ^ 1 << other, paid + cost[player][other]
                if state not in following or total < following[state][0]:
                    following[state] = total, (other, player, chain)
        if size > EXACT and len(following) > STATES:
            following = _promising(following, [row[player + 1] for row in least])
        states = following
    chain, pairs = states[0][1], list[tuple[int, int]]()
    while chain:
        first, second, chain = chain
        pairs.append((first - is_odd, second - is_odd))
    pairs.sort()
    return (pairs[1:], pairs[0][1]) if is_odd else (pairs, None)


def _promising(states: _States, least: Sequence[int]) -> _States:
    """Keep the states that may cost the least; among equals, those in which fewer players wait."""

    def promise(state: int) -> tuple[int, int]:
        return states[state][0] + sum(least[player] for player in _of(state)), state.bit_count()

    return {state: states[state] for state in nsmallest(STATES, states, promise)}


def _of(state: int) -> Iterator[int]:
    """The players in a set, as bits."""
    while state:
        yield (state & -state).bit_length() - 1
        state &= state - 1
