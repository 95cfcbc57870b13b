"""The site that answers requests, and what the server and Flask tell each other about a request."""

from flask import current_app, request

from webapp.service.site import Site

KNOWN, REFUSED, LANE = "tictactoe.known", "tictactoe.refused", "tictactoe.lane"
"""Whether the sender is known, the status of a refusal, and the queue's lane."""

SEAT, SLOW = "tictactoe.seat", "tictactoe.slow"
"""The game in which the sender sits, and whether the request turned out to be slow."""


class TakesLong(Exception):  # noqa: N818 - nothing is wrong with it
    """A request that was taken for a quick one; the server repeats it among the slow ones."""


def site() -> Site:
    site: Site = current_app.extensions["site"]
    return site


def takes_long() -> None:
    """Raise :class:`TakesLong` if moves would have to wait for this request; call it first."""
    if request.environ.get(LANE) == "quick":
        request.environ[SLOW] = True
        raise TakesLong
