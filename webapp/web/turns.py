"""Requests take turns: the sender who has asked least lately goes next.

The server has far more threads than can do anything at once. A request waits here for the rest of
its body, and then in one fair queue for its turn. Pages that compute for long, as the lab does,
have a queue of their own beside it. Each worker process counts for itself, in memory.

A whole school may share one address, so a player's cookie says more than the address. But cookies
can be invented: a cookie counts as a player's once this worker has answered it. Until then its
requests, like those without a cookie, are the newcomers' of its address, who share one count.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from heapq import heapify, heappop, heappush
from io import BytesIO
from itertools import count
from math import exp, inf, log
from queue import SimpleQueue
from random import uniform
from typing import TYPE_CHECKING

from flask import Flask, Response, request

from webapp.config import Settings
from webapp.web import errors, identity
from webapp.web.context import site
from webapp.web.networks import line

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

WINDOW = 10
"""Seconds in which a count decays to a third: at a steady pace it is what this time brings."""

PLAYER, NEWCOMERS = 200, 600
"""Counts up to which a player, and all newcomers of an address, are answered. A browser with five
games open asks six times a second and can be clicked in besides. Sixty pupils who open the first
page, come back with their cookie, move and look at the class before a worker knows them make under
250 requests."""

KNOWN = 10_000
"""How many senders a worker remembers; players away for longest become newcomers again."""

SLOW = ("/lab", "/review", "/opponents", "/learn", "/qr", "/host/games.csv", "/host/players.csv")
"""How addresses begin that may take longer than any move."""

FREE = ("/static/", "/healthz")
"""How addresses begin that are not counted."""

AT_ONCE = 1
"""Quick requests answered at a time: more would only contend for the interpreter."""

ON_POSTGRES = 3
"""The same with PostgreSQL, where each of them waits for another computer at every statement."""

QUICK_ROOM, SLOW_ROOM = 384, 128
"""Requests that may wait for a turn, each on a thread: six of each of sixty browsers, and two of
each where a class opens the lab together. Beyond that, the sender who has asked most is refused."""

BODIES = 512
"""Requests that may wait for their bodies, each on a thread until its connection is closed as
stalled. The newcomers of an address have half of what others leave, and so have all forms without a
cookie: browsers always send one."""

OF_A_PLAYER = 4
"""Those of one player."""

PAUSE = 1.0
"""Seconds, about, by which refusals are delayed, or clients would retry faster."""

PAUSING = 64
"""Refusals that are delayed at a time, each on a thread."""

_REFUSED, _DELAY = "tictactoe.refused", "tictactoe.delay"


class Senders:
    """How much each sender has asked for lately, and which players were answered before."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._counts: dict[str, tuple[float, float]] = {}  # with the time; the latest last
        self._changing = threading.Lock()

    def knows(self, player: str | None) -> bool:
        """Tell whether this worker has answered a player before."""
        return player in self._counts

    def ask(self, sender: str, most: float = inf, weight: int = 1) -> float | None:
        """Count a request; return its place in the queue, ``None`` if it is refused.

        Places are times: a sender who asks ten times as much comes 23 seconds later, so no one
        waits for ever.
        """
        with self._changing:
            now = self.clock()
            asked, at = self._counts.pop(sender, (0.0, now))
            asked = asked * exp((at - now) / WINDOW) + weight
            allowed = asked <= most
            self._counts[sender] = asked if allowed else asked - weight, now
            if len(self._counts) > KNOWN:
                del self._counts[next(iter(self._counts))]
            return now + WINDOW * log(max(asked, 1)) if allowed else None


class Queue:
    """Lets a few requests pass at a time, by their places.

    :param room: how many may wait
    """

    def __init__(self, at_once: int, room: float) -> None:
        self._free, self._room = at_once, room
        self._changing = threading.Lock()
        self._waiting: list[tuple[float, int, SimpleQueue[bool]]] = []
        self._arrivals = count()

    @contextmanager
    def turn(self, place: float | None) -> Iterator[bool]:
        """Wait for a turn, and have it until the end of the block.

        :return: whether there is one; there is none without a place, or where others with an
            earlier place have taken all room
        """
        if has_turn := place is not None and self._wait(place):
            try:
                yield has_turn
            finally:
                self._leave()
        else:
            yield has_turn

    def _wait(self, place: float) -> bool:
        told = SimpleQueue[bool]()
        with self._changing:
            if self._free:
                self._free -= 1
                return True
            heappush(self._waiting, (place, next(self._arrivals), told))
            if len(self._waiting) > self._room:
                last = max(self._waiting)
                self._waiting.remove(last)
                heapify(self._waiting)
                last[-1].put(False)
        return told.get()

    def _leave(self) -> None:
        with self._changing:
            if self._waiting:
                heappop(self._waiting)[-1].put(True)
            else:
                self._free += 1


