"""Databases of earlier versions come forward with everything in them."""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa

from tests.support.files import of_schema, refusal
from tests.support.people import name_of
from tests.support.postgres import Cluster
from tests.support.visitor import open_site
from webapp.config import Settings
from webapp.service.host import IDLE_DAYS, Host
from webapp.service.ranking import Ranking
from webapp.store import Database, advice, players, prepare, revisions
from webapp.store.database import SCHEMA_REVISION as NEWEST
from webapp.store.schema import metadata

REVISIONS = sorted(file.name[:4] for file in (revisions.MIGRATIONS / "versions").glob("0*.py"))
"""Every schema that was ever released."""

OLDER = REVISIONS[:-1]
WITHOUT_NAMES = REVISIONS[:2]

REMOVED = {("games", "asked_at")}

COOKIE = "c" * 43
ALICE = hashlib.sha256(COOKIE.encode()).hexdigest()
BOB = "b" * 64

RECORD = "INSERT INTO records (player, opponent, recent, won, drawn, lost, run, best_run) VALUES"
REASON = '{"rule":"win","lines":[[0,1,2]]}'


def old_game(
    identifier: str, x: str | None, o: str | None, opponent: str, moves: str = "4", **more: Any
) -> dict[str, Any]:
    """A row of the first schema."""
    reasons = f"[{','.join(['null'] * len(moves))}]"
    who = {"id": identifier, "x_seat": x, "o_seat": o, "opponent": opponent}
    rest = {"hint": None, "helped": False, "outcome": "", "version": 2, "start_key": None}
    when = {"next_id": None, "created_at": 1_700_000_000, "updated_at": 1_700_000_900}
    return {**who, "moves": moves, "reasons": reasons, **rest, **when, **more}


GAMES = [
    old_game("won", ALICE, None, "easy", "03142", outcome="x", next_id="going"),
    old_game("lost", None, ALICE, "hard", "03142", outcome="x", start_key="k" * 64,
             reasons=f"[null,null,null,null,{REASON}]"),
    old_game("going", ALICE, None, "easy", "40", hint=f"[8,{REASON}]", helped=True),
    old_game("friends", BOB, BOB, "friend", updated_at=1_700_000_100),
    old_game("untouched", BOB, None, "rules:win,block", "", updated_at=1_700_000_200),
]  # fmt: skip


def old_database(settings: Settings, revision: str) -> None:
    """Make the database of an earlier version, with games in it."""
    of_schema(settings, revision)
    with writing(settings) as connection:
        created = {ALICE: 1_700_000_000, BOB: 1_700_000_500, "carol": 1_700_000_700}
        chosen = {"opponent": "hard", "mark": "alternate", "last_mark": "x"}
        for player, moment in created.items():
            insert(connection, "players", {"id": player, "created_at": moment, **chosen})
        insert(connection, "games", *GAMES)
    added = {
        "0002": ["UPDATE games SET given = 1, helped = NOT helped WHERE id = 'friends'"],
        "0003": [
            "UPDATE players SET seen_at = created_at, name = id, name_key = id",
            "UPDATE games SET opponent = 'classmate', o_seat = :bob WHERE id = 'won'",
            "UPDATE games SET code = 'ABC234', rematch = 'x' WHERE id = 'won'",
            f"{RECORD} (:alice, :bob, 'w', 1, 0, 0, 1, 1)",
        ],
    }
    for one, statements in added.items():
        if one <= revision:
            run(settings, *statements, alice=ALICE, bob=BOB)
    if "0004" <= revision < NEWEST:
        scores = "INSERT INTO scores VALUES (:alice, :bob, 1, 0, 0), (:alice, 'hard', 0, 0, 1)"
        run(settings, scores, alice=ALICE, bob=BOB)


@contextmanager
def writing(settings: Settings) -> Iterator[sa.Connection]:
    database = Database(settings)
    with database.write() as connection:
        yield connection
    database.close()


def run(settings: Settings, *statements: str, **values: object) -> None:
    with writing(settings) as connection:
        for statement in statements:
            connection.execute(sa.text(statement), values)


def insert(connection: sa.Connection, table: str, *some: dict[str, Any]) -> None:
    columns: list[sa.ColumnClause[Any]] = [sa.column(name) for name in some[0]]
    connection.execute(sa.insert(sa.table(table, *columns)), some)


