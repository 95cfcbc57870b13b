"""The command about a class: league."""

import csv
import io
import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webapp import words
from webapp.cli import asking, layout
from webapp.cli.options import AS_JSON, show
from webapp.engines.base import Engine
from webapp.engines.registry import engine
from webapp.engines.rules import PREFIX
from webapp.programs import files
from webapp.programs.apart import apart
from webapp.programs.files import CannotLoad, Program
from webapp.service.league import FEWEST, Absent, Entrant, drawn_up, entries
from webapp.words import figures
from webapp.words.language import ngettext

if TYPE_CHECKING:
    from webapp.web.present.league import LeagueView

_MOST_GAMES = 40  # are printed
_FIGURES = ("points", "won", "drawn", "lost", "lost_to_hard", "lost_to_easy")


class _EnginesType(click.ParamType[list[Engine]]):
    """Engines with commas between them, and lists of rules, which go on to the next ``rules:``."""

    name = "ENGINES"

    def convert(
        self, value: Any, _param: click.Parameter | None, _ctx: click.Context | None
    ) -> list[Engine]:
        """Return what is named; an unknown one is refused with the sentence of its room."""
        names: list[str] = []
        for part in re.split(r",(?=rules:)", value):
            names += [part] if part.startswith(PREFIX) else part.split(",")
        return [replace(one, name=words.called(one)) for one in map(engine, names)]


def _can_be_written(
    _ctx: click.Context, _param: click.Parameter, value: Path | None
) -> Path | None:
    """Refuse a report that could not be written, before anything is computed for it."""
    if value and not os.access(value.absolute().parent, os.W_OK):
        raise click.BadParameter(f"nothing can be written to the folder {value.absolute().parent}.")
    return value


@click.command("league")
@click.argument("names", metavar="FILE.py|FOLDER...", nargs=-1, required=True)
@click.option(
    "--with", "others", metavar="ENGINE,...", type=_EnginesType(), multiple=True,
    help="Let engines or lists of rules take part, such as hard,medium.",
)  # fmt: skip
@click.option("--csv", "for_spreadsheets", is_flag=True, help="For spreadsheets, as CSV.")
@click.option(
    "--html", "report", metavar="FILE", callback=_can_be_written,
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Write a report as well, one page to be printed or sent.",
)  # fmt: skip
@AS_JSON
def league_command(
    names: Sequence[str],
    others: Sequence[list[Engine]],
    for_spreadsheets: bool,
    report: Path | None,
    for_scripts: bool,
) -> None:
    """Let functions play each other, such as all those in a folder, and rank them exactly.

    A function that fails in a game loses that game. A file that cannot be loaded, and a function
    that cannot be known exactly, are listed with the reason.
    """
    if for_scripts and for_spreadsheets:
        raise click.UsageError("--json and --csv cannot both be printed; choose one.")
    from webapp.web.present.league import present_league

    programs, empty = _named(names)
    entrants, absent = entries(programs, apart(programs, asking.ask))
    absent += empty
    engines = {one.slug: one for some in others for one in some}
    entrants += [Entrant(one) for one in engines.values()]
    if len(entrants) < FEWEST:
        for one in absent:
            click.echo(f"{one.name}: {one.why}", err=True)
        few = "1" if entrants else "none"
        click.echo(f"A league needs two that can play; {few} of these can play.", err=True)
        sys.exit(1)
    found = _drawn_up(entrants, absent)
    view = present_league(found)
    if report:
        _write(report, view)
    if for_spreadsheets:
        click.echo(_csv(view), nl=False)
    else:
        show(for_scripts, found, _text(view))
    if report:
        click.echo(f"The report is in {report}.", err=True)


def _named(names: Iterable[str]) -> tuple[list[Program], list[Absent]]:
    """Return the programs that are named; a folder without any does not stop the others."""
    programs, empty = [], []
    for name in names:
        try:
            programs += files.programs(name)
        except CannotLoad as error:
            if not Path(name).is_dir():
                raise
            empty.append(Absent(files.printable(name), files.printable(str(error))))
    return programs, empty


