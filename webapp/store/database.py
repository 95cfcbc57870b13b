"""The connection to the database, its transactions, and bringing its schema up to date."""

import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa

from webapp.config import Settings
from webapp.store import advice, copies, postgres, revisions, schema, sqlite, topics
from webapp.store.errors import StoreError

_BEGUN = "begun"
_SCHEMA = "schema"  # the lock of a transaction that changes the tables themselves


class Prepared(NamedTuple):
    """What was done to a database before its use.

    :param id: eight characters that end the names of its cookies
    :param upgraded: whether it had an older schema
    :param copy: the copy of an SQLite file before an upgrade
    """

    id: str
    upgraded: bool
    copy: Path | None = None


class Database:
    """A pool of connections to the database of the settings: SQLite or PostgreSQL.

    Outside :meth:`transaction`, each statement commits by itself.

    :ivar on_commit: gets the topics that a transaction has changed, after its commit
    :raises StoreError: if the settings name PostgreSQL and its driver is not installed
    """

    def __init__(self, settings: Settings) -> None:
        self._kind = postgres if settings.postgres else sqlite
        # PostgreSQL lets several transactions write at once.
        self._turn = None if settings.postgres else threading.Lock()
        self.on_commit: Callable[[Sequence[topics.Change]], object] = list
        try:
            self._engine = self._kind.open_engine(settings)
        except ModuleNotFoundError as error:
            raise StoreError(
                "PostgreSQL needs its driver: run script/bootstrap --postgres."
            ) from error
        except (sa.exc.ArgumentError, ValueError):
            # It is not repeated here: it may hold a password.
            raise StoreError(
                "The database URL cannot be read; it must look like "
                "postgresql://user:password@host:5432/name, with %40 for an @ in the password."
            ) from None

    @property
    def name(self) -> str:
        """The database in a message: its file, or its address without a password."""
        url = self._engine.url
        if self._kind is sqlite:
            return str(url.database)
        address: str = url.set(drivername="postgresql").render_as_string(hide_password=True)
        return address

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """Open a connection in autocommit, which holds no locks between statements."""
        with self._engine.connect() as connection:
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[sa.Connection]:
        """Open a connection that reads everything as of one moment, and large tables in batches."""
        with self.read() as connection:
            connection.exec_driver_sql("BEGIN")
            try:
                yield connection
            finally:
                connection.rollback()

    @contextmanager
    def write(self, *about: str, patient: bool = False) -> Iterator[sa.Connection]:
        """Open a connection and begin a :meth:`transaction`."""
        with self.read() as connection, self.transaction(connection, *about, patient=patient):
            yield connection

    @contextmanager
    def transaction(
        self, connection: sa.Connection, *about: str, patient: bool = False
    ) -> Iterator[None]:
        """Begin a write transaction; commit it at the end of the block, roll back if it raises.

        Transactions about the same thing run one after the other, so that what is read inside still
        holds when writing. With SQLite, all do.

        Nested calls join the outer transaction and take further locks. Callers that nest must share
        their first lock, or two of them could deadlock.

        :param about: locks: ids of players, games, or whatever is read here in order to write
        :param patient: whether statements have no timeout
        """
        if connection.info.get(_BEGUN):
            if self.is_shared:  # else the only transaction holds everything
                postgres.hold(connection, about)
            yield
            return
        changed: Sequence[topics.Change] = ()
        with ExitStack() as stack:
            try:
                if self._turn:
                    stack.enter_context(sqlite.turn(self._turn))
                self._kind.begin(connection, about, patient)
                connection.info[_BEGUN] = True
                yield
                changed = topics.take(connection)
                if self.is_shared:
                    postgres.tell(connection, changed)
                connection.commit()
                stack.close()
            except BaseException:
                topics.take(connection)
                connection.rollback()
                raise
            finally:
                if not connection.invalidated:  # a lost connection has lost this too
                    connection.info.pop(_BEGUN, None)
                # Also where the commit failed: a lost connection may have committed.
                self.on_commit(changed)

    @property
    def is_shared(self) -> bool:
        """Whether several processes may use it at once."""
        return self._kind is postgres

    def listen(self) -> postgres.Channel:
        """Open the channel between the processes that share a PostgreSQL; the caller closes it."""
        return postgres.Channel(self._engine)

    def revision(self) -> str | None:
        """Return the schema's revision; ``None`` without a schema.

        PostgreSQL may hold other programs' tables too, a file may not.

        :raises StoreError: if it cannot be opened, or another program or version made it
        """
        try:
            with self.read() as connection:
                # In one statement: others may be making our tables at this moment.
                tables = sa.inspect(connection).get_table_names()
                if not tables or (self._kind is postgres and schema.versions.name not in tables):
                    return None
                revision = revisions.read(connection)
        except sa.exc.DBAPIError as error:
            raise StoreError(unusable(self.name, error)) from error
        return revisions.check(self.name, revision)

    def fault(self) -> str:
        """Say in a sentence why the database does not answer; ``""`` if it does."""
        try:
            with self.read() as connection:
                connection.execute(sa.select(schema.ids)).close()
        except sa.exc.SQLAlchemyError as error:
            known = getattr(getattr(error, "orig", None), "sentence", None)
            return known or "The database does not answer as it should; the next start says why."
        return ""

    def close(self) -> None:
        self._engine.dispose()


