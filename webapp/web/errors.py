"""How refusals and faults become HTTP: here and nowhere else.

The answer is a small page, never a traceback; where there is a board, ``play.py`` shows it as it
truly stands.
"""

from flask import Flask, Response, g, make_response
from sqlalchemy.exc import DatabaseError, InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection
from werkzeug.exceptions import BadHost, HTTPException

from webapp import words
from webapp.core.game import NotAllowed
from webapp.engines.rules import UnknownRules
from webapp.service.refusals import (
    Conflict,
    NotYourGame,
    Paused,
    Refusal,
    Unacceptable,
    Unknown,
    UnknownGame,
)
from webapp.web.context import TakesLong
from webapp.web.respond import page, retargeted
from webapp.words.language import N_, _

REFUSALS = Refusal, NotAllowed, UnknownRules

STATUS: dict[type[ValueError], int] = {
    UnknownGame: 404,
    Unknown: 404,
    NotYourGame: 403,
    Unacceptable: 422,
    Conflict: 409,
    Paused: 409,
    NotAllowed: 409,
    UnknownRules: 422,
}

_PAGES = {
    403: (N_("Not allowed"), N_("This request came from another site, so it was not carried out.")),
    404: (N_("Not found"), N_("There is no game or page at this address. Check how it is spelt.")),
    405: (N_("That does not work here"), N_("This address does not accept that kind of request.")),
    413: (N_("Too large"), N_("That request was too large for this site.")),
    429: (N_("Too fast"), N_("You sent too many requests. Try again in a few seconds.")),
    500: (
        N_("Something went wrong"),
        N_("The server made a mistake. Nothing was lost. Try again."),
    ),
    422: (N_("That did not work"), N_("The server could not understand this request.")),
    503: (
        N_("One moment"),
        N_("The server cannot reach its database right now. Try again in a moment."),
    ),
}

_OUT_OF_REACH = (OperationalError, InternalError, InterfaceError, NoConnection)


def init_app(app: Flask) -> None:
    """Answer every refusal and every fault."""
    for refused in REFUSALS:
        app.register_error_handler(refused, refusal)
    app.register_error_handler(HTTPException, http_error)
    app.register_error_handler(BadHost, no_such_host)
    for fault in _OUT_OF_REACH:
        app.register_error_handler(fault, out_of_reach)
    app.register_error_handler(DatabaseError, damaged)
    app.register_error_handler(TakesLong, lambda _: Response(status=503))


def refusal(error: ValueError) -> Response:
    """Answer a request that the service refuses."""
    return small_page(STATUS[type(error)], words.told(error))


def http_error(error: HTTPException) -> Response:
    """Answer a request that no view has answered."""
    if error.response is not None or error.code is None or error.code < 400:
        return make_response(error)
    response = small_page(error.code)
    for name, value in error.get_headers():
        if name != "Content-Type":
            response.headers[name] = value
    return response


def no_such_host(_error: Exception) -> Response:
    """Answer a request with an impossible ``Host``: no page could have links there."""
    return Response("This is not the name of a host.\n", 400, mimetype="text/plain")


def out_of_reach(error: Exception) -> Response:
    """Answer while the database is locked for too long, full, read-only, or gone."""
    # The page would ask it for the name of the viewer, and wait as long once more.
    g.out_of_reach = True
    known = getattr(getattr(error, "orig", None), "sentence", "")
    response = small_page(503, known and _(known))
    response.headers["Retry-After"] = "2"
    return response


def damaged(error: DatabaseError) -> Response:
    """Answer where the database's file turns out to be damaged; other faults are our own."""
    if type(error) is not DatabaseError:
        raise error
    return out_of_reach(error)


def too_many(seconds: int) -> Response:
    """Answer anyone who asks too often, and say after how many seconds to come back."""
    g.out_of_reach = True  # nothing in the page may have to be looked up
    response = small_page(429)
    response.headers["Retry-After"] = str(seconds)
    return response


def small_page(status: int, why: str = "") -> Response:
    """Make the small page for requests where there is no board; ``why`` may say more."""
    title, sentence = map(_, _PAGES.get(status, _PAGES[422]))
    shown = page("error.html", title=title, sentence=why or sentence)
    return retargeted(make_response(shown, status))
