"""Copying a whole class from one database to another."""

import sqlalchemy as sa

from webapp.config import Settings
from webapp.store import Database, StoreError, prepare, sqlite
from webapp.store.database import reason
from webapp.store.transfer import copy_rows, hold_still, is_empty


def transfer(source: Settings, target: Settings) -> dict[str, int]:
    """Copy all players, games and records to an empty database; return the number of rows by table.

    Meanwhile no one can write to either; the source does not change.

    :raises StoreError: if a server uses an SQLite file, the source is empty or the target is not,
        or either cannot be used; then nothing is copied
    """
    for settings in (source, target):
        sqlite.check_unused(settings)
    prepare(source, create=False)
    prepare(target, migrate=True)
    old, new = Database(source), Database(target)
    try:
        # Before locking: both may be the same database.
        with old.read() as here, new.read() as there:
            if is_empty(here):
                raise StoreError(f"The database {old.name} holds nothing that could be copied.")
            if not is_empty(there):
                raise StoreError(
                    f"The database {new.name} holds players or games already; name an empty one."
                )
        with old.write(patient=True) as here, new.write(patient=True) as there:
            hold_still(there)
            hold_still(here)
            return copy_rows(here, there)
    except sa.exc.DBAPIError as error:
        raise StoreError(f"Nothing was copied to {new.name}: {reason(error)}.") from error
    finally:
        old.close()
        new.close()