def _inspect(settings: Settings, *, migrate: bool) -> str | None:
    """Return the revision of a database; ``None`` if a start would create it. Changes nothing.

    :param migrate: whether an older PostgreSQL is acceptable
    :raises StoreError: with the reason why a start is impossible
    """
    if not settings.postgres:
        file = sqlite.file_of(settings)
        if not file.exists():
            return None
        if fault := copies.damage(file):
            raise StoreError(_to_restore(settings, f"is damaged ({fault})", copies.latest(file)))
        if locked := sqlite.locked(file):
            raise StoreError(
                f"The database {locked} cannot be written to; "
                f"make it belong to the user who starts the server."
            )
    database = Database(settings)
    try:
        revision = database.revision()
    finally:
        database.close()
    if not (settings.postgres or revision) and (copy := copies.latest(file)):
        raise StoreError(_to_restore(settings, "is empty", copy))
    if settings.postgres and not migrate and revisions.is_older(revision):
        raise StoreError(
            f"The database is of an earlier version of this program (schema {revision}, this "
            f"one needs {revisions.SCHEMA_REVISION}); keep a copy of it, then run: "
            f"{advice.command('serve', '--migrate')}."
        )
    return revision


def prepare(settings: Settings, *, create: bool = True, migrate: bool = False) -> Prepared:
    """Create the database, or upgrade its schema if it is older.

    An older SQLite file is copied first, beside it. An older PostgreSQL is upgraded only on
    request, because it is not copied.

    :param create: whether to create a missing one
    :raises StoreError: if it cannot be used, is missing and not to be created, or is an older
        PostgreSQL and ``migrate`` is false
    """
    file = None if settings.postgres else sqlite.file_of(settings)
    kept = None
    revision = _inspect(settings, migrate=migrate)
    database = Database(settings)
    try:
        if revision is None and not create:
            raise StoreError(f"There is no database {database.name}.")
        if file:
            if revision is None:
                file.touch(0o600)
            elif revisions.is_older(revision):
                kept = copies.keep(file)
        if revision != revisions.SCHEMA_REVISION:
            (_create if revision is None else _migrate)(database)
        with database.write(_SCHEMA, patient=True) as connection:
            id_ = connection.scalar(sa.select(schema.ids.c.id))
            if id_ is None:
                id_ = secrets.token_hex(4)
                connection.execute(sa.insert(schema.ids), {"id": id_})
        if file:
            with database.read() as connection:
                connection.exec_driver_sql("PRAGMA journal_mode=WAL")  # readers need not wait
        return Prepared(id=id_, upgraded=revisions.is_older(revision), copy=kept)
    except sa.exc.DBAPIError as error:
        # It was one transaction, so nothing has changed.
        raise StoreError(unusable(database.name, error)) from error
    except OSError as error:
        raise StoreError(
            f"The database {database.name} cannot be made: {error.strerror}."
        ) from error
    finally:
        database.close()


def unusable(name: str, error: sa.exc.DBAPIError) -> str:
    return f"The database {name} cannot be used: {reason(error)}."


def reason(error: sa.exc.DBAPIError) -> str:
    """Return a driver's message; PostgreSQL's further lines are left out."""
    return str(error.orig).strip().partition("\n")[0].rstrip(".")


def _to_restore(settings: Settings, how: str, copy: Path | None) -> str:
    """Say what is wrong with a file, with the command that restores a copy."""
    file = sqlite.file_of(settings)
    which = f"the newest one here is {copy}" if copy else "there is none beside it"
    # The command needs the server's own option.
    where = [] if settings.database_url else ["--data", str(file.parent)]
    command = advice.command("restore", *where, str(copy or "FILE"))
    return f"The database {file} {how}; put a copy in its place, {which}, with: {command}."


def _create(database: Database) -> None:
    """Create the tables of an empty database, as all migrations together would.

    Without Alembic, whose import would cost a first start a third of a second and nine megabytes.
    """
    with database.write(_SCHEMA, patient=True) as connection:
        if revisions.read(connection) is None:
            schema.metadata.create_all(connection, checkfirst=False)
            schema.versions.create(connection)
            row = {"version_num": revisions.SCHEMA_REVISION}
            connection.execute(sa.insert(schema.versions), row)


def _migrate(database: Database) -> None:
    with database.write(_SCHEMA, patient=True) as connection:
        # Another process may have been quicker.
        if revisions.read(connection) != revisions.SCHEMA_REVISION:
            revisions.upgrade(connection)
