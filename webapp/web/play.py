"""Playing: the front page, the games, and what a player can do in them."""

import secrets

from flask import Blueprint, g, request, url_for
from flask.typing import ResponseReturnValue

from webapp.service import games, wishes
from webapp.service.refusals import UnknownGame
from webapp.web import forms
from webapp.web.context import SEAT, site
from webapp.web.identity import player
from webapp.web.respond import game_response, hx_redirect, show, wants_fragment
from webapp.words.language import _

pages = Blueprint("play", __name__)


@pages.get("/")
def front() -> ResponseReturnValue:
    """Show an empty board, ready to play; ``opponent`` and ``mark`` may prepare it."""
    return show(games.front(site(), player(), forms.options(request.args, site().engines)))


@pages.post("/games")
def start() -> ResponseReturnValue:
    """Start a game, with the player's first move or the engine's; ``moves`` are there already."""
    chosen, given = forms.all_options(request.form, site().engines), forms.moves(request.form)
    cell = forms.cell(request.form) if "cell" in request.form else None
    # The same one, should this be tried again after a cut.
    key = request.form.get("key") or g.setdefault("key", secrets.token_urlsafe())
    return game_response(games.start(site(), player(), chosen, cell, key=key, given=given))


@pages.get("/games/<game_id>")
def game(game_id: str) -> ResponseReturnValue:
    """Show a game, to its player or to a watcher; of one that has yet to begin, the invitation."""
    try:
        pov = games.look(site(), game_id, player())
    except UnknownGame:
        if code := wishes.code_of(site(), game_id):
            return hx_redirect(url_for("lobby.invitation", code=code))
        raise
    if pov.marks:
        request.environ[SEAT] = game_id
    elif "seat" in request.args:  # of a player whom the teacher has removed since
        return hx_redirect(url_for("lobby.class_"))
    if pov.live and pov.game.next_id and wants_fragment():
        return hx_redirect(url_for("play.game", game_id=pov.game.next_id))
    return show(pov)


@pages.post("/games/<game_id>/moves")
def move(game_id: str) -> ResponseReturnValue:
    """Play a cell, and the engine's reply."""
    cell, version = forms.cell(request.form), forms.version(request.form)
    return game_response(games.play(site(), game_id, player(), cell, version))


@pages.post("/games/<game_id>/undo")
def undo(game_id: str) -> ResponseReturnValue:
    """Take back the player's last move, and the engine's reply."""
    pov = games.undo(site(), game_id, player(), forms.version(request.form))
    return game_response(pov, notice=_("Move taken back."))


@pages.post("/games/<game_id>/hint")
def hint(game_id: str) -> ResponseReturnValue:
    """Suggest the best cell, and say why."""
    return game_response(games.hint(site(), game_id, player(), forms.version(request.form)))


@pages.post("/games/<game_id>/again")
def again(game_id: str) -> ResponseReturnValue:
    """Go on to the next game; between two devices, once both have asked."""
    chosen = forms.options(request.form, site().engines)
    return game_response(games.again(site(), game_id, player(), chosen))


@pages.post("/games/<game_id>/resign")
def resign(game_id: str) -> ResponseReturnValue:
    """Give up a game between two devices."""
    return game_response(games.resign(site(), game_id, player(), forms.version(request.form)))


@pages.post("/games/<game_id>/claim")
def claim(game_id: str) -> ResponseReturnValue:
    """Win a game against an opponent who stays away."""
    return game_response(games.claim(site(), game_id, player(), forms.version(request.form)))
