"""The `tictactoe` command: reads the command line, calls what does the work, prints sentences.

What the user has to fix becomes one line on stderr and exit status 2, in `main` and nowhere
else. May import every room; what only one command needs is imported when that command runs, so that
the others start quickly.
"""

import os
import sys
from collections.abc import Sequence

import click

from webapp import __version__
from webapp.cli import doctor, games, league, menace, minds, new, serve, upkeep
from webapp.core.board import IllegalBoard, IllegalMove
from webapp.engines.base import EngineFault, NotExact, UnknownEngine
from webapp.programs.files import CannotLoad

_TO_FIX = (IllegalBoard, IllegalMove, UnknownEngine, CannotLoad, EngineFault, NotExact)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and end the process."""
    try:
        status = tictactoe.main(
            arguments,
            prog_name="tictactoe",
            standalone_mode=False,
            # None: colour on a terminal. See https://no-color.org.
            color=False if os.environ.get("NO_COLOR") else None,
        )
    except click.ClickException as error:
        _stop(error.format_message())
    except _TO_FIX as error:
        _stop(str(error))
    except click.Abort:
        sys.exit(130)
    except BrokenPipeError:
        # The reader has had enough, as `head` has.
        sys.stderr.close()
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


class _Sections(click.Group):
    """A group whose help lists the commands by what they are for."""

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write every command's first sentence in full, under the heading of its section."""
        limit = 2 * formatter.width
        for title, commands in _SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(str(one.name), one.get_short_help_str(limit)) for one in commands]
                )


# After \b the lines stay as they are: each is to be copied whole.
_EPILOG = """
\b
Completion with Tab, as a line in the start file of your shell:
  bash  eval "$(_TICTACTOE_COMPLETE=bash_source tictactoe)"
  zsh   eval "$(_TICTACTOE_COMPLETE=zsh_source tictactoe)"  (after compinit)
  fish  _TICTACTOE_COMPLETE=fish_source tictactoe | source
"""


@click.group(
    cls=_Sections,
    invoke_without_command=True,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def tictactoe(context: click.Context) -> None:
    """Tic-tac-toe: serve it to browsers, ask its engines."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


_SECTIONS: dict[str, tuple[click.Command, ...]] = {
    "Serving": (serve.serve, serve.host_key, doctor.doctor),
    "The database": upkeep.COMMANDS,
    "Engines": (*minds.COMMANDS, *menace.COMMANDS, *league.COMMANDS, new.new),
    "Games": games.COMMANDS,
}
for section in _SECTIONS.values():
    for command in section:
        tictactoe.add_command(command)
