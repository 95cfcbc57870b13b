"""MENACE: what it has learnt, from whom, and what the teacher may do with it."""

import secrets

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.core.game import MENACE
from webapp.service import menace
from webapp.web import forms, teacher
from webapp.web.context import site
from webapp.web.identity import is_teacher
from webapp.web.present.menace import box, has_box, present_menace
from webapp.web.present.polls import chosen
from webapp.web.respond import part_or_page

pages = Blueprint("menace", __name__)

training = Blueprint("training", __name__, url_prefix="/host")
training.before_request(teacher.let_teachers_in)


@pages.get("/menace")
def look() -> ResponseReturnValue:
    """Show its curve, its boxes and its teachers; of ``moves`` and a ``cell`` more, the box."""
    moves, board = forms.clicked(request.args)
    found = menace.look(site())
    view = {**present_menace(found), "teacher": is_teacher()}
    opened = box(found.beads, board) if has_box(board) else None
    finder = {"moves": moves, "turn": board.turn, "opened": opened, **chosen(board)}
    engines = site().engines
    values = {"view": view, "rivals": menace.RIVALS, "most": menace.MOST, "engines": engines}
    values |= {"engine": engines[MENACE], **finder}
    return part_or_page("menace/_menace.html", "menace/menace.html", **values)


@training.post("/menace/train")
def train() -> ResponseReturnValue:
    """Train it with ``games`` against a ``rival``."""
    rival = forms.rival(request.form, menace.RIVALS)
    games = forms.number(request.form, "games", 1, menace.MOST) or 1
    menace.train(site(), rival, games, secrets.token_hex(4), apart=True)
    return _back()


@training.post("/menace/end")
def end() -> ResponseReturnValue:
    """End its training."""
    menace.end_training(site())
    return _back()


@training.post("/menace/start-over")
def start_over() -> ResponseReturnValue:
    """Delete all that it has learnt."""
    menace.start_over(site())
    return _back()


def _back() -> ResponseReturnValue:
    return redirect(url_for("menace.look", _anchor="train"), 303)
