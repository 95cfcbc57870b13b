from concurrent.futures import Executor, Future
from contextlib import suppress
from functools import partial
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

from tests.support.files import NEXT, insert_player, next_version, players, refusal
from tests.support.patience import until
from tests.support.postgres import STRANGER, Cluster
from webapp.config import Settings
from webapp.store import Database, prepare
from webapp.store import players as stored_players

ALICE, BOB = "a" * 64, "b" * 64


@pytest.fixture
def settings(tmp_path: Path, postgres: Cluster) -> Settings:
    return Settings(data=tmp_path, database_url=postgres.emptied())


def direct(settings: Settings) -> psycopg.Connection:
    return psycopg.connect(settings.database_url or "", autocommit=True)


def asked(settings: Settings, question: str) -> object:
    with direct(settings) as connection:
        row = connection.execute(question.encode()).fetchone()
        return row[0] if row else None


def until_another_waits(settings: Settings) -> None:
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    until(lambda: asked(settings, f"{waiting} AND datname = current_database()"), "nobody waits")


@pytest.mark.parametrize("fails", [False, True])
def test_a_transaction_is_a_whole(database: Database, settings: Settings, *, fails: bool) -> None:
    with suppress(RuntimeError), database.write(ALICE) as connection:
        insert_player(connection, ALICE)
        with database.read() as reader:
            assert players(reader) == []
        if fails:
            raise RuntimeError
    with database.read() as connection:
        assert players(connection) == [ALICE] * (not fails)
        # Outside, each statement stands for itself, and leaves no lock.
        insert_player(connection, BOB)
        assert asked(settings, "SELECT count(*) FROM players") == 2 - fails
        assert asked(settings, "SELECT count(*) FROM pg_locks WHERE locktype = 'relation'") == 1


def test_a_name_is_had_by_one(database: Database, settings: Settings, aside: Executor) -> None:
    def rename() -> bool:
        with database.write(BOB) as connection:
            insert_player(connection, BOB)
            return stored_players.rename(connection, BOB, "Ada", "ada")

    with database.write(ALICE) as connection:
        insert_player(connection, ALICE)
        assert stored_players.rename(connection, ALICE, "Ada", "ada")
        # Not to be seen by the other one yet, who is so refused by the index only.
        other = aside.submit(rename)
        until_another_waits(settings)
    assert other.result() is False
    assert asked(settings, "SELECT string_agg(name, '') FROM players") == "Ada"
    assert asked(settings, "SELECT count(*) FROM players") == 2


def test_about_one_thing_one_waits(database: Database, settings: Settings, aside: Executor) -> None:
    def look() -> list[str]:
        with database.write(BOB, ALICE) as connection:
            return players(connection)

    # Neither about the same thing, nor about anything.
    with database.write("carol"), database.write(), database.write(ALICE) as connection:
        other = aside.submit(look)
        until_another_waits(settings)
        insert_player(connection, ALICE)
    assert other.result() == [ALICE]


def test_locks_never_wait_in_a_circle(database: Database, aside: Executor) -> None:
    def hold(*about: str) -> None:
        for _ in range(50):
            with database.write(*about):
                pass

    orders = [("a", "b", "c"), ("c", "b", "a"), ("b", "c", "a"), ("c", "a", "b")]
    finished: list[Future[None]] = [aside.submit(hold, *about) for about in orders]
    for one in finished:
        one.result()


def test_a_lock_is_waited_for_as_long_as_each_may(database: Database) -> None:
    for patient, limit in ((False, "5s"), (True, "0"), (False, "5s")):
        with database.write(ALICE, patient=patient) as connection:
            assert connection.exec_driver_sql("SHOW lock_timeout").scalar() == limit


def test_inside_another_one_a_transaction_is_a_part_of_that_and_holds_more_locks(
    database: Database, settings: Settings, aside: Executor
) -> None:
    def look() -> list[str]:
        with database.write(BOB) as connection:
            return players(connection)

    with suppress(ZeroDivisionError), database.write("seeks") as connection:
        with database.transaction(connection, BOB):
            insert_player(connection, ALICE)
        other = aside.submit(look)
        until_another_waits(settings)
        raise ZeroDivisionError
    assert other.result() == [], "all of it is undone"
    with database.write("seeks") as connection, database.transaction(connection, BOB):
        insert_player(connection, ALICE)
    assert look() == [ALICE]


def test_several_servers_may_make_or_upgrade_a_database_at_once(
    postgres: Cluster, aside: Executor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data=tmp_path, database_url=postgres.database())
    assert not any(one.upgraded for one in aside.map(prepare, [settings] * 4))
    next_version(monkeypatch, tmp_path / "migrations")
    assert any(aside.map(lambda one: prepare(one, migrate=True).upgraded, [settings] * 4))
    database = Database(settings)
    assert database.revision() == NEXT
    database.close()


def test_a_connection_that_was_ended_is_replaced(database: Database, settings: Settings) -> None:
    for number in range(3):
        with database.read() as one, database.read() as other:
            assert len(players(one)) == len(players(other)) == number
        ours = "application_name = 'tictactoe' AND datname = current_database()"
        ends = "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity WHERE "
        asked(settings, ends + ours)
        with database.write(ALICE) as connection:
            insert_player(connection, str(number))


def test_a_database_that_does_not_open_is_told(tmp_path: Path, postgres: Cluster) -> None:
    postgres.execute(f"DROP ROLE IF EXISTS {STRANGER}")
    postgres.execute(f"CREATE ROLE {STRANGER} LOGIN PASSWORD 'right'")
    for url, says in (
        ("ME:secret@HOST/absent", '"absent" does not exist'),
        ("ME:secret@nothing.invalid/x", "nothing.invalid"),
        ("ME:secret@127.0.0.1:1/x", "Connection refused"),
        ("nobody:secret@HOST/x", '"nobody" does not exist'),
        (f"{STRANGER}:secret@HOST/postgres", "password authentication failed for user"),
        (f"{STRANGER}:right@HOST/postgres", "permission denied for schema public"),
        ("me:pass@secret@HOST/x", "%40"),
    ):
        there = url.replace("ME", postgres.user).replace("HOST", f"127.0.0.1:{postgres.port}")
        settings = Settings(data=tmp_path, database_url=f"postgresql://{there}")
        sentence = refusal(partial(prepare, settings))
        assert says in sentence
        assert "secret" not in sentence


def test_who_is_forgotten_takes_games_in_one_order_with_either_mark(
    database: Database, settings: Settings, aside: Executor
) -> None:
    # Two who have played each other and go at the same moment would else wait for each other.
    game = (
        "INSERT INTO games (id, x_seat, o_seat, kind, moves, given, reasons, helped, outcome, "
        "version, created_at, updated_at) "
        "VALUES (:id, :x, :o, 'two devices', '', 0, '[]', false, 'draw', 1, 1, 1)"
    )
    with database.write() as connection:
        for name, x, o in (("b", ALICE, BOB), ("a", BOB, ALICE)):
            connection.execute(sa.text(game), {"id": name, "x": x, "o": o})

    def forget() -> None:
        with database.write(ALICE) as connection:
            stored_players.forget(connection, ALICE)

    with direct(settings) as first, first.transaction():
        first.execute("SELECT 1 FROM games WHERE id = 'a' FOR UPDATE")
        gone = aside.submit(forget)
        until_another_waits(settings)
        free = "SELECT id FROM games WHERE id = 'b' FOR UPDATE SKIP LOCKED"
        assert asked(settings, free) == "b"
    gone.result()
    assert asked(settings, "SELECT count(*) FROM games") == 0
