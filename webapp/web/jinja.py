"""What templates print with: figures as words, and partials that are rendered once."""

import re
import secrets
from collections.abc import Callable, Hashable, MutableMapping
from functools import partial
from pathlib import Path
from typing import Any

from flask import Flask
from flask.templating import Environment
from markupsafe import Markup

from webapp import words
from webapp.core import game as rules
from webapp.core.options import FRIEND
from webapp.engines.registry import ENGINES
from webapp.service import teacher
from webapp.web import beside, boards, engines, games
from webapp.web.podium import first_ten, podium
from webapp.words import figures, played
from webapp.words.language import remembered

_FILTERS: tuple[Callable[..., Any], ...] = (
    *(words.as_sentence, words.cell_label, words.idea, words.isolated, words.named, words.ordinal),
    *(words.source, words.taken, words.who, played.did, played.judged),
    *(figures.day, figures.exactly, figures.figure, figures.moment, figures.own_moves),
    *(figures.percent, figures.points, figures.sampling_error, figures.signed),
    *(figures.whole_percent, figures.wins_missed),
    *(rules.digits, rules.moves_to, teacher.number, boards.picture, first_ten, podium),
    *(engines.bars, engines.lost_game, engines.missed_win, engines.proved, engines.verdict),
    *(games.cells, games.heading, games.name_of, games.plates, games.review_address),
    *(games.seats, games.sentence, games.versus, games.who_beat_whom),
    *(beside.about_in, beside.next_in, beside.own_in, beside.place_in, beside.points_in),
)
"""Filters that several page families use; each family registers its own."""

_REMEMBERED = 4096  # far more than there are cells in all their states


class Templates(Environment):
    """The environment of the templates. Globals are set before the first template loads."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return a template's globals as one dictionary.

        Jinja chains two, and copies the chain for each template of a page: 5 % of a move's time.
        """
        return {**self.globals, **(d or {})}


def init_app(app: Flask) -> None:
    for function in _FILTERS:
        app.add_template_filter(function)
    app.jinja_env.globals.update(
        cell_names=words.CELLS,
        kinds=played.kinds,
        new_key=partial(secrets.token_urlsafe, 16),  # recognizes a repeated request
        signs={*ENGINES, rules.MENACE, FRIEND},
        drawing=_drawings(Path(app.static_folder or "")).__getitem__,
    )

    def part(name: str, **inputs: Hashable) -> Markup:
        """A partial, without the line break at its end; its inputs must be immutable."""
        return Markup(app.jinja_env.get_template(name).render(inputs).rstrip("\n"))  # noqa: S704

    # Rendered again at each call under the debugger, so that an edit shows at the next reload.
    app.add_template_global(part if app.debug else remembered(_REMEMBERED)(part), "part")


def share_macros(app: Flask) -> None:
    """Let every template use the macros of these, once the names that they use are known."""
    for name in ("_pencil.html", "_forms.html"):
        known = vars(app.jinja_env.get_template(name).module)
        app.jinja_env.globals.update({key: known[key] for key in known if key[0] != "_"})


def _drawings(static: Path) -> dict[str, Markup]:
    """The drawings by name, for pages that embed them."""
    text = (static / "drawings.svg").read_text(encoding="utf-8")
    symbols = re.findall(r'(<symbol id="([\w-]+)".*?</symbol>)', text)
    return {name: Markup(symbol) for symbol, name in symbols}  # noqa: S704
