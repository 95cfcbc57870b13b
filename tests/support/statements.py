"""How many statements something asks of the database."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa

from webapp.store import Database


@contextmanager
def statements(database: Database) -> Iterator[list[str]]:
    """Yield a list of all statements until the end of the block, without the one that locks."""
    found: list[str] = []

    def note(_connection: object, _cursor: object, text: str, *_more: Any) -> None:
        if not text.startswith("BEGIN"):
            found.append(text)

    sa.event.listen(database._engine, "before_cursor_execute", note)
    yield found
    sa.event.remove(database._engine, "before_cursor_execute", note)
