"""Databases of other versions: brought forward with everything in them, or refused."""

import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tests.support.files import NEXT, SCHEMA, insert_player, next_version, refusal
from webapp.config import Settings
from webapp.names import key
from webapp.service import games, wishes
from webapp.service.site import Site
from webapp.store import Database, advice, players, prepare, revisions, runs, sqlite, tournaments
from webapp.store import wishes as stored
from webapp.store.schema import metadata

_INDEXES = {
    "sqlite": "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql > '' ORDER BY name",
    "postgresql": "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname",
}


@pytest.fixture
def settings(tmp_path: Path, database_url: str | None) -> Settings:
    return Settings(data=tmp_path, database_url=database_url)


def described(settings: Settings) -> dict[str, Any]:
    database = Database(settings)
    with database.read() as connection:
        inspector = sa.inspect(connection)
        tables = {*inspector.get_table_names()} - {"alembic_version"}
        assert tables == set(metadata.tables)
        asked = (
            inspector.get_columns, inspector.get_unique_constraints, inspector.get_foreign_keys,
            inspector.get_check_constraints, lambda table: [inspector.get_pk_constraint(table)],
        )  # fmt: skip
        found: dict[str, Any] = {
            table: [
                sorted(str({**one, "comment": None}) for one in map(dict, ask(table)))
                for ask in asked
            ]
            for table in tables
        }
        found["indexes"] = list(connection.scalars(sa.text(_INDEXES[connection.dialect.name])))
    database.close()
    return found


