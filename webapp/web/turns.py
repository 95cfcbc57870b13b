"""Requests take turns: what is quick never waits for what is slow.

The server has far more threads than can do anything at once. A request whose body is still coming
waits here for the rest of it, before it takes a turn. Then the quick ones go one at a time, as they
would only take the interpreter from each other; and those that compute for long, as the lab does,
have a turn of their own beside them.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING

from flask import Flask, Request, Response, request

from webapp.config import Settings
from webapp.web import errors, identity
from webapp.web.networks import line

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

MAX_CONCURRENT = 8
"""How many quick requests a worker has begun: one is answered while others wait for the database.
Each holds a connection to it."""

SLOW = ("/lab", "/review", "/opponents", "/learn", "/qr")
"""How the addresses begin that may take longer than any move."""

QUEUE = 32
"""How many slow requests may come from one address at once: a class that opens the lab together."""

BODIES = 384
"""How many requests wait for their bodies at once. Each has a thread, until its connection is
closed as stalled, and those that are whole need others."""

OF_STRANGERS, OF_NEWCOMERS, OF_PLAYERS, OF_A_PLAYER = 64, 64, 128, 4
"""How many of them come without a cookie, which no browser does; from one address with cookies that
this worker has answered nobody by, and with others; and with one cookie. All newcomers together
have twice as many as those of one address."""

_REFUSED = "tictactoe.refused"


class QuickTurns:
    """Whose turn it is, of the quick requests of one worker.

    :param at_once: how many have one
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
        """Let others have this thread's turn in the block, which only waits."""
        if not getattr(self._mine, "turn", False):
            yield
            return
        self._turns.release()
        try:
            yield
        finally:
            self._turns.acquire()


class Bodies:
    """The requests of one worker that wait for their bodies."""

    def __init__(self) -> None:
        self._changing = threading.Lock()
        self._waiting: Counter[str] = Counter()

    @contextmanager
    def wait(self, shares: Mapping[str, int]) -> Iterator[bool]:
        """Count as waiting until the end of the block.

        :param shares: of what this is a part, and how many of it may wait
        :return: whether there was room in each
        """
        with self._changing:
            room = all(self._waiting[share] < most for share, most in shares.items())
            if room:
                self._waiting.update(shares.keys())
        try:
            yield room
        finally:
            if room:
                with self._changing:
                    self._waiting -= Counter(shares.keys())


class SlowTurn:
    """Whose turn it is, of the slow requests of one worker.

    Every address has a queue of its own, and only the first of each waits for the turn: however
    many come from one place, those from elsewhere are next but one.
    """

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._changing = threading.Lock()
        self._queues: dict[str, threading.Lock] = {}
        self._waiting: Counter[str] = Counter()

    @contextmanager
    def take(self, address: str) -> Iterator[bool]:
        """Wait for the turn, and have it until the end of the block.

        :return: whether there was room in the queue; there is no turn without
        """
        with self._changing:
            self._waiting[address] += 1
            queue = self._queues.setdefault(address, threading.Lock())
            room = self._waiting[address] <= QUEUE
        try:
            if room:
                with queue, self._turn:
                    yield True
            else:
                yield False
        finally:
            with self._changing:
                self._waiting[address] -= 1
                if not self._waiting[address]:
                    del self._waiting[address], self._queues[address]


def init_app(app: Flask, settings: Settings) -> None:
    """Let requests take turns, each with its body complete."""
    limit = app.config["MAX_CONTENT_LENGTH"]
    # Another computer's database makes each of them wait at every statement.
    quick = QuickTurns(MAX_CONCURRENT if settings.postgres else 1)
    bodies = Bodies()
    slow, slow_paths = SlowTurn(), tuple(f"{settings.base_path}{path}" for path in SLOW)
    app.extensions["database"].while_waiting = quick.lend
    application: WSGIApplication = app.wsgi_app

    def in_turn(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if length := _length(environ, limit):
            with bodies.wait(_shares(app, environ)) as room:
                body = environ["wsgi.input"].read(length) if room else b""
            environ["wsgi.input"] = BytesIO(body)
            if not room:
                environ[_REFUSED] = 429
            elif len(body) < length and environ.get("CONTENT_LENGTH"):
                environ[_REFUSED] = (
                    400  # the sender has gone, and what came of the form may mislead
                )
        if environ["PATH_INFO"].startswith(slow_paths) and not environ.get(_REFUSED):
            with slow.take(line(environ.get("REMOTE_ADDR"))) as taken:
                if taken:
                    return application(environ, start_response)
            environ[_REFUSED] = 429
        with quick.take():
            return application(environ, start_response)

    @app.before_request
    def refuse() -> Response | None:
        status = request.environ.get(_REFUSED)
        return errors.too_many(2) if status == 429 else errors.small_page(400) if status else None

    app.wsgi_app = in_turn  # type: ignore[method-assign]


def _length(environ: WSGIEnvironment, limit: int) -> int:
    """Return how much is to be read of a request's body, in bytes; what is longer stays unread."""
    announced = environ.get("CONTENT_LENGTH") or ""
    if announced:
        return int(announced) if announced.isdecimal() and int(announced) <= limit else 0
    # One byte over the limit says that there is more.
    in_chunks = "HTTP_TRANSFER_ENCODING" in environ and environ.get("wsgi.input_terminated")
    return limit + 1 if in_chunks else 0


def _shares(app: Flask, environ: WSGIEnvironment) -> dict[str, int]:
    """Return which requests that wait for their bodies one is of, and how many there may be."""
    shares, limiter = {"all": BODIES}, app.extensions.get("limiter")
    if limiter is None:  # the settings say so
        return shares
    address, player = line(environ.get("REMOTE_ADDR")), identity.named_by(Request(environ))
    if player is None:
        return shares | {"strangers": OF_STRANGERS}
    shares[player] = OF_A_PLAYER
    if limiter.knows(player):
        return shares | {f"players at {address}": OF_PLAYERS}
    return shares | {"newcomers": 2 * OF_NEWCOMERS, f"newcomers at {address}": OF_NEWCOMERS}
