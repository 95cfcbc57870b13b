"""What templates print with: figures as words, commands, and partials that are rendered once."""

import secrets
import shlex
from collections.abc import Hashable
from fractions import Fraction

from flask import Flask
from jinja2 import Environment
from markupsafe import Markup

from webapp import words
from webapp.core import game as rules
from webapp.service import teacher as the_teacher
from webapp.service.refusals import PAUSED
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
    review,
    teacher,
    wall,
)
from webapp.words import figures, journal, played
from webapp.words.language import remembered

_FILTERS = {
    engines: "bars lost_game missed_win proved verdict",
    figures: "exactly figure moment percent points sampling_error utc whole_percent wins_missed",
    game: "actions announcement cells heading opponent review_address sentence unfinished"
    " uncounted",
    journal: "done",
    goals: "ladder news",
    lab: "by_chance changed deviations experiment_title experiment_verdict moved pair_bar"
    " pair_title rules_announcement tone",
    league: "end no_answer",
    learn: "beating_medium keeping kind_for_x openings_lead outlook",
    live: "asides claimable_in people waits",
    lobby: "doing missing versus who_beat_whom",
    paper: "games_counted last_moves path",
    pictures: "picture",
    played: "did judged",
    review: "chart_points course",
    wall: "games_of how_it_ended",
    rules: "digits moves_to",
    teacher: "title_of_played wrong",
    the_teacher: "number",
    words: "brief cell_label idea isolated named source taken who",
}
"""What is computed for pages, by module."""

_REMEMBERED = 4096  # far more than there are cells in all their states


def add_filters(templates: Environment) -> None:
    """Give templates the functions that compute what they print, by their names."""
    for module, names in _FILTERS.items():
        for name in names.split():
            templates.filters[name] = getattr(module, name)
    templates.filters["fraction"] = Fraction


def init_app(app: Flask) -> None:
    """Give the templates the filters, ``part``, ``command`` and other names."""
    add_filters(app.jinja_env)
    app.jinja_env.globals.update(
        command=_command,
        cell_names=words.CELLS,
        kinds=played.kinds,
        new_key=_new_key,
        PAUSED=PAUSED,
    )

    def part(name: str, **inputs: Hashable) -> Markup:
        """A partial, without the line break at its end; its inputs must be immutable."""
        return Markup(app.jinja_env.get_template(name).render(inputs).rstrip("\n"))  # noqa: S704

    # Rendered again at each call under the debugger, so that an edit shows at the next reload.
    app.add_template_global(part if app.debug else remembered(_REMEMBERED)(part), "part")


def _new_key() -> str:
    """A random text by which a request that is sent twice is known again."""
    return secrets.token_urlsafe(16)


def _command(*arguments: object) -> str:
    """The command that prints the same figures."""
    return shlex.join(["tictactoe", *map(str, arguments)])
