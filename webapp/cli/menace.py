"""`tictactoe menace`: a life of MENACE, and MENACE as the games of the server have taught it."""

import csv
import io
import os
from collections.abc import Sequence
from itertools import islice
from random import Random

import click

from webapp.analysis.menace import Life, Point, training
from webapp.cli import layout
from webapp.cli.options import AS_JSON, show
from webapp.config import Settings
from webapp.engines.base import Engine
from webapp.engines.menace import menace
from webapp.engines.registry import ENGINES, LEVELS
from webapp.words import figures

_ROWS = 20
"""How many lines of the curve are printed for people."""


def as_it_is() -> Engine:
    """Return MENACE as the games of the data folder have taught it; at first if there are none."""
    import sqlalchemy as sa

    from webapp.store import Database, StoreError
    from webapp.store.database import inspect
    from webapp.store.menace import after

    settings, life = Settings.from_environment(os.environ), Life()
    try:
        if inspect(settings):
            database = Database(settings)
            with database.read() as connection:
                for lesson in after(connection, 0):
                    for moves in lesson.games:
                        life.learn(moves)
            database.close()
    except (StoreError, sa.exc.DBAPIError) as error:
        click.echo(f"The games cannot be read, so MENACE has learnt nothing: {error}", err=True)
    return menace(life.beads)


@click.command("menace")
@click.option("--games", type=click.IntRange(0, 100_000), default=500, show_default=True)
@click.option(
    "--against", type=click.Choice(["easy", "medium", "hard", "menace"]), default="hard",
    show_default=True, help="Against whom it learns; menace is another one, with O.",
)  # fmt: skip
@click.option("--seed", default="1", show_default=True)
@click.option("--csv", "for_spreadsheets", is_flag=True, help="For spreadsheets, as CSV.")
@AS_JSON
def menace_command(
    games: int, against: str, seed: str, for_spreadsheets: bool, for_scripts: bool
) -> None:
    """Let MENACE learn from games, and compute what it is worth on the way.

    The same seed has the same life.
    """
    if for_scripts and for_spreadsheets:
        raise click.UsageError("--json and --csv cannot both be printed; choose one.")
    life, rng = Life(), Random(seed)  # noqa: S311 - to be repeated
    for moves in islice(training(life.beads, ENGINES.get(against), rng), games):
        life.learn(moves)
    curve = life.curve()
    rows = [
        {"games": point.games, "against": slug, **chances._asdict()}
        for point in curve
        for slug, chances in point.against.items()
    ]
    if for_spreadsheets:
        click.echo(_csv(rows), nl=False)
        return
    exploited = [{"games": point.games, "lost": point.exploited} for point in curve]
    show(for_scripts, {"curve": rows, "exploited": exploited}, _text(curve))


def _csv(rows: Sequence[dict[str, object]]) -> str:
    written = io.StringIO()
    lines = csv.DictWriter(written, rows[0], lineterminator="\n")
    lines.writeheader()
    lines.writerows(rows)
    return written.getvalue()


def _text(curve: Sequence[Point]) -> str:
    step = -(-len(curve) // _ROWS)
    shown = [*curve[:-1:step], curve[-1]]
    slugs = [level.slug for level in LEVELS]
    rows = [("games", *slugs, "anyone who knows its boxes")]
    for point in shown:
        lost = (*(point.against[slug].lost for slug in slugs), point.exploited)
        kept = (f"{100 * (1 - share):.1f} %" for share in lost)
        rows.append((figures.figure(point.games), *kept))
    says = "How often MENACE, which moves first, wins or draws after so many games, exactly."
    return "\n\n".join((says, layout.columns(rows, right=range(5))))


COMMANDS = (menace_command,)
