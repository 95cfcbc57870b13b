"""Who asks too often is refused with 429, before anything is looked up, and nobody else feels it.

Three limits, each counted in memory by every worker process for itself: with two workers a visitor
may get up to twice as much. A refusal sets no cookie and asks no database. Static files and
``/healthz`` are free.

A whole school may share one address, so the address says little and the player's cookie says more.
Anybody can invent cookies, though. So a cookie counts as a player once this worker has answered a
request with it; until then its requests, like those without, are a newcomer's, and newcomers share
what their address has for them. A flood from one browser uses up that browser's own share, a flood
with ever new cookies the newcomers' share, and those who are playing play on.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from math import ceil
from threading import Lock

from flask import Flask, Response, request
from flask_limiter import Limiter
from limits import RateLimitItemPerSecond

from webapp.config import Settings
from webapp.web import errors, identity
from webapp.web.networks import network

_SECONDS = 10
"""How long each limit counts before it begins anew: so long the refused wait at the most."""

PLAYER = 200
"""A browser with five games open asks six times a second and can be clicked in besides."""

NEWCOMERS = 600
"""Sixty pupils who open the first page, come back with their cookie, move and look at the class
before a worker knows them are under 250 requests; so many strangers cost it a tenth of its time."""

ADDRESS = 6000
"""Six hundred pupils behind one address who ask once a second, all of them at one worker."""

_LIMITS = {
    scope: RateLimitItemPerSecond(amount, _SECONDS)
    for scope, amount in (("player", PLAYER), ("newcomers", NEWCOMERS), ("address", ADDRESS))
}
_FREE = frozenset({"static", "health.healthz"})

_REMEMBERED = 10_000
"""How many players a worker knows, some 2 MB; of more, those who were away longest are forgotten,
which costs them nothing but counting as newcomers once more."""


class _Players:
    """The players that this worker has answered, those who asked last at the end."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, None] = OrderedDict()
        self._turn = Lock()

    def __contains__(self, player: str) -> bool:
        return player in self._known

    def remember(self, player: str) -> None:
        """Know a player, or know that one is still here."""
        with self._turn:
            self._known[player] = None
            self._known.move_to_end(player)
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)


def init_app(app: Flask, settings: Settings) -> None:
    """Check every request before anything else does, unless the settings say not to."""
    if settings.limits == "off":
        return
    limiter = Limiter(
        _address,
        # The cheapest: one number for each player. What it lets through at the seam of two windows,
        # twice as much at once, does no harm.
        strategy="fixed-window",
        storage_uri="memory://",
        # No limit is declared: to work out at every request which ones apply took Flask-Limiter
        # 110 µs of a move's thousand, to count with its limiter as below takes 50.
        request_identifier=str,
    )
    limiter.init_app(app)
    players = _Players()

    @app.before_request
    def check() -> Response | None:
        if request.endpoint in _FREE:
            return None
        address, player = _address(), identity.returning()
        if player is None or player not in players:
            own = ("newcomers", address)
        else:
            own = ("player", player)
        # In this order: what is refused as one's own does not count for the address.
        for scope, who in (own, ("address", address)):
            if not limiter.limiter.hit(_LIMITS[scope], scope, who):
                window = limiter.limiter.get_window_stats(_LIMITS[scope], scope, who)
                wait = window.reset_time - time.time()
                if wait > _SECONDS:
                    # Somebody has set the clock back, and the windows would end with it.
                    limiter.reset()
                    return None
                return errors.too_many(max(1, ceil(wait)))
        return None

    @app.after_request
    def remember(response: Response) -> Response:
        player = identity.returning()
        if player is not None and response.status_code != 429:
            players.remember(player)
        return response


def _address() -> str:
    # IPv6 gives nobody less than a /64, which holds more addresses than there are people.
    return network(request.remote_addr, 32, 64)
