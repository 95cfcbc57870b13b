"""What templates print with: figures as words, and partials that are rendered once."""

import re
import secrets
from collections.abc import Hashable, MutableMapping
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import jinja2
from flask import Flask
from flask.templating import Environment
from markupsafe import Markup

from webapp import words
from webapp.core import game as rules
from webapp.core.options import FRIEND
from webapp.engines.registry import ENGINES
from webapp.service import teacher as the_teacher
from webapp.web.present import (
    engines,
    game,
    goals,
    lab,
    league,
    learn,
    live,
    lobby,
    paper,
    pictures,
    polls,
    review,
    teacher,
    tournament,
    wall,
    you,
)
from webapp.words import figures, played
from webapp.words.language import remembered

_FILTERS = {
    engines: "bars lost_game missed_win proved verdict",
    figures: "exactly figure moment own_moves percent points sampling_error whole_percent"
    " wins_missed",
    game: "actions announcement cells heading opponent review_address name_of sentence unfinished"
    " uncounted",
    goals: "first_win ladder news",
    lab: "by_chance changed deviations experiment_title experiment_verdict moved pair_bar"
    " pair_title tone",
    league: "end no_answer",
    learn: "keeping kind_for_x openings_lead outlook puzzle_asks",
    live: "asides claimable_in plates seats topics_of waits",
    lobby: "doing missing title_of versus who_beat_whom why_closed",
    paper: "games_counted last_moves path",
    pictures: "picture",
    played: "did judged",
    polls: "answers_sentence asks count_later_sentence elected_sentence left_sentence poll_cells"
    " points_sentence poll_heading poll_sentence position_sentence quiz_podium right_sentence"
    " said_before wrong_sentence",
    review: "chart_points course",
    wall: "games_of how_it_ended",
    rules: "digits moves_to",
    teacher: "title_of_played wrong",
    the_teacher: "number",
    tournament: "about_in board_after chosen_for ends_in game_in name_in next_in own_in past_of"
    " podium_of points_in results_of stage_of tie_break_of",
    words: "as_sentence cell_label idea isolated named ordinal source taken who",
    you: "earned told",
}
"""What is computed for pages, by module."""

_REMEMBERED = 4096  # far more than there are cells in all their states


class Templates(Environment):
    """The templates of the pages. What is global is set before the first of them is loaded."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return what is global for a template as one dictionary.

        Jinja makes a chain of two, and copies it for each template that takes part in a page: a
        twentieth of the time that a move takes.
        """
        return {**self.globals, **(d or {})}


def add_filters(templates: jinja2.Environment) -> None:
    """Give templates the functions that compute what they print, by their names."""
    for module, names in _FILTERS.items():
        for name in names.split():
            templates.filters[name] = getattr(module, name)
    templates.filters["fraction"] = Fraction


def init_app(app: Flask) -> None:
    """Give the templates the filters, ``part`` and other names."""
    add_filters(app.jinja_env)
    app.jinja_env.globals.update(
        cell_names=words.CELLS,
        kinds=played.kinds,
        new_key=partial(secrets.token_urlsafe, 16),  # a request that is sent twice is known by it
        signs={*ENGINES, rules.MENACE, FRIEND},
        drawing=_drawings(Path(app.static_folder or "")).__getitem__,
    )

    def part(name: str, **inputs: Hashable) -> Markup:
        """A partial, without the line break at its end; its inputs must be immutable."""
        return Markup(app.jinja_env.get_template(name).render(inputs).rstrip("\n"))  # noqa: S704

    # Rendered again at each call under the debugger, so that an edit shows at the next reload.
    app.add_template_global(part if app.debug else remembered(_REMEMBERED)(part), "part")


def _drawings(static: Path) -> dict[str, Markup]:
    """The drawings by their names, for pages that are to need no file of them."""
    text = (static / "drawings.svg").read_text(encoding="utf-8")
    symbols = re.findall(r'(<symbol id="([\w-]+)".*?</symbol>)', text)
    return {name: Markup(symbol) for symbol, name in symbols}  # noqa: S704
