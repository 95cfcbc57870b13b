"""What several commands share: options, settings, JSON."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from webapp.config import Settings, SettingsError

AS_JSON = click.option("--json", "for_scripts", is_flag=True, help="For scripts, as JSON.")
DATA = click.option("--data", metavar="DIR", help="Folder that keeps the games.  [TTT_DATA]")


@contextmanager
def settings_of(data: str | None) -> Iterator[Settings]:
    """Yield the settings of the environment; errors of settings and store become the user's."""
    from webapp.store import StoreError

    try:
        settings = Settings.from_environment(os.environ | ({"TTT_DATA": data} if data else {}))
        if not settings.database_url and not settings.data.is_dir():
            raise click.ClickException(
                f"there is no data folder {settings.data.absolute()}; "
                "name the right one with --data or TTT_DATA"
            )
        yield settings
    except (SettingsError, StoreError) as error:
        raise click.ClickException(str(error)) from error


def json_line(value: Any) -> str:
    """Write a value as JSON, with fractions, boards and marks as text."""
    return json.dumps(value, default=str, ensure_ascii=False)
