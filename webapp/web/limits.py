"""What is stored for days has limits of its own; anyone who begins too many games gets 429."""

import threading
from typing import NamedTuple

from flask import Flask, Response, request

from webapp.config import Settings
from webapp.web import errors, identity
from webapp.web.networks import line
from webapp.web.order import WINDOW, Counts
from webapp.web.turns import Turns


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

COMES = Share(player=5, address=80, calm=0)
"""Newcomers who come in, each of whom gets a name: counted for their address, however many cookies
it invents. Sixty pupils who scan the code at one moment come in at once."""

_SHARES = {
    "lobby.come_in": COMES,
    "play.start": NEW,
    "play.again": NEW,
    "lobby.challenge": NEW,
    "lobby.seek": NEW,
    "lobby.join": JOINS,
    "learn.run_again": NEW,
    "tournaments.join": JOINS,
}


class Stored:
    """How much of what is stored for days each sender has begun lately."""

    def __init__(self, turns: Turns) -> None:
        self._turns, self._begun = turns, {share: Counts() for share in (NEW, JOINS, COMES)}
        self._changing = threading.Lock()

    def may(self, share: Share, player: str | None, address: str) -> bool:
        """Count what a request would store; tell whether it may."""
        now, begun = self._turns.clock(), self._begun[share]
        with self._changing:
            if player is None or not self._turns.knows(player):
                return begun.ask(address, now, share.address) is not None
            return begun.ask(player, now, share.calm) is not None or (
                begun.ask(address, now, share.address) is not None
                and begun.ask(player, now, share.player) is not None
            )


def init_app(app: Flask, settings: Settings) -> None:
    """Check what would be stored before anything else does, unless the settings say not to."""
    if settings.limits == "off":
        return
    stored = app.extensions["stored"] = Stored(app.extensions["turns"])

    @app.before_request
    def check() -> Response | None:
        share = _SHARES.get(request.endpoint or "")
        address = line(request.remote_addr)
        if share is None or stored.may(share, identity.returning(), address):
            return None
        return errors.too_many(WINDOW)
