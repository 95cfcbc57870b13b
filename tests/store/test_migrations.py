"""Databases of earlier versions come forward with everything in them."""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

import webapp.store
from tests.support.people import name_of
from tests.support.postgres import Cluster
from tests.support.visitor import open_site
from webapp.config import Settings
from webapp.service.host import Host
from webapp.store import Database, StoreError, players, prepare, sqlite
from webapp.store.database import SCHEMA_REVISION

REVISIONS = ("0001", "0002", "0003", "0004")
"""Every schema that was ever released."""

OLDER = REVISIONS[:-1]
WITHOUT_NAMES = REVISIONS[:2]

MIGRATIONS = Path(webapp.store.__file__).parent / "migrations"
COOKIE = "c" * 43
ALICE = hashlib.sha256(COOKIE.encode()).hexdigest()

PLAYERS = [
    (ALICE, "hard", "alternate", "x", 1_700_000_000),
    ("bob", "friend", "x", None, 1_700_000_500),
    ("carol", "easy", "x", None, 1_700_000_700),
]
REASON = '{"rule":"win","lines":[[0,1,2]]}'
GAMES = [
    # id, x_seat, o_seat, opponent, moves, reasons, hint, helped, outcome, version, start_key, next
    ("won", ALICE, None, "easy", "03142", "[null,null,null,null,null]", None, 0, "x", 3, None,
     "going"),
    ("lost", None, ALICE, "hard", "03142", f"[null,null,null,null,{REASON}]", None, 0, "x", 3,
     "k" * 64, None),
    ("going", ALICE, None, "easy", "40", "[null,null]", f"[8,{REASON}]", 1, "", 4, None, None),
    ("friends", "bob", "bob", "friend", "4", "[null]", None, 0, "", 2, None, None),
    ("untouched", "bob", None, "rules:win,block", "", "[]", None, 0, "", 1, None, None),
]  # fmt: skip


