"""One line of JSON for every request, where the host asks for it (``TTT_LOG=requests``).

It tells how the server is doing, not what players do: the rule of an address and never the address,
which names games and codes; the network and never the visitor; no names, cookies or queries.

How long a request has waited for news is not counted; one that has waited in vain has no line.
"""

import json
import os
import time
from contextlib import suppress
from datetime import UTC, datetime

from flask import Flask, Response, g, got_request_exception, request

from webapp.config import Settings
from webapp.web.networks import network

_STDOUT = 1


def init_app(app: Flask, settings: Settings) -> None:
    """Note every request on stdout, if the settings say so; in ``create_app`` before all others.

    What is first before a view is last after it, and sees the answer as it goes out.
    """
    if settings.log == "none":
        return
    app.before_request(_begin)
    app.after_request(_note)
    got_request_exception.connect(_keep_kind, app)


def _begin() -> None:
    g.begun = time.perf_counter()


def _keep_kind(_app: Flask, exception: BaseException) -> None:
    """Keep the kind of an unexpected fault for its line; its text may hold anything."""
    g.fault = type(exception).__name__


def _note(response: Response) -> Response:
    length = response.content_length or response.calculate_content_length()
    line = {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "method": request.method[:16],
        "route": request.url_rule.rule if request.url_rule else None,
        "status": response.status_code,
        "ms": round((time.perf_counter() - g.begun) * 1000, 1),
        "bytes": 0 if request.method == "HEAD" else length,
        "network": network(request.remote_addr, 24, 48),
        **({"fault": g.fault} if "fault" in g else {}),
    }
    # One write, so that lines of several workers do not run into each other; past Python's buffer,
    # which is lost with a worker that is killed. No request is refused because a log is full.
    with suppress(OSError):
        os.write(_STDOUT, json.dumps(line).encode() + b"\n")
    return response
