"""The `tictactoe` command: reads the command line, calls what does the work, prints sentences.

Only `main` reports what the user has to fix: a line on stderr, and exit status 2. May import every
room; what a single command needs is imported when it runs, so that the others start quickly.
"""

import sys
from collections.abc import Sequence
from io import TextIOWrapper

import click

from webapp import __version__
from webapp.cli import check, games, league, new, serve, upkeep
from webapp.core.board import IllegalBoard, IllegalMove
from webapp.engines.base import EngineFault, UnknownEngine
from webapp.programs.files import CannotLoad

_TO_FIX = (IllegalBoard, IllegalMove, UnknownEngine, CannotLoad, EngineFault)


def main(arguments: Sequence[str] | None = None) -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # older consoles lack letters
    try:
        status = tictactoe.main(arguments, prog_name="tictactoe", standalone_mode=False)
    except click.ClickException as error:
        _stop(error.format_message())
    except _TO_FIX as error:
        _stop(str(error))
    except click.Abort:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()  # the reader closed the pipe, as `head` does
        sys.exit(0)
    except OSError as error:
        sentence = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        denied = isinstance(error, PermissionError)
        _stop(f"{sentence}; run this as the user who runs the server" if denied else sentence)
    sys.exit(status)


def _stop(message: str) -> None:
    sentence = " ".join(message.split())
    end = "" if sentence.endswith(("?", "?)")) else "."
    click.echo(f"tictactoe: {sentence.rstrip('.')}{end}", err=True)
    sys.exit(2)


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def tictactoe(context: click.Context) -> None:
    """Tic-tac-toe: serve it to browsers, see how good players are."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (
    serve.serve,
    serve.host_key,
    *upkeep.COMMANDS,
    new.new,
    check.check,
    league.league_command,
    *games.COMMANDS,
):
    tictactoe.add_command(command)
