"""The site that requests are answered for, and what passes between a request and the server.

That is what the server knows of a request before Flask has it, and what it learns of the answer.
"""

from flask import current_app, request

from webapp.service.site import Site

KNOWN, REFUSED, LANE = "tictactoe.known", "tictactoe.refused", "tictactoe.lane"
"""Whether the sender was answered before, the status of a refusal, and whose turn it is."""

SEAT, SLOW = "tictactoe.seat", "tictactoe.slow"
"""The game in which the sender has a seat, and that the request takes long after all."""


class TakesLong(Exception):  # noqa: N818 - nothing is wrong with it
    """A request that was thought to be quick; the server sends it again among the slow ones."""


def site() -> Site:
    """Return the site of the application that answers."""
    found: Site = current_app.extensions["site"]
    return found


def takes_long() -> None:
    """Say that the present request takes longer than any move, before anything is computed.

    :raises TakesLong: if moves would have to wait for it
    """
    if request.environ.get(LANE) == "quick":
        request.environ[SLOW] = True
        raise TakesLong