def rows(settings: Settings, table: str) -> list[dict[str, Any]]:
    with writing(settings) as connection:
        found = connection.execute(sa.text(f"SELECT * FROM {table} ORDER BY 1"))  # noqa: S608
        return [dict(row) for row in found.mappings()]


@pytest.mark.parametrize("revision", REVISIONS)
def test_all_that_is_stored_comes_forward(settings: Settings, revision: str) -> None:
    old_database(settings, revision)
    tables = ("players", "games", *(("records",) if revision > "0002" else ()))
    before = {table: rows(settings, table) for table in tables}
    prepared = prepare(settings, migrate=True)
    assert rows(settings, "alembic_version") == [{"version_num": NEWEST}]
    for table, old in before.items():
        assert old
        new = rows(settings, table)
        kept = [name for name in old[0] if (table, name) not in REMOVED]
        came, were = ([{name: row[name] for name in kept} for row in some] for some in (new, old))
        # There are more records: of scores that had none.
        assert [row for row in came if table != "records" or row in were] == were
    if settings.postgres or revision == NEWEST:
        assert prepared.copy is None
        return
    # An older file is copied before it is changed.
    assert prepared.copy == settings.data / f"tictactoe-schema-{revision}.db"
    with closing(sqlite3.connect(prepared.copy)) as connection:
        connection.row_factory = sqlite3.Row
        for table, old in {**before, "alembic_version": [{"version_num": revision}]}.items():
            found = connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()  # noqa: S608
            assert [dict(row) for row in found] == old


COMPARED = (
    *("name", "type", "nullable", "default", "column_names", "unique", "constrained_columns"),
    *("sqltext", "referred_table"),
)


def described(settings: Settings) -> dict[str, Any]:
    """Everything that the database says of its tables, in the same order for all."""
    with writing(settings) as connection:
        inspector = sa.inspect(connection)
        tables = {*inspector.get_table_names()} - {"alembic_version"}
        assert tables == set(metadata.tables)
        asked = (
            inspector.get_columns,
            inspector.get_indexes,
            inspector.get_unique_constraints,
            inspector.get_foreign_keys,
            inspector.get_check_constraints,
            lambda table: [inspector.get_pk_constraint(table)],
        )
        return {
            table: [
                sorted(str([str(one.get(name)) for name in COMPARED]) for one in ask(table))
                for ask in asked
            ]
            for table in tables
        }


@pytest.mark.parametrize("revision", OLDER)
def test_the_migrated_schema_is_the_one_that_a_new_database_gets(
    settings: Settings, tmp_path: Path, request: pytest.FixtureRequest, revision: str
) -> None:
    url = settings.database_url
    other = request.getfixturevalue("postgres").database() if url else None
    (tmp_path / "new").mkdir()
    fresh = Settings(data=tmp_path / "new", database_url=other)
    of_schema(settings, revision)
    prepare(settings, migrate=True)
    prepare(fresh)
    assert described(settings) == described(fresh)


@pytest.mark.parametrize("revision", WITHOUT_NAMES)
def test_what_is_new_is_empty_for_what_is_old(settings: Settings, revision: str) -> None:
    old_database(settings, revision)
    prepare(settings, migrate=True)
    given = {row["given"] for row in rows(settings, "games")}
    assert given == ({0} if revision < "0002" else {0, 1})
    for row in rows(settings, "games"):
        assert (row["code"], row["ending"], row["rematch"]) == (None, None, None)
    assert all(row["recent"] == "" for row in rows(settings, "records")), "they rank no one"
    assert {(row["id"], row["name"], row["seen_at"]) for row in rows(settings, "players")} == {
        (ALICE, None, 1_700_000_900),  # in her newest game, whichever mark she has there
        (BOB, None, 1_700_000_500),  # by a clock that went back, his games are older than he is
        ("carol", None, 1_700_000_700),  # without a game
    }


@pytest.mark.parametrize("revision", OLDER)
def test_players_known_from_before_can_be_named_and_are_forgotten_in_time(
    settings: Settings, revision: str
) -> None:
    old_database(settings, revision)
    moment = "seen_at" if revision > "0002" else "created_at"
    run(
        settings,
        "UPDATE games SET updated_at = :now",
        f"UPDATE players SET {moment} = :now WHERE id <> 'carol'",  # noqa: S608
        now=int(time.time()),
    )
    prepare(settings, migrate=True)
    database = Database(settings)
    assert Host(database).forget_idle(IDLE_DAYS) == 1
    assert {row["id"] for row in rows(settings, "players")} == {ALICE, BOB}
    with database.write() as connection:
        assert players.rename(connection, ALICE, "Ada", "ada")
        assert {one.name: one.games for one in players.everyone(connection)}["Ada"] == 3
        assert players.forget(connection, ALICE) == 1
    database.close()
    # Before there were names, a game with another person was one at one device.
    kept = ["friends", "untouched", *["won"] * (revision > "0002")]
    assert [row["id"] for row in rows(settings, "games")] == kept
    assert not {row["player"] for row in rows(settings, "records")} & {ALICE}


