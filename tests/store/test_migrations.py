"""Databases of earlier versions come forward with everything in them."""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config

import webapp.store
from tests.support.visitor import open_site
from webapp.config import Settings
from webapp.store import Database, players, prepare
from webapp.store.database import SCHEMA_REVISION

MIGRATIONS = Path(webapp.store.__file__).parent / "migrations"
COOKIE = "c" * 43

PLAYERS = [
    ("alice", "hard", "alternate", "x", 1_700_000_000),
    ("bob", "friend", "x", None, 1_700_000_500),
]
REASON = '{"rule":"win","lines":[[0,1,2]]}'
GAMES = [
    # id, x_seat, o_seat, opponent, moves, reasons, hint, helped, outcome, version, start_key, next
    ("won", "alice", None, "easy", "03142", "[null,null,null,null,null]", None, 0, "x", 3, None,
     "going"),
    ("lost", None, "alice", "hard", "03142", f"[null,null,null,null,{REASON}]", None, 0, "x", 3,
     "k" * 64, None),
    ("going", "alice", None, "easy", "40", "[null,null]", f"[8,{REASON}]", 1, "", 4, None, None),
    ("friends", "bob", "bob", "friend", "4", "[null]", None, 0, "", 2, None, None),
    ("untouched", "bob", None, "rules:win,block", "", "[]", None, 0, "", 1, None, None),
]  # fmt: skip


def old_database(settings: Settings, revision: str) -> None:
    """Make the database of an earlier version, with games in it."""
    database = Database(settings)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with database.write() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    database.close()
    with closing(sqlite3.connect(file_of(settings))) as connection:
        connection.executemany(
            "INSERT INTO players (id, opponent, mark, last_mark, created_at) VALUES (?,?,?,?,?)",
            PLAYERS,
        )
        connection.executemany(
            "INSERT INTO games (id, x_seat, o_seat, opponent, moves, reasons, hint, helped, "
            "outcome, version, start_key, next_id, created_at, updated_at) "
            "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,1700000000,1700000900)",
            GAMES,
        )
        if revision > "0001":
            connection.execute("UPDATE games SET given = 1, helped = 1 WHERE id = 'friends'")
        connection.commit()


def file_of(settings: Settings) -> Path:
    return settings.data / "tictactoe.db"


def rows(settings: Settings, table: str) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(file_of(settings))) as connection:
        connection.row_factory = sqlite3.Row
        return [
            dict(row)
            for row in connection.execute(f"SELECT * FROM {table} ORDER BY id")  # noqa: S608
        ]


@pytest.mark.parametrize("revision", ["0001", "0002"])
def test_games_and_players_come_forward_whole(settings: Settings, revision: str) -> None:
    old_database(settings, revision)
    before = {table: rows(settings, table) for table in ("players", "games")}
    prepare(settings)
    database = Database(settings)
    assert database.revision() == SCHEMA_REVISION
    database.close()
    for table, old in before.items():
        new = rows(settings, table)
        assert [{name: row[name] for name in old[0]} for row in new] == old
    assert {row["given"] for row in rows(settings, "games")} == (
        {0} if revision < "0002" else {0, 1}
    )
    for row in rows(settings, "games"):
        assert (row["code"], row["ending"], row["rematch"]) == (None, None, None)
    for row in rows(settings, "players"):
        assert (row["name"], row["seen_at"]) == (None, row["created_at"])


@pytest.mark.parametrize("revision", ["0001", "0002"])
def test_players_known_from_before_can_be_named_and_forgotten(
    settings: Settings, revision: str
) -> None:
    old_database(settings, revision)
    prepare(settings)
    database = Database(settings)
    with database.write() as connection:
        assert players.everybody(connection) == []
        players.rename(connection, "alice", "Ada", "ada")
        assert [(one.name, one.games) for one in players.everybody(connection)] == [("Ada", 3)]
        assert players.forget(connection, "alice") == 1
    database.close()
    assert [row["id"] for row in rows(settings, "games")] == ["friends", "untouched"]


@pytest.mark.parametrize("revision", ["0001", "0002"])
def test_a_game_begun_before_is_played_on_and_brings_a_name(
    settings: Settings, revision: str
) -> None:
    old_database(settings, revision)
    with open_site(settings.data) as site:
        alice = site.visitor()
        alice.set_cookie(COOKIE)
        with closing(sqlite3.connect(file_of(settings))) as connection:
            for column, table in (("id", "players"), ("x_seat", "games"), ("o_seat", "games")):
                connection.execute(
                    f"UPDATE {table} SET {column} = ? WHERE {column} = 'alice'",  # noqa: S608
                    (known_as(COOKIE),),
                )
            connection.commit()
        page = alice.get("/games/going")
        assert page.board == "O...X...."
        page = alice.move(page, 8)
        assert page.board.count("X") == 2
        assert alice.get("/games/won").outcome == "x"
        assert alice.get("/class").status == 200
        alice.start("easy", "x", cell=4)
        assert alice.get("/you").the("you").all("bdi")


def known_as(cookie: str) -> str:
    """What the server stores of a cookie."""
    return hashlib.sha256(cookie.encode()).hexdigest()
