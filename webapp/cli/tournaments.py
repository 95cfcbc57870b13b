"""The command about tournaments."""

from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from webapp.cli import layout
from webapp.cli.options import DATA, YES, confirm, settings_of
from webapp.tournament.event import CLOCKS, MINUTES, ROUNDS, Format, Opening

if TYPE_CHECKING:
    from webapp.service.tournaments import Tournaments


@click.command()
@click.argument("what", type=click.Choice(["new", "start", "next", "end", "show"]))
@click.option(
    "--format", "form", type=click.Choice([one.value for one in Format]), default="arena",
    help="arena: so many minutes; swiss: so many rounds.",
)  # fmt: skip
@click.option(
    "--opening", type=click.Choice([one.value for one in Opening]), default="sharp",
    help="What the games begin from: sharp openings, or the empty board.",
)  # fmt: skip
@click.option(
    "--clock", type=click.Choice([str(one) for one in CLOCKS]), default="15",
    help="Seconds for a move.",
)  # fmt: skip
@click.option(
    "--minutes", type=click.IntRange(MINUTES.start, MINUTES.stop - 1), default=15, metavar="NUMBER",
    help="How long an arena lasts.",
)  # fmt: skip
@click.option(
    "--rounds", type=click.IntRange(ROUNDS.start, ROUNDS.stop - 1), default=5, metavar="NUMBER",
    help="How many rounds a Swiss has.",
)  # fmt: skip
@DATA
@YES
def tournament(what: str, data: str | None, yes: bool, **chosen: Any) -> None:
    """Make a tournament, start it, go on to the next round, end it, or show its table."""
    from webapp.core.game import NotAllowed
    from webapp.service.clock import Clock
    from webapp.service.refusals import Refusal
    from webapp.service.tournaments import Tournaments
    from webapp.store import Database, prepare

    with settings_of(data) as settings:
        prepare(settings, create=False)
        with closing(Database(settings)) as database:
            found = Tournaments(database, Clock())
            try:
                if what == "new":
                    form, opening = Format(chosen["form"]), Opening(chosen["opening"])
                    length = chosen["minutes" if form is Format.ARENA else "rounds"]
                    id_ = found.create(form, opening, int(chosen["clock"]), length)
                    click.echo(f"Players can join at /tournaments/{id_}.")
                    return
                latest = found.latest()
                if latest is None:
                    raise click.ClickException("there has been no tournament yet")
                if what == "show":
                    _show(found, latest.id)
                elif what == "start":
                    found.start(latest.id)
                elif what == "next":
                    found.next_round(latest.id)
                else:
                    confirm("End the tournament? Games that go on count for nothing.", yes=yes)
                    found.end(latest.id)
            except (Refusal, NotAllowed) as error:
                raise click.ClickException(str(error)) from error


def _show(found: "Tournaments", id_: str) -> None:
    """Print the table."""
    standing = found.standing(id_)
    rows = [("place", "name", "points", "games")]
    for line in standing.table:
        name = standing.names.get(line.player, "A player who left")
        rows.append((str(line.place), name, str(line.points), str(line.games)))
    click.echo(layout.columns(rows, right={0, 2, 3}))


COMMANDS = (tournament,)
