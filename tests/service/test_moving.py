"""A class moves to another database, and nothing is lost."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa

from tests.support.people import Pair, beat_easy, challenge, sit_down
from tests.support.postgres import Cluster
from tests.support.visitor import open_site
from webapp.config import Settings
from webapp.service.moving import move
from webapp.store import Database, StoreError, copies, moving, prepare
from webapp.store.schema import metadata

TABLES = {table.name: table for table in metadata.sorted_tables}


@pytest.fixture(scope="module")
def class_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class in SQLite, with a game of every kind."""
    folder = tmp_path_factory.mktemp("class")
    with open_site(folder, seed="tests") as site:
        alice, bob, eve = site.visitor(), site.visitor(), site.visitor()
        beat_easy(alice)  # finished against an engine, with reasons
        page = alice.start("hard", "o")  # unfinished; the engine has moved
        alice.try_to("hint", page, {})
        alice.start("friend", "x", cell=4)
        alice.start("rules:win,block", "x", cell=0)
        sit_down(alice, bob).play("03142")  # won by a classmate
        game = sit_down(bob, alice)
        game.play("04")
        game.act(bob, "resign")
        draw(sit_down(alice, bob))
        challenge(eve)  # a free seat and a code
    file = folder / "tictactoe.db"
    with closing(sqlite3.connect(file)) as connection:
        # Names of every alphabet, and times beyond 32 bits.
        connection.execute(
            "UPDATE players SET name = 'Ünï 漢字 😀', seen_at = 99999999999 "
            "WHERE id = (SELECT min(id) FROM players)"
        )
        connection.commit()
    return file


@pytest.fixture
def settings(class_file: Path, tmp_path: Path) -> Settings:
    """That class, for one test."""
    copies.copy(class_file, tmp_path / "tictactoe.db")
    return Settings(data=tmp_path)


def draw(game: Pair) -> None:
    assert game.play("012435768").outcome == "draw"


def everything(settings: Settings) -> dict[str, list[tuple[Any, ...]]]:
    """Every row, in the order of its key, with the types that the database gives."""
    database = Database(settings)
    try:
        with database.read() as connection:
            return {
                name: sorted(map(tuple, connection.execute(sa.select(table))), key=repr)
                for name, table in TABLES.items()
            }
    finally:
        database.close()


def types(rows: dict[str, list[tuple[Any, ...]]]) -> list[Any]:
    return [type(value) for name in sorted(rows) for row in rows[name] for value in row]


def test_the_class_has_games_of_every_kind(settings: Settings) -> None:
    rows = everything(settings)
    games = TABLES["games"].c.keys()
    columns = {name: {row[at] for row in rows["games"]} for at, name in enumerate(games)}
    assert {"", "x", "o", "draw"} <= columns["outcome"]
    assert {"easy", "hard", "friend", "classmate", "rules:win,block"} <= columns["opponent"]
    assert columns["helped"] == {False, True}
    for name in ("hint", "code", "ending", "x_seat", "o_seat", "start_key", "next_id", "rematch"):
        assert None in columns[name], name
    for name in ("hint", "code", "ending"):
        assert len(columns[name]) > 1, name
    assert len(rows["players"]) == 3
    assert len(rows["records"]) >= 3


def test_nothing_is_lost_on_the_way_to_postgresql_and_back(
    settings: Settings, tmp_path: Path, postgres: Cluster
) -> None:
    before = everything(settings)
    dump = stored(settings.data / "tictactoe.db")
    there = Settings(data=tmp_path / "unused", database_url=postgres.database())
    counts = move(settings, there)
    assert counts == {name: len(rows) for name, rows in before.items()}
    assert everything(there) == before
    assert types(everything(there)) == types(before)
    assert everything(settings) == before, "the source is left as it is"

    back = tmp_path / "back"
    back.mkdir()
    assert move(there, Settings(data=back)) == counts
    assert everything(Settings(data=back)) == before
    # What SQLite itself has stored, kinds of values included.
    assert stored(back / "tictactoe.db") == dump
    with open_site(back) as site:
        assert site.visitor().get("/class").status == 200


