"""Requests that wait until there is something new to see.

A view names the topics of its page before it reads anything (:func:`watch`), and answers 204 if the
page shows that already (:func:`unchanged`). Such a request waits here, outside its turn, and its
view is asked again when a topic is published. The address of a page's next request says in
``since`` what the page shows: a stamp, and a token by which this process knows the topics again, so
that no view is asked before there is anything new.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from flask import Flask, Response, g, request

from webapp.config import Settings
from webapp.live import Live
from webapp.live.topics import LONGEST_S, Visit, Watch, Woken
from webapp.web import identity, security
from webapp.web.context import site
from webapp.web.identity import player
from webapp.web.networks import line
from webapp.words.language import READER

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_WAITED, _WATCH = "tictactoe.waited", "tictactoe.watch"
"""Whether a request has waited, and what its page waits for if it is answered 204."""

PAGE, CALLS, ONWARD = "page", "calls", "onward"
"""The parts of a page that ask for themselves: its own, the strip at the top, and what comes after
a tournament's game."""

_WALL = "/class/board"
"""The page that counts no one as here: it is the class's, in any browser."""

_TEACHER = "/host"
"""The page whose view is asked in any case: its viewer may no longer be the teacher."""

# --- what views call ------------------------------------------------------------------------------


def come() -> None:
    """Count the player as here: a person does what others see, and a page of theirs will ask."""
    site().live.presence.asked(player())


def watch(*topics: str, patience_s: float = 1.0, of: str = PAGE) -> None:
    """Name the topics of a part of the page, before anything that it shows is read.

    :param patience_s: how long a request waits at least for topics that change often
    :param of: the part that asks for itself
    """
    g.setdefault("watches", {})[of] = site().live.topics.watch(*topics, patience_s=patience_s)


def watch_also(*topics: str, of: str = PAGE) -> None:
    """Name more topics, which only what was read could tell."""
    found = g.watches[of]
    g.watches[of] = replace(found, topics=(*found.topics, *topics))


def as_of(number: int) -> None:
    """Say that parts of the page were read when there had been only so many publications."""
    found = g.watches[PAGE]
    g.watches[PAGE] = replace(found, number=min(number, found.number))


def until(seconds: float) -> None:
    """Say after how many seconds time alone changes a page that tells who is away."""
    seconds = min(seconds, site().live.presence.settles_in_s or seconds)
    found = g.watches[PAGE]
    expires = min(found.expires, site().live.topics.now() + seconds)
    g.watches[PAGE] = replace(found, expires=expires)


def stamp_of(shown: Any) -> str:
    """Return a stamp of what a page shows: the same for the same, in every process.

    In another language it is news.

    :param shown: what the template prints, or a stamp
    """
    if isinstance(shown, str):
        return shown
    return hashlib.sha256(repr((READER.get(), shown)).encode()).hexdigest()[:12]


def unchanged(shown: Any, of: str = PAGE, seen: str | None = None) -> bool:
    """Tell whether the page shows this already; the request may then wait.

    :param seen: the stamp of what the page shows, where ``since`` may say less than that
    """
    if (seen or request.args.get("since", "").partition("~")[0]) != stamp_of(shown):
        return False
    request.environ[_WATCH] = g.watches[of]
    return True


def since(shown: Any, of: str = PAGE) -> str:
    """Return what the address of the page's next request says in ``since``."""
    watch: Watch | None = g.get("watches", {}).get(of)
    return f"{stamp_of(shown)}~{site().live.topics.remember(watch)}" if watch else stamp_of(shown)


# --- the requests ---------------------------------------------------------------------------------


class Waits:
    """The application, with requests waiting."""

    def __init__(self, app: Flask, settings: Settings, live: Live) -> None:
        self._application: WSGIApplication = app.wsgi_app
        self._id: str = app.config["ID"]
        self._topics, self._presence = live.topics, live.presence
        limited = settings.limits == "on"
        self._knows: Callable[[str], bool] = app.extensions["turns"].knows if limited else bool

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request, when it has waited."""
        query = parse_qs(environ["QUERY_STRING"]) if environ["REQUEST_METHOD"] == "GET" else {}
        environ[identity.ID] = self._id
        player = identity.named_by(environ)
        if player is None or not self._knows(player):
            return self._application(environ, start_response)
        wall = environ["PATH_INFO"].endswith(_WALL)
        asks, alone = "since" in query, wall or query.get("alone") == ["1"]
        visible = environ.get("HTTP_HX_REQUEST") == "true" and "HTTP_PAGE_HIDDEN" not in environ
        # A page without scripts loads itself again and again.
        if (asks and not alone) or "here" in query:
            self._presence.asked(player, seldom=not (asks and visible))
        if not (asks and visible) or "HTTP_AT_ONCE" in environ:
            return self._application(environ, start_response)
        token = query["since"][0].partition("~")[2]
        visit = Visit(player, line(environ.get("REMOTE_ADDR")), alone)
        return self._wait(environ, start_response, token, visit)

    def _wait(
        self, environ: WSGIEnvironment, start_response: StartResponse, token: str, visit: Visit
    ) -> Iterable[bytes]:
        end = time.monotonic() + LONGEST_S
        # If not known, the view has to be asked first; the page may then ask again at once.
        watch, waited = self._topics.recall(token), self._topics.may_wait
        while True:
            woken = Woken.CHANGED
            if watch:
                woken = self._topics.wait(watch, visit, end - time.monotonic())
                waited = woken is not Woken.AT_ONCE
                nothing = woken is Woken.NOTHING or (
                    woken is Woken.AT_ONCE and self._topics.is_current(watch)
                )
                if nothing and not environ["PATH_INFO"].endswith(_TEACHER):
                    return _nothing(environ, start_response, waited=waited)
            asked = {**environ, _WAITED: waited}
            answer = list[Any]()
            body = self._application(asked, partial(_keep, answer))
            watch = asked.get(_WATCH)
            last = woken is not Woken.CHANGED or time.monotonic() > end
            if watch is None or last or not answer[0].startswith("204"):
                start_response(*answer)
                return body
            self._topics.renew(token, watch)


def _nothing(
    environ: WSGIEnvironment, start_response: StartResponse, *, waited: bool
) -> Iterable[bytes]:
    """Answer that nothing has changed; no view is asked."""
    headers = security.headers_of(environ["wsgi.url_scheme"]) | {"Cache-Control": "no-store"}
    start_response("204 NO CONTENT", [*headers.items(), *[("Waited", "yes")] * waited])
    return []


def _keep(answer: list[Any], *begun: Any) -> Callable[[bytes], object]:
    """Keep the beginning of an answer, in the place of the server's own function."""
    answer[:] = begun
    return bytes  # what no one of us calls


def init_app(app: Flask, settings: Settings, live: Live) -> None:
    """Let requests wait; after the turns that they take then."""
    app.wsgi_app = Waits(app, settings, live)  # type: ignore[method-assign]
    app.add_template_global(since)

    @app.after_request
    def tell(response: Response) -> Response:
        """Say that a request has waited: the page asks again at once, unless it is refused."""
        if request.environ.get(_WAITED) and response.status_code < HTTPStatus.BAD_REQUEST:
            response.headers["Waited"] = "yes"
        return response
