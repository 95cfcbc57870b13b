"""Anyone who asks too often is refused with 429, before anything is looked up.

Every worker process counts for itself, in memory. Static files and ``/healthz`` are free.

A whole school may share one address, so the player's cookie says more than the address. But cookies
can be invented: one counts as a player's once this worker has answered a request with it. Until
then its requests, like those without, are a newcomer's, and newcomers share what their address has
for them. One browser's flood uses up its own share, a flood with ever new cookies the newcomers',
and one with many cookies that come back what the address has for all; then only players whose pace
is a person's are still answered. What is stored for days has limits of its own.
"""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from math import ceil
from threading import Lock
from typing import NamedTuple

from flask import Flask, Response, current_app, request

from webapp.config import Settings
from webapp.service.hosts import Hosts
from webapp.web import errors, identity
from webapp.web.networks import line

WINDOW = 10
"""The window, in seconds: anyone who is refused waits this long at most."""


class Share(NamedTuple):
    """How many requests one worker answers in a window.

    :ivar player: to one player
    :ivar calm: to a player in any case, whatever others at the same address do
    :ivar newcomers: to all newcomers of an address together
    :ivar address: to all of an address
    """

    player: int
    calm: int
    newcomers: int
    address: int


REQUESTS = Share(player=200, calm=80, newcomers=600, address=6000)
"""A browser with five games open asks six times a second and can be clicked in besides; 80 are such
a browser's own. Sixty pupils who open the first page, come back with their cookie, move and look at
the class before a worker knows them are under 250 requests; so many strangers cost it a tenth of
its time. And 6000 are six hundred pupils who ask once a second, all of them at one worker."""

NEW = Share(player=20, calm=8, newcomers=100, address=100)
"""What is stored for days, as games are: "New game" and the first move count one each. No one
begins four games in ten seconds by playing them."""

JOINS = Share(player=5, calm=5, newcomers=80, address=80)
"""Taking a seat: in a game of someone else's, which is then taken from all others, or in a
tournament. A person does that every few seconds at the most. Sixty pupils who join a tournament at
the same moment are sixty newcomers to one worker, and some press twice; no rate tells them from as
many invented cookies, which the host can put out."""

KNOWN = 10_000
"""How many players a worker knows; beyond that, the ones away longest become newcomers again."""

_FREE = frozenset({"static", "health.healthz"})
_NEW = frozenset({"play.start", "play.again", "lobby.challenge", "lobby.seek"})
_JOINS = frozenset({"lobby.join", "tournaments.join"})
_SHARES = ((NEW, _NEW), (JOINS, _JOINS))


class Limiter:
    """How often each has asked in the present window, and which players were answered before."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._end = 0.0
        self._asked: Counter[tuple[Share, str, str | None]] = Counter()
        self._known: OrderedDict[str, None] = OrderedDict()
        self._lock = Lock()

    def check(self, player: str | None, address: str, share: Share) -> int:
        """Count a request; return for how many seconds it is refused, 0 if it is not."""
        with self._lock:
            now = self.clock()
            if now >= self._end:
                self._asked.clear()
                self._end = now + WINDOW
            known = player in self._known
            own = self._count(share, *(("player", player) if known else ("newcomers", address)))
            allowed = own <= (share.player if known else share.newcomers)
            # What was refused for its own sake does not count for the address.
            if allowed and self._count(share, "address", address) > share.address:
                allowed = known and own <= share.calm
            return 0 if allowed else max(1, ceil(self._end - now))

    def knows(self, player: str | None) -> bool:
        """Tell whether this worker has answered a player before."""
        with self._lock:
            return player in self._known

    def answered(self, player: str) -> None:
        """Remember a player, or that they are still here."""
        with self._lock:
            self._known[player] = None
            self._known.move_to_end(player)
            if len(self._known) > KNOWN:
                self._known.popitem(last=False)

    def _count(self, share: Share, scope: str, who: str | None) -> int:
        self._asked[share, scope, who] += 1
        return self._asked[share, scope, who]


def init_app(app: Flask, settings: Settings) -> None:
    """Check every request before anything else does, unless the settings say not to."""
    if settings.limits == "off":
        return
    limiter = app.extensions["limiter"] = Limiter()

    @app.before_request
    def check() -> Response | None:
        if request.endpoint in _FREE:
            return None
        who = identity.returning(), line(request.remote_addr)
        own = next((share for share, some in _SHARES if request.endpoint in some), None)
        shares = (REQUESTS, own) if own else (REQUESTS,)
        wait = max(limiter.check(*who, share) for share in shares)
        if wait and _brings_the_key():
            return None
        return errors.too_many(wait) if wait else None

    @app.after_request
    def remember(response: Response) -> Response:
        player = identity.returning()
        if player is not None and response.status_code != 429:
            limiter.answered(player)
        return response


def _brings_the_key() -> bool:
    """Tell whether the request signs the host in, which is never refused for what others send."""
    if request.endpoint != "hosting.sign_in":
        return False
    hosts: Hosts = current_app.extensions["hosts"]
    return hosts.fits(request.form.get("key", ""))


def may_store() -> bool:
    """Count a request that stores something although it only looks; tell whether it may."""
    limiter: Limiter | None = current_app.extensions.get("limiter")
    who = identity.returning(), line(request.remote_addr)
    return limiter is None or not limiter.check(*who, NEW)
