"""`tictactoe serve`: the settings, the checks before a start, and what is printed then."""

import io
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from webapp.cli import asking
from webapp.cli.options import DATA, settings_of
from webapp.config import Settings, SettingsError, local_url

# The setting of each option, what stands for its value, and what it does. `database_url` has none:
# it may hold a password, and anyone on the computer can read the options of a running program.
_OPTIONS = {
    "host": ("ADDRESS", "The address to listen on."),
    "port": ("NUMBER", "The port to listen on; 0 picks a free one."),
    "workers": ("NUMBER", "How many processes answer."),
    "data": ("DIR", "The folder that keeps the games."),
    "engine": (
        "FILE.py|FOLDER",
        "Add a function as an opponent, or all those of a folder. You can give it several times.",
    ),
    "names": ("dealt|own", "With own, players may choose their names."),
    "public_url": ("ADDRESS", "What links and QR codes for others begin with."),
    "base_path": ("PATH", "Where the site begins, such as /games."),
    "trusted_proxies": ("ADDRESSES", "The proxies in front, with commas between them."),
    "limits": ("on|off", "With off, no one is refused for asking too often."),
    "log": ("none|requests", "With requests, write one line for each."),
    "language": ("de|fr|…", "The language of pages where a browser asks for no other."),
    "synchronous": ("FULL|NORMAL", "NORMAL is faster; a power cut may lose the last moves."),
    "seed": ("TEXT", "Make the engines' choices repeatable, for tests."),
}


def _options() -> Iterator[click.Option]:
    """Make an option of each setting, with its name."""
    for name, (shown, does) in _OPTIONS.items():
        default = getattr(Settings, name)
        otherwise = f", else {default}" if default else ""
        otherwise = ", else 1, with PostgreSQL 2" if name == "workers" else otherwise
        yield click.Option(
            [f"--{name.replace('_', '-')}"],
            metavar=shown,
            multiple=name == "engine",
            help=f"{does}  [TTT_{name.upper()}{otherwise}]",
        )


_LAN = click.Option(
    ["--lan"], is_flag=True, help="Let other computers and phones on this network play."
)


@click.command(params=[_LAN, *_options()])
def serve(lan: bool, engine: Sequence[str], **given: str | None) -> None:
    """Serve the game to browsers until you press Ctrl-C.

    An option overrides its variable, which is named in brackets.
    """
    from webapp import server
    from webapp.service import programs
    from webapp.service.key import HostKey
    from webapp.store import StoreError, prepare, sqlite

    options = {f"TTT_{name.upper()}": text for name, text in given.items() if text}
    if lan and "TTT_HOST" in options:
        raise click.UsageError("--lan listens on every address already; leave out --host.")
    if lan:
        options["TTT_HOST"] = "0.0.0.0"  # noqa: S104 - that is what --lan is for
    try:
        settings = Settings.from_environment({**os.environ, **options})
        # Given so, a path may hold the comma that stands between those of the variable.
        settings = replace(settings, engine=tuple(filter(None, engine)) or settings.engine)
        # First, because a second server must not touch the games of the one that is running.
        address, port = server.free_address(settings.host, settings.port)
        offer = programs.asked(settings, partial(asking.ask, every=True))
        _make_writable(settings.data)
        click.get_current_context().with_resource(sqlite.alone(settings))
        offer.save(settings.data)
        prepared = prepare(settings)
        HostKey(settings).ensure()
    except (SettingsError, StoreError) as error:
        raise click.ClickException(str(error)) from error
    for why in offer.left_out:
        click.echo(f"Left out: {why}", err=True)
    if prepared.copy:
        click.echo(f"The database was upgraded; the old version is kept in {prepared.copy}.")
    if lan and settings.public_url is None and (others := server.lan_address()):
        settings = replace(settings, public_url=local_url(others, port, settings.base_path))
    os.environ.update(settings.to_environment())
    file = sqlite.file_of(settings)
    opened = sqlite.identity(file)
    try:
        server.run(address, port, settings.processes, lambda: _announce(settings, port, lan))
    finally:
        if not settings.postgres and sqlite.identity(file) == opened:
            # Then the file alone, however it is copied, holds all games.
            sqlite.checkpoint(file)


@click.command("host-key")
@click.option("--new", is_flag=True, help="Make another key; hosts must sign in again with it.")
@DATA
def host_key(new: bool, data: str | None) -> None:
    """Show the key of the host's page."""
    from webapp.service.key import ELSEWHERE, HostKey

    with settings_of(data) as settings:
        key = HostKey(settings)
        if key.is_given and new:
            raise click.ClickException("the key is set in TTT_HOST_KEY; change it there")
        if key.is_given:
            click.echo(ELSEWHERE)
            return
        if not settings.data.is_dir():
            raise click.ClickException(f"there is no folder {settings.data.absolute()}")
        click.echo(key.renew() if new else key.ensure())


def _make_writable(folder: Path) -> None:
    """Make the folder if it is missing, and prove that files can be written there."""
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
    """Print the address, and where the host's page is, with its key.

    On a network also what that means, and a QR code for phones to scan.
    """
    from webapp import server
    from webapp.service.key import ELSEWHERE, HostKey
    from webapp.store import advice

    others, key = server.lan_address() if lan else None, HostKey(settings)
    url = local_url(others or settings.host, port, settings.base_path)
    click.echo(f"Tic-tac-toe is ready: {url}  (Ctrl-C stops it)")
    if others:
        click.echo(
            "Everyone on this network can open that page, and it is not encrypted: "
            "use --lan only on networks you trust."
        )
        _print_qr_code(url)
    elif lan:
        click.echo(
            "This computer is not on a network, so no other device can open that page: "
            "connect it, and start again."
        )
    at = f"{local_url(settings.host, port, settings.base_path)}/host"
    if key.is_given:
        click.echo(f"The host's page is {at}. {ELSEWHERE}")
    # Only where a person reads it: other output may be kept in a log, and a container's always is.
    elif sys.stdout.isatty() and os.getpid() != 1:
        click.echo(f"The host's page is {at}, and its key is {key.read()}")
    else:
        how = advice.command("host-key", "--data", str(settings.data.absolute()))
        click.echo(f"The host's page is {at}, and this command shows its key: {how}")


def _print_qr_code(url: str) -> None:
    """Print the address as a QR code, if the terminal's encoding has the blocks it is made of."""
    import segno

    picture = io.StringIO()
    segno.make_qr(url).terminal(out=picture, border=2, compact=True)
    with suppress(UnicodeEncodeError):
        picture.getvalue().encode(sys.stdout.encoding)
        click.echo(picture.getvalue())
