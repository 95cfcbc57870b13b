"""`tictactoe serve`: the settings, the checks before a start, and what is printed then."""

import io
import os
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from webapp.cli import asking
from webapp.config import Settings, SettingsError, local_url


@click.command()
@click.option("--host", metavar="ADDRESS", help="Listen here.  [TTT_HOST, else 127.0.0.1]")
@click.option("--port", metavar="NUMBER", help="0 picks a free one.  [TTT_PORT, else 8000]")
@click.option("--workers", metavar="NUMBER", help="Processes that answer.  [TTT_WORKERS, else 2]")
@click.option("--data", metavar="DIR", help="Folder that keeps the games.  [TTT_DATA, else data]")
@click.option(
    "--engine",
    metavar="FILE.py|FOLDER",
    multiple=True,
    help="Add a function as an opponent, or those of a folder; may be given again.  [TTT_ENGINE]",
)
@click.option("--lan", is_flag=True, help="Let other computers and phones on this network play.")
def serve(lan: bool, engine: Sequence[str], **given: str | None) -> None:
    """Serve the game to browsers until Ctrl-C."""
    from webapp import server
    from webapp.service import programs
    from webapp.store import StoreError, lock, prepare, sqlite

    if lan and given["host"] is not None:
        raise click.UsageError("--lan listens on every address; leave out --host.")
    if lan:
        given["host"] = "0.0.0.0"  # noqa: S104 - that is what --lan is for
    given["engine"] = ",".join(engine) or None
    options = {f"TTT_{name.upper()}": text for name, text in given.items() if text is not None}
    try:
        settings = Settings.from_environment({**os.environ, **options})
        # First, because a second server must not touch the games of the one that is running.
        address, port = server.free_address(settings.host, settings.port)
        offer = programs.asked(settings, partial(asking.ask, every=True))
        _make_writable(settings.data)
        aside = lock.settle(settings)
        click.get_current_context().with_resource(lock.serve(settings))
        offer.save(settings.data)
        prepared = prepare(settings)
    except (SettingsError, StoreError) as error:
        raise click.ClickException(str(error)) from error
    for why in offer.left_out:
        click.echo(f"Left out: {why}", err=True)
    if aside:
        click.echo(f"The database was replaced; the log of the one before is kept in {aside}.")
    if prepared.copy:
        click.echo(f"The games were brought to a newer schema; a copy is in {prepared.copy}.")
    if lan and settings.public_url is None and (others := server.lan_address()):
        settings = replace(settings, public_url=local_url(others, port, settings.base_path))
    os.environ.update(settings.to_environment())
    try:
        server.run(address, port, settings.workers, lambda: _announce(settings, port, lan))
    finally:
        if not settings.postgres:
            # Then the file alone, however it is copied, holds all games.
            sqlite.checkpoint(sqlite.file_of(settings))


def _make_writable(folder: Path) -> None:
    """Make the folder if need be, and prove that files can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".probe-") as probe:
            probe.write(b"x")
            probe.flush()
    except OSError as error:
        reason = "a file has that name" if isinstance(error, FileExistsError) else error.strerror
        raise SettingsError(
            f"the data folder {folder.absolute()} cannot be written to: {reason}"
        ) from error


def _announce(settings: Settings, port: int, lan: bool) -> None:
    """Say where the game is; on a network also what that means, with a code for phones to scan."""
    from webapp import server

    others = server.lan_address() if lan else None
    url = local_url(others or settings.host, port, settings.base_path)
    click.echo(f"Tic-tac-toe is ready: {url}  (Ctrl-C stops it)")
    if others:
        click.echo(
            "Everyone on this network can open that page, and it is not encrypted: "
            "use --lan only on networks you trust."
        )
        _print_qr_code(url)
    elif lan:
        click.echo("This computer has no network address now, so only it can open that page.")


def _print_qr_code(url: str) -> None:
    """Print the address as a QR code, if the terminal's encoding has the blocks it is made of."""
    import segno

    picture = io.StringIO()
    segno.make_qr(url).terminal(out=picture, border=2, compact=True)
    with suppress(UnicodeEncodeError):
        picture.getvalue().encode(sys.stdout.encoding)
        click.echo(picture.getvalue())
