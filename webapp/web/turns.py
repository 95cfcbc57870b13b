"""Requests take turns: no one waits long for another's slow page, slow line or many requests.

The server has far more threads than can do anything at once. A request waits here for the rest of
its body, and then for its turn. The quick ones go one at a time, as they would only take the
interpreter from each other; those that compute for long, as the lab does, have a turn of their own
beside them. A visitor with many under way waits with all but one of them.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from io import BytesIO
from random import uniform
from sys import maxsize
from typing import TYPE_CHECKING

from flask import Flask, Response, request

from webapp.config import Settings
from webapp.web import errors, identity
from webapp.web.networks import line

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

MAX_CONCURRENT = 8
"""How many quick requests a worker has begun: one is answered while others wait for the database.
Each holds a connection to it."""

SLOW = ("/lab", "/review", "/opponents", "/learn", "/qr", "/host/games.csv", "/host/players.csv")
"""How addresses begin that may take longer than any move."""

NEW = ("/games", "/again", "/challenges", "/seeks", "/join")
"""How addresses end where a POST stores something for days: one at a time, so that a move waits for
one at most."""

QUEUE = 32
"""How many requests a visitor may have under way, and how many slow ones an address: a class that
opens the lab together."""

NEWCOMERS = 256
"""How many without a cookie an address may have under way: a school that arrives."""

BODIES = 384
"""How many requests wait for their bodies at once. Each has a thread, until its connection is
closed as stalled, and those that are whole need others."""

OF_STRANGERS, OF_NEWCOMERS, OF_PLAYERS, OF_A_PLAYER = 64, 64, 128, 4
"""How many of them may come without a cookie, which no browser does; from one address with cookies
that this worker does not know yet, and with cookies that it knows; and with one cookie. All
newcomers together have twice as many as those of one address."""

PAUSE, PAUSING = 1.0, 64
"""For about how many seconds a flood's refusal waits, as it would only come faster without;
and how many wait, each on a thread."""

_REFUSED, _DELAY = "tictactoe.refused", "tictactoe.delay"


class Shares:
    """How many requests one worker has at a time, counted for each sender."""

    def __init__(self) -> None:
        self._changing = threading.Lock()
        self._taken: Counter[str] = Counter()

    @contextmanager
    def take(self, shares: Mapping[str, int]) -> Iterator[bool]:
        """Count as one until the end of the block.

        :param shares: what this request counts as, and how many there may be of each
        :return: whether there was room in each; otherwise it is not counted
        """
        with self._changing:
            room = all(self._taken[share] < most for share, most in shares.items())
            if room:
                self._taken.update(shares.keys())
        try:
            yield room
        finally:
            if room:
                with self._changing:
                    self._taken -= Counter(shares.keys())


class Queues:
    """Lets the first request of each sender pass: many from one sender do not delay the others."""

    def __init__(self) -> None:
        self._changing = threading.Lock()
        self._queues: dict[str, threading.Lock] = {}
        self._waiting: Counter[str] = Counter()

    @contextmanager
    def first(self, of: str, most: int) -> Iterator[bool]:
        """Wait until the sender's earlier requests have left, and stay until the end of the block.

        :param most: how many may be there
        :return: whether there was room in the queue; otherwise this one does not wait
        """
        with self._changing:
            self._waiting[of] += 1
            queue = self._queues.setdefault(of, threading.Lock())
            room = self._waiting[of] <= most
        try:
            if room:
                with queue:
                    yield True
            else:
                yield False
        finally:
            with self._changing:
                self._waiting[of] -= 1
                if not self._waiting[of]:
                    del self._waiting[of], self._queues[of]


class QuickTurns:
    """Turns of one worker's quick requests.

    :param at_once: how many have a turn at the same time
    """

    def __init__(self, at_once: int) -> None:
        self._begun = threading.Semaphore(MAX_CONCURRENT)
        self._turns = threading.Semaphore(at_once)
        self._mine = threading.local()

    @contextmanager
    def take(self) -> Iterator[None]:
        """Wait for a turn, and have it until the end of the block."""
        with self._begun, self._turns:
            self._mine.turn = True
            try:
                yield
            finally:
                self._mine.turn = False

    @contextmanager
    def lend(self) -> Iterator[None]:
        """Lend this thread's turn to others during the block, which only waits."""
        if not getattr(self._mine, "turn", False):
            yield
            return
        self._turns.release()
        try:
            yield
        finally:
            self._turns.acquire()


