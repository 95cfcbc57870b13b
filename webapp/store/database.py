"""The connection to the database, its transactions, and bringing its schema up to date."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from webapp.config import Settings
from webapp.store import advice, copies, postgres, schema, sqlite
from webapp.store.copies import damage
from webapp.store.errors import StoreError

__all__ = ["SCHEMA_REVISION", "Database", "Prepared", "StoreError", "damage", "damaged", "prepare"]

SCHEMA_REVISION = "0004"
"""The newest migration; a test holds it against the folder of migrations."""

_TRIES, _PAUSE = 100, 0.05  # seconds
_MIGRATIONS = Path(__file__).parent / "migrations"
_SCHEMA = "schema"
"""What a transaction is about that changes the tables themselves."""

_QUICK = 32 * 1024 * 1024
"""Up to which size in bytes a file is read through at each start, which takes a moment."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a database needed before it could be used.

    :param before: the revision that its schema had; ``None`` where there was none
    :param copy: where an SQLite file is kept as it was before, if it was changed
    """

    name: str
    before: str | None
    copy: Path | None = None

    @property
    def changed(self) -> bool:
        """Whether there was anything to do."""
        return self.before != SCHEMA_REVISION


class Database:
    """A pool of connections to the database that the settings name: SQLite or PostgreSQL.

    A statement outside :meth:`transaction` stands for itself; inside, all stand together.

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
        except (sa.exc.ArgumentError, ValueError):
            # Nothing of it is repeated: it may hold a password.
            raise StoreError(
                "The database URL cannot be read; it must look like "
                "postgresql://user:password@host:5432/name, with %40 for an @ in the password."
            ) from None

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
    def write(self, *about: str, patient: bool = False) -> Iterator[sa.Connection]:
        """Open a connection with a :meth:`transaction` on it."""
        with self.read() as connection, self.transaction(connection, *about, patient=patient):
            yield connection

    @contextmanager
    def transaction(
        self, connection: sa.Connection, *about: str, patient: bool = False
    ) -> Iterator[None]:
        """Begin a write transaction; commit at the end of the block, undo all if it raises.

        What is read inside still holds when writing, as far as it belongs to what the
        transaction is about: of two about the same thing one waits for the other. With SQLite
        each waits for each.

        :param about: ids of players, games, or whatever else is read here in order to write
        :param patient: whether statements may take as long as they like
        """
        with self._turn.take():
            try:
                self._kind.begin(connection, about, patient)
                yield
                connection.commit()
            except BaseException:
                connection.rollback()
                raise

    def revision(self) -> str | None:
        """Return the schema's revision, or ``None`` where there is no schema yet.

        :raises StoreError: if the file is not a database or cannot be opened
        """
        try:
            with self.read() as connection:
                return _revision(connection)
        except sa.exc.DBAPIError as error:
            raise StoreError(unusable(self.name, error)) from error

    def is_foreign(self) -> bool:
        """Tell whether a file without our schema is another program's.

        A database of PostgreSQL may hold other tables beside ours.
        """
        if self._kind is postgres:
            return False
        with self.read() as connection:
            # In one statement: others may be making our tables at this moment.
            tables = sa.inspect(connection).get_table_names()
        return bool(tables) and schema.versions.name not in tables

    def write_ahead(self) -> None:
        """Keep changes in a log beside the file, so that readers and a writer pass each other.

        The file remembers it. SQLite does not wait for others here, as it does elsewhere.

        :raises StoreError: if others hold the file for too long, or it cannot be written
        """
        for _ in range(_TRIES):
            try:
                with self.read() as connection:
                    connection.exec_driver_sql("PRAGMA journal_mode=WAL")
            except sa.exc.OperationalError as error:
                if not sqlite.in_use(error):
                    raise StoreError(unusable(self.name, error)) from error
                time.sleep(_PAUSE)
            else:
                return
        raise StoreError(f"The database {self.name} is in use by somebody else.")

    def is_same(self, other: Database) -> bool:
        """Tell whether two addresses lead to one database, however they are written."""
        if self._kind is not other._kind:
            return False
        if self._kind is sqlite:
            return Path(self.name).samefile(other.name)
        # What one holds, the other one cannot have.
        token = secrets.token_hex()
        with self.write(token), other.read() as there:
            return not postgres.is_free(there, token)

    def close(self) -> None:
        """Close every connection of the pool."""
        self._engine.dispose()


