"""Moving a whole class from one database to another."""

from __future__ import annotations

import sqlalchemy as sa

from webapp.config import Settings
from webapp.store import Database, StoreError, moving, prepare, sqlite


def move(source: Settings, target: Settings) -> dict[str, int]:
    """Copy all players, games and records to an empty database, and return how many there were.

    Nobody can write to either until all of it is there; the source is left as it is.

    :return: rows by the name of their table
    :raises StoreError: if the target is not empty, or either cannot be used; nothing is moved then
    """
    if not source.postgres and not (file := sqlite.file_of(source)).is_file():
        raise StoreError(f"There is no database {file}.")
    prepare(source)
    prepare(target, migrate=True)
    old, new = Database(source), Database(target)
    try:
        # Told apart before they are locked, or a database would wait for itself.
        with new.read() as there:
            _check_empty(new, there)
        with old.write(patient=True) as here, new.write(patient=True) as there:
            moving.hold_still(there)
            _check_empty(new, there)
            moving.hold_still(here)
            moving.copy(here, there)
            counts = moving.count(here)
            if moving.count(there) != counts:
                raise StoreError(f"Not everything has arrived in {new.name}; nothing is moved.")
    except sa.exc.DBAPIError as error:
        why = str(error.orig).strip().splitlines()[0].rstrip(".")
        raise StoreError(f"Nothing is moved to {new.name}: {why}.") from error
    else:
        return counts
    finally:
        old.close()
        new.close()


def _check_empty(database: Database, connection: sa.Connection) -> None:
    """Check that there is nothing yet.

    :raises StoreError: if there is
    """
    if any(moving.count(connection).values()):
        raise StoreError(
            f"The database {database.name} holds players or games already; name an empty one."
        )
