"""Players and games in SQL: the database, its schema and its queries.

Queries take an open connection; the ``service`` room begins and ends the transactions. May import
``config`` and ``core``.
"""

from webapp.store import (
    games,
    lesson,
    menace,
    players,
    polls,
    records,
    results,
    runs,
    sessions,
    tidying,
    topics,
    tournaments,
    wishes,
)
from webapp.store.database import Database as Database
from webapp.store.database import prepare as prepare
from webapp.store.errors import StoreError as StoreError
