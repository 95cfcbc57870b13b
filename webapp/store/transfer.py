"""All players, games and records, from one database to another. Functions take connections."""

import sqlalchemy as sa

from webapp.store.schema import KEPT, OF_PLAYERS

BATCH = 1000  # rows copied at a time


def is_empty(connection: sa.Connection) -> bool:
    """Whether a database holds no players, games or tournaments."""
    return not any(
        connection.scalar(sa.select(sa.exists().select_from(table))) for table in OF_PLAYERS
    )


def hold_still(connection: sa.Connection) -> None:
    """Let no one else write until the transaction ends; SQLite does that by itself."""
    if connection.dialect.name == "postgresql":
        # Each database waits for the other, however long that takes.
        connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
        names = ", ".join(table.name for table in KEPT)
        connection.exec_driver_sql(f"LOCK TABLE {names} IN SHARE ROW EXCLUSIVE MODE")


def copy_rows(source: sa.Connection, target: sa.Connection) -> dict[str, int]:
    """Copy all tables in batches; return the number of rows by table.

    The teacher's choices in an empty target are replaced by those of the source.
    """
    counts = dict.fromkeys((table.name for table in KEPT), 0)
    for table in KEPT:
        target.execute(sa.delete(table))
        rows = source.execute(sa.select(table), execution_options={"yield_per": BATCH})
        for batch in rows.mappings().partitions():
            target.execute(sa.insert(table), [dict(row) for row in batch])
            counts[table.name] += len(batch)
    return counts
