"""`tictactoe league`: functions play each other."""

import csv
import io
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from webapp import words
from webapp.cli import asking, layout
from webapp.cli.options import AS_JSON, json_line
from webapp.engines.base import ONLY_THE_BOARD
from webapp.engines.registry import engine
from webapp.programs import files
from webapp.programs.apart import apart
from webapp.service.league import FEWEST, Entrant, drawn_up, entries
from webapp.words import figures

if TYPE_CHECKING:
    from webapp.web.lab import LeagueView

_FIGURES = ("points", "won", "drawn", "lost", "lost_to_hard", "lost_to_easy")


@click.command("league")
@click.argument("names", metavar="FILE.py|FOLDER...", nargs=-1, required=True)
@click.option(
    "--with", "others", metavar="ENGINE", multiple=True,
    help="Add an engine or a list of rules; repeat it to add more.",
)  # fmt: skip
@click.option(
    "--csv", "for_spreadsheets", is_flag=True, help="The standings for spreadsheets, as CSV."
)
@AS_JSON
def league_command(
    names: Sequence[str], others: Sequence[str], for_spreadsheets: bool, for_scripts: bool
) -> None:
    """Let functions play each other, such as all those in a folder, and rank them exactly.

    A function that fails in a game loses that game. A file that cannot be loaded, and a function
    that uses chance or remembers, are listed with the reason.
    """
    from webapp.web.lab import present_league

    engines = {
        named.slug: replace(named, name=words.called(named)) for named in map(engine, others)
    }
    programs = [program for name in names for program in files.programs(name)]
    entrants, absent = entries(programs, apart(programs, asking.ask))
    entrants += map(Entrant, engines.values())
    if len(entrants) < FEWEST:
        whys = [f"{name}: {why}\n" for name, why in absent]
        click.echo(f"{''.join(whys)}A league needs at least two that can play.", err=True)
        sys.exit(1)
    league = drawn_up(entrants, absent)
    view = present_league(league)
    if for_spreadsheets:
        click.echo(_csv(view), nl=False)
    else:
        click.echo(json_line(league) if for_scripts else _text(view))


def _text(view: "LeagueView") -> str:
    parts = [
        "Each plays every other with both marks: 2 points for a win, 1 for a draw.",
        ONLY_THE_BOARD,
        layout.columns(_ranking(view), right={0, *range(2, 8)}),
        *(f"Not in the standings: {entry['name']}: {entry['why']}" for entry in view.absent),
        "The points of X (rows) against O (columns):",
        _table(view),
    ]
    if beaten := [(game.moves or "-", game.ending) for game in view.beaten]:
        heading = ("game", "how each can be beaten; --json shows every pair's game")
        parts.append(layout.columns((heading, *beaten)))
    return "\n\n".join(parts)


def _ranking(view: "LeagueView") -> list[Sequence[str]]:
    from webapp.web.lab import no_answer

    heading = ("place", "name", *(name.replace("_", " ") for name in _FIGURES), "")
    rows: list[Sequence[str]] = [heading]
    for row in view.ranking:
        remarks = ["proved unbeatable"] * row["unbeatable"] + [no_answer(row["unanswered"])]
        points = (figures.points(row[name]) for name in _FIGURES[:4])
        lost = (figures.percent(row[name] / 2) for name in _FIGURES[4:])
        said = ", ".join(filter(None, remarks))
        rows.append((str(row["place"]), row["name"], *points, *lost, said))
    return rows


def _table(view: "LeagueView") -> str:
    """Columns have numbers, because names would make them too wide."""
    slugs = [row["slug"] for row in view.ranking]
    rows = [["X \\ O", "", *(str(number) for number in range(1, len(slugs) + 1))]]
    for number, row in enumerate(view.ranking, 1):
        results = (view.result(row["slug"], other) for other in slugs)
        points = (figures.points(2 * pair.x_wins + pair.draws) if pair else "-" for pair in results)
        rows.append([row["name"], str(number), *points])
    return layout.columns(rows, right=range(1, len(rows) + 1))


def _csv(view: "LeagueView") -> str:
    from webapp.web.spreadsheets import harmless

    blank = [""] * len(_FIGURES)
    absent = [("", entry["name"], *blank, entry["why"]) for entry in view.absent]
    written = io.StringIO()
    rows = ([harmless(cell) for cell in row] for row in (*_ranking(view), *absent))
    csv.writer(written, lineterminator="\n").writerows(rows)
    return written.getvalue()
