"""The commands about the players: players, rename, remove, reset-standings, forget-idle."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from webapp.cli import layout
from webapp.cli.options import AS_JSON, DATA, YES, confirm, print_json, settings_of
from webapp.words.language import ngettext

if TYPE_CHECKING:
    from webapp.service.host import Host


@contextmanager
def _host(data: str | None) -> Iterator["Host"]:
    """Yield the players of the database that the settings name; a refusal is one sentence."""
    from sqlalchemy.exc import DBAPIError

    from webapp.service.host import Host
    from webapp.service.refusals import Refusal
    from webapp.store import Database, StoreError, prepare
    from webapp.store.database import unusable

    with settings_of(data) as settings:
        prepare(settings, create=False)
        with closing(Database(settings)) as database:
            try:
                yield Host(database)
            except Refusal as error:
                raise click.ClickException(str(error)) from error
            except DBAPIError as error:
                raise StoreError(unusable(database.name, error)) from error


@click.command()
@DATA
@AS_JSON
def players(data: str | None, for_scripts: bool) -> None:
    """List the players, their games and the day when they last started one."""
    with _host(data) as host:
        everyone = host.players()
    if for_scripts:
        print_json([{"name": p.name, "games": p.games, "seen_at": p.seen_at} for p in everyone])
        return
    rows = [("name", "games", "last game")]
    for player in everyone:
        last_game = datetime.fromtimestamp(player.seen_at, UTC).date()
        rows.append((player.name, str(player.games), str(last_game)))
    click.echo(layout.columns(rows, right={1}))


@click.command()
@click.argument("name")
@click.argument("new")
@DATA
@YES
def rename(name: str, new: str, data: str | None, yes: bool) -> None:
    """Change the name of a player from NAME to NEW."""
    with _host(data) as host:
        confirm(f"Rename {name} to {new}?", yes=yes)
        shown = host.rename(host.named(name), new)
    click.echo(f"{name} is now called {shown}.")


@click.command()
@click.argument("name")
@DATA
@YES
def remove(name: str, data: str | None, yes: bool) -> None:
    """Remove the player NAME; their games with others stay, without the name."""
    with _host(data) as host:
        confirm(f"Remove {name}, and keep the games with others without the name?", yes=yes)
        host.remove(host.named(name))
    click.echo(f"{name} is removed.")


@click.command("reset-standings")
@DATA
@YES
def reset_standings(data: str | None, yes: bool) -> None:
    """Reset the standings and scores; games and names stay."""
    with _host(data) as host:
        confirm("Reset the standings and scores? Games and names stay.", yes=yes)
        host.reset_standings()
    click.echo("The standings are reset.")


@click.command("forget-idle")
@click.option(
    "--days", type=click.IntRange(1), metavar="NUMBER",
    help="Days without a new game; otherwise the server's own number.",
)  # fmt: skip
@DATA
@YES
def forget_idle(days: int | None, data: str | None, yes: bool) -> None:
    """Delete the players who have not started a game for some days."""
    from webapp.service.host import IDLE_DAYS

    days = days or IDLE_DAYS
    with _host(data) as host:
        if number := host.idle(days):
            question = ngettext(
                "Delete {number} player, and keep the games with others without the name?",
                "Delete {number} players, and keep the games with others without the names?",
                number,
            )
            confirm(question.format(number=f"{number:,}"), yes=yes)
            number = host.forget_idle(days)
    deleted = ngettext("Deleted: {number} player.", "Deleted: {number} players.", number)
    click.echo(deleted.format(number=f"{number:,}"))


COMMANDS = (players, rename, remove, reset_standings, forget_idle)
