"""`tictactoe serve`: settings, checks before the start, and what is printed then; `host-key`."""

import io
import os
import secrets
import sys
import tempfile
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from webapp.cli import asking
from webapp.cli.options import DATA, settings_of
from webapp.config import (
    HERE,
    IS_INSTALLED,
    LOOPBACK,
    Settings,
    SettingsError,
    local_url,
)

# By setting: what stands for the value, and what the option does. `database_url` has no option: it
# may hold a password, and anyone on the computer can read the options of a running program.
_OPTIONS = {
    "host": ("ADDRESS", "The address to listen on."),
    "port": ("NUMBER", "The port to listen on; 0 picks a free one."),
    "data": ("DIR", "The folder that keeps the games."),
    "engine": (
        "FILE.py|FOLDER",
        "Add a function as a computer player, or all those in a folder. Repeat it to add more.",
    ),
    "names": ("dealt|own", "With own, players may choose their names."),
    "public_url": ("ADDRESS", "What links and QR codes for others start with."),
    "base_path": ("PATH", "The path of the site, such as /games."),
    "trusted_proxies": ("ADDRESSES", "The proxies in front, separated by commas."),
    "limits": ("on|off", "With off, no one is refused for too many requests."),
    "language": ("de|fr|...", "The language of pages if a browser asks for none of ours."),
    "synchronous": ("FULL|NORMAL", "NORMAL is faster; a power cut may lose the last moves."),
    "seed": ("TEXT", "Make the engines' choices repeatable, for tests."),
}


def _options() -> Iterator[click.Option]:
    for name, (shown, does) in _OPTIONS.items():
        default = getattr(Settings, name)
        otherwise = f", else {default}" if default else ""
        yield click.Option(
            [f"--{name.replace('_', '-')}"],
            metavar=shown,
            multiple=name == "engine",
            help=f"{does}  [TTT_{name.upper()}{otherwise}]",
        )


_LAN = click.Option(
    ["--lan"], is_flag=True, help="Let other computers and phones on this network play."
)

_MIGRATE = click.Option(
    ["--migrate"], is_flag=True, help="Upgrade an older PostgreSQL database too; back it up first."
)

_OPEN = click.Option(
    ["--open", "opens"],
    is_flag=True,
    help="Open the address in the browser, for a teacher to sign in.",
)


@click.command(params=[_LAN, _OPEN, _MIGRATE, *_options()])
def serve(
    lan: bool, opens: bool, migrate: bool, engine: Sequence[str], **given: str | None
) -> None:
    """Serve the game to browsers until you press Ctrl-C.

    An option overrides its variable, which is named in brackets.
    """
    from webapp import server
    from webapp.service import programs
    from webapp.service.key import HostKey, Link
    from webapp.store import StoreError, prepare, sqlite
    from webapp.web import create_app

    options = {f"TTT_{name.upper()}": text for name, text in given.items() if text}
    if lan and "TTT_HOST" in options:
        raise click.UsageError("--lan listens on every address already; leave out --host.")
    if lan:
        options |= {"TTT_LAN": "on", "TTT_HOST": "0.0.0.0"}  # noqa: S104 - what --lan is for
    try:
        settings = Settings.from_environment({**os.environ, **options})
        # Unlike in the variable, a path in an option may contain a comma.
        settings = replace(settings, engine=tuple(filter(None, engine)) or settings.engine)
        # First: a second server must not touch the games of a running server.
        at = server.free_address(settings.host, settings.port)
        offer = programs.asked(settings, asking.ask)
        _make_writable(settings.data)
        click.get_current_context().with_resource(sqlite.alone(settings))
        prepared = prepare(settings, migrate=migrate)
        HostKey(settings).ensure()
    except (SettingsError, StoreError) as error:
        raise click.ClickException(str(error)) from error
    for why in offer.left_out:
        click.echo(f"Left out: {why}", err=True)
    if prepared.copy:
        click.echo(f"The database was upgraded; the old version is kept in {prepared.copy}.")
    elif prepared.upgraded:
        click.echo("The database was upgraded.")
    file = sqlite.file_of(settings)
    opened = sqlite.identity(file)
    local = HERE.get(settings.host, settings.host) in LOOPBACK
    token = secrets.token_urlsafe(32) if local and (opens or _is_read_here()) else ""
    ready = partial(_announce, settings, at[1], lan, token, opens=opens)
    app = create_app(settings, prepared=prepared.id, offer=offer)
    app.extensions["site"].link = Link(token) if token else None
    try:
        server.run(app, at, ready)
    finally:
        if not settings.postgres and sqlite.identity(file) == opened:
            sqlite.checkpoint(file)  # afterwards, a copy of the file alone holds all games


