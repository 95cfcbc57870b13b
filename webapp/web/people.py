"""The viewer's own pages: the record and the name, starting over, and deleting everything."""

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp import words
from webapp.core.game import NotAllowed
from webapp.service import players
from webapp.service.refusals import Conflict, Unacceptable
from webapp.web import identity
from webapp.web.context import site
from webapp.web.errors import STATUS
from webapp.web.identity import player
from webapp.web.respond import page

pages = Blueprint("people", __name__)


@pages.get("/you")
def you(refusal: str = "") -> str:
    """Show the player's record and games, the name, and how to get another."""
    own_names, seen = players.may_choose_names(site()), players.look(site(), player())
    shown = {"you": seen, "engines": site().engines}
    return page("people/you.html", viewer=seen.me, refusal=refusal, own_names=own_names, **shown)


@pages.post("/you/name")
def name() -> ResponseReturnValue:
    """Give the player another name, or the ``name`` they typed where the teacher allows it."""
    try:
        players.rename(site(), player(), request.form.get("name"))
    except (Unacceptable, Conflict, NotAllowed) as error:
        return you(words.told(error)), STATUS[type(error)]
    return redirect(url_for("people.you"), 303)


@pages.post("/you/new")
def new() -> ResponseReturnValue:
    """Start as a new player; the old one stays as it is, and there is no way back."""
    identity.start_over()
    return redirect(url_for("play.front"), 303)


@pages.get("/privacy")
def privacy() -> ResponseReturnValue:
    """Say what is kept about players, and let them delete it."""
    return page("people/privacy.html", forgotten="forgotten" in request.args)


@pages.post("/you/forget")
def forget() -> ResponseReturnValue:
    """Delete the player and the name; what others have played with them stays."""
    players.forget(site(), player())
    identity.start_over()
    return redirect(url_for("people.privacy", forgotten=1), 303)
