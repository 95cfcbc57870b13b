"""What templates print with: figures as words, commands, and partials that are rendered once."""

import shlex
from collections.abc import Hashable
from functools import lru_cache

from flask import Flask
from markupsafe import Markup

from webapp import words
from webapp.service.host import number
from webapp.web.present import host, lab, lobby
from webapp.words import figures, journal, played

_REMEMBERED = 4096  # far more than there are cells in all their states


def init_app(app: Flask) -> None:
    """Give the templates ``part``, ``command``, ``cell_names`` and the filters."""
    for print_as in (
        played.judged,
        words.isolated,
        words.order,
        journal.done,
        figures.moment,
        figures.utc,
        figures.exactly,
        figures.percent,
        figures.whole_percent,
        figures.sampling_error,
        lab.deviations,
        lab.tone,
        lobby.doing,
        lobby.versus,
        lobby.who_beat_whom,
        host.standing_of,
        number,
    ):
        app.add_template_filter(print_as)
    app.jinja_env.globals.update(command=_command, cell_names=words.CELLS)

    def part(name: str, **inputs: Hashable) -> Markup:
        """A partial, without the line break at its end; its inputs must be immutable."""
        return Markup(app.jinja_env.get_template(name).render(inputs).rstrip("\n"))  # noqa: S704

    # Rendered again at each call under the debugger, so that an edit shows at the next reload.
    app.add_template_global(part if app.debug else lru_cache(_REMEMBERED)(part), "part")


def _command(*arguments: object) -> str:
    """The command that prints the same figures."""
    return shlex.join(["tictactoe", *map(str, arguments)])
