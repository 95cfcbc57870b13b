"""Limits on what is stored for days: too many new games, seats or players get 429."""

import threading
import time
from collections.abc import Callable, Hashable
from math import exp, inf
from typing import NamedTuple, TypeVar

from flask import Flask, Response, request

from webapp.config import Settings
from webapp.web import errors, identity
from webapp.web.context import KNOWN, REFUSED, site
from webapp.web.networks import line

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

WINDOW = 10
"""Seconds in which a count decays to a third: at a steady pace it is what this time brings."""

_KEPT = 10_000  # senders remembered; the ones silent for longest are dropped first


class Counts:
    """How much each sender has asked for lately."""

    def __init__(self) -> None:
        self._counts: dict[str, tuple[float, float]] = {}  # with the time; the latest last

    def __contains__(self, sender: str) -> bool:
        return sender in self._counts

    def ask(self, sender: str, now: float, most: float = inf, weight: int = 1) -> float | None:
        """Count a request and return the count; ``None`` beyond ``most``, which is not counted."""
        asked, at = self._counts.get(sender, (0.0, now))
        before = asked * exp((at - now) / WINDOW)
        allowed = before + weight <= most
        keep(self._counts, sender, (before + weight if allowed else before, now))
        return before + weight if allowed else None


def keep(table: dict[K, V], key: K, value: V) -> None:
    """Put an entry last; drop the oldest beyond :data:`_KEPT`."""
    table.pop(key, None)
    table[key] = value
    if len(table) > _KEPT:
        del table[next(iter(table))]


class Share(NamedTuple):
    """Limits per window: for a player, for an address, and what a player may always do."""

    player: int
    address: int
    calm: int


NEW = Share(player=20, address=150, calm=8)
"""Games: no one begins four in ten seconds by playing them. A class that comes makes 120."""

JOINS = Share(player=5, address=80, calm=5)
"""Seats in games and tournaments, and the codes that lead there, which no one may guess. Sixty who
join at once are sixty newcomers; invented cookies look the same, and the teacher puts them out."""

COMES = Share(player=5, address=80, calm=0)
"""Newcomers who get a name, counted for their address, however many cookies it invents."""

_SHARES = {
    "lobby.come_in": COMES,
    "play.start": NEW,
    "play.again": NEW,
    "lobby.challenge": NEW,
    "lobby.seek": NEW,
    "lobby.join": JOINS,
    "learn.run_again": NEW,
    "tournaments.join": JOINS,
    "lobby.find": JOINS,
    "tickets.show": JOINS,
    "tickets.go_on": JOINS,
}


class Stored:
    """How much of what is stored for days each sender has begun lately."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock, self._begun = clock, {share: Counts() for share in (NEW, JOINS, COMES)}
        self._changing = threading.Lock()

    def may(self, share: Share, player: str | None, address: str) -> bool:
        """Count what a request would store; tell whether it may. Newcomers have no ``player``."""
        now, begun = self.clock(), self._begun[share]
        with self._changing:
            if player is None:
                return begun.ask(address, now, share.address) is not None
            return begun.ask(player, now, share.calm) is not None or (
                begun.ask(address, now, share.address) is not None
                and begun.ask(player, now, share.player) is not None
            )


def init_app(app: Flask, settings: Settings) -> None:
    """Refuse what the server refuses, and, unless the settings switch it off, too much storage."""

    @app.before_request
    def refuse() -> Response | None:
        refused = request.environ.get(REFUSED) == 429
        # A teacher who signs in is never refused for what others send.
        if refused and request.endpoint == "teacher.sign_in":
            refused = not site().key.fits(request.form.get("key", ""))
        return errors.too_many(2) if refused else None

    if settings.limits == "off":
        return
    stored = app.extensions["stored"] = Stored()

    @app.before_request
    def check() -> Response | None:
        share = _SHARES.get(request.endpoint or "")
        player = identity.returning() if request.environ.get(KNOWN, True) else None
        if share is None or stored.may(share, player, line(request.remote_addr)):
            return None
        return errors.too_many(WINDOW)
