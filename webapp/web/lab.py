"""The lab: all engines against all, the league, the claims, experiments, and lists of rules."""

import re

from flask import Blueprint, current_app, request
from flask.typing import ResponseReturnValue

from webapp.engines.base import SOURCES, Engine
from webapp.service.refusals import Unacceptable, Unknown
from webapp.web import forms
from webapp.web.answers import games, page, part_or_page, wants_fragment
from webapp.web.present.lab import present_experiment, present_lab, present_pair, present_rules
from webapp.web.present.league import LeagueView

pages = Blueprint("lab", __name__, url_prefix="/lab")

FIRST_LIST = "win,block,any"
"""The list of rules to begin with."""

MOST_GAMES = 10_000
"""How many games one request may play."""

_SEED = re.compile(r"[A-Za-z0-9_.-]{1,40}")


@pages.get("")
def lab() -> ResponseReturnValue:
    """Show the table of all engines, with ``x`` against ``o`` exactly, and the claims."""
    x, o = _engine("x", "medium"), _engine("o", "hard")
    view = None if wants_fragment() else present_lab(games().engines, x, o)
    pair = view.pair if view else present_pair(x, o)
    return part_or_page(
        "lab/_pair_answer.html",
        "lab/lab.html",
        pair=pair,
        view=view,
        league=_league() is not None,
        sources=SOURCES,
    )


@pages.get("/league")
def league() -> ResponseReturnValue:
    """Show how the server's functions fare against each other."""
    view = _league()
    if view is None:
        raise Unknown("This server has no league: it takes at least two functions of the class.")
    return page("lab/league.html", view=view)


@pages.get("/experiment")
def experiment() -> ResponseReturnValue:
    """Play ``games`` of ``x`` against ``o`` with a ``seed``, beside the exact figures."""
    x, o = _engine("x", "medium"), _engine("o", "easy")
    number, seed = _games(), forms.text(request.args, "seed", "1")
    if not _SEED.fullmatch(seed):
        raise Unacceptable(
            "A seed can have up to 40 letters, digits, dots, hyphens or underscores."
        )
    view = present_experiment(x, o, number, seed)
    return part_or_page(
        "lab/_experiment_answer.html",
        "lab/experiment.html",
        view=view,
        engines=list(games().engines.values()),
        most=MOST_GAMES,
    )


@pages.get("/rules")
def rules() -> ResponseReturnValue:
    """Show a ``list`` of rules and what it is worth, beside what it was worth ``from``."""
    view = present_rules(
        forms.text(request.args, "list", FIRST_LIST), forms.text(request.args, "from", "")
    )
    return part_or_page("lab/_answer.html", "lab/rules.html", view=view)


def _league() -> LeagueView | None:
    """The league of this server, if it has one."""
    found: LeagueView | None = current_app.extensions["league"]
    return found


def _games() -> int:
    try:
        return forms.number(request.args, "games", 1, MOST_GAMES) or MOST_GAMES
    except Unacceptable as error:
        raise Unacceptable(
            f"{error} To play more, use the command tictactoe simulate on the server's computer."
        ) from error


def _engine(field: str, otherwise: str) -> Engine:
    return forms.engine(request.args, field, games().engines) or games().engines[otherwise]
