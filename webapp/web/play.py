"""Playing: the front page, the games, and what a player can do in them."""

from __future__ import annotations

from flask import Blueprint, request
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from webapp.service.setup import Wish
from webapp.web import forms, present
from webapp.web.answers import done, games, show
from webapp.web.identity import player

pages = Blueprint("play", __name__)


@pages.get("/")
def front() -> ResponseReturnValue:
    """Show an empty board, ready to play; ``opponent`` and ``mark`` may prepare it."""
    return show(present.play(games().front(player(), _wish(request.args)), games().engines))


@pages.post("/games")
def start() -> ResponseReturnValue:
    """Start a game, with the player's first move or the engine's."""
    setup = forms.setup(request.form, games().engines)
    cell = forms.cell_if_any(request.form)
    return done(games().start(player(), setup, cell, request.form.get("key")))


@pages.get("/games/<game_id>")
def game(game_id: str) -> ResponseReturnValue:
    """Show a game, to its player or to one who watches; 204 if ``since`` is still its version."""
    visit = games().visit(game_id, player(), _wish(request.args))
    if forms.since(request.args) == visit.record.version:
        return "", 204
    return show(present.play(visit, games().engines))


@pages.post("/games/<game_id>/moves")
def move(game_id: str) -> ResponseReturnValue:
    """Play a cell, and the engine's reply."""
    seat = games().seat(game_id, player())
    cell, version = forms.cell(request.form), forms.version(request.form)
    return done(games().play(seat, cell, version, _wish(request.form)))


@pages.post("/games/<game_id>/undo")
def undo(game_id: str) -> ResponseReturnValue:
    """Take back the player's last move, and the engine's reply."""
    seat = games().seat(game_id, player())
    version = forms.version(request.form)
    return done(games().undo(seat, version, _wish(request.form)), notice="Taken back.")


@pages.post("/games/<game_id>/hint")
def hint(game_id: str) -> ResponseReturnValue:
    """Suggest the best cell, and say why."""
    seat = games().seat(game_id, player())
    version = forms.version(request.form)
    return done(games().hint(seat, version, _wish(request.form)))


@pages.post("/games/<game_id>/again")
def again(game_id: str) -> ResponseReturnValue:
    """Go on to the next game, the same one each time."""
    seat = games().seat(game_id, player())
    return done(games().again(seat, _wish(request.form)))


def _wish(fields: MultiDict[str, str]) -> Wish:
    """What the controls beside the board say about the next game, where they came along."""
    return forms.wish(fields, games().engines)
