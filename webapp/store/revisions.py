"""Revisions of the schema, which tell whether this program can use a database."""

import re
from pathlib import Path

import sqlalchemy as sa

from webapp.store.errors import StoreError
from webapp.store.schema import versions

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
