"""Commands for the host, about the whole database: backup, restore, move-to."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import click

from webapp.cli import layout
from webapp.cli.options import DATA, settings_of

_FILE = click.Path(path_type=Path)
_YES = click.option("--yes", is_flag=True, help="Do not ask.")


@contextmanager
def _file(data: str | None, instead: str) -> Iterator[Path]:
    """Yield the SQLite file of the settings; with PostgreSQL, say what to do instead."""
    from webapp.store import sqlite

    with settings_of(data) as settings:
        if settings.postgres:
            raise click.ClickException(f"the games are in PostgreSQL; {instead}")
        yield sqlite.file_of(settings)


@click.command()
@click.argument("file", type=_FILE)
@DATA
@click.option("--yes", is_flag=True, help="Overwrite FILE if it exists.")
def backup(file: Path, data: str | None, yes: bool) -> None:
    """Copy the database to FILE; the server may be running."""
    from webapp.store import copies

    with _file(data, "back it up with pg_dump") as present:
        copies.copy(present, file, overwrite=yes)
    click.echo(f"{file} holds all players and games ({file.stat().st_size / 1e6:.1f} MB).")


@click.command()
@click.argument("file", type=_FILE)
@DATA
@_YES
def restore(file: Path, data: str | None, yes: bool) -> None:
    """Replace the database with the copy FILE; stop the server first."""
    from webapp.store import copies

    with _file(data, "restore it with pg_restore or psql") as present:
        copies.check(file)
        if not yes:
            click.confirm(
                f"Replace all players and games in {present} with those in {file}?", abort=True
            )
        kept = copies.restore(present, file, datetime.now().astimezone())
    click.echo(f"{present} now has the players and games of {file}.")
    if kept:
        click.echo(f"The old database is kept in {kept}.")
    click.echo("You can start the server now.")


@click.command("move-to")
@click.argument("url")
@DATA
@_YES
def move_to(url: str, data: str | None, yes: bool) -> None:
    """Copy all players and games to the empty database at URL."""
    from webapp.service.transfer import transfer
    from webapp.store import Database

    with settings_of(data) as settings:
        target = replace(settings, database_url=url)
        here, there = (Database(each).name for each in (settings, target))  # not opened
        if not yes:
            click.confirm(f"Copy all players and games from {here} to {there}?", abort=True)
        copied = transfer(settings, target)
    click.echo("Copied:")
    click.echo(
        layout.columns([("table", "rows"), *((t, f"{n:,}") for t, n in copied.items())], {1})
    )
    shown = there if target.postgres else f"sqlite:///{Path(there).absolute().as_posix()}"
    click.echo(f"Set TTT_DATABASE_URL={shown} and start the server again.")
    if target.postgres and "***" in shown:
        click.echo("Write your password instead of ***.")
    click.echo(f"Games played before that stay in {here}, which is not changed.")


COMMANDS = (backup, restore, move_to)
