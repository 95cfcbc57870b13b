"""The statements of the store: both databases can read each, and no value stands in a text."""

import ast
import pkgutil
from importlib import import_module
from pathlib import Path

from webapp import store
from webapp.store import Database
from webapp.store.sql import STATEMENTS, sql

FOLDER = Path(store.__path__[0])


def test_both_databases_can_read_every_statement(database: Database) -> None:
    for module in pkgutil.iter_modules(store.__path__, "webapp.store."):
        import_module(module.name)
    statements = list(STATEMENTS)
    assert len(statements) > 50
    with database.read() as connection:
        for statement in statements:
            if "FOR UPDATE" in statement.text and connection.dialect.name == "sqlite":
                continue
            values = {
                name: ["?"] if parameter.expanding else None
                for name, parameter in statement._bindparams.items()
            }
            connection.execute(sql(f"EXPLAIN {statement.text}"), values)
    del STATEMENTS[len(statements) :]


def test_no_value_stands_in_the_text_of_a_statement() -> None:
    """A text is written out, or made of names of the program's own by ``insertion``."""
    for file in FOLDER.glob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            called = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if called == "sql" and file.name != "sql.py":
                assert isinstance(node, ast.Call)
                assert isinstance(node.args[0], ast.Constant), f"{file.name}:{node.lineno}"
            assert not (called == "text" and file.name != "sql.py"), file.name


def test_a_list_of_any_length_fits_into_a_statement(database: Database) -> None:
    statement = sql("SELECT count(*) FROM players WHERE id IN :ids")
    STATEMENTS.remove(statement)
    with database.read() as connection:
        for length in (0, 1, 40):
            ids = [f"{number:064}" for number in range(length)]
            assert connection.execute(statement, {"ids": ids}).scalar_one() == 0
