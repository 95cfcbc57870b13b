"""Requests that wait for news before they take their turn; the views answer them as all others.

Only a page that htmx keeps up to date waits, of a player whom this worker knows. All others are
answered at once, and ask again. Where a request has waited in vain, no view is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from flask import Flask, Response, request

from webapp.config import Settings
from webapp.service.news import Ask, GaveWay, News
from webapp.service.pov import ClassStamp, Stamp
from webapp.service.presence import Presence
from webapp.web import identity, security
from webapp.web.networks import line

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_WAITED = "tictactoe.waited"
"""What a request that has waited for its news is marked with."""

_NOTHING_YET = [*security.ALWAYS.items(), ("Cache-Control", "no-store")]
_NOTHING = [*_NOTHING_YET, ("Waited", "yes")]

_GAME = re.compile(r"/games/([A-Za-z0-9_-]{22})", re.ASCII)
_TOURNAMENT = re.compile(r"/tournaments/[A-Za-z0-9_-]{22}(?:/play)?", re.ASCII)
_HOST = "/host"
"""The page whose view is asked in any case: its viewer may no longer be the host."""

_AT_LEAST = {"/class": 2.0, "/class/board": 1.0, _HOST: 1.0, "/calls": 1.0}
"""For how many seconds a page that shows more than one game waits in any case for another number of
the class's counter."""


def has_waited() -> bool:
    """Tell whether the present request has waited for news, and got them."""
    return _WAITED in request.environ


class Waits:
    """The application, with requests waiting."""

    def __init__(self, app: Flask, settings: Settings, news: News, presence: Presence) -> None:
        self._application: WSGIApplication = app.wsgi_app
        self._news, self._presence = news, presence
        self._base_path = settings.base_path
        limited = settings.limits == "on"
        self._knows: Callable[[str], bool] = app.extensions["senders"].knows if limited else bool

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request, when it has waited."""
        query = environ["QUERY_STRING"] if environ["REQUEST_METHOD"] == "GET" else ""
        player = identity.named_by(environ)
        if "here=" in query and player and self._knows(player):
            # A page without scripts, which loads itself again and again.
            self._presence.asked(player, seldom=True)
        if "since=" in query:
            try:
                news = self._wait(environ, player) if player and self._knows(player) else None
            except GaveWay:
                start_response("204 NO CONTENT", _NOTHING_YET)
                return []
            if news is False and not environ["PATH_INFO"].endswith(_HOST):
                start_response("204 NO CONTENT", _NOTHING)
                return []
            if news:
                environ[_WAITED] = True
        return self._application(environ, start_response)

    def _wait(self, environ: WSGIEnvironment, player: str) -> bool | None:
        """Wait for news; return whether there may be any, ``None`` if the request may not wait."""
        path = environ["PATH_INFO"].removeprefix(self._base_path)
        query = parse_qs(environ["QUERY_STRING"])
        alone = query.get("alone") == ["1"]
        ask = _read(player, path, query.get("since", [""])[0], alone=alone)
        if ask is None:
            return None
        seen = environ.get("HTTP_HX_REQUEST") == "true" and "HTTP_PAGE_HIDDEN" not in environ
        if not ask.alone:
            self._presence.asked(player, seldom=not seen)
        if not seen or "HTTP_AT_ONCE" in environ:
            return None
        return self._news.wait(ask, line(environ.get("REMOTE_ADDR")))


def init_app(app: Flask, settings: Settings, news: News, presence: Presence) -> None:
    """Let requests wait; after the turns that they take then."""
    app.wsgi_app = Waits(app, settings, news, presence)  # type: ignore[method-assign]

    @app.after_request
    def tell(response: Response) -> Response:
        """Say that a request has waited: the page asks again at once."""
        if has_waited():
            response.headers["Waited"] = "yes"
        return response


def _read(player: str, path: str, since: str, *, alone: bool) -> Ask | None:
    """Return what a page waits for; ``None`` if it is none that waits."""
    if game := _GAME.fullmatch(path):
        seen = Stamp.read(since)
        return Ask(player, {game[1]: seen}, alone=alone) if seen else None
    if path == "/":
        seen = Stamp.read(since)
        return Ask(player, paused=seen.paused, alone=alone) if seen else None
    least = 1.0 if _TOURNAMENT.fullmatch(path) else _AT_LEAST.get(path)
    found = ClassStamp.read(since) if least else None
    if least is None or found is None:
        return None
    games = {id_: Stamp(version) for id_, version in found.games}
    return Ask(player, games, found.counter, least, boards=path != "/calls")
