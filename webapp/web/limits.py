"""What is stored for days has limits of its own; anyone who begins too many games gets 429."""

from typing import NamedTuple

from flask import Flask, Response, current_app, request

from webapp.config import Settings
from webapp.web import errors, identity
from webapp.web.networks import line
from webapp.web.turns import WINDOW, Senders


class Share(NamedTuple):
    """Counts up to which senders may begin what is stored.

    :ivar player: of one player
    :ivar address: of an address
    :ivar calm: of a player in any case, whatever others at the address do
    """

    player: int
    address: int
    calm: int


NEW = Share(player=20, address=150, calm=8)
"""Games: "New game" and the first move make one each, and no one begins four in ten seconds by
playing them. A class that comes makes 120."""

JOINS = Share(player=5, address=80, calm=5)
"""Seats: in a game of someone else's, which is then taken from all others, or in a tournament. A
person takes one every few seconds at the most. Sixty pupils who join a tournament at one moment are
sixty newcomers to one worker, and some press twice; no rate tells them from as many invented
cookies, which the teacher can put out."""

_SHARES = {
    "play.start": NEW,
    "play.again": NEW,
    "lobby.challenge": NEW,
    "lobby.seek": NEW,
    "lobby.join": JOINS,
    "tournaments.join": JOINS,
}


class Stored:
    """How much of what is stored for days each sender has begun lately."""

    def __init__(self, senders: Senders) -> None:
        self.begun, self._senders = {share: Senders() for share in (NEW, JOINS)}, senders

    def may(self, share: Share, player: str | None, address: str) -> bool:
        """Count what a request would store; tell whether it may."""
        ask = self.begun[share].ask
        if player is None or not self._senders.knows(player):
            return ask(address, share.address) is not None
        if ask(player, share.calm) is not None:
            return True
        return ask(address, share.address) is not None and ask(player, share.player) is not None


def init_app(app: Flask, settings: Settings) -> None:
    """Check what would be stored before anything else does, unless the settings say not to."""
    if settings.limits == "off":
        return
    app.extensions["stored"] = Stored(app.extensions["senders"])

    @app.before_request
    def check() -> Response | None:
        share = _SHARES.get(request.endpoint or "")
        return errors.too_many(WINDOW) if share and not may_store(share) else None


def may_store(share: Share = NEW) -> bool:
    """Count a request that stores something; tell whether it may."""
    stored: Stored | None = current_app.extensions.get("stored")
    return stored is None or stored.may(share, identity.returning(), line(request.remote_addr))
