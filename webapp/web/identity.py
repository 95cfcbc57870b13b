"""Who sends a request: a player, and perhaps the teacher.

The player is a cookie: 32 random bytes that only the browser keeps.

The server stores and compares its SHA-256, so that no one who reads the database can play on.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import TYPE_CHECKING

from flask import Flask, Response, g, request
from werkzeug.http import parse_cookie

from webapp.service import sessions
from webapp.web import security
from webapp.web.context import site

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

_COOKIE = re.compile(r"([A-Za-z0-9_-]{43})(?:\.[0-9]{1,6})?")
"""The token; version 1.0 wrote a day after it."""

_LIFETIME_S = 400 * 24 * 60 * 60  # the longest that browsers grant
_PLAYER = "tictactoe.player"


def init_app(app: Flask) -> None:
    """Give a cookie to every player who has none."""
    app.after_request(_set_cookie)


def player() -> str:
    """Return the player who sends the request, as SHA-256 in hex; a new one without a cookie."""
    if "player" not in g:
        g.player = returning() or _newcomer()
    found: str = g.player
    return found


def returning() -> str | None:
    """Return the player whose cookie came with the request; ``None`` if none did."""
    return named_by(request.environ)


def named_by(environ: WSGIEnvironment) -> str | None:
    """Return the player whose cookie a request carries; Flask may not have seen it yet."""
    if _PLAYER not in environ:
        sent = parse_cookie(environ.get("HTTP_COOKIE")).get(_cookie_name(environ), "")
        cookie = _COOKIE.fullmatch(sent)
        environ[_PLAYER] = _digest(cookie[1]) if cookie else None
    found: str | None = environ[_PLAYER]
    return found


def is_teacher() -> bool:
    """Tell whether the browser that sends the request is signed in as the teacher."""
    if "is_teacher" not in g:
        token = request.cookies.get(teacher_cookie(), "")
        g.is_teacher = bool(token) and sessions.knows(site(), token)
        if known := returning():
            site().live.note_teacher(known, teaches=g.is_teacher)
    found: bool = g.is_teacher
    return found


def teacher_cookie() -> str:
    """Return the name of the teacher's cookie."""
    # As the player's; a page of another site that leads here comes without it.
    return "__Host-host" if request.is_secure else "host"


def _newcomer() -> str:
    g.new_token = secrets.token_urlsafe(32)
    return _digest(g.new_token)


def start_over() -> None:
    """Make the sender a new player from the next request on."""
    player()
    g.new_token = secrets.token_urlsafe(32)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _cookie_name(environ: WSGIEnvironment) -> str:
    # Browsers drop the prefix on plain HTTP; over HTTPS it shuts out other hosts' cookies.
    return "__Host-player" if environ["wsgi.url_scheme"] == "https" else "player"


def _set_cookie(response: Response) -> Response:
    # A page that another site sends people to by a POST arrives without their cookie, as SameSite
    # demands: a new one in the answer would replace the player that they are.
    # And anyone refused for asking too often must not gain one by it.
    if response.mimetype != "text/html" or response.status_code == 429:
        return response
    player()
    token = g.get("new_token")
    if token and not security.sent_by_another_site():
        response.set_cookie(
            _cookie_name(request.environ),
            token,
            max_age=_LIFETIME_S,
            secure=request.is_secure,
            httponly=True,
            samesite="Lax",
        )
    return response
