"""Bodies come first: a request that is sent slowly keeps no other from being answered.

The server has far more threads than requests that can be answered at once. One whose body is still
coming waits here, before it takes a turn.
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

MAX_CONCURRENT = 2
"""How many requests a worker answers at once. The second one lets moves pass while the lab
computes; a third would only wait for the interpreter."""

MAX_CONCURRENT_REMOTE = 8
"""How many where the database is another computer's: some wait for it, and others go on."""


def init_app(app: Flask, settings: Settings) -> None:
    """Let requests take turns, each with its body complete."""
    limit = app.config["MAX_CONTENT_LENGTH"]
    turns = threading.Semaphore(MAX_CONCURRENT_REMOTE if settings.postgres else MAX_CONCURRENT)
    application: WSGIApplication = app.wsgi_app

    def in_turn(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        announced = environ.get("CONTENT_LENGTH") or ""
        unannounced = not announced and environ.get("wsgi.input_terminated")
        if unannounced or (announced.isdecimal() and 0 < int(announced) <= limit):
            # What is longer is refused unread. One byte over the limit says that there is more.
            length = int(announced) if announced else limit + 1
            environ["wsgi.input"] = BytesIO(environ["wsgi.input"].read(length))
        with turns:
            return application(environ, start_response)

    app.wsgi_app = in_turn  # type: ignore[method-assign]
