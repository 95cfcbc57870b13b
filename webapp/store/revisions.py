"""The revisions of the schema, by which versions of this program know each other's databases."""

import re

from webapp.store.errors import StoreError

SCHEMA_REVISION = "0005"
"""The newest migration; a test holds it against the folder of migrations."""


def check(name: object, revision: str | None) -> str:
    """Return the revision of a database that this program can use, if need be after a migration.

    :param name: what to call the database in a sentence
    :raises StoreError: if another program made it, or a newer version of this one
    """
    if revision is None or not re.fullmatch(r"\d{4}", revision):
        raise StoreError(f"{name} is no database of this program.")
    if revision > SCHEMA_REVISION:
        raise StoreError(
            f"{name} was made by a newer version of this program (schema {revision}, this one "
            f"knows {SCHEMA_REVISION}); install that version."
        )
    return revision
