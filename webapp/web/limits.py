"""Who asks too often is refused with 429, before anything is looked up, and nobody else feels it.

Three limits, each counted in memory by every worker process for itself: with two workers a visitor
may get up to twice as much. A refusal sets no cookie and asks no database. Static files and
``/healthz`` are free.

A whole school may share one address, so the address says little and the player's cookie says more.
Anybody can invent cookies, though. So a cookie counts as a player once this worker has answered a
request with it; until then its requests, like those without, are a newcomer's, and newcomers share
what their address has for them. A flood from one browser uses up that browser's own share, a flood
with ever new cookies the newcomers' share. One with many cookies that it comes back with uses up
what the address has for all; then players whose pace is a person's are answered still, and only
they.
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from math import ceil
from threading import Lock

from flask import Flask, Response, request
from flask_limiter import Limiter
from limits import RateLimitItemPerSecond
from limits.storage import Storage

from webapp.config import Settings
from webapp.web import errors, identity
from webapp.web.networks import network

_SECONDS = 10
"""How long is counted before it begins anew: so long the refused wait at the most."""

PLAYER = 200
"""A browser with five games open asks six times a second and can be clicked in besides."""

CALM = 80
"""What a player has for certain, whatever others at the same address do: such a browser's share."""

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


class _Windows(Storage):
    """How often each has asked in the present window, which begins and ends for all together.

    The library's own storage in memory starts timers, two of them at once when two threads ask at
    the same moment, and then fails; and it goes by a clock that may be set.
    """

    STORAGE_SCHEME = ["windows"]  # noqa: RUF012 - the library declares it so
    base_exceptions = ()

    def __init__(self, uri: str | None = None, **options: bool) -> None:
        super().__init__(uri, **options)
        self._asked: Counter[str] = Counter()
        self._end = 0.0
        self._turn = Lock()

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Count a request; return how many of the same there are by now."""
        with self._turn:
            now = time.monotonic()
            if now >= self._end:
                self._asked.clear()
                self._end = now + expiry
            self._asked[key] += amount
            return self._asked[key]

    def get(self, key: str) -> int:
        """Return how many there are."""
        return self._asked[key] if time.monotonic() < self._end else 0

    def get_expiry(self, _key: str) -> float:
        """Return when the window ends, in seconds since 1970."""
        return time.time() + max(0.0, self._end - time.monotonic())

    def check(self) -> bool:
        """Memory is always there."""
        return True

    def reset(self) -> int:
        """Begin anew."""
        self._end = 0.0
        return len(self._asked)

    def clear(self, key: str) -> None:
        """Forget one of those who asked."""
        del self._asked[key]


def init_app(app: Flask, settings: Settings) -> None:
    """Check every request before anything else does, unless the settings say not to."""
    if settings.limits == "off":
        return
    limiter = Limiter(
        _address,
        # The cheapest: one number for each player. What it lets through at the seam of two windows,
        # twice as much at once, does no harm.
        strategy="fixed-window",
        storage_uri="windows://",
        # No limit is declared: to work out at every request which ones apply took Flask-Limiter
        # 110 µs of a move's thousand, to count with its limiter as below takes a fraction.
        request_identifier=str,
    )
    limiter.init_app(app)
    counted = limiter.limiter
    players = _Players()

    def refused(scope: str, who: str) -> Response:
        wait = counted.get_window_stats(_LIMITS[scope], scope, who).reset_time - time.time()
        return errors.too_many(max(1, ceil(wait)))

    def calm(scope: str, who: str) -> bool:
        """Whether it is a player who has asked no more than what is certain."""
        left = counted.get_window_stats(_LIMITS[scope], scope, who).remaining
        return scope == "player" and PLAYER - left <= CALM

    @app.before_request
    def check() -> Response | None:
        if request.endpoint in _FREE:
            return None
        address, player = _address(), identity.returning()
        own = ("player", player) if player and player in players else ("newcomers", address)
        if not counted.hit(_LIMITS[own[0]], *own):
            return refused(*own)
        # What was refused as one's own does not count for the address.
        if not counted.hit(_LIMITS["address"], "address", address) and not calm(*own):
            return refused("address", address)
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