class Turns:
    """The application, with requests taking turns."""

    def __init__(self, app: Flask, settings: Settings, senders: Senders) -> None:
        self._application, self._senders = app.wsgi_app, senders
        self._longest: int = app.config["MAX_CONTENT_LENGTH"]
        self._slow_paths, self._free_paths = (
            tuple(f"{settings.base_path}{path}" for path in paths) for paths in (SLOW, FREE)
        )
        at_once = ON_POSTGRES if settings.postgres else AT_ONCE
        self._limited = limited = settings.limits == "on"
        self._quick = Queue(at_once, QUICK_ROOM if limited else inf)
        self._slow = Queue(1, SLOW_ROOM if limited else inf)
        self._rested = 0.0
        self._bodies, self._changing = Counter[str](), threading.Lock()
        self._refusing, self._pausing = threading.Lock(), threading.Semaphore(PAUSING)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request, when it is whole and has its turn."""
        answer = self._in_turn(environ, start_response)
        time.sleep(environ.get(_DELAY, 0))
        if environ.get(_REFUSED) == 429 and self._pausing.acquire(blocking=False):
            time.sleep(uniform(0.5, 1.5) * PAUSE)  # noqa: S311 - not all come back at once
            self._pausing.release()
        return answer

    def _in_turn(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path, player = environ["PATH_INFO"], identity.named_by(environ)
        known = player is not None and self._senders.knows(player)
        sender = player if player and known else line(environ.get("REMOTE_ADDR"))
        free = path.startswith(self._free_paths)
        most = inf if free or not self._limited else PLAYER if known else NEWCOMERS
        of = sender if player else "no browser"
        if self._read_body(environ, of, OF_A_PLAYER if known else BODIES):
            place = self._senders.ask(sender, most, 0 if free else 1)
            slow = path.startswith(self._slow_paths)
            with (self._slow if slow else self._quick).turn(place) as has_turn:
                if has_turn:
                    answer = self._slowly if slow else self._application
                    return answer(environ, start_response)
        environ[_REFUSED] = 429
        with self._refusing:
            return self._application(environ, start_response)

    def _read_body(self, environ: WSGIEnvironment, of: str, most: int) -> bool:
        """Wait for the body, if there is room to; return whether there was."""
        length = _length(environ, self._longest)
        if not length:
            return True
        with self._changing:
            free = BODIES - self._bodies.total()
            if self._limited and self._bodies[of] >= min(most, free):
                return False
            self._bodies[of] += 1
        try:
            body = environ["wsgi.input"].read(length)
        finally:
            with self._changing:
                self._bodies -= Counter((of,))
        environ["wsgi.input"] = BytesIO(body)
        if len(body) < length and environ.get("CONTENT_LENGTH"):
            # The sender has gone, and half a form may mislead.
            environ[_REFUSED] = 400
        return True

    def _slowly(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer, and pause for as long as that took before the next one."""
        time.sleep(max(0.0, self._rested - time.monotonic()))
        start = time.monotonic()
        try:
            return self._application(environ, start_response)
        finally:
            end = time.monotonic()
            self._rested = end + (end - start)


def init_app(app: Flask, settings: Settings) -> None:
    """Let requests take turns, each with its body complete."""
    senders = app.extensions["senders"] = Senders()
    app.wsgi_app = Turns(app, settings, senders)  # type: ignore[method-assign]

    @app.before_request
    def refuse() -> Response | None:
        status = request.environ.get(_REFUSED)
        if status is None or (status == 429 and _brings_the_key()):
            return None
        return errors.too_many(2) if status == 429 else errors.small_page(400)

    @app.after_request
    def remember(response: Response) -> Response:
        player = identity.returning()
        if response.status_code == 429:
            request.environ[_REFUSED] = 429
        elif player is not None:
            senders.ask(player, weight=0)  # it is known from now on
        return response


def _brings_the_key() -> bool:
    """Tell whether the request signs a teacher in: it is never refused for what others send."""
    signs_in = request.endpoint == "teacher.sign_in"
    return signs_in and site().key.fits(request.form.get("key", ""))


def delay(seconds: float) -> None:
    """Let the answer to this request wait, once it is made and others have their turn."""
    request.environ[_DELAY] = seconds


def _length(environ: WSGIEnvironment, limit: int) -> int:
    """Return how many bytes of a request's body to read; a body over the limit stays unread."""
    announced = environ.get("CONTENT_LENGTH") or ""
    if announced:
        return int(announced) if announced.isdecimal() and int(announced) <= limit else 0
    # One byte over the limit says that there is more.
    in_chunks = "HTTP_TRANSFER_ENCODING" in environ and environ.get("wsgi.input_terminated")
    return limit + 1 if in_chunks else 0