def old_database(settings: Settings, revision: str) -> None:
    """Make the database of an earlier version, with games in it."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    if not settings.postgres:
        sqlite.file_of(settings).touch()
    with writing(settings) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        of_player = ("id", "opponent", "mark", "last_mark", "created_at")
        insert(connection, "players", [dict(zip(of_player, row, strict=True)) for row in PLAYERS])
        of_game = (
            *("id", "x_seat", "o_seat", "opponent", "moves", "reasons", "hint", "helped"),
            *("outcome", "version", "start_key", "next_id"),
        )
        when = {"created_at": 1_700_000_000, "updated_at": 1_700_000_900}
        found = [{**dict(zip(of_game, row, strict=True)), **when} for row in GAMES]
        insert(connection, "games", [{**row, "helped": bool(row["helped"])} for row in found])
        if revision > "0001":
            connection.execute(
                sa.text("UPDATE games SET given = 1, helped = :yes WHERE id = 'friends'"),
                {"yes": True},
            )
        if revision > "0002":
            connection.execute(
                sa.text("UPDATE players SET seen_at = created_at, name = id, name_key = id")
            )
            connection.execute(
                sa.text(
                    "UPDATE games SET opponent = 'classmate', o_seat = 'bob', code = 'ABC234', "
                    "rematch = 'x' WHERE id = 'won'"
                )
            )
            record = {"recent": "w", "won": 1, "drawn": 0, "lost": 0, "run": 1, "best_run": 1}
            insert(connection, "records", [{"player": ALICE, "opponent": "bob", **record}])
        if revision > "0003":
            score = {"won": 1, "drawn": 0, "lost": 0}
            insert(connection, "scores", [{"player": ALICE, "opponent": "bob", **score}])


@contextmanager
def writing(settings: Settings) -> Iterator[sa.Connection]:
    database = Database(settings)
    with database.write() as connection:
        yield connection
    database.close()


def insert(connection: sa.Connection, table: str, some: list[dict[str, Any]]) -> None:
    columns: list[sa.ColumnClause[Any]] = [sa.column(name) for name in some[0]]
    connection.execute(sa.insert(sa.table(table, *columns)), some)


def rows(settings: Settings, table: str) -> list[dict[str, Any]]:
    with writing(settings) as connection:
        found = connection.execute(sa.text(f"SELECT * FROM {table} ORDER BY 1"))  # noqa: S608
        return [dict(row) for row in found.mappings()]


def test_no_released_schema_is_left_out() -> None:
    files = (MIGRATIONS / "versions").glob("*.py")
    assert sorted(file.name[:4] for file in files) == list(REVISIONS)


@pytest.mark.parametrize("revision", REVISIONS)
def test_all_that_is_stored_comes_forward(settings: Settings, revision: str) -> None:
    old_database(settings, revision)
    tables = ("players", "games", *(("records",) if revision > "0002" else ()))
    before = {table: rows(settings, table) for table in tables}
    prepare(settings, migrate=True)
    database = Database(settings)
    assert database.revision() == SCHEMA_REVISION
    database.close()
    for table, old in before.items():
        assert old
        new = rows(settings, table)
        assert [{name: row[name] for name in old[0]} for row in new] == old


@pytest.mark.parametrize("revision", WITHOUT_NAMES)
def test_what_is_new_is_empty_for_what_is_old(settings: Settings, revision: str) -> None:
    old_database(settings, revision)
    with writing(settings) as connection:
        for game, moment in (("lost", 1_700_001_000), ("friends", 1_700_000_100)):
            connection.execute(
                sa.text("UPDATE games SET updated_at = :moment WHERE id = :game"),
                {"game": game, "moment": moment},
            )
        connection.execute(sa.text("DELETE FROM games WHERE id = 'untouched'"))
    prepare(settings, migrate=True)
    given = {row["given"] for row in rows(settings, "games")}
    assert given == ({0} if revision < "0002" else {0, 1})
    for row in rows(settings, "games"):
        assert (row["code"], row["ending"], row["rematch"]) == (None, None, None)
    assert rows(settings, "records") == []
    assert {(row["id"], row["name"], row["seen_at"]) for row in rows(settings, "players")} == {
        (ALICE, None, 1_700_001_000),  # in her newest game, whichever mark she has there
        ("bob", None, 1_700_000_500),  # by a clock that went back, his game is older than he is
        ("carol", None, 1_700_000_700),  # without a game
    }


@pytest.mark.parametrize("revision", OLDER)
def test_players_known_from_before_can_be_named_and_are_forgotten_in_time(
    settings: Settings, revision: str
) -> None:
    old_database(settings, revision)
    now = int(time.time())
    with writing(settings) as connection:
        connection.execute(sa.text("UPDATE games SET updated_at = :now"), {"now": now})
        connection.execute(
            sa.text("UPDATE players SET created_at = :now WHERE id = 'bob'"), {"now": now}
        )
        if revision > "0002":
            connection.execute(
                sa.text("UPDATE players SET seen_at = :now WHERE id <> 'carol'"), {"now": now}
            )
    prepare(settings, migrate=True)
    database = Database(settings)
    Host(database).tidy()
    assert {row["id"] for row in rows(settings, "players")} == {ALICE, "bob"}
    with database.write() as connection:
        assert players.rename(connection, ALICE, "Ada", "ada")
        found = {one.name: one.games for one in players.everybody(connection)}
        assert found["Ada"] == 3
        assert players.forget(connection, ALICE) == 1
    database.close()
    assert [row["id"] for row in rows(settings, "games")] == ["friends", "untouched"]
    assert rows(settings, "scores") == []


def test_the_scores_are_what_the_pages_have_shown(settings: Settings) -> None:
    """Against engines they were counted from the games, against classmates kept as records."""
    old_database(settings, "0003")
    chance = Random(7)
    opponents = ("easy", "hard", "rules:win,block", "friend", "classmate")
    expected = {(ALICE, "bob"): [1, 0, 0], ("bob", "carol"): [3, 2, 1]}
    some = []
    for number in range(600):
        mine, outcome = chance.choice("xo"), chance.choice(["x", "o", "draw", ""])
        player, opponent = chance.choice([ALICE, "bob", "carol"]), chance.choice(opponents)
        other = {"friend": player, "classmate": "bob"}.get(opponent)
        helped = chance.random() < 0.2
        some.append(
            {
                "id": f"game{number}",
                "opponent": opponent,
                "moves": "4",
                "reasons": "[null]",
                "x_seat": player if mine == "x" else other,
                "created_at": 1,
                "updated_at": 1,
                "o_seat": player if mine == "o" else other,
                "outcome": outcome,
                "version": 2,
                "helped": helped,
                "ending": "left" if outcome in ("x", "o") and chance.random() < 0.3 else None,
            }
        )
        if outcome and not helped and other is None:
            result = 1 if outcome == "draw" else 0 if outcome == mine else 2
            expected.setdefault((player, opponent), [0, 0, 0])[result] += 1
    record = {"player": "bob", "recent": "wdl", "run": 0, "best_run": 2}
    of = {"bob carol": (3, 2, 1), "bob easy": (99, 0, 0)}  # of engines the games are believed
    with writing(settings) as connection:
        connection.execute(sa.text("DELETE FROM games"))
        insert(connection, "games", some)
        for name, (won, drawn, lost) in of.items():
            numbers = {"won": won, "drawn": drawn, "lost": lost}
            insert(connection, "records", [{**record, "opponent": name.split()[1], **numbers}])
    prepare(settings, migrate=True)
    assert len(expected) == 2 + 3 * 3
    found = {tuple(row.values())[:2]: [*row.values()][2:] for row in rows(settings, "scores")}
    assert found == expected


@pytest.mark.parametrize("revision", OLDER)
def test_a_game_begun_before_is_played_on_and_brings_a_name(
    settings: Settings, revision: str
) -> None:
    old_database(settings, revision)
    prepare(settings, migrate=True)
    with open_site(settings.data, database_url=settings.database_url) as site:
        alice = site.visitor()
        alice.set_cookie(COOKIE)
        page = alice.get("/games/going")
        assert page.board == "O...X...."
        page = alice.move(page, 8)
        assert page.board.count("X") == 2
        assert alice.get("/games/won").outcome == "x"
        assert alice.get("/games/lost").score == (0, 0, 1)
        assert alice.get("/class").status == 200
        alice.start("easy", "x", cell=4)
        assert name_of(alice)


# --- what is not brought forward ----------------------------------------------------------------


def refusal(settings: Settings) -> str:
    """The one sentence with which a start is refused."""
    with pytest.raises(StoreError) as refused:
        prepare(settings)
    sentence = str(refused.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


def test_an_old_program_refuses_a_newer_schema_and_leaves_it_alone(settings: Settings) -> None:
    old_database(settings, SCHEMA_REVISION)
    with writing(settings) as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    before = rows(settings, "games")
    for word in ("newer version", "9999", SCHEMA_REVISION):
        assert word in refusal(settings)
    assert rows(settings, "games") == before
    with pytest.raises(StoreError, match="newer version"):
        prepare(settings, migrate=True)


@pytest.mark.parametrize("revision", OLDER)
def test_an_older_postgres_is_brought_forward_only_where_that_is_asked_for(
    tmp_path: Path, postgres: Cluster, revision: str
) -> None:
    settings = Settings(data=tmp_path, database_url=postgres.database())
    old_database(settings, revision)
    for word in ("earlier version", revision, SCHEMA_REVISION, "tictactoe migrate"):
        assert word in refusal(settings)
    assert rows(settings, "alembic_version") == [{"version_num": revision}]
    prepare(settings, migrate=True)
    prepare(settings)
    assert rows(settings, "alembic_version") == [{"version_num": SCHEMA_REVISION}]


@pytest.mark.parametrize("revision", OLDER)
def test_an_older_file_is_copied_before_it_is_changed(tmp_path: Path, revision: str) -> None:
    settings = Settings(data=tmp_path)
    old_database(settings, revision)
    before = rows(settings, "games")
    prepare(settings)
    copy = tmp_path / f"tictactoe-schema-{revision}.db"
    with closing(sqlite3.connect(copy)) as connection:
        connection.row_factory = sqlite3.Row
        found = connection.execute("SELECT * FROM games ORDER BY id").fetchall()
        assert [dict(row) for row in found] == before
        version = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        assert tuple(version) == (revision,)
