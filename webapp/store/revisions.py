"""Revisions of the schema, which tell whether this program can use a database."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TypeAlias

import sqlalchemy as sa

from webapp.store.errors import StoreError
from webapp.store.schema import metadata, versions

Shape: TypeAlias = Mapping[str, set[str]]  # the columns of each table, by name

MIGRATIONS = Path(__file__).parent / "migrations"
SCHEMA_REVISION = "0013"  # the newest migration; a test compares it with the folder


def read(connection: sa.Connection) -> str | None:
    """Return a database's revision; ``None`` if it has none."""
    if sa.inspect(connection).has_table(versions.name):
        return connection.scalar(sa.select(versions.c.version_num))
    return None


def check(name: object, revision: str | None) -> str:
    """Return the revision if this program can use it, perhaps after a migration.

    :param name: the database in a message
    :raises StoreError: if another program or version made it
    """
    if revision is None or not re.fullmatch(r"\d{4}", revision):
        raise StoreError(f"{name} is not a database of this program.")
    if revision > SCHEMA_REVISION:
        raise StoreError(
            f"{name} was made by a newer version of this program (schema {revision}, this one "
            f"knows {SCHEMA_REVISION}), which you can install; or by one from before 1.0.0, and "
            f"then keep it aside and start with an empty folder or database."
        )
    return revision


def is_older(revision: str | None) -> bool:
    """Whether a database needs a migration; not if it has no tables."""
    return revision is not None and revision < SCHEMA_REVISION


def upgrade(connection: sa.Connection, revision: str = "head") -> None:
    # Imported here: a start without an upgrade does not wait for it.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _shape(connection: sa.Connection) -> Shape:
    tables = sa.inspect(connection).get_multi_columns()
    return {table: {each["name"] for each in columns} for (_, table), columns in tables.items()}


def wrong(revision: str, connection: sa.Connection) -> str:
    """Say which table differs from a revision; ``""`` if none does. Other tables may exist."""
    shape = _shape(connection)
    for table, columns in _expected(revision).items():
        if table not in shape:
            return f"it has no table {table}"
        if columns != shape[table]:
            names = ", ".join(sorted(columns ^ shape[table]))
            return f"its table {table} has other columns than schema {revision} ({names})"
    return ""


@cache
def _expected(revision: str) -> Shape:
    if revision == SCHEMA_REVISION:
        return {table.name: set(table.columns.keys()) for table in metadata.sorted_tables}
    with sa.create_engine("sqlite://").connect() as connection:
        upgrade(connection, revision)
        return _shape(connection)
