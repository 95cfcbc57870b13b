"""Requests take turns: what is quick never waits for what is slow.

The server has far more threads than can do anything at once. A request whose body is still coming
waits here for the rest of it, before it takes a turn. Then the quick ones go one at a time, as they
would only take the interpreter from each other; and those that compute for long, as the lab does,
have a turn of their own beside them.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING

from flask import Flask

from webapp.config import Settings

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

MAX_CONCURRENT = 8
"""How many quick requests a worker has begun: one is answered while others wait for the database.
Each holds a connection to it."""

COSTLY = ("/lab", "/review", "/opponents", "/learn", "/class/board")
"""How the addresses begin that may take longer than any move."""


class Turns:
    """Who is answered now, of the requests of one worker.

    :param quick: how many quick ones at a time
    """

    def __init__(self, quick: int) -> None:
        self._begun = threading.Semaphore(MAX_CONCURRENT)
        self._quick = threading.Semaphore(quick)
        self._costly = threading.Semaphore(1)
        self._mine = threading.local()

    @contextmanager
    def take(self, *, costly: bool) -> Iterator[None]:
        """Wait for a turn, and have it until the end of the block."""
        if costly:
            with self._costly:
                yield
            return
        with self._begun, self._quick:
            self._mine.turn = self._quick
            try:
                yield
            finally:
                self._mine.turn = None

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Let others have this thread's turn in the block, which only waits."""
        turn = getattr(self._mine, "turn", None)
        if turn is None:
            yield
            return
        turn.release()
        try:
            yield
        finally:
            turn.acquire()


def init_app(app: Flask, settings: Settings) -> None:
    """Let requests take turns, each with its body complete."""
    limit = app.config["MAX_CONTENT_LENGTH"]
    # Another computer's database makes each of them wait at every statement.
    turns = Turns(MAX_CONCURRENT if settings.postgres else 1)
    app.extensions["database"].while_waiting = turns.lent
    costly = tuple(f"{settings.base_path}{address}" for address in COSTLY)
    application: WSGIApplication = app.wsgi_app

    def in_turn(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        announced = environ.get("CONTENT_LENGTH") or ""
        unannounced = not announced and environ.get("wsgi.input_terminated")
        if unannounced or (announced.isdecimal() and 0 < int(announced) <= limit):
            # What is longer is refused unread. One byte over the limit says that there is more.
            length = int(announced) if announced else limit + 1
            environ["wsgi.input"] = BytesIO(environ["wsgi.input"].read(length))
        with turns.take(costly=environ["PATH_INFO"].startswith(costly)):
            return application(environ, start_response)

    app.wsgi_app = in_turn  # type: ignore[method-assign]