def stored(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return sorted(line for line in connection.iterdump() if line.startswith("INSERT"))


def test_more_rows_than_a_batch_holds_arrive(
    settings: Settings, postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "BATCH", 3)
    there = Settings(database_url=postgres.database())
    move(settings, there)
    assert everything(there) == everything(settings)


@pytest.fixture(params=["sqlite", "postgres"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """An empty database of either kind."""
    if request.param == "sqlite":
        return Settings(database_url=f"sqlite:///{tmp_path / 'target.db'}")
    server: Cluster = request.getfixturevalue("postgres")
    return Settings(database_url=server.database())


@pytest.mark.parametrize("what", ["player", "game"])
def test_a_target_that_is_not_empty_is_refused(
    settings: Settings, target: Settings, what: str
) -> None:
    prepare(target)
    database = Database(target)
    insert = {
        "player": "INSERT INTO players (id, opponent, mark, created_at) VALUES ('a','hard','x',1)",
        "game": "INSERT INTO games (id, opponent, moves, reasons, helped, outcome, version, "
        "created_at, updated_at) VALUES ('a', 'hard', '', '[]', false, '', 1, 1, 1)",
    }
    with database.write() as connection:
        connection.execute(sa.text(insert[what]))
    database.close()
    before = everything(target)
    with pytest.raises(StoreError, match="holds players or games already"):
        move(settings, target)
    assert everything(target) == before


def test_a_database_is_not_moved_to_itself(settings: Settings) -> None:
    before = everything(settings)
    with pytest.raises(StoreError, match="is the database itself"):
        move(settings, Settings(database_url=f"sqlite:///{settings.data / 'tictactoe.db'}"))
    assert everything(settings) == before


def test_an_empty_database_is_not_moved_to_itself_however_it_is_written(
    target: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    prepare(target)
    other = (target.database_url or "").replace("127.0.0.1", "localhost")
    if not target.postgres:
        monkeypatch.chdir(tmp_path)
        other = "sqlite:///target.db"
    assert other != target.database_url
    # Where both were to be locked, one would wait for the other for ever.
    monkeypatch.setattr(moving, "hold_still", lambda connection: pytest.fail("it is locked"))
    with pytest.raises(StoreError, match="is the database itself"):
        move(target, Settings(database_url=other))
    assert not any(everything(target).values())


def test_a_row_that_the_target_refuses_moves_nothing(settings: Settings, postgres: Cluster) -> None:
    with closing(sqlite3.connect(settings.data / "tictactoe.db")) as connection:
        # In the last table to go: the others have been copied before.
        assert list(TABLES)[-1] == "records"
        connection.execute("UPDATE records SET recent = 'w' || char(0)")
        connection.commit()
    target = Settings(database_url=postgres.database())
    with pytest.raises(StoreError, match="Nothing is moved") as refused:
        move(settings, target)
    assert "\n" not in str(refused.value)
    assert not any(everything(target).values())
    with closing(sqlite3.connect(settings.data / "tictactoe.db", timeout=0)) as connection:
        connection.execute("BEGIN IMMEDIATE")  # nothing is left locked


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_nobody_writes_to_the_source_meanwhile(
    settings: Settings,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    *,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
) -> None:
    source, target = settings, Settings(database_url=f"sqlite:///{tmp_path / 'target.db'}")
    if kind == "postgres":
        server: Cluster = request.getfixturevalue("postgres")
        source = Settings(database_url=server.database())
        move(settings, source)
    copy = moving.copy
    tried: list[str] = []

    def try_to_write(here: sa.Connection, there: sa.Connection) -> None:
        copy(here, there)
        tried.append(_refusal(source, kind))

    monkeypatch.setattr(moving, "copy", try_to_write)
    move(source, target)
    (why,) = tried
    assert "lock" in why
    assert everything(target) == everything(source)


def _refusal(source: Settings, kind: str) -> str:
    """Try to write, without much patience; return why it cannot be done."""
    change = "UPDATE players SET name = 'lost'"
    try:
        if kind == "sqlite":
            with closing(sqlite3.connect(source.data / "tictactoe.db", timeout=0)) as connection:
                connection.execute(change)
        else:
            with psycopg.connect(source.database_url or "", autocommit=True) as other:
                other.execute("SET lock_timeout = 50")
                other.execute(change)
    except (sqlite3.OperationalError, psycopg.Error) as error:
        return str(error)
    return ""


def test_a_source_that_is_not_there_is_not_made(tmp_path: Path, target: Settings) -> None:
    with pytest.raises(StoreError, match="There is no database"):
        move(Settings(data=tmp_path / "nothing"), target)
    assert not (tmp_path / "nothing").exists()
