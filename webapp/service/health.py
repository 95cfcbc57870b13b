"""Whether the server can do its work."""

import sqlalchemy as sa

from webapp.store import Database


def database_answers(database: Database) -> bool:
    """Ask the database for a row of the games table; ``False`` where that fails."""
    try:
        with database.read() as connection:
            connection.execute(sa.text("SELECT 1 FROM games LIMIT 1"))
    except sa.exc.SQLAlchemyError:
        return False
    return True
