"""Bodies come first: nobody who sends one slowly keeps others from being answered.

The server has a thread for each request under way, far more than can be at work. One whose body
is still coming waits here, before it takes a turn.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from io import BytesIO
from typing import TYPE_CHECKING

from flask import Flask

from webapp.config import Settings

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

AT_WORK = 2
"""How many requests a worker answers at once. The second one lets moves pass while the lab
computes; a third would only wait for the interpreter."""

AT_WORK_ELSEWHERE = 8
"""How many where the database is another computer's: some wait for it, and others go on."""


def init_app(app: Flask, settings: Settings) -> None:
    """Let requests take turns, each with its body complete."""
    limit, at_work = app.config["MAX_CONTENT_LENGTH"], AT_WORK
    if settings.postgres:
        at_work = AT_WORK_ELSEWHERE
    app.wsgi_app = _turns(app.wsgi_app, limit, at_work)  # type: ignore[assignment,method-assign]


def _turns(application: WSGIApplication, limit: int, at_work: int) -> WSGIApplication:
    turns = threading.Semaphore(at_work)

    def in_turn(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        announced = environ.get("CONTENT_LENGTH") or ""
        unannounced = not announced and environ.get("wsgi.input_terminated")
        if unannounced or (announced.isdecimal() and 0 < int(announced) <= limit):
            # What is longer is refused unread. One byte over the limit says that there is more.
            length = int(announced) if announced else limit + 1
            environ["wsgi.input"] = BytesIO(environ["wsgi.input"].read(length))
        with turns:
            return application(environ, start_response)

    return in_turn
