"""SQL as text, the same for both databases. Values are parameters, never part of a text."""

import re
from collections.abc import Collection, Iterable

import sqlalchemy as sa

STATEMENTS: list[sa.TextClause] = []
"""All statements; a test prepares each of them on both databases."""


def sql(text: str) -> sa.TextClause:
    """Make a statement with parameters such as ``:name``, and lists such as ``IN :names``."""
    lists: list[str] = re.findall(r"\bIN :(\w+)", text)
    statement = sa.text(text).bindparams(
        *(sa.bindparam(name, type_=sa.String, expanding=True) for name in lists)
    )
    STATEMENTS.append(statement)
    return statement


def insertion(table: str, columns: Iterable[str], key: Collection[str] = ()) -> sa.TextClause:
    """Make a statement that inserts a row, or replaces the row with the same primary ``key``."""
    quoted = {name: f'"{name}"' for name in columns}  # "right" is a word of PostgreSQL's
    changes = ", ".join(f"{name} = excluded.{name}" for name in quoted.values())
    replace = f" ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changes}" if key else ""
    names, values = ", ".join(quoted.values()), ", ".join(f":{name}" for name in quoted)
    return sql(f"INSERT INTO {table} ({names}) VALUES ({values}){replace}")  # noqa: S608


def changing(table: str, columns: Iterable[str], *conditions: str) -> sa.TextClause:
    """Make a statement that sets columns of the rows that meet all conditions."""
    changes = ", ".join(f"{name} = :{name}" for name in columns)
    return sql(f"UPDATE {table} SET {changes} WHERE {' AND '.join(conditions)}")  # noqa: S608
