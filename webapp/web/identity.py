"""The player is a cookie: 32 random bytes that only the browser keeps.

The server stores and compares its SHA-256, so that nobody who reads the database can play on.
"""

import hashlib
import re
import secrets

from flask import Flask, Request, Response, g, request

from webapp.web import security

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
_LIFETIME = 400 * 24 * 60 * 60  # the longest that browsers grant, in seconds


def init_app(app: Flask) -> None:
    """Give a cookie to every player who has none."""
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
        g.returning = named_by(request)
    found: str | None = g.returning
    return found


def named_by(sent: Request) -> str | None:
    """Return the player whose cookie a request carries, which need not be the present one."""
    token = sent.cookies.get(_cookie_name(sent), "")
    return _digest(token) if _TOKEN.fullmatch(token) else None


def _newcomer() -> str:
    g.new_token = secrets.token_urlsafe(32)
    return _digest(g.new_token)


def start_over() -> None:
    """Make the sender a new player from the next request on."""
    player()
    g.new_token = secrets.token_urlsafe(32)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _cookie_name(sent: Request) -> str:
    # Browsers drop the prefix on plain HTTP; over HTTPS it shuts out other hosts' cookies.
    return "__Host-player" if sent.is_secure else "player"


def _set_cookie(response: Response) -> Response:
    # A page that another site sends people to by a POST arrives without their cookie, as SameSite
    # demands: a new one in the answer would replace the player that they are.
    # And who is refused for asking too often shall not gain one by it.
    if response.mimetype != "text/html" or response.status_code == 429:
        return response
    player()
    if "new_token" in g and not security.sent_by_another_site():
        response.set_cookie(
            _cookie_name(request),
            g.new_token,
            max_age=_LIFETIME,
            secure=request.is_secure,
            httponly=True,
            samesite="Lax",
        )
    return response
