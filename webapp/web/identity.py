"""The player is a cookie: 32 random bytes that only the browser keeps, and the day it got them.

The server stores and compares its SHA-256, so that nobody who reads the database can play on.
"""

import hashlib
import re
import secrets
import time

from flask import Flask, Response, g, request

from webapp.web import security

_COOKIE = re.compile(r"([A-Za-z0-9_-]{43})(?:\.([0-9]{1,6}))?")
"""The token, and the day since 1970 on which the browser got it; older cookies have none."""

_DAY = 24 * 60 * 60
_LIFETIME = 400 * _DAY  # the longest that browsers grant, in seconds
_RENEWED = 30
"""After how many days the cookie is sent again, so that a player who returns never loses it."""


def init_app(app: Flask) -> None:
    """Give a cookie to every player who has none, and an old one again."""
    app.after_request(_set_cookie)


def player() -> str:
    """Return the player who sends the request, as SHA-256 in hex; a new one if without cookie."""
    if "player" not in g:
        g.player = returning() or _newcomer()
    found: str = g.player
    return found


def returning() -> str | None:
    """Return the player whose cookie came with the request; ``None`` if none did."""
    if "returning" not in g:  # asked before, in and after the view
        cookie = _COOKIE.fullmatch(request.cookies.get(_cookie_name(), ""))
        g.returning = _digest(cookie[1]) if cookie else None
        if cookie and not 0 <= _today() - int(cookie[2] or -1) <= _RENEWED:
            g.token = cookie[1]
    found: str | None = g.returning
    return found


def _newcomer() -> str:
    g.token = secrets.token_urlsafe(32)
    return _digest(g.token)


def start_over() -> None:
    """Make the sender a new player from the next request on."""
    player()
    g.token = secrets.token_urlsafe(32)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _today() -> int:
    return int(time.time()) // _DAY


def _cookie_name() -> str:
    # Browsers drop the prefix on plain HTTP; over HTTPS it shuts out other hosts' cookies.
    return "__Host-player" if request.is_secure else "player"


def _set_cookie(response: Response) -> Response:
    # A page that another site sends people to by a POST arrives without their cookie, as SameSite
    # demands: a new one in the answer would replace the player that they are.
    # And who is refused for asking too often shall not gain one by it.
    if response.mimetype != "text/html" or response.status_code == 429:
        return response
    player()
    if "token" in g and not security.sent_by_another_site():
        response.set_cookie(
            _cookie_name(),
            f"{g.token}.{_today()}",
            max_age=_LIFETIME,
            secure=request.is_secure,
            httponly=True,
            samesite="Lax",
        )
    return response
