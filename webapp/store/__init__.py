"""Players and games in SQL: the database, its schema and its queries.

Queries take an open connection; where a transaction begins and ends is the caller's affair (the
``service`` room). May import ``config`` and ``core``.
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
    seeks,
    sessions,
    tidying,
    topics,
    tournaments,
)
from webapp.store.database import Database, prepare
from webapp.store.errors import StoreError

__all__ = [
    "Database",
    "StoreError",
    "games",
    "lesson",
    "menace",
    "players",
    "polls",
    "prepare",
    "records",
    "results",
    "runs",
    "seeks",
    "sessions",
    "tidying",
    "topics",
    "tournaments",
]
