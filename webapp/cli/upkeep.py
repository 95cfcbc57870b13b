"""Commands for the host, about the whole database: migrate, backup, restore, move-to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import click

from webapp.cli import layout
from webapp.cli.options import DATA, YES, confirm, settings_of
from webapp.config import Settings

_FILE = click.Path(path_type=Path)


@contextmanager
def _file_settings(data: str | None, instead: str) -> Iterator[Settings]:
    """The settings, where they name an SQLite file; where not, say what to do instead."""
    with settings_of(data) as settings:
        if settings.postgres:
            raise click.ClickException(f"the games are kept in PostgreSQL; {instead}")
        yield settings


@click.command()
@DATA
def migrate(data: str | None) -> None:
    """Bring the database up to date after an upgrade."""
    from webapp.store import prepare
    from webapp.store.database import SCHEMA_REVISION

    with settings_of(data) as settings:
        done = prepare(settings, migrate=True)
    if not done.changed:
        click.echo(f"{done.name} is up to date (schema {SCHEMA_REVISION}).")
    elif done.before is None:
        click.echo(f"{done.name} is ready (schema {SCHEMA_REVISION}).")
    else:
        click.echo(f"{done.name} was brought from schema {done.before} to {SCHEMA_REVISION}.")
    if done.copy:
        click.echo(f"As it was before, it is kept in {done.copy}.")


@click.command()
@click.argument("file", type=_FILE)
@DATA
@click.option("--yes", is_flag=True, help="Overwrite the file if it is there.")
def backup(file: Path, data: str | None, yes: bool) -> None:
    """Copy the database to FILE, while the server runs too."""
    from webapp.store import copies, sqlite
    from webapp.store.database import SCHEMA_REVISION

    if str(file) == "-":
        raise click.UsageError("a backup needs a file; it cannot be printed.")
    with _file_settings(data, "back it up with pg_dump") as settings:
        copies.copy(sqlite.file_of(settings), file, newest=SCHEMA_REVISION, overwrite=yes)
    click.echo(f"{file} holds all players and games ({_size(file)}).")


@click.command()
@click.argument("file", type=_FILE)
@DATA
@YES
def restore(file: Path, data: str | None, yes: bool) -> None:
    """Put the copy FILE in the place of the database, while the server runs too."""
    from webapp.store import copies, restoring, sqlite
    from webapp.store.database import SCHEMA_REVISION

    with _file_settings(data, "restore it with pg_restore or psql") as settings:
        copies.check(file, SCHEMA_REVISION)
        present = sqlite.file_of(settings)
        confirm(f"Replace all players and games in {present} by those in {file}?", yes=yes)
        done = restoring.restore(settings, file, datetime.now().astimezone())
    click.echo(f"{done.file} has the players and games of {file} now.")
    if done.kept:
        click.echo(f"As it was before, it is kept in {done.kept}; a running server goes on.")
    elif done.aside:
        click.echo(f"The damaged one was moved to {done.aside}. Start the server now.")
    else:
        click.echo("There was none before. Start the server now; restart one that runs.")


@click.command("move-to")
@click.argument("url")
@DATA
@YES
def move_to(url: str, data: str | None, yes: bool) -> None:
    """Copy all players and games to the empty database at URL."""
    from webapp.service.moving import move
    from webapp.store import Database

    with settings_of(data) as settings:
        target = replace(settings, database_url=url)
        here, there = Database(settings), Database(target)
        names = here.name, there.name
        here.close()
        there.close()
        confirm(f"Copy all players and games of {names[0]} to {names[1]}?", yes=yes)
        moved = move(settings, target)
    numbers = [layout.counted(number, table.removesuffix("s")) for table, number in moved.items()]
    click.echo(f"Copied: {', '.join(numbers)}.")
    shown = names[1] if target.postgres else f"sqlite:///{Path(names[1]).absolute().as_posix()}"
    click.echo(f"Set TTT_DATABASE_URL={shown} and start the server again.")
    if target.postgres and "***" in shown:
        click.echo("Write your password in the place of ***.")
    click.echo(f"What is played before that stays in {names[0]}, which is left as it is.")


def _size(file: Path) -> str:
    size = file.stat().st_size
    return f"{size / 1_000_000:.1f} MB" if size >= 100_000 else f"{size / 1000:.0f} kB"


COMMANDS = (migrate, backup, restore, move_to)
