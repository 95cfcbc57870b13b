"""Playing: the front page, the games, and what a player can do in them."""

from __future__ import annotations

from flask import Blueprint, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from webapp.service.setup import Wish
from webapp.service.visits import PHASES, Seat
from webapp.store.games import CLASSMATE
from webapp.web import forms
from webapp.web.answers import done, duels, games, onward, show, wants_fragment
from webapp.web.identity import player
from webapp.web.present.game import present_game

pages = Blueprint("play", __name__)


@pages.get("/")
def front() -> ResponseReturnValue:
    """Show an empty board, ready to play; ``opponent`` and ``mark`` may prepare it."""
    return show(present_game(games().front(player(), _wish(request.args)), games().engines))


@pages.post("/games")
def start() -> ResponseReturnValue:
    """Start a game, with the player's first move or the engine's; ``moves`` are there already."""
    given, setup = forms.moves(request.form), forms.setup(request.form, games().engines)
    cell = forms.cell_if_any(request.form)
    return done(games().start(player(), setup, cell, request.form.get("key"), given))


@pages.get("/games/<game_id>")
def game(game_id: str) -> ResponseReturnValue:
    """Show a game, to its player or to one who watches; 204 if ``since`` is still its version."""
    since = forms.since(request.args)
    phase = forms.number(request.args, "phase", 0, len(PHASES)) or 0
    if since is not None and games().unchanged(game_id, since, phase):
        return "", 204
    visit = games().visit(game_id, player(), _wish(request.args))
    if visit.record.opponent == CLASSMATE and visit.record.next_id and wants_fragment():
        return onward(url_for("play.game", game_id=visit.record.next_id))
    # With time alone nothing has happened, but for an absence that one may act upon.
    news = since != visit.record.version or (visit.claimable and phase == 0)
    return show(present_game(visit, games().engines), says=news)


@pages.post("/games/<game_id>/moves")
def move(game_id: str) -> ResponseReturnValue:
    """Play a cell, and the engine's reply."""
    seat = _seat(game_id)
    cell, version = forms.cell(request.form), forms.version(request.form)
    return done(games().play(seat, cell, version, _wish(request.form)))


@pages.post("/games/<game_id>/undo")
def undo(game_id: str) -> ResponseReturnValue:
    """Take back the player's last move, and the engine's reply."""
    seat = _seat(game_id)
    version = forms.version(request.form)
    return done(games().undo(seat, version, _wish(request.form)), notice="Taken back.")


@pages.post("/games/<game_id>/hint")
def hint(game_id: str) -> ResponseReturnValue:
    """Suggest the best cell, and say why."""
    seat = _seat(game_id)
    version = forms.version(request.form)
    return done(games().hint(seat, version, _wish(request.form)))


@pages.post("/games/<game_id>/again")
def again(game_id: str) -> ResponseReturnValue:
    """Go on to the next game, the same one each time; between two people, once both ask."""
    seat = _seat(game_id)
    if seat.record.opponent == CLASSMATE:
        return done(duels().rematch(seat))
    return done(games().again(seat, _wish(request.form)))


@pages.post("/games/<game_id>/resign")
def resign(game_id: str) -> ResponseReturnValue:
    """Give a game between two people up, or withdraw a challenge."""
    seat = _seat(game_id)
    visit = duels().resign(seat, forms.version(request.form))
    return done(visit) if visit else onward(url_for("classroom.class_"))


@pages.post("/games/<game_id>/claim")
def claim(game_id: str) -> ResponseReturnValue:
    """Win a game against somebody who stays away."""
    seat = _seat(game_id)
    return done(duels().claim(seat, forms.version(request.form)))


def _seat(game_id: str) -> Seat:
    """The game that a request is to change; 403 and 404 come before a look at its fields."""
    return games().visits.seat(game_id, player())


def _wish(fields: MultiDict[str, str]) -> Wish:
    """What the controls beside the board say about the next game, where they came along."""
    return forms.wish(fields, games().engines)
