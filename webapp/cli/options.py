"""What several commands share: an engine, the data folder, a question, and what is printed."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from webapp.config import Settings, SettingsError
from webapp.core.game import MENACE
from webapp.engines.base import Engine, UnknownEngine
from webapp.engines.registry import ENGINES, engine
from webapp.engines.rules import PREFIX
from webapp.programs.files import Program, is_program, program

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class EngineType(click.ParamType[Engine | Program]):
    """An engine as the command line names it: a slug, a list of rules, or a function in a file."""

    name = "ENGINE"

    def convert(
        self, value: str | Engine, _param: click.Parameter | None, _ctx: click.Context | None
    ) -> Engine | Program:
        """Return what is named; an unknown one is refused with the sentence of its room."""
        if isinstance(value, Engine):
            return value
        if value.casefold() == MENACE:
            from webapp.cli.menace import as_it_is

            return as_it_is()
        try:
            return program(value) if is_program(value) else engine(value)
        except UnknownEngine as error:
            if Path(value).is_dir():
                return program(value)
            if Path(f"{value}.py").is_file():
                raise UnknownEngine(
                    f"There is no engine {value!r}. Did you mean {value}.py?"
                ) from error
            raise

    def shell_complete(
        self, _ctx: click.Context, _param: click.Parameter, incomplete: str
    ) -> list["CompletionItem"]:
        """Return the engines that begin so, and the files; where there are none, any path."""
        from click.shell_completion import CompletionItem

        found = [
            CompletionItem(slug, help=about)
            for slug, about in [
                *((one.slug, one.brief) for one in ENGINES.values()),
                (MENACE, "learns from every game"),
                (PREFIX, "your own list of rules"),
            ]
            if slug.startswith(incomplete)
        ]
        folder = incomplete[: incomplete.rfind("/") + 1]
        for file in sorted(Path(folder).glob("*.py")):
            named = folder + file.name
            # The shell puts it on the line as it is; a name that needs quotes is left to the shell.
            if named.startswith(incomplete) and quote(named) == named:
                found.append(CompletionItem(named))
        # In bash, the shell's own search hides what is listed here, or is hidden by it.
        return found or [CompletionItem(incomplete, type="file")]


ENGINE = EngineType()
AS_JSON = click.option("--json", "for_scripts", is_flag=True, help="For scripts, as JSON.")
DATA = click.option(
    "--data",
    metavar="DIR",
    type=click.Path(readable=False),  # for completion; whether it can be read is said later
    help="Folder that keeps the games.  [TTT_DATA]",
)
YES = click.option("--yes", is_flag=True, help="Do not ask.")


def environment(data: str | None) -> dict[str, str]:
    """The environment, with the data folder that the command line names, if it names one."""
    return os.environ | ({"TTT_DATA": data} if data else {})


@contextmanager
def settings_of(data: str | None) -> Iterator[Settings]:
    """The settings of the environment; what the store refuses becomes one sentence."""
    from webapp.store import StoreError

    try:
        settings = Settings.from_environment(environment(data))
        if not settings.database_url and not settings.data.is_dir():
            raise click.ClickException(
                f"there is no data folder {settings.data.absolute()}; "
                "name the right one with --data or TTT_DATA"
            )
        yield settings
    except (SettingsError, StoreError) as error:
        raise click.ClickException(str(error)) from error


def confirm(question: str, *, yes: bool) -> None:
    """Ask before something is changed, unless ``yes``; a no ends the command."""
    if not yes:
        click.confirm(question, abort=True)


def show(for_scripts: bool, value: Any, text: str) -> None:
    """Print what was found: a line of JSON, in which fractions, boards and marks are text, or text.

    :param value: for scripts
    :param text: for people
    """
    click.echo(json.dumps(value, default=str, ensure_ascii=False) if for_scripts else text)