def test_the_migrations_make_the_tables_that_a_new_database_gets(
    settings: Settings, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue("postgres").database() if settings.postgres else None
    fresh = Settings(data=tmp_path / "fresh", database_url=url)
    fresh.data.mkdir()
    prepare(fresh)
    if not settings.postgres:
        sqlite.file_of(settings).touch()
    database = Database(settings)
    with database.write() as connection:
        revisions.upgrade(connection)
    assert database.revision() == revisions.SCHEMA_REVISION, "the newest of them"
    database.close()
    assert described(settings) == described(fresh)


def test_another_schema_is_refused_and_left_alone(settings: Settings, database: Database) -> None:
    for revision in (NEXT, "9999"):
        with database.write() as connection:
            connection.execute(sa.text(f"UPDATE alembic_version SET version_num = '{revision}'"))  # noqa: S608
        for migrate in (False, True):
            sentence = refusal(partial(prepare, settings, migrate=migrate))
            assert f"schema {revision}, this one knows {SCHEMA}" in sentence
            assert "from before 1.0.0" in sentence
        with database.read() as connection:
            stands = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
            assert stands == revision


def test_the_next_version_brings_a_database_forward_postgresql_only_where_that_is_asked_for(
    settings: Settings, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database.write() as connection:
        insert_player(connection, "a")
    before = described(settings)
    next_version(monkeypatch, tmp_path / "migrations")
    if settings.postgres:
        sentence = refusal(lambda: prepare(settings))
        assert f"run: {advice.command('serve', '--migrate')}." in sentence
        assert database.revision() == SCHEMA
    prepared = prepare(settings, migrate=True)
    assert prepared.upgraded
    assert (prepared.copy is None) is settings.postgres
    assert (database.revision(), described(settings)) == (NEXT, before)
    with database.read() as connection:
        marks = connection.execute(sa.text("SELECT id, mark FROM players")).all()
        assert [tuple(row) for row in marks] == [("a", "o")]
    assert prepare(settings).copy is None, "once"


_AT_0005 = """
INSERT INTO rounds (id, form, seconds, over) VALUES
  ('quiz', 'quiz', 0, false), ('at-home', 'home', 0, false);
INSERT INTO polls (id, number, round, moves, seconds, life, since)
  VALUES ('kept', 1, 'quiz', '0', 0, 'open', 1), ('gone', 2, 'at-home', '0', 0, 'open', 1);
INSERT INTO answers (poll, player, cell)
  VALUES ('kept', '0', 4), ('kept', '1', 0), ('gone', '0', 4);
INSERT INTO journal (id, at, act) VALUES (1, 1, 'pause')
"""
_LEFT = "SELECT id FROM rounds", "SELECT id FROM polls", "SELECT poll FROM answers"


def test_what_is_gone_goes_and_of_names_now_alike_the_later_changes(settings: Settings) -> None:
    if not settings.postgres:
        sqlite.file_of(settings).touch()
    change = "UPDATE players SET name = :name, name_key = :name, created_at = :at WHERE id = :id"
    with closing(Database(settings)) as database, database.write() as connection:
        revisions.upgrade(connection, "0005")
        for number, name in enumerate(["ipek", "\u0130pek", "Bob 1", None]):
            insert_player(connection, str(number))
            connection.execute(sa.text(change), {"name": name, "at": 9 - number, "id": str(number)})
        for statement in _AT_0005.split(";"):
            connection.execute(sa.text(statement))
    assert prepare(settings, migrate=True).upgraded
    with closing(Database(settings)) as database, database.read() as connection:
        left = [row for ask in _LEFT for row in connection.scalars(sa.text(ask))]
        assert left == ["quiz", "kept", "kept", "kept"]
        found = {one: players.find(connection, one)[1].name for one in "0123"}
        assert (found["1"], found["2"], found["3"]) == ("\u0130pek", "Bob 1", None)
        assert found["0"] not in ("ipek", None)
        assert players.by_key(connection, key("IPEK")) == "1"
        assert players.by_key(connection, "bob 1") == "2"


_TOURNAMENT_AT_0001 = """
INSERT INTO tournaments
  (id, number, format, opening, clock, length, state, elapsed, round, round_over, late, created_at)
  VALUES ('over', 1, 'swiss', 'empty', 10, 3, 'over', 70000, 3, 65000, true, 1),
  ('arena', 2, 'arena', 'empty', 10, 60000, 'running', 20000, 0, NULL, true, 1),
  ('swiss', 3, 'swiss', 'empty', 10, 3, 'running', 50000, 1, 49000, true, 1),
  ('next', 4, 'arena', 'empty', 10, 60000, 'waiting', 0, 0, NULL, true, 1);
INSERT INTO entrants (tournament, player, joined, playing, missed, free_since, barred)
  VALUES ('arena', 'a', 0, true, 0, 17000, false), ('next', 'a', 0, true, 0, -3000, false);
INSERT INTO matches (tournament, number, round, one, opening, step, since)
  VALUES ('arena', 1, 0, 'a', '', 2, 18000);
INSERT INTO games (id, kind, x_seat, o_seat, tournament, clock, begun_at, x_opened, moved_at,
  moves, given, reasons, helped, outcome, version, created_at, updated_at)
  VALUES ('moved', 'two devices', 'a', 'b', 'arena', 10, 5000, 6000, 15000,
    '04', 1, '', true, '', 1, 1, 1),
  ('begun', 'two devices', 'c', 'd', 'arena', 10, 19000, NULL, 19000,
    '0', 1, '', true, '', 1, 1, 1)
"""
_MOMENTS = (
    "SELECT ticked_at, ends_at, round_over FROM tournaments ORDER BY number",
    "SELECT free_since FROM entrants ORDER BY tournament",
    "SELECT since FROM matches",
    "SELECT deadline FROM games ORDER BY id",
)


def test_a_tournament_goes_on(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    if not settings.postgres:
        sqlite.file_of(settings).touch()
    now = 1_800_000_000_000
    monkeypatch.setattr("time.time", lambda: now / 1000)
    with closing(Database(settings)) as database, database.write() as connection:
        revisions.upgrade(connection, "0001")
        for statement in _TOURNAMENT_AT_0001.split(";"):
            connection.execute(sa.text(statement))
    assert prepare(settings, migrate=True).upgraded
    with closing(Database(settings)) as database, database.read() as connection:
        found = [[tuple(row) for row in connection.execute(sa.text(ask))] for ask in _MOMENTS]
        (_over, *going), free_since, since, deadlines = found
        assert going == [(now, now + 40_000, None), (now, None, now - 1000), (0, None, None)]
        assert (free_since[0], since) == ((now - 3000,), [(now - 2000,)])
        assert deadlines == [(now + 20_000,), (now + 10_000,)]
        event = tournaments.running(connection)
        assert event
        assert (event.id, event.ticked_at) == ("swiss", now)


def test_a_run_of_puzzles_goes_on_and_no_exercise_is_done(settings: Settings) -> None:
    if not settings.postgres:
        sqlite.file_of(settings).touch()
    insert = """INSERT INTO runs (player, seed, "right", wrong, best) VALUES ('a', 7, 3, 1, 5)"""
    with closing(Database(settings)) as database, database.write() as connection:
        revisions.upgrade(connection, "0009")
        connection.execute(sa.text(insert))
    assert prepare(settings, migrate=True).upgraded
    with closing(Database(settings)) as database, database.read() as connection:
        assert runs.of(connection, "a") == runs.Run(7, 3, 1, 5, exercises=0)


_GAME = """
INSERT INTO games (id, kind, x_seat, o_seat, moves, given, reasons, helped, outcome, version,
                   created_at, updated_at, code)
VALUES (:id, 'two devices', :x, :o, :moves, 0, '[null,null]', false, '', 1, 1, :now, :code)
"""


@pytest.mark.parametrize("revision", ["0001", "0007"])
def test_what_players_wait_for_is_still_met(settings: Settings, revision: str) -> None:
    if not settings.postgres:
        sqlite.file_of(settings).touch()
    with closing(Database(settings)) as database, database.write() as connection:
        revisions.upgrade(connection, revision)
        for player in "abcdef":
            insert_player(connection, player)
        for id_, x, o, moves in (("A", "a", None, ""), ("B", None, "b", ""), ("C", "c", "d", "40")):
            row = {"id": id_, "x": x, "o": o, "moves": moves, "code": 6 * id_}
            connection.execute(sa.text(_GAME), row | {"now": int(time.time())})
        connection.execute(sa.text("INSERT INTO seeks (player, since) VALUES ('e', 1)"))
        if revision == "0007":
            asks = "INSERT INTO seeks (player, since, asked) VALUES ('f', 2, 'a')"
            connection.execute(sa.text(asks))
    assert prepare(settings, migrate=True).upgraded
    site = Site(settings)
    with closing(site.database), site.database.read() as connection:
        found = {one.player: one.asked for one in stored.waiting(connection)}
        asked = {"f": "a"} if revision == "0007" else {}
        assert found == dict.fromkeys("abe") | asked
        for code, id_, seats in (("AAAAAA", "A", ("a", "g")), ("BBBBBB", "B", ("h", "b"))):
            assert wishes.code_of(site, id_) == code
            assert wishes.join(site, code, "".join({*seats} - {id_.lower()})) == id_
            game = games.look(site, id_, "a").game
            assert (game.x_seat, game.o_seat) == seats
            assert games.play(site, id_, seats[0], 4, game.version).game.moves == (4,)
        assert games.play(site, "C", "c", 8, 1).game.moves == (4, 0, 8)
