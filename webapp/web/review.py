"""Reviewing a game: what each move was worth. The address is the game; nothing is stored."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from webapp.analysis.review import review as judged
from webapp.core.board import IllegalMove
from webapp.core.game import moves_of
from webapp.service.refusals import Unknown
from webapp.web import forms
from webapp.web.context import site
from webapp.web.identity import is_teacher
from webapp.web.present.review import Step
from webapp.web.respond import part_or_page

pages = Blueprint("review", __name__)


@pages.get("/review/<moves>")
def review(moves: str) -> ResponseReturnValue:
    """Show a game after ``at`` of its moves, and the judgement on each."""
    engines, fields = site().engines, request.args
    if not moves.isascii() or not moves.isdecimal():
        raise Unknown("Write the game as the cells played, 0 to 8, such as /review/40281.")
    try:
        found = judged(moves_of(moves))
    except IllegalMove as error:
        raise Unknown("This game is not possible. {why}", why=error) from error
    chosen, at = forms.options(fields, engines), forms.number(fields, "at", 0, len(moves))
    view = Step(
        found,
        len(moves) if at is None else at,
        forms.flag(fields, "values"),
        opponent=chosen.get("opponent"),
        mark=chosen.get("mark") if chosen.get("mark") in ("x", "o") else None,
    )
    return part_or_page(
        "review/_answer.html", "review/review.html", view=view, engines=engines, host=is_teacher()
    )
