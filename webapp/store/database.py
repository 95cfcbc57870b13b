"""The connection to the database, its transactions, and bringing its schema up to date."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import sqlalchemy as sa

from webapp.config import Settings
from webapp.store import postgres, sqlite

SCHEMA_REVISION = "0003"
"""The newest migration; a test holds it against the folder of migrations."""

_TRIES, _PAUSE = 100, 0.05  # seconds
_MIGRATIONS = Path(__file__).parent / "migrations"
_SCHEMA = "schema"
"""What a transaction is about that changes the tables themselves."""

_QUICK = 32 * 1024 * 1024
"""Up to which size in bytes a file is read through at each start, which takes a moment."""


class StoreError(Exception):
    """The database cannot be used as it is; the message says what to mend, in one sentence."""


class Database:
    """A pool of connections to the database that the settings name: SQLite or PostgreSQL.

    A statement outside :meth:`write` stands for itself; inside, all of them stand together.

    :raises StoreError: if the settings name PostgreSQL and its driver is not installed
    """

    def __init__(self, settings: Settings) -> None:
        self._kind = postgres if settings.postgres else sqlite
        self._turn = self._kind.Turn()
        try:
            self._engine = self._kind.open_engine(settings)
        except ModuleNotFoundError as error:
            raise StoreError(
                "PostgreSQL needs its driver: run script/bootstrap --postgres."
            ) from error

    @property
    def name(self) -> str:
        """What to call the database in a sentence: its file, or its address without a password."""
        url = self._engine.url
        if self._kind is sqlite:
            return str(url.database)
        address: str = url.set(drivername="postgresql").render_as_string(hide_password=True)
        return address

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """Open a connection in which each statement stands for itself, and holds no lock after."""
        with self._engine.connect() as connection:
            yield connection

    @contextmanager
    def change(self) -> Iterator[sa.Connection]:
        """Open such a connection for a single conditional ``UPDATE``, its own transaction."""
        with self._turn.take(), self.read() as connection:
            yield connection

    @contextmanager
    def write(self, *about: str, patient: bool = False) -> Iterator[sa.Connection]:
        """Open a write transaction; commit at the end of the block, undo all if it raises.

        What is read inside still holds when writing, as far as it belongs to what the
        transaction is about: of two about the same thing one waits for the other. With SQLite
        each waits for each.

        :param about: ids of players, games, or whatever else is read here in order to write
        :param patient: whether statements may take as long as they like
        """
        with self._turn.take(), self._engine.begin() as connection:
            self._kind.begin(connection, about, patient)
            yield connection

    def revision(self) -> str | None:
        """Return the schema's revision, or ``None`` where there is no schema yet.

        :raises StoreError: if the file is not a database or cannot be opened
        """
        try:
            with self.read() as connection:
                return _revision(connection)
        except sa.exc.DBAPIError as error:
            raise StoreError(_unusable(self.name, error)) from error

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
        raise StoreError(f"The database {self.name} is in use by somebody else.")

    def close(self) -> None:
        """Close every connection of the pool."""
        self._engine.dispose()


def prepare(settings: Settings, *, migrate: bool = False) -> None:
    """Create the database, or bring its schema up to date; harmless where it is.

    An older SQLite file is copied first, to a file beside it. An older PostgreSQL is brought up
    to date only where that is asked for, since there is no copy.

    :raises StoreError: if it cannot be opened, a newer version of this program made it, or it is
        an older PostgreSQL and nobody has asked
    """
    if not settings.postgres:
        _check_file(sqlite.file_of(settings))
        _check_writable(sqlite.file_of(settings))
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
        if settings.postgres and revision is not None and not migrate:
            raise StoreError(
                f"The database is of an earlier version of this program (schema {revision}, this "
                f"one needs {SCHEMA_REVISION}); keep a copy of it, then run: tictactoe migrate."
            )
        if not settings.postgres:
            database.write_ahead()
            if revision is not None:
                _keep_a_copy(sqlite.file_of(settings), revision)
        _migrate(database)
    finally:
        database.close()


def _revision(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
    return found


def _unusable(name: str, error: sa.exc.DBAPIError) -> str:
    """One sentence about a database that does not open; PostgreSQL's own has several lines."""
    why = str(error.orig).strip().splitlines()[-1].strip().rstrip(".")
    return f"The database {name} cannot be used: {why}."


def _check_file(file: Path) -> None:
    """Check that a file is a whole SQLite database, as far as a moment allows.

    :raises StoreError: if it is damaged
    """
    if not file.is_file() or not 0 < file.stat().st_size <= _QUICK:
        return
    if faults := damage(file):
        raise StoreError(
            f"The database {file} is damaged ({faults}); put a copy in its place with: "
            f"tictactoe restore FILE."
        )


def _check_writable(file: Path) -> None:
    """Make the file if need be, and check that it can be written to.

    :raises StoreError: if it cannot
    """
    # Nothing is opened: closing a file would end the locks that this process has on it elsewhere.
    try:
        if not file.exists():
            file.touch()
    except OSError as error:
        raise StoreError(f"The database {file} cannot be made: {error.strerror}.") from error
    for one in (file, *(file.with_name(f"{file.name}-{kind}") for kind in ("wal", "shm"))):
        if one.exists() and not os.access(one, os.W_OK):
            raise StoreError(
                f"The database {one} cannot be written to; "
                f"make it belong to the user who starts the server."
            )


def damage(file: Path) -> str:
    """Read an SQLite file through and return what is wrong with it; ``""`` for nothing."""
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as found:
            (answer,) = found.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError:
        return ""  # locked, or not to be opened by us: that is for others to say
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if answer == "ok" else str(answer).splitlines()[-1]


def _keep_a_copy(file: Path, revision: str) -> None:
    """Copy a file of an earlier schema, before it is changed."""
    target = file.with_name(f"{file.stem}-schema-{revision}{file.suffix}")
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)


def _migrate(database: Database) -> None:
    # Imported here because a start that finds the schema up to date need not wait for it.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    with database.write(_SCHEMA, patient=True) as connection:
        if _revision(connection) == SCHEMA_REVISION:
            return  # another process was quicker
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
