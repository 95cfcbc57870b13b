"""Whose request goes next, and who is refused.

Moves go first: those of a player who is seated in that game, two a second. All other requests are
pages; every fifth turn is theirs. Among moves, as among pages, the sender who has asked least
lately goes next.

A whole school may share one address, so a player's cookie says more than the address. But cookies
can be invented. So pages of cookies that have never made a move share the count of their address;
and until a cookie has been answered once, its requests are the newcomers' of its address.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from heapq import heapify, heappop, heappush
from itertools import count
from math import inf, log
from queue import SimpleQueue
from typing import Generic, NamedTuple, TypeVar

from webapp.server.bridge import Answer, Environ
from webapp.web.limits import WINDOW, Counts, keep

T = TypeVar("T")
_Told = asyncio.Future[Answer | None]
_Job = tuple[_Told, Environ]

PLAYER, NEWCOMERS = 200, 600
"""Counts up to which a player, and all newcomers of an address, are answered. A browser with five
games open asks six times a second and can be clicked in besides. Sixty pupils who open the first
page, come back with their cookie, move and look at the class before a server knows them make under
250 requests."""

MOVES = 2 * WINDOW + 1
"""Count up to which a player's moves go first: two a second, the last of which has not decayed."""

REFUSED = 5
"""As how many requests a move counts that was refused."""

PAGE_EVERY = 5
"""Every fifth turn is a page's, so that moves cannot keep all pages waiting."""

QUICK_ROOM, SLOW_ROOM = 384, 128
"""Requests that may wait for a turn: six of each of sixty browsers, and two of each where a class
opens the lab together. Beyond that, the sender who has asked most is refused."""


class Place(NamedTuple):
    """A place in the queue.

    :param at: when the sender would have its turn: ten times as many requests put it 23 seconds
        later, so nobody waits for ever
    """

    is_move: bool
    at: float


class Senders:
    """What is known of those who ask: their counts, and the players' seats. Callers give the time.

    :param limited: whether anyone is refused
    """

    def __init__(self, *, limited: bool = True) -> None:
        self._limited = limited
        self._asked, self._pages, self._moves = Counts(), Counts(), Counts()
        self._moved = dict[str, None]()
        self._seats = dict[tuple[str, str], None]()

    def knows(self, player: str | None) -> bool:
        return player in self._asked if player else False

    def has_moved(self, player: str) -> bool:
        """Tell whether a player has made a move that was accepted."""
        return player in self._moved

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
            sender = player if player and self.has_moved(player) else address
            asked = self._pages.ask(sender, now, weight=weight) or 0
        return Place(is_move, now + WINDOW * log(max(asked, 1)))

    def answered(self, player: str, now: float, seat: str, *, moved: bool | None) -> None:
        """Note that a player was answered, who is known from now on.

        :param seat: the game in which the player is seated, if the request was about a game
        :param moved: whether a move was accepted; ``None`` if it was none
        """
        self._asked.ask(player, now, weight=0)
        if seat:
            keep(self._seats, (player, seat), None)
        if moved:
            keep(self._moved, player, None)
        elif moved is False:
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
        """Add a request; if there is no room, drop and return the last, a page before any move."""
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

    def take(self) -> T:
        """Return the next, who waits no more."""
        self._turns += 1
        is_page = not self._moves or (self._pages and self._turns >= PAGE_EVERY)
        self._turns = 0 if is_page else self._turns
        return heappop(self._pages if is_page else self._moves)[-1]


class Lane:
    """Answers requests in their order: one at a time on the loop itself, or on threads.

    On the loop nothing else happens meanwhile, so the loop runs once between two requests: what has
    come by then is in the queue before the next is taken.

    :param room: how many requests may wait
    :param threads: how many requests are answered at a time; 0: one, on the loop
    :param rests: whether a thread pauses for as long as each request took
    """

    def __init__(
        self,
        answer: Callable[[Environ], Answer],
        room: float,
        threads: int = 0,
        *,
        rests: bool = False,
    ) -> None:
        self._answer, self._rests = answer, rests
        self._loop = asyncio.get_running_loop()
        self._waiting = Queue[_Job](room)
        self._jobs = SimpleQueue[_Job]()
        self._on_threads, self._free = bool(threads), threads or 1
        self._goes_on = False
        for _ in range(threads):
            threading.Thread(target=self._work, daemon=True).start()

    async def answer(self, place: Place, environ: Environ, *, alone: bool) -> Answer | None:
        """Return the answer to a request at its turn; ``None`` if others have taken all room.

        :param alone: whether there is no other request, so that it has its turn now
        """
        if alone and self._free and not self._on_threads:
            return self._answer(environ)
        told: _Told = self._loop.create_future()
        last = self._waiting.put((told, environ), place)
        if last and not last[0].done():
            last[0].set_result(None)
        self._go_on()
        return await told

    def _go_on(self) -> None:
        """Take the next request once the loop has seen what else has come."""
        if self._free and self._waiting and not self._goes_on:
            self._goes_on = True
            self._loop.call_soon(self._take)

    def _take(self) -> None:
        self._free, self._goes_on = self._free - 1, False
        told, environ = self._waiting.take()
        if self._on_threads:
            self._jobs.put((told, environ))
            self._go_on()
            return
        try:
            self._end(told, self._answer(environ))
        except Exception as error:  # noqa: BLE001 - the loop goes on; the server says what it was
            self._end(told, error)

    def _work(self) -> None:
        while True:
            told, environ = self._jobs.get()
            began = time.monotonic()
            try:
                result: Answer | Exception = self._answer(environ)
            except Exception as error:  # noqa: BLE001 - likewise
                result = error
            self._loop.call_soon_threadsafe(self._end, told, result)
            if self._rests:
                time.sleep(time.monotonic() - began)

    def _end(self, told: _Told, result: Answer | Exception) -> None:
        self._free += 1
        if told.done():  # its sender has gone
            pass
        elif isinstance(result, Exception):
            told.set_exception(result)
        else:
            told.set_result(result)
        self._go_on()
