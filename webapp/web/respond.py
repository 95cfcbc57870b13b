"""How a view answers: a whole page, or to htmx the part of it that changed."""

from typing import TypeAlias

from flask import Response, g, make_response, redirect, render_template, request

from webapp.names import Player
from webapp.service import lobby
from webapp.web.calls import CallsView, present_calls
from webapp.web.context import site
from webapp.web.identity import browser, is_teacher, player, returning

Shown: TypeAlias = dict[str, object]
"""What a page shows, by the names that its template has for it."""


def wants_fragment() -> bool:
    """Tell whether htmx asks for a part of the page; it asks for whole pages too."""
    headers = request.headers
    return (
        headers.get("HX-Request") == "true"
        and headers.get("HX-Request-Type") != "full"
        and "HX-History-Restore-Request" not in headers
    )


def page(template: str, **values: object) -> str:
    """Render a whole page, with the viewer and their calls at its top unless they are given."""
    if "viewer" not in values:
        viewer, found = Player(player(), None), None
        if "out_of_reach" not in g and returning():
            viewer, found = lobby.frame(site(), player(), browser())
        shown = found and present_calls(found, "", asks=is_teacher())
        values = {"viewer": viewer, "calls": shown} | values
    elif "calls" not in values:
        values["calls"] = calls()
    return render_template(template, **values)


def calls(at: str = "") -> CallsView | None:
    """What calls the viewer from this page, if anything may.

    :param at: the id of the game whose page it is
    """
    found = lobby.calls_beside(site(), player(), browser(), at) if returning() else None
    return found and present_calls(found, at, asks=is_teacher())


def retargeted(response: Response) -> Response:
    """Let htmx, which asked for a part of a page, put another page in its place."""
    if wants_fragment():
        response.headers["HX-Retarget"] = "body"
        response.headers["HX-Reswap"] = "innerHTML"
    return vary_on_htmx(response)


def part_or_page(part: str, whole: str, **values: object) -> Response:
    """Answer with a part of a page to htmx, else with all of it."""
    shown = render_template(part, **values) if wants_fragment() else page(whole, **values)
    return vary_on_htmx(make_response(shown))


def hx_redirect(address: str) -> Response:
    """Send the browser to another page, whole, whether htmx asks or the browser itself."""
    if not wants_fragment():
        return vary_on_htmx(make_response(redirect(address, 303)))
    response = vary_on_htmx(make_response("", 200))
    response.headers["HX-Redirect"] = address
    return response


def vary_on_htmx(response: Response) -> Response:
    """Say in an answer that it depends on what htmx asks for."""
    response.headers["Vary"] = "HX-Request, HX-Request-Type, HX-History-Restore-Request"
    return response
