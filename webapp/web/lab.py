"""The lab: all engines against all, the league, the claims, experiments, and lists of rules."""

from flask import Blueprint, current_app, request
from flask.typing import ResponseReturnValue

from webapp.analysis.claims import verdicts
from webapp.analysis.matchup import table
from webapp.analysis.worth import worth
from webapp.engines.base import SOURCES, Engine
from webapp.engines.registry import ENGINES
from webapp.engines.rules import LAB_RULES, PREFIX, rule_list
from webapp.service.refusals import Unknown
from webapp.web import forms
from webapp.web.context import site
from webapp.web.present.lab import counted
from webapp.web.respond import page, part_or_page, wants_fragment

pages = Blueprint("lab", __name__, url_prefix="/lab")

FIRST_LIST = "win,block,any"
"""The list of rules to begin with."""

MOST_GAMES = 10_000
"""How many games one request may play."""

MOST_OWN = 6
"""How many of the host's functions fit in the table; more than these play in the league only."""


@pages.get("")
def lab() -> ResponseReturnValue:
    """Show the table of all engines, with ``x`` against ``o`` exactly, and the claims."""
    x, o = _engine("x", "medium"), _engine("o", "hard")
    engines = site().engines
    shown = list((engines if len(engines) - len(ENGINES) <= MOST_OWN else ENGINES).values())
    return part_or_page(
        "lab/_pair_answer.html",
        "lab/lab.html",
        x=x,
        o=o,
        engines=engines,
        shown=shown,
        table={} if wants_fragment() else table(shown),
        claims=verdicts(),
        league=current_app.extensions["league"],
        sources=SOURCES,
    )


@pages.get("/league")
def league() -> ResponseReturnValue:
    """Show how the server's functions fare against each other."""
    found = current_app.extensions["league"]
    if found is None:
        raise Unknown("This server has no league: it takes at least two functions of the class.")
    return page("lab/league.html", league=found)


@pages.get("/experiment")
def experiment() -> ResponseReturnValue:
    """Play ``games`` of ``x`` against ``o`` with a ``seed``, beside the exact figures."""
    x, o = _engine("x", "medium"), _engine("o", "easy")
    seed = forms.seed(request.args, "1")
    number = forms.number(request.args, "games", 1, MOST_GAMES) or MOST_GAMES
    return part_or_page(
        "lab/_experiment_answer.html",
        "lab/experiment.html",
        x=x,
        o=o,
        number=number,
        seed=seed,
        counts=counted(x, o, number, seed),
        engines=list(site().engines.values()),
        most=MOST_GAMES,
    )


@pages.get("/rules")
def rules() -> ResponseReturnValue:
    """Show a ``list`` of rules and what it is worth, beside what it was worth ``from``."""
    listed = forms.text(request.args, "list", FIRST_LIST)
    before = forms.text(request.args, "from", "")
    engine = rule_list(PREFIX + listed)
    return part_or_page(
        "lab/_answer.html",
        "lab/rules.html",
        listed=listed,
        rules=LAB_RULES,
        engine=engine,
        worth=worth(engine),
        before=worth(rule_list(PREFIX + before)) if before else None,
    )


def _engine(field: str, otherwise: str) -> Engine:
    return forms.engine(request.args, field, site().engines) or site().engines[otherwise]