class Turns:
    """The application, with requests taking turns."""

    def __init__(self, app: Flask, settings: Settings) -> None:
        self._app, self._application = app, app.wsgi_app
        self._longest: int = app.config["MAX_CONTENT_LENGTH"]
        self._slow_paths = tuple(f"{settings.base_path}{path}" for path in SLOW)
        # Another computer's database makes each of them wait at every statement; more than three
        # take more from each other than they gain.
        self.quick = QuickTurns(3 if settings.postgres else 1)
        self._slow, self._new = threading.Lock(), threading.Lock()
        self._rested = 0.0
        self._bodies, self._visitors = Shares(), Queues()
        self._slow_queues, self._new_queues = Queues(), Queues()
        self._pausing = threading.Semaphore(PAUSING)
        self._limited = settings.limits == "on"

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request, when it is whole and has its turn."""
        self._read_body(environ)
        answer = self._in_turn(environ, start_response)
        time.sleep(environ.get(_DELAY, 0))
        if environ.get(_REFUSED) == 429 and self._pausing.acquire(blocking=False):
            time.sleep(uniform(0.5, 1.5) * PAUSE)  # noqa: S311 - not all come back at once
            self._pausing.release()
        return answer

    def _read_body(self, environ: WSGIEnvironment) -> None:
        if length := _length(environ, self._longest):
            with self._bodies.take(_shares(self._app, environ)) as room:
                body = environ["wsgi.input"].read(length) if room else b""
            environ["wsgi.input"] = BytesIO(body)
            if not room:
                environ[_REFUSED] = 429
            elif len(body) < length and environ.get("CONTENT_LENGTH"):
                # The sender has gone, and half a form may mislead.
                environ[_REFUSED] = 400

    def _in_turn(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        address, player = line(environ.get("REMOTE_ADDR")), identity.named_by(environ)
        several, many = (QUEUE, NEWCOMERS) if self._limited else (maxsize, maxsize)
        path, posts = environ["PATH_INFO"], environ["REQUEST_METHOD"] == "POST"
        with ExitStack() as turn:
            # In a separate queue: a player who waits for the lab can still move.
            if slow := path.startswith(self._slow_paths):
                room = turn.enter_context(self._slow_queues.first(address, several))
            else:
                visitor = (player, several) if player else (address, many)
                room = turn.enter_context(self._visitors.first(*visitor))
            if not room:
                environ[_REFUSED] = 429
            elif slow:
                turn.enter_context(self._slow_turn())
                return self._application(environ, start_response)
            elif posts and path.endswith(NEW):
                turn.enter_context(self._new_queues.first(address, many))
                turn.enter_context(self._new)
            turn.enter_context(self.quick.take())
            return self._application(environ, start_response)

    @contextmanager
    def _slow_turn(self) -> Iterator[None]:
        """Take the turn of the slow requests, which pauses for as long as each of them took."""
        with self._slow:
            time.sleep(max(0.0, self._rested - time.monotonic()))
            start = time.monotonic()
            try:
                yield
            finally:
                end = time.monotonic()
                self._rested = end + (end - start)


def init_app(app: Flask, settings: Settings) -> None:
    """Let requests take turns, each with its body complete."""
    turns = Turns(app, settings)
    app.extensions["database"].while_waiting = turns.quick.lend

    @app.before_request
    def refuse() -> Response | None:
        status = request.environ.get(_REFUSED)
        return errors.too_many(2) if status == 429 else errors.small_page(400) if status else None

    @app.after_request
    def note(response: Response) -> Response:
        if response.status_code == 429:
            request.environ[_REFUSED] = 429
        return response

    app.wsgi_app = turns  # type: ignore[method-assign]


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


def _shares(app: Flask, environ: WSGIEnvironment) -> dict[str, int]:
    """Return what a request waiting for its body counts as, and how many of each there may be."""
    shares, limiter = {"all": BODIES}, app.extensions.get("limiter")
    if limiter is None:  # the settings say so
        return shares
    address, player = line(environ.get("REMOTE_ADDR")), identity.named_by(environ)
    if player is None:
        return shares | {"strangers": OF_STRANGERS}
    shares[player] = OF_A_PLAYER
    if limiter.knows(player):
        return shares | {f"players at {address}": OF_PLAYERS}
    return shares | {"newcomers": 2 * OF_NEWCOMERS, f"newcomers at {address}": OF_NEWCOMERS}
