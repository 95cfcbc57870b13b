"""Moving a whole class from one database to another."""

from __future__ import annotations

import sqlalchemy as sa

from webapp.config import Settings
from webapp.store import Database, StoreError, moving, prepare
from webapp.store.database import reason


def move(source: Settings, target: Settings) -> dict[str, int]:
    """Copy all players, games and records to an empty database, and return how many there were.

    Nobody can write to either until all of it is there; the source is left as it is.

    :return: rows by the name of their table
    :raises StoreError: if the target is not empty, or either cannot be used; nothing is moved then
    """
    prepare(source, create=False)
    prepare(target, migrate=True)
    old, new = Database(source), Database(target)
    try:
        # Told apart before they are locked, or a database would wait for itself.
        if old.is_same(new):
            raise StoreError(f"{new.name} is the database itself; name another one.")
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
        raise StoreError(f"Nothing is moved to {new.name}: {reason(error)}.") from error
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