def test_the_scores_are_what_the_pages_have_shown(settings: Settings) -> None:
    """Against engines they were counted from the games, against classmates kept as records."""
    old_database(settings, "0003")
    chance = Random(7)
    opponents = ("easy", "hard", "rules:win,block", "friend", "classmate")
    expected = {(ALICE, BOB): [1, 0, 0], (BOB, "carol"): [3, 2, 1]}
    some = []
    for number in range(600):
        mine, outcome = chance.choice("xo"), chance.choice(["x", "o", "draw", ""])
        player, opponent = chance.choice([ALICE, BOB, "carol"]), chance.choice(opponents)
        other = {"friend": player, "classmate": BOB}.get(opponent)
        x, o = (player, other) if mine == "x" else (other, player)
        helped = chance.random() < 0.2
        some.append(old_game(f"game{number}", x, o, opponent, outcome=outcome, helped=helped))
        if outcome and not helped and other is None:
            result = 1 if outcome == "draw" else 0 if outcome == mine else 2
            expected.setdefault((player, opponent), [0, 0, 0])[result] += 1
    run(
        settings,
        "DELETE FROM games",
        f"{RECORD} (:bob, 'carol', 'wdl', 3, 2, 1, 0, 2), (:bob, 'easy', 'd', 0, 1, 0, 0, 0)",
        bob=BOB,
    )
    with writing(settings) as connection:
        insert(connection, "games", *some)
    prepare(settings, migrate=True)
    assert len(expected) == 2 + 3 * 3
    expected[BOB, "easy"] = [0, 1, 0]  # the host has reset the standings
    found = {(row["player"], row["opponent"]): row for row in rows(settings, "records")}
    assert {
        pair: [row["won"], row["drawn"], row["lost"]] for pair, row in found.items()
    } == expected
    assert {pair for pair, row in found.items() if row["earlier"]} == {(BOB, "easy")}
    assert found[BOB, "easy"]["earlier"] == "w"


@pytest.mark.parametrize("revision", OLDER)
def test_everyone_with_a_record_is_ranked(settings: Settings, revision: str) -> None:
    old_database(settings, revision)
    if revision > "0002":
        more = "(:alice, 'easy', 'd', 0, 9, 0, 0, 0), (:bob, :alice, 'l', 0, 0, 1, 0, 0)"
        gone = f"(:alice, '{64 * 'f'}', 'w', 1, 0, 0, 0, 0)"
        run(settings, f"{RECORD} {more}, {gone}", alice=ALICE, bob=BOB)
    prepare(settings, migrate=True)
    database = Database(settings)
    with database.read() as connection:
        places = Ranking(database).table(connection).places
    database.close()
    assert {player: one.games for player, one in places.items()} == (
        {ALICE: 10, BOB: 1} if revision > "0002" else {}
    )


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


def test_an_old_program_refuses_a_newer_schema_and_leaves_it_alone(settings: Settings) -> None:
    old_database(settings, NEWEST)
    run(settings, "UPDATE alembic_version SET version_num = '9999'")
    before = rows(settings, "games")
    for migrate in (False, True):
        sentence = refusal(partial(prepare, settings, migrate=migrate))
        assert f"newer version of this program (schema 9999, this one knows {NEWEST})" in sentence
    assert rows(settings, "games") == before


@pytest.mark.parametrize("revision", OLDER)
def test_an_older_postgres_is_brought_forward_only_where_that_is_asked_for(
    tmp_path: Path, postgres: Cluster, revision: str
) -> None:
    settings = Settings(data=tmp_path, database_url=postgres.database())
    of_schema(settings, revision)
    sentence = refusal(lambda: prepare(settings))
    for word in (f"schema {revision}, ", NEWEST, f"run: {advice.command('migrate')}."):
        assert word in sentence
    assert rows(settings, "alembic_version") == [{"version_num": revision}]
    prepare(settings, migrate=True)
    prepare(settings)
