"""A league as one file of HTML that needs no server: its styles inside, no script, no address."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from webapp.web.jinja import add_filters
from webapp.web.present.league import LeagueView
from webapp.web.translation import Translation

_ROOT = Path(__file__).resolve().parents[2]


def report(league: LeagueView, day: str) -> str:
    """Render the report of a day."""
    templates = Environment(
        loader=FileSystemLoader([_ROOT / "templates", _ROOT / "static"]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=[Translation],
    )
    templates.extend(language="en")

    def part(name: str, **inputs: object) -> Markup:
        return Markup(templates.get_template(name).render(inputs).rstrip("\n"))  # noqa: S704

    templates.globals["part"] = part
    add_filters(templates)
    found = templates.get_template("lab/league_report.html")
    return found.render(league=league, day=day, linked=False)
