"""Who sends a request: a player, and perhaps the teacher.

A player is a cookie of 32 random bytes. The server stores only its SHA-256, so that nobody who
reads the database can play on.

To browsers, all ports and paths of a host are one site, so the cookies' names end with the id of
the database. The names of earlier versions do not: such a cookie counts until there is a new one,
and is left alone, as it may belong to another site on the host.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from flask import Flask, Response, g, request
from werkzeug.http import parse_cookie

from webapp.service import sessions
from webapp.web import security
from webapp.web.context import site

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

_COOKIE = re.compile(r"([A-Za-z0-9_-]{43})(?:\.[0-9]{1,6})?")
"""The token; version 1.0 wrote a day after it."""

_LIFETIME_S = 400 * 24 * 60 * 60  # the longest that browsers grant
ID, BROWSERS = "tictactoe.id", "tictactoe.browsers"
"""What a request carries: the id of the database, and whom each browser goes on as."""

_PLAYER = "tictactoe.player"


class Cookie(NamedTuple):
    """What a browser keeps: how its name begins, for how many seconds, and its ``SameSite``."""

    kind: str
    lifetime_s: int
    same_site: str

    def sent(self, environ: WSGIEnvironment) -> tuple[str, bool]:
        """Return the token sent with a request, or ``""``, and whether it has the old name."""
        cookies, name = parse_cookie(environ.get("HTTP_COOKIE")), self._name(environ)
        own = cookies.get(f"{name}-{environ[ID]}", "")
        return own or cookies.get(name, ""), not own

    def keep(self, response: Response, token: str) -> None:
        """Let the browser keep a token; an empty one deletes the cookie."""
        response.set_cookie(
            f"{self._name(request.environ)}-{request.environ[ID]}",
            token,
            max_age=self.lifetime_s if token else 0,
            secure=request.is_secure,
            httponly=True,
            samesite=self.same_site,
        )

    def _name(self, environ: WSGIEnvironment) -> str:
        # Browsers drop the prefix on plain HTTP; over HTTPS it shuts out other hosts' cookies.
        return f"__Host-{self.kind}" if environ["wsgi.url_scheme"] == "https" else self.kind


PLAYER = Cookie("player", _LIFETIME_S, "Lax")
# Requests from other sites come without it.
TEACHER = Cookie("host", sessions.HOURS * 60 * 60, "Strict")


def init_app(app: Flask) -> None:
    """Give a cookie to every player without one, or with one under the old name."""
    application, id_ = app.wsgi_app, app.config["ID"]
    browsers = app.extensions["site"].browsers

    def identified(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ[ID], environ[BROWSERS] = id_, browsers
        return application(environ, start_response)

    app.wsgi_app = identified  # type: ignore[method-assign]
    app.after_request(_set_cookies)


def player() -> str:
    """Return the player who sends the request, as SHA-256 in hex; a new one without a cookie."""
    if "player" not in g:
        if not (known := returning()):
            g.new_token = secrets.token_urlsafe(32)
        g.player = known or _digest(g.new_token)
    return str(g.player)


def returning() -> str | None:
    """The player whose cookie came with the request."""
    return named_by(request.environ)


def named_by(environ: WSGIEnvironment) -> str | None:
    """The player whose cookie a request carries; also works before Flask sees the request."""
    if _PLAYER not in environ:
        browser = _browser(environ)
        environ[_PLAYER] = environ[BROWSERS].player(browser) if browser else None
    player: str | None = environ[_PLAYER]
    return player


def browser() -> str:
    """The browser that sends the request, by the SHA-256 of its cookie; empty without one."""
    return _browser(request.environ)


def _browser(environ: WSGIEnvironment) -> str:
    cookie = _COOKIE.fullmatch(PLAYER.sent(environ)[0])
    return _digest(cookie[1]) if cookie else ""


def is_teacher() -> bool:
    if "is_teacher" not in g:
        token = TEACHER.sent(request.environ)[0]
        g.is_teacher = bool(token) and sessions.knows(site(), token)
        if known := returning():
            site().live.note_teacher(known, teaches=g.is_teacher)
    return bool(g.is_teacher)


def start_over() -> None:
    """Make the sender a new player from the next request on."""
    player()
    g.new_token = secrets.token_urlsafe(32)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _set_cookies(response: Response) -> Response:
    # A POST from another site comes without the cookie (SameSite): a new one in the answer would
    # replace the player. And senders who are refused must not get a new player.
    if response.mimetype != "text/html" or response.status_code == 429:
        return response
    player()
    if security.sent_by_another_site():
        return response
    token, old = PLAYER.sent(request.environ)
    if old or "new_token" in g:
        PLAYER.keep(response, g.get("new_token", token))
    token, old = TEACHER.sent(request.environ)
    if old and g.get("is_teacher"):
        TEACHER.keep(response, token)
    return response
