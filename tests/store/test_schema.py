"""How rows are found: by an index, whatever a page asks."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from webapp.core.game import Game, Kind
from webapp.core.options import Options
from webapp.store import Database, games, news, players, presence, records


def test_the_questions_of_every_page_are_answered_by_an_index(database: Database) -> None:
    asked: list[tuple[str, Any]] = []
    game = Game(kind=Kind.ENGINE, x_seat="a", engine="easy", id="A")

    with database.write() as connection:

        @sa.event.listens_for(connection, "before_cursor_execute")
        def note(_connection: Any, _cursor: Any, text: str, values: Any, *_more: Any) -> None:
            asked.append((text, values))

        games.find(connection, "A", "a")
        games.by_start_key(connection, "k")
        games.by_code(connection, "ABC234")
        games.live(connection, 0, 0, 0, 100)
        games.calling(connection, "a", 0)
        games.unfinished(connection, "a", "easy")
        games.challenges(connection, "a")
        games.recent(connection, "a", 10)
        games.waiting(connection, "a", 50)
        games.save(connection, game, game.play(4), 1)
        games.delete(connection, game)
        games.stand_still(connection, 1, 2)
        news.look(connection, "A")
        news.beyond(connection, {"A": 1, "B": 2})
        presence.until(connection, "a")
        players.find(connection, "a")
        players.save(connection, "a", Options(), 1)
        players.touch(connection, ["a"], 1)
        players.names(connection, ["a", "b"])
        players.by_key(connection, "a")
        players.beginning(connection, "a")
        players.forget(connection, "a")
        records.record_result(connection, "a", "easy", "w")
        records.score(connection, "a", "easy")
        records.of(connection, "a")
        questions = [one for one in asked if not one[0].startswith("INSERT")]
        assert len(questions) >= 23
        for text, values in questions:
            assert not scans(connection, text, values), text


def scans(connection: sa.Connection, text: str, values: Any) -> list[str]:
    """The steps of a statement's plan that look at every row of a table."""
    if connection.dialect.name == "sqlite":
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", values).all()
        steps = [str(row.detail) for row in plan]
        # The index of live games holds few rows, however many games there are.
        return [
            step
            for step in steps
            if step.startswith(("SCAN games", "SCAN players", "SCAN records"))
            and "ix_games_live" not in step
        ]
    # A small table is quicker looked through: off, this happens only where no index helps.
    connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
    steps = list(connection.exec_driver_sql(f"EXPLAIN {text}", values).scalars())
    return [step for step in steps if "Seq Scan" in step]
