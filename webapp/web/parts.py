"""What templates print with: figures as words, commands, and partials that are rendered once."""

import secrets
import shlex
from collections.abc import Hashable
from fractions import Fraction
from functools import lru_cache

from flask import Flask
from jinja2 import Environment
from markupsafe import Markup

from webapp import words
from webapp.core.game import digits
from webapp.service.refusals import PAUSED
from webapp.web.present import (
    engines,
    game,
    goals,
    lab,
    league,
    learn,
    live,
    openings,
    pictures,
    review,
)
from webapp.words import figures, played

_REMEMBERED = 4096  # far more than there are cells in all their states


def add_filters(templates: Environment) -> None:
    """Give templates the functions that compute what they print."""
    for print_as in (
        game.heading,
        game.sentence,
        game.announcement,
        game.unfinished,
        game.opponent,
        game.review_address,
        game.uncounted,
        game.actions,
        game.cells,
        goals.best_results,
        goals.news,
        live.waits,
        live.people,
        live.asides,
        live.claimable_in,
        review.course,
        review.chart_points,
        engines.bars,
        engines.verdict,
        engines.proved,
        engines.lost_game,
        engines.missed_win,
        lab.pair_title,
        lab.pair_bar,
        lab.tone,
        lab.by_chance,
        lab.experiment_title,
        lab.experiment_verdict,
        lab.deviations,
        lab.moved,
        lab.changed,
        lab.rules_announcement,
        league.no_answer,
        league.end,
        learn.kind_for_x,
        learn.outlook,
        learn.beating_medium,
        openings.openings_lead,
        openings.keeping,
        pictures.picture,
        played.did,
        played.judged,
        words.order,
        figures.exactly,
        figures.percent,
        figures.whole_percent,
        figures.points,
        figures.sampling_error,
        figures.wins_missed,
        digits,
    ):
        templates.filters[print_as.__name__] = print_as
    templates.filters["fraction"] = Fraction


def init_app(app: Flask) -> None:
    """Give the templates the filters, ``part``, ``command`` and other names."""
    add_filters(app.jinja_env)
    app.jinja_env.globals.update(
        command=_command, cell_names=words.CELLS, new_key=_new_key, PAUSED=PAUSED
    )

    def part(name: str, **inputs: Hashable) -> Markup:
        """A partial, without the line break at its end; its inputs must be immutable."""
        return Markup(app.jinja_env.get_template(name).render(inputs).rstrip("\n"))  # noqa: S704

    # Rendered again at each call under the debugger, so that an edit shows at the next reload.
    app.add_template_global(part if app.debug else lru_cache(_REMEMBERED)(part), "part")


def _new_key() -> str:
    """A random text by which a request that is sent twice is known again."""
    return secrets.token_urlsafe(16)


def _command(*arguments: object) -> str:
    """The command that prints the same figures."""
    return shlex.join(["tictactoe", *map(str, arguments)])
