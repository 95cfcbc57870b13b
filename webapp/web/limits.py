"""What is stored for days has limits of its own; anyone who begins too many games gets 429."""

from flask import Flask, Response, current_app, request

from webapp.config import Settings
from webapp.web import errors, identity
from webapp.web.networks import line
from webapp.web.turns import WINDOW, Senders

PLAYER, ADDRESS, CALM = 20, 150, 8
"""Counts up to which a player, and an address, may begin what is stored; and how many of these are
every player's own, whatever others at the address do. "New game" and the first move make one each,
and no one begins four games in ten seconds by playing them. A class that comes makes 120."""

_NEW = frozenset({"play.start", "play.again", "lobby.challenge", "lobby.seek", "tournaments.join"})


class Stored:
    """How much of what is stored for days each sender has begun lately."""

    def __init__(self, senders: Senders) -> None:
        self.begun, self._senders = Senders(), senders

    def may(self, player: str | None, address: str) -> bool:
        """Count what a request would store; tell whether it may."""
        ask = self.begun.ask
        if player is None or not self._senders.knows(player):
            return ask(address, ADDRESS) is not None
        if ask(player, CALM) is not None:
            return True
        return ask(address, ADDRESS) is not None and ask(player, PLAYER) is not None


def init_app(app: Flask, settings: Settings) -> None:
    """Check what would be stored before anything else does, unless the settings say not to."""
    if settings.limits == "off":
        return
    app.extensions["stored"] = Stored(app.extensions["senders"])

    @app.before_request
    def check() -> Response | None:
        refused = request.endpoint in _NEW and not may_store()
        return errors.too_many(WINDOW) if refused else None


def may_store() -> bool:
    """Count a request that stores something; tell whether it may."""
    stored: Stored | None = current_app.extensions.get("stored")
    return stored is None or stored.may(identity.returning(), line(request.remote_addr))
