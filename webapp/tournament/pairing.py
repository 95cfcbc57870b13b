"""Who meets whom: all players for a round of a Swiss, or the free players of an arena.

A Swiss goes by the terms of the FIDE handbook, C.04: score groups, of which the upper half meets
the lower half; no rematch; a bye for one of an odd number.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from webapp.tournament.matching import preferred

AT_ONCE = 14
"""How many who wait in an arena are paired at once; more are split by their scores."""

LAST = 3
"""How many of the last opponents a player should not meet again in an arena."""

PATIENCE = 3
"""After how many seconds of waiting two meet again all the same, if no one else is free."""


class Entrant(NamedTuple):
    """A player in a round of a Swiss.

    :param met: the opponents so far
    :param byes: how many the player has had
    """

    player: str
    points: int
    met: frozenset[str] = frozenset()
    byes: int = 0


class Round(NamedTuple):
    """The pairs of a round, the first boards first.

    :param bye: the player without an opponent, where their number is odd
    """

    pairs: tuple[tuple[str, str], ...]
    bye: str | None = None


class Waiting(NamedTuple):
    """A player who is free in an arena.

    :param last: the last opponents, the latest first
    :param seconds: for how long the player has been free
    """

    player: str
    points: int
    last: tuple[str, ...] = ()
    seconds: int = 0


def swiss(entrants: Sequence[Entrant]) -> Round:
    """Pair all players for the next round.

    There are as few rematches as there can be in this round. The bye goes to the lowest of those
    who have had the fewest, if no one else's bye makes for fewer rematches.

    :param entrants: the players, the best first
    """
    if len(entrants) % 2 == 0:
        return _round(entrants)
    fewest = min(one.byes for one in entrants)
    found = list[tuple[int, Round]]()
    for chosen in reversed(entrants):
        if chosen.byes == fewest:
            others = [one for one in entrants if one is not chosen]
            made = _round(others)._replace(bye=chosen.player)
            if not (again := _rematches(others, made)):
                return made
            found.append((again, made))
    return min(found, key=lambda one: one[0])[1]


def _round(entrants: Sequence[Entrant]) -> Round:
    def wishes(one: int, left: Sequence[int]) -> Iterable[int]:
        group = [other for other in left if entrants[other].points == entrants[one].points]
        middle = (len(group) + 1) // 2 - 1 if group else 0
        place = {other: line for line, other in enumerate(group)}

        def order(other: int) -> tuple[int, int, int]:
            apart = entrants[one].points - entrants[other].points
            # The lower half from its top down, and only then the upper half.
            line = place.get(other, other)
            return apart, line < middle and other in place, line

        return sorted(left, key=order)

    neighbours = [
        {at for at, other in enumerate(entrants) if other.player not in one.met and other != one}
        for one in entrants
    ]
    pairs, again = preferred(neighbours, wishes)
    pairs += zip(again[::2], again[1::2], strict=True)  # they have all met
    return Round(tuple((entrants[a].player, entrants[b].player) for a, b in sorted(pairs)))


def _rematches(entrants: Sequence[Entrant], made: Round) -> int:
    met = {one.player: one.met for one in entrants}
    return sum(other in met[one] for one, other in made.pairs)


def arena(waiting: Sequence[Waiting]) -> tuple[tuple[str, str], ...]:
    """Pair free players: as many as can be, the nearest in score; the last to come may be left.

    One of the last opponents is met again only if both have waited for :data:`PATIENCE` seconds.
    """
    ordered = sorted(waiting, key=lambda one: (-one.points, -one.seconds, one.player))
    groups = -(-len(ordered) // AT_ONCE)
    pairs, start = list[tuple[str, str]](), 0
    for number in range(1, groups + 1):
        end = len(ordered) * number // groups
        if number < groups:
            end -= end % 2  # of even numbers, so that no more than one is left over in all
        group = ordered[start:end]
        pairs += ((group[a].player, group[b].player) for a, b in _nearest(group))
        start = end
    return tuple(pairs)


def _nearest(group: Sequence[Waiting]) -> tuple[tuple[int, int], ...]:
    """Return the pairs of the least cost, by trying all."""
    alone, everyone = [1 + one.seconds for one in group], (1 << len(group)) - 1
    cost = [[_cost(one, other) for other in group] for one in group]

    @cache
    def best(free: int) -> tuple[tuple[int, int, int], tuple[tuple[int, int], ...]]:
        """The least cost of pairing these, as bits: left over, met again, apart; and the pairs."""
        if not free:
            return (0, 0, 0), ()
        one = (free & -free).bit_length() - 1
        rest = free & ~(1 << one)
        (left, again, apart), pairs = best(rest)
        found = (left + alone[one] + _LEFT_OVER, again, apart), pairs
        for other in range(one + 1, len(group)):
            priced = cost[one][other]
            if rest >> other & 1 and priced is not None:
                (left, again, apart), pairs = best(rest & ~(1 << other))
                sums = left, again + priced[0], apart + priced[1]
                if sums < found[0]:
                    found = sums, ((one, other), *pairs)
        return found

    return best(everyone)[1]


_LEFT_OVER = 10**9
"""What one who is left over costs more than any wait."""


def _cost(one: Waiting, other: Waiting) -> tuple[int, int] | None:
    """What a pair costs: how lately they met, and how far apart they are; ``None``: not now."""
    lately = max(_lately(one, other), _lately(other, one))
    if lately and min(one.seconds, other.seconds) < PATIENCE:
        return None
    return lately, (one.points - other.points) ** 2


def _lately(one: Waiting, other: Waiting) -> int:
    last = one.last[:LAST]
    return LAST - last.index(other.player) if other.player in last else 0
