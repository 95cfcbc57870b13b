"""Requests take turns, in the order of :mod:`webapp.web.order`.

The server has far more threads than can do anything at once. A request waits here for the rest of
its body, and then in one fair queue for its turn. Pages that compute for long, as the lab does,
have a queue of their own beside it; others leave their turn for as long as they compute
(:func:`apart`). Each worker process counts for itself, in memory.
"""

from __future__ import annotations

import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from math import inf
from queue import SimpleQueue
from random import uniform
from typing import TYPE_CHECKING

from flask import Flask, Response, g, request

from webapp.config import Settings
from webapp.web import errors, identity
from webapp.web.context import site
from webapp.web.networks import line
from webapp.web.order import FIRST, Place, Queue, Senders

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

SLOW = ("/lab", "/review", "/opponents", "/learn", "/host/games.", "/host/players.")
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

BODIES = 256
"""Requests that may wait for their bodies, each on a thread until its connection is closed as
stalled. The newcomers of an address have half of what others leave, and so have all forms without a
cookie: browsers always send one."""

OF_A_PLAYER = 4
"""Those of one player."""

PAUSE = 1.0
"""Seconds, about, by which refusals are delayed, or clients would retry faster."""

PAUSING = 256
"""Refusals that are delayed at a time, each on a thread; clients retry all others at once."""

_REFUSED, _LANE = "tictactoe.refused", "tictactoe.lane"


class Lane:
    """Lets a few requests pass at a time, in their order.

    :param room: how many may wait
    """

    def __init__(self, at_once: int, room: float) -> None:
        self._free = at_once
        self._changing = threading.Lock()
        self._waiting = Queue[SimpleQueue[bool]](room)

    def enter(self, place: Place) -> bool:
        """Wait for a turn; tell whether there is one, or others have taken all room."""
        told = SimpleQueue[bool]()
        with self._changing:
            if self._free:
                self._free -= 1
                return True
            if last := self._waiting.put(told, place):
                last.put(False)
        return told.get()

    def leave(self) -> None:
        """Give the turn to the next."""
        with self._changing:
            if following := self._waiting.take():
                following.put(True)
            else:
                self._free += 1


class Turns:
    """The application, with requests taking turns."""

    def __init__(
        self, app: Flask, settings: Settings, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._application, self.clock = app.wsgi_app, clock
        self._longest: int = app.config["MAX_CONTENT_LENGTH"]
        self._slow_paths, self._free_paths = (
            tuple(f"{settings.base_path}{path}" for path in paths) for paths in (SLOW, FREE)
        )
        self._move = re.compile(rf"{re.escape(settings.base_path)}/games/([^/]+)/moves")
        at_once = ON_POSTGRES if settings.postgres else AT_ONCE
        self._limited = limited = settings.limits == "on"
        self._senders = Senders(limited=limited)
        self._quick = Lane(at_once, QUICK_ROOM if limited else inf)
        self._slow = Lane(1, SLOW_ROOM if limited else inf)
        self._rested = 0.0
        self._bodies, self._changing = Counter[str](), threading.Lock()
        self._refusing, self._pausing = threading.Lock(), threading.Semaphore(PAUSING)

    def knows(self, player: str | None) -> bool:
        """Tell whether this worker has answered a player before."""
        return self._senders.knows(player)

    def answered(self, player: str, *, seat: str | None, moved: bool | None) -> None:
        """Note that a player was answered.

        :param seat: the game in which the player is seated, if the request was about one
        :param moved: whether a move was accepted; ``None`` if it was none
        """
        with self._changing:
            self._senders.answered(player, self.clock())
            if seat:
                self._senders.seat(player, seat)
            if moved is not None:
                self._senders.moved(player, self.clock(), accepted=moved)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request, when it is whole and has its turn."""
        answer = self._in_turn(environ, start_response)
        if environ.get(_REFUSED) == 429 and self._pausing.acquire(blocking=False):
            time.sleep(uniform(0.5, 1.5) * PAUSE)  # noqa: S311 - not all come back at once
            self._pausing.release()
        return answer

    def _in_turn(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path, player = environ["PATH_INFO"], identity.named_by(environ)
        address, known = line(environ.get("REMOTE_ADDR")), self.knows(player)
        of = "no browser" if player is None else player if known else address
        if self._read_body(environ, of, OF_A_PLAYER if known else BODIES):
            move = self._move.fullmatch(path) if environ["REQUEST_METHOD"] == "POST" else None
            with self._changing:
                place = self._senders.ask(
                    player,
                    address,
                    self.clock(),
                    game=move[1] if move else "",
                    free=path.startswith(self._free_paths),
                )
            slow = path.startswith(self._slow_paths)
            lane = self._slow if slow else self._quick
            if place and lane.enter(place):
                environ[_LANE] = lane
                try:
                    answer = self._slowly if slow else self._application
                    return answer(environ, start_response)
                finally:
                    lane.leave()
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
    turns = app.extensions["turns"] = Turns(app, settings)
    app.wsgi_app = turns  # type: ignore[method-assign]

    @app.before_request
    def refuse() -> Response | None:
        status = request.environ.get(_REFUSED)
        if status is None or (status == 429 and _brings_the_key()):
            return None
        return errors.too_many(2) if status == 429 else errors.small_page(400)

    @app.after_request
    def remember(response: Response) -> Response:
        player, moves = identity.returning(), request.endpoint == "play.move"
        if response.status_code == 429:
            request.environ[_REFUSED] = 429
        elif player is not None:
            moved = response.status_code < 400 if moves else None
            turns.answered(player, seat=g.get("seat"), moved=moved)
        return response


@contextmanager
def apart() -> Iterator[None]:
    """Compute for long, while others have their turns; then go on as soon as there is one."""
    lane: Lane | None = request.environ.get(_LANE)
    if lane is None:  # it is refused, or asked by a test
        yield
        return
    lane.leave()
    try:
        yield
    finally:
        lane.enter(FIRST)


def _brings_the_key() -> bool:
    """Tell whether the request signs a teacher in: it is never refused for what others send."""
    signs_in = request.endpoint == "teacher.sign_in"
    return signs_in and site().key.fits(request.form.get("key", ""))


def _length(environ: WSGIEnvironment, limit: int) -> int:
    """Return how many bytes of a request's body to read; a body over the limit stays unread."""
    announced = environ.get("CONTENT_LENGTH") or ""
    if announced:
        return int(announced) if announced.isdecimal() and int(announced) <= limit else 0
    # One byte over the limit says that there is more.
    in_chunks = "HTTP_TRANSFER_ENCODING" in environ and environ.get("wsgi.input_terminated")
    return limit + 1 if in_chunks else 0