def prepare(settings: Settings, *, create: bool = True, migrate: bool = False) -> Prepared:
    """Create the database, or bring its schema up to date; harmless where it is.

    An older SQLite file is copied first, to a file beside it. An older PostgreSQL is brought up
    to date only where that is asked for, since there is no copy.

    :param create: whether to make one where there is none
    :raises StoreError: if it cannot be opened, another program or a newer version of this one made
        it, there is none and none is to be made, or it is an older PostgreSQL and nobody has asked
    """
    if not settings.postgres:
        if sentence := damaged(settings):
            raise StoreError(sentence)
        _check_file(sqlite.file_of(settings), create)
    database = Database(settings)
    try:
        revision = database.revision()
        if revision is not None:
            _check_revision(settings, revision, migrate)
        elif not create or database.is_foreign():
            raise StoreError(f"{database.name} is no database of this program.")
        if not settings.postgres:
            database.write_ahead()  # a copy put in place by hand does not
        if revision == SCHEMA_REVISION:
            return Prepared(database.name, revision)
        kept = None
        if not settings.postgres and revision is not None:
            kept = copies.keep(sqlite.file_of(settings), revision)
        try:
            (_create if revision is None else _migrate)(database)
        except sa.exc.DBAPIError as error:
            # In one transaction, so that nothing is changed now.
            raise StoreError(unusable(database.name, error)) from error
        return Prepared(database.name, revision, kept)
    finally:
        database.close()


def _check_revision(settings: Settings, revision: str, migrate: bool) -> None:
    """Check that a schema is of this version, or may be brought up to date.

    :raises StoreError: if not
    """
    if revision > SCHEMA_REVISION:
        raise StoreError(
            f"The database was made by a newer version of this program (schema {revision}, "
            f"this one knows {SCHEMA_REVISION}); install that version or use another folder."
        )
    if settings.postgres and revision < SCHEMA_REVISION and not migrate:
        raise StoreError(
            f"The database is of an earlier version of this program (schema {revision}, this "
            f"one needs {SCHEMA_REVISION}); keep a copy of it, then run: "
            f"{advice.command('migrate')}."
        )


def _revision(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
    return found


def unusable(name: str, error: sa.exc.DBAPIError) -> str:
    """Say in one sentence why a database cannot be used."""
    return f"The database {name} cannot be used: {reason(error)}."


def reason(error: sa.exc.DBAPIError) -> str:
    """Return what a database says went wrong; PostgreSQL says more in further lines."""
    return str(error.orig).strip().partition("\n")[0].rstrip(".")


def damaged(settings: Settings, *, whole: bool = False) -> str:
    """Return the sentence that refuses a damaged SQLite file; ``""`` for a sound one.

    :param whole: read through a large file too, which takes a while
    """
    file = sqlite.file_of(settings)
    if not file.is_file() or not (size := file.stat().st_size):
        return ""
    faults = damage(file, whole=whole or size <= _QUICK)
    if not faults:
        return ""
    copy = copies.latest(file, SCHEMA_REVISION)
    which = f"the newest one here is {copy}" if copy else "there is none beside it"
    # What the server was told on its command line, this command must be told too.
    where = [] if settings.database_url else ["--data", str(file.parent)]
    command = advice.command("restore", *where, str(copy or "FILE"))
    return (
        f"The database {file} is damaged ({faults}); put a copy in its place, {which}, with: "
        f"{command}."
    )


def _check_file(file: Path, create: bool) -> None:
    """Check that the file can be written to; where there is none, make it, if it is to be made.

    :raises StoreError: if it cannot, or is not there
    """
    # Nothing is opened: closing a file would end the locks that this process has on it elsewhere.
    try:
        if create and not file.exists():
            file.touch(0o600)
    except OSError as error:
        raise StoreError(f"The database {file} cannot be made: {error.strerror}.") from error
    if not file.exists():
        raise StoreError(f"There is no database {file}.")
    if one := sqlite.unwritable(file):
        raise StoreError(
            f"The database {one} cannot be written to; "
            f"make it belong to the user who starts the server."
        )


def _create(database: Database) -> None:
    """Make the tables of an empty database, as all migrations together would.

    Alembic is not asked: it is a third of a second and nine megabytes that every first start and
    its workers would have for nothing.
    """
    with database.write(_SCHEMA, patient=True) as connection:
        if _revision(connection) is None:
            schema.metadata.create_all(connection, checkfirst=False)
            schema.versions.create(connection)
            connection.execute(sa.insert(schema.versions), {"version_num": SCHEMA_REVISION})


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
