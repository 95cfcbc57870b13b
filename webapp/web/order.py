"""Whose request goes next, and who is refused. No threads and no clock: callers give the time.

Moves go first: those of a player who is seated in that game, two a second. All other requests are
pages; every fifth turn is theirs. Among moves, as among pages, the sender who has asked least
lately goes next.

A whole school may share one address, so a player's cookie says more than the address. But cookies
can be invented. So pages of cookies that have never made a move share the count of their address;
and until a cookie has been answered once, its requests are the newcomers' of its address.
Standard library only.
"""

from __future__ import annotations

from collections.abc import Hashable
from heapq import heapify, heappop, heappush
from itertools import count
from math import exp, inf, log
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

WINDOW = 10
"""Seconds in which a count decays to a third: at a steady pace it is what this time brings."""

PLAYER, NEWCOMERS = 200, 600
"""Counts up to which a player, and all newcomers of an address, are answered. A browser with five
games open asks six times a second and can be clicked in besides. Sixty pupils who open the first
page, come back with their cookie, move and look at the class before a worker knows them make under
250 requests."""

MOVES = 2 * WINDOW + 1
"""Count up to which a player's moves go first: two a second, the last of which has not decayed."""

REFUSED = 5
"""As how many requests a move counts that was refused."""

PAGE_EVERY = 5
"""Every so many turns are a page's, if one waits."""

KNOWN = 10_000
"""How many senders, and seats, are remembered; those away for longest become newcomers again."""


class Place(NamedTuple):
    """A place in the queue.

    :param at: a time: a sender who asks ten times as much comes 23 seconds later, so no one waits
        for ever
    """

    is_move: bool
    at: float


FIRST = Place(is_move=True, at=-inf)


class Counts:
    """How much each sender has asked for lately."""

    def __init__(self) -> None:
        self._counts: dict[str, tuple[float, float]] = {}  # with the time; the latest last

    def __contains__(self, sender: str) -> bool:
        return sender in self._counts

    def ask(self, sender: str, now: float, most: float = inf, weight: int = 1) -> float | None:
        """Count a request; return the count, or ``None`` beyond the most, when it stays."""
        asked, at = self._counts.get(sender, (0.0, now))
        before = asked * exp((at - now) / WINDOW)
        allowed = before + weight <= most
        _keep(self._counts, sender, (before + weight if allowed else before, now))
        return before + weight if allowed else None


class Senders:
    """What is known of those who ask: their counts, and the players' seats.

    :param limited: whether anyone is refused
    """

    def __init__(self, *, limited: bool = True) -> None:
        self._limited = limited
        self._asked, self._pages, self._moves = Counts(), Counts(), Counts()
        self._moved = dict[str, None]()
        self._seats = dict[tuple[str, str], None]()

    def knows(self, player: str | None) -> bool:
        """Tell whether a player was answered before."""
        return player in self._asked if player else False

    def ask(
        self, player: str | None, address: str, now: float, *, game: str = "", free: bool = False
    ) -> Place | None:
        """Count a request; return its place in the queue, ``None`` if it is refused.

        :param game: in which it would move
        :param free: whether it counts for nothing
        """
        known, weight = self.knows(player), 0 if free else 1
        most = inf if free or not self._limited else PLAYER if known else NEWCOMERS
        if self._asked.ask(player if player and known else address, now, most, weight) is None:
            return None
        asked, is_move = None, False
        if player and (player, game) in self._seats:
            asked = self._moves.ask(player, now, MOVES)
            is_move = asked is not None
        if asked is None:
            sender = player if player and player in self._moved else address
            asked = self._pages.ask(sender, now, weight=weight) or 0
        return Place(is_move, now + WINDOW * log(max(asked, 1)))

    def answered(self, player: str, now: float) -> None:
        """Know a player from now on."""
        self._asked.ask(player, now, weight=0)

    def seat(self, player: str, game: str) -> None:
        """Note that a player is seated in a game."""
        _keep(self._seats, (player, game), None)

    def moved(self, player: str, now: float, *, accepted: bool) -> None:
        """Note that a player has made a move, which was accepted or refused."""
        if accepted:
            _keep(self._moved, player, None)
            return
        for counts in (self._moves, self._pages):
            counts.ask(player, now, weight=REFUSED - 1)


class Queue(Generic[T]):
    """Those who wait for a turn, by their places.

    :param room: how many may wait
    """

    def __init__(self, room: float) -> None:
        self._room, self._arrivals, self._turns = room, count(), 0
        self._moves: list[tuple[float, int, T]] = []
        self._pages: list[tuple[float, int, T]] = []

    def __len__(self) -> int:
        return len(self._moves) + len(self._pages)

    def put(self, who: T, place: Place) -> T | None:
        """Let one wait; return the last of all if there is no room, a page before any move."""
        heappush(
            self._moves if place.is_move else self._pages, (place.at, next(self._arrivals), who)
        )
        if len(self) <= self._room:
            return None
        waiting = self._pages or self._moves
        last = max(waiting)
        waiting.remove(last)
        heapify(waiting)
        return last[-1]

    def take(self) -> T | None:
        """Return the next, who waits no more; ``None`` if no one waits."""
        self._turns += 1
        is_page = not self._moves or (self._pages and self._turns >= PAGE_EVERY)
        self._turns = 0 if is_page else self._turns
        waiting = self._pages if is_page else self._moves
        return heappop(waiting)[-1] if waiting else None


K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def _keep(table: dict[K, V], key: K, value: V) -> None:
    """Remember this as the latest, and no more than so many."""
    table.pop(key, None)
    table[key] = value
    if len(table) > KNOWN:
        del table[next(iter(table))]