def _drawn_up(entrants: Sequence[Entrant], absent: Iterable[Absent]) -> dict[str, Any]:
    pairs = len(entrants) * (len(entrants) - 1)
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=pairs, file=sys.stderr, label="Playing", hidden=hidden) as bar:
        return drawn_up(entrants, absent, bar.update)


def _write(report: Path, view: "LeagueView") -> None:
    from webapp.web.report import report as rendered

    now = datetime.now().astimezone()
    report.write_text(rendered(view, f"{now.day} {now:%B %Y}"), encoding="utf-8")


def _text(view: "LeagueView") -> str:
    parts = [
        "Each plays every other with both marks, exactly: 2 points for a win, 1 for a draw.",
        _ranking(view),
    ]
    if view.absent:
        parts.append(
            "\n".join(f"Not in the ranking: {one['name']}: {one['why']}" for one in view.absent)
        )
    parts += ["The points of X, in the rows, against O, in the columns:", _table(view)]
    if view.games:
        parts += ["The shortest game of each pair that is not always a draw:", _games(view)]
    if len(view.games) > _MOST_GAMES:
        more = len(view.games) - _MOST_GAMES
        message = ngettext(
            "There is {number} more game; --html and --json show them all.",
            "There are {number} more games; --html and --json show them all.",
            more,
        )
        parts.append(message.format(number=f"{more:,}"))
    return "\n\n".join(parts)


def _ranking(view: "LeagueView") -> str:
    from webapp.web.present.league import no_answer

    heading = ("place", "name", *(name.replace("_", " ") for name in _FIGURES), "")
    rows: list[Sequence[str]] = [heading]
    for row in view.ranking:
        remarks = ["proved unbeatable"] * row["unbeatable"] + [no_answer(row["unanswered"])]
        points = (figures.points(row[name]) for name in _FIGURES[:4])
        lost = (figures.percent(row[name] / 2) for name in _FIGURES[4:])
        said = ", ".join(filter(None, remarks))
        rows.append((str(row["place"]), row["name"], *points, *lost, said))
    return layout.columns(rows, right={0, *range(2, 8)})


def _table(view: "LeagueView") -> str:
    """Each against each; the columns have numbers, as names would make them too wide."""
    numbers = range(1, len(view.ranking) + 1)
    rows: list[Sequence[str]] = [("X \\ O", "", *map(str, numbers))]
    for number, row in zip(numbers, view.ranking, strict=True):
        rows.append((row["name"], str(number), *_points_of_x(view, row["slug"], "-")))
    return layout.columns(rows, right=range(1, len(rows) + 1))


def _games(view: "LeagueView") -> str:
    rows: list[Sequence[str]] = [("X", "O", "game", "")]
    for game in view.games[:_MOST_GAMES]:
        ending = f"{game.mark.other} has no answer" if game.forfeit else f"{game.mark} wins"
        rows.append((game.x, game.o, game.moves or "-", ending))
    return layout.columns(rows)


def _points_of_x(view: "LeagueView", slug: str, itself: str) -> list[str]:
    """The points of one as X against each, in the order of the ranking."""
    results = (view.result(slug, row["slug"]) for row in view.ranking)
    return [figures.points(2 * one.x_wins + one.draws) if one else itself for one in results]


def _csv(view: "LeagueView") -> str:
    """A line for each, with its points as X against each of the others."""
    from webapp.web.present.results import harmless

    written = io.StringIO()
    lines = csv.writer(written, lineterminator="\n")
    against = [harmless(f"as X against {row['name']}") for row in view.ranking]
    lines.writerow(
        ("place", "name", "function", "points", "won", "drawn", "lost", "lost to hard",
         "lost to easy", "unbeatable", "no answer in", "remark", *against)
    )  # fmt: skip
    for row in view.ranking:
        lines.writerow(
            (row["place"], harmless(row["name"]), harmless(row["slug"]),
             *(f"{float(row[name]):.6g}" for name in _FIGURES),
             "yes" if row["unbeatable"] else "no", row["unanswered"], "",
             *_points_of_x(view, row["slug"], ""))
        )  # fmt: skip
    for one in view.absent:
        absent = ("", harmless(one["name"]), *[""] * 9, harmless(one["why"]), *[""] * len(against))
        lines.writerow(absent)
    return written.getvalue()


COMMANDS = (league_command,)
