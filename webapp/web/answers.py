"""How a view answers: a whole page, or to htmx the part of it that changed."""

from __future__ import annotations

from flask import Response, current_app, make_response, redirect, render_template, request, url_for

from webapp.service.classroom import Classroom
from webapp.service.duels import Duels
from webapp.service.games import Games
from webapp.service.players import Players
from webapp.service.visits import Visit
from webapp.web.present.game import noticed, present_game
from webapp.web.present.views import PlayView

_NEGOTIATED = "HX-Request, HX-Request-Type, HX-History-Restore-Request"


def games() -> Games:
    """The games of this server."""
    found: Games = current_app.extensions["games"]
    return found


def duels() -> Duels:
    """The games between two people on this server."""
    found: Duels = current_app.extensions["duels"]
    return found


def players() -> Players:
    """The players of this server."""
    found: Players = current_app.extensions["players"]
    return found


def classroom() -> Classroom:
    """The people of this server together."""
    found: Classroom = current_app.extensions["classroom"]
    return found


def wants_fragment() -> bool:
    """Tell whether htmx asks for a part of the page; it asks for whole pages too."""
    headers = request.headers
    return (
        headers.get("HX-Request") == "true"
        and headers.get("HX-Request-Type") != "full"
        and "HX-History-Restore-Request" not in headers
    )


def show(
    view: PlayView, status: int = 200, *, with_you: bool = False, says: bool = True
) -> Response:
    """Answer with the board: as a fragment to htmx, else as the page.

    :param with_you: whether the fragment says who one is, as after a first game begins
    :param says: whether there is anything to announce
    """
    template = "play/_answer.html" if wants_fragment() else "play/play.html"
    address = _address(view.id) if view.id else ""
    return negotiated(
        make_response(
            render_template(template, view=view, address=address, with_you=with_you, says=says),
            status,
        )
    )


def done(visit: Visit, notice: str = "") -> Response:
    """Answer a POST that succeeded: 303 to the game, or to htmx the board itself.

    :param notice: one sentence about what was done, where the board does not say it
    """
    game_id = visit.record.id
    if not wants_fragment():
        return negotiated(make_response(redirect(_address(game_id), 303)))
    view = present_game(visit, games().engines)
    elsewhere = request.view_args is None or request.view_args.get("game_id") != game_id
    response = show(noticed(view, notice) if notice else view, with_you=elsewhere)
    if elsewhere:
        response.headers["HX-Push-Url"] = _address(game_id)
    return response


def onward(address: str) -> Response:
    """Send the browser to another page, whole, whether htmx asks or the browser itself."""
    if not wants_fragment():
        return negotiated(make_response(redirect(address, 303)))
    response = negotiated(make_response("", 200))
    response.headers["HX-Redirect"] = address
    return response


def negotiated(response: Response) -> Response:
    """Say in an answer that it depends on what htmx asks for."""
    response.headers["Vary"] = _NEGOTIATED
    return response


def _address(game_id: str) -> str:
    return url_for("play.game", game_id=game_id)