@click.command("host-key")
@click.option("--new", is_flag=True, help="Make another key; teachers must sign in again with it.")
@DATA
def host_key(new: bool, data: str | None) -> None:
    """Show the key of the teacher's desk."""
    from webapp.service.key import ELSEWHERE, HostKey

    with settings_of(data) as settings:
        key = HostKey(settings)
        if key.is_given and new:
            raise click.ClickException("the key is set in TTT_HOST_KEY; change it there")
        if key.is_given:
            click.echo(ELSEWHERE)
            return
        click.echo(key.renew() if new else key.ensure())


def _make_writable(folder: Path) -> None:
    """Make the folder if it is missing, and check that files can be written there."""
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


def _is_read_here() -> bool:
    """Tell whether a person reads the output; a container's is always logged."""
    return sys.stdout.isatty() and os.getpid() != 1


def _announce(
    settings: Settings, port: int, lan: bool, token: str = "", *, opens: bool = False
) -> None:
    """Print the address, with a QR code if on a network, and how to sign in, once by the token."""
    from webapp.lan import addresses
    from webapp.service.key import ELSEWHERE, HostKey
    from webapp.store import advice

    if IS_INSTALLED and not settings.postgres:
        click.echo(f"The games are kept in {settings.data}.")
    others, key = addresses() if lan else [], HostKey(settings)
    url, *more = (local_url(host, port, settings.base_path) for host in others or [settings.host])
    click.echo(f"Tic-tac-toe is ready: {url}  (Ctrl-C stops it)")
    if others:
        click.echo(
            "Everyone on this network can open that page, and it is not encrypted: "
            "use --lan only on networks you trust."
        )
        _print_qr_code(url)
        if more:
            click.echo(f"If that page does not open there, try {' or '.join(more)}.")
    elif lan:
        click.echo(
            "This computer is not on a network, so no other device can open that page. "
            "Connect it, and the projector view shows the address."
        )
    at = f"{local_url(settings.host, port, settings.base_path)}/host"
    desk, with_key = f"The teacher's desk is {at}", "and its key is"
    enter = f"{at}/enter/{token}" if token else at
    if token and _is_read_here():
        click.echo(
            "Teachers: to sign in, open this address on this computer within ten minutes. "
            f"It works once:\n{enter}"
        )
        desk, with_key = f"After that, sign in at {at}", "with the key"
    if key.is_given:
        click.echo(f"{desk}. {ELSEWHERE}")
    elif _is_read_here():
        click.echo(f"{desk}, {with_key} {key.read()}")
    else:
        how = advice.command("host-key", "--data", str(settings.data.absolute()))
        click.echo(f"{desk}, and this command shows its key: {how}")
    if opens:
        webbrowser.open(enter)


def _print_qr_code(url: str) -> None:
    """Print the address as a QR code, if the terminal's encoding has block characters."""
    import segno

    picture = io.StringIO()
    segno.make_qr(url).terminal(out=picture, border=2, compact=True)
    with suppress(UnicodeEncodeError):
        picture.getvalue().encode(sys.stdout.encoding)
        click.echo(picture.getvalue())
