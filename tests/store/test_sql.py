"""The statements of the store: both databases read each, by an index, with no value in a text."""

import ast
import pkgutil
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from webapp import store
from webapp.core.game import Game, Kind
from webapp.core.options import Options
from webapp.store import Database, games, players, records, tournaments, wishes
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


def test_the_questions_of_every_page_are_answered_by_an_index(database: Database) -> None:
    asked: list[tuple[str, Any]] = []
    game = Game(kind=Kind.ENGINE, x_seat="a", engine="easy", id="A")
    with database.write() as connection:

        @sa.event.listens_for(connection, "before_cursor_execute")
        def note(_connection: Any, _cursor: Any, text: str, values: Any, *_more: Any) -> None:
            asked.append((text, values))

        games.find(connection, "A", "a")
        games.by_start_key(connection, "k")
        games.live(connection, 0, 100)
        games.at_computer(connection, 0, 5)
        games.ended(connection, 0, 4)
        games.last_ended(connection, "a")
        games.last_ended(connection, "a", "b")
        games.calling(connection, "a", 0)
        games.unfinished(connection, "a", "easy")
        games.going_on(connection, "a")
        games.recent(connection, "a", 10)
        games.waiting(connection, "a", 50)
        games.save(connection, game, game.play(4), 1)
        games.delete_unfinished(connection, "A", 1)
        games.stand_still(connection, 1, 2)
        wishes.end(connection, "a")
        wishes.by_code(connection, "ABC234")
        wishes.declined(connection, "a", 1)
        tournaments.in_time(connection, "T", 0)
        tournaments.shift(connection, "T", 1)
        tournaments.restart_clocks(connection, "T", 1)
        players.find(connection, "a")
        players.save(connection, "a", Options(), 1)
        players.touch(connection, ["a"], 1)
        players.people(connection, ["a", "b"])
        players.by_key(connection, "a")
        players.beginning(connection, "a")
        players.forget(connection, "a")
        records.record_result(connection, "a", "easy", "w")
        records.score(connection, "a", "easy")
        records.of(connection, "a")
        questions = [one for one in asked if not one[0].startswith("INSERT")]
        assert len(questions) >= 24
        plans = ""
        for text, values in questions:
            scans, steps = plan(connection, text, values)
            assert not scans, text
            plans += " ".join(steps)
        used, ended = {*re.findall(r"ix_games_(\w+)", plans)}, {"ended", "x_ended", "o_ended"}
        assert used >= {"live", "computer"}
        # PostgreSQL knows that there are no rows, and takes any index that it may.
        assert used & ended if database.is_shared else used >= ended


def plan(connection: sa.Connection, text: str, values: Any) -> tuple[list[str], list[str]]:
    """The steps of a statement's plan that look at every row of a table, and all of them."""
    if connection.dialect.name == "sqlite":
        rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", values).all()
        steps = [str(row.detail) for row in rows]
        scans = [step for step in steps if re.match("SCAN (games|players|records)", step)]
        # The index of live games holds few rows, however many games there are.
        return [step for step in scans if "ix_games_live" not in step], steps
    # A small table is quicker looked through: off, this happens only where no index helps.
    connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
    steps = list(connection.exec_driver_sql(f"EXPLAIN {text}", values).scalars())
    return [step for step in steps if "Seq Scan" in step], steps
