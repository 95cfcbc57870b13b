"""What several commands share: an engine, the data folder, a question, and output for scripts."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from webapp.config import Settings, SettingsError
from webapp.engines.base import Engine
from webapp.engines.registry import engine
from webapp.programs.files import Program, is_program, program


class EngineType(click.ParamType[Engine | Program]):
    """An engine as the command line names it: a slug, a list of rules, or a function in a file."""

    name = "ENGINE"

    def convert(
        self, value: str | Engine, _param: click.Parameter | None, _ctx: click.Context | None
    ) -> Engine | Program:
        """Return what is named; an unknown one is refused with the sentence of its room."""
        if isinstance(value, Engine):
            return value
        return program(value) if is_program(value) else engine(value)


ENGINE = EngineType()
AS_JSON = click.option("--json", "for_scripts", is_flag=True, help="For scripts, as JSON.")
DATA = click.option("--data", metavar="DIR", help="Folder that keeps the games.  [TTT_DATA]")
YES = click.option("--yes", is_flag=True, help="Do not ask.")


def environment(data: str | None) -> dict[str, str]:
    """The environment, with the data folder that the command line names, if it names one."""
    return os.environ | ({"TTT_DATA": data} if data else {})


@contextmanager
def settings_of(data: str | None) -> Iterator[Settings]:
    """The settings of the environment; what the store refuses becomes one sentence."""
    from webapp.store import StoreError  # noqa: PLC0415 - other commands need no database

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
    """Ask before something is changed, unless told not to; a no ends the command."""
    if not yes:
        click.confirm(question, abort=True)


def print_json(value: Any) -> None:
    """Print a value as one line of JSON; fractions, boards and marks become text."""
    click.echo(json.dumps(value, default=str, ensure_ascii=False))
