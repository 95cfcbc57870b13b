"""The host's page: signing in with the key, and what the host may do."""

from flask import Blueprint, Response, current_app, g, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.config import LOOPBACK
from webapp.service.host import Host
from webapp.service.hosts import HOURS, Hosts, TooManyTries, WrongKey
from webapp.service.refusals import Conflict, Refusal, Unknown
from webapp.web import forms
from webapp.web.answers import lobby, page
from webapp.web.identity import player
from webapp.web.networks import line
from webapp.web.present.host import present_host

pages = Blueprint("hosting", __name__, url_prefix="/host")

_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP")


def hosts() -> Hosts:
    """The browsers that are signed in as the host."""
    found: Hosts = current_app.extensions["hosts"]
    return found


def the_host() -> Host:
    """What a host may do."""
    found: Host = current_app.extensions["host"]
    return found


def is_host() -> bool:
    """Tell whether the browser that sends the request is signed in as the host."""
    if "is_host" not in g:
        token = request.cookies.get(_cookie(), "")
        g.is_host = bool(token) and hosts().knows(token)
    found: bool = g.is_host
    return found


@pages.before_request
def let_hosts_in() -> ResponseReturnValue | None:
    """Refuse all but the form to sign in to anyone who is not the host."""
    if request.endpoint in ("hosting.host", "hosting.sign_in") or is_host():
        return None
    return _form(403)


@pages.get("")
def host() -> ResponseReturnValue:
    """Show the host what there is to do, and anyone else the form to sign in."""
    return _page() if is_host() else _form()


@pages.post("")
def sign_in() -> ResponseReturnValue:
    """Sign in with the ``key``."""
    typed = forms.text(request.form, "key", "")
    try:
        token = hosts().sign_in(typed, None if _may_try() else line(request.remote_addr))
    except WrongKey as error:
        return _form(403, str(error))
    except TooManyTries as error:
        response = _form(429, str(error))
        response.headers["Retry-After"] = str(error.seconds)
        return response
    response = make_response(redirect(url_for("hosting.host"), 303))
    response.set_cookie(
        _cookie(),
        token,
        max_age=HOURS * 60 * 60,
        secure=request.is_secure,
        httponly=True,
        samesite="Strict",
    )
    return response


@pages.post("/leave")
def leave() -> ResponseReturnValue:
    """Sign out."""
    hosts().sign_out(request.cookies[_cookie()])
    response = make_response(redirect(url_for("hosting.host"), 303))
    response.delete_cookie(_cookie(), secure=request.is_secure, httponly=True, samesite="Strict")
    return response


@pages.post("/players/<int:number>/rename")
def rename(number: int) -> ResponseReturnValue:
    """Give a player another ``name``, or a generated one where none is given."""
    player, new = the_host().numbered(number), forms.text(request.form, "name", "")
    if new:
        the_host().rename(player, new)
    else:
        the_host().deal(player)
    return _back()


@pages.post("/players/<int:number>/remove")
def remove(number: int) -> ResponseReturnValue:
    """Delete a player; what others have played with them stays."""
    the_host().remove(the_host().numbered(number))
    return _back()


@pages.post("/names")
def names() -> ResponseReturnValue:
    """Lock the names, with ``locked=1``, or let players change theirs."""
    the_host().lock_names(locked=forms.flag(request.form, "locked"))
    return _back()


@pages.post("/standings/reset")
def reset() -> ResponseReturnValue:
    """Empty the standings; games and names stay."""
    the_host().reset_standings()
    return _back()


@pages.errorhandler(Refusal)
def refused(error: Refusal) -> Response:
    """Say on the page why it was not done."""
    status = {Unknown: 404, Conflict: 409}.get(type(error), 422)
    return _page(status, str(error))


def _back() -> ResponseReturnValue:
    return redirect(url_for("hosting.host"), 303)


def _page(status: int = 200, refusal: str = "") -> Response:
    view = present_host(lobby().overview(player()), the_host().lesson(), the_host().journal())
    return make_response(page("host/host.html", view=view, refusal=refusal), status)


def _may_try() -> bool:
    """Tell whether tries are not counted: no pupil can lock out the host.

    Those of a host who is signed in are not, nor those from the server's own computer.
    """
    return _at_the_server() or is_host()


def _at_the_server() -> bool:
    """Tell whether the request comes from the server's own computer, with no proxy between."""
    forwarded = any(map(request.headers.get, _FORWARDED))
    return request.remote_addr in LOOPBACK and not forwarded


def _form(status: int = 200, refusal: str = "") -> Response:
    """The form to sign in."""
    return make_response(
        page("host/sign_in.html", refusal=refusal, safe=request.is_secure or _at_the_server()),
        status,
    )


def _cookie() -> str:
    # As the player's; a page of another site that leads here comes without it.
    return "__Host-host" if request.is_secure else "host"
