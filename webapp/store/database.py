"""The connection to the database, its transactions, and bringing its schema up to date."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from webapp.config import Settings

SCHEMA_REVISION = "0003"
"""The newest migration; a test holds it against the folder of migrations."""

_TRIES, _PAUSE = 100, 0.05  # seconds
_MIGRATIONS = Path(__file__).parent / "migrations"


class StoreError(Exception):
    """The database cannot be used as it is; the message says what to mend, in one sentence."""


class Database:
    """A pool of connections to the database that the settings name.

    SQLite's driver is kept from opening transactions of its own: it would begin them late, as
    readers, and lose updates from several processes. A statement outside :meth:`write` stands
    for itself; inside, all of them stand together.
    """

    def __init__(self, settings: Settings) -> None:
        self._engine = sa.create_engine(
            settings.url, connect_args={"isolation_level": None, "timeout": 5}
        )
        synchronous = settings.synchronous

        @sa.event.listens_for(self._engine, "connect")
        def configure(connection: sqlite3.Connection, _record: Any) -> None:
            connection.execute(f"PRAGMA synchronous={synchronous}")
            connection.execute("PRAGMA busy_timeout=5000")

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """Open a connection in which each statement stands for itself, and holds no lock after.

        A single conditional ``UPDATE`` is at home here too: it is its own transaction.
        """
        with self._engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """Open a write transaction; commit at the end of the block, undo all if it raises.

        The write lock is taken at once, so that what is read inside still holds when writing.
        """
        with self._engine.begin() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection

    def revision(self) -> str | None:
        """Return the schema's revision, or ``None`` where there is no schema yet.

        :raises StoreError: if the file is not a database or cannot be opened
        """
        try:
            with self.read() as connection:
                if not sa.inspect(connection).has_table("alembic_version"):
                    return None
                found: str | None = connection.scalar(
                    sa.text("SELECT version_num FROM alembic_version")
                )
                return found
        except sa.exc.DatabaseError as error:
            raise StoreError(
                f"The database {self._engine.url.database} cannot be used: {error.orig}."
            ) from error

    def write_ahead(self) -> None:
        """Keep changes in a log beside the file, so that readers and a writer pass each other.

        The file remembers it. SQLite does not wait for others here, as it does elsewhere.

        :raises StoreError: if others hold the file for too long
        """
        for _ in range(_TRIES):
            try:
                with self.read() as connection:
                    connection.exec_driver_sql("PRAGMA journal_mode=WAL")
            except sa.exc.OperationalError:
                time.sleep(_PAUSE)
            else:
                return
        raise StoreError(f"The database {self._engine.url.database} is in use by somebody else.")

    def close(self) -> None:
        """Close every connection of the pool."""
        self._engine.dispose()


def prepare(settings: Settings) -> None:
    """Create the database, or bring its schema up to date; harmless where it is.

    :raises StoreError: if it cannot be opened, or a newer version of this program made it
    """
    database = Database(settings)
    try:
        revision = database.revision()
        if revision == SCHEMA_REVISION:
            return
        if revision is not None and revision > SCHEMA_REVISION:
            raise StoreError(
                f"The database was made by a newer version of this program (schema {revision}, "
                f"this one knows {SCHEMA_REVISION}); install that version or use another folder."
            )
        database.write_ahead()
        _migrate(database)
    finally:
        database.close()


def _migrate(database: Database) -> None:
    # Imported here because a start that finds the schema up to date need not wait for it.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    with database.write() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
