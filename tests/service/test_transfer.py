"""A class moves to another database, and nothing is lost."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tests.support.files import change, content, insert_player, refusal
from tests.support.people import challenge, played_out, player_of, sit_down
from tests.support.postgres import Cluster
from tests.support.visitor import open_site
from webapp.analysis.puzzles import Kind
from webapp.classroom import Wall
from webapp.config import Settings
from webapp.core.board import Mark
from webapp.core.game import digits, moves_to
from webapp.service import menace, polls, puzzles, teacher, tickets, tournaments
from webapp.service.site import Site as Service
from webapp.service.transfer import transfer
from webapp.store import Database, copies, prepare
from webapp.store.schema import KEPT
from webapp.store.transfer import copy_rows
from webapp.tournament.event import Format, Opening


@pytest.fixture(scope="module")
def class_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("class")
    with open_site(folder, seed="tests") as site:
        alice, bob, eve = (site.visitor() for _ in range(3))
        played_out(alice)  # finished against an engine, with reasons
        alice.try_to("hint", alice.start("hard", "o"), {})  # unfinished; the engine has moved
        alice.start("friend", "x", cell=4)
        alice.start("rules:win,block", "x", cell=0)
        sit_down(alice, bob).play("03142")  # won by a classmate
        game = sit_down(bob, alice)
        game.play("04")
        game.act(bob, "resign")
        assert sit_down(alice, bob).play("012435768").outcome == "draw"
        played_out(eve)
        played_out(eve)  # and is due to be ranked again
        for _ in range(3):
            challenge(site.visitor())  # a code
        host, people = site.service, [*map(player_of, (alice, bob, eve))]
        for _ in range(2):
            polls.end(host, polls.start_quiz(host, 5, [Kind.WIN], 15))
        vote = polls.start_vote(host, "hard", Mark.X, 0)
        for player in people:
            asked, (_, puzzle) = polls.going(host), puzzles.run(host, player)
            assert asked
            polls.answer(host, asked.id, player, 4)
            puzzles.answer(host, player, digits(moves_to(puzzle.board)), puzzle.right[0])
            tickets.go_on(host, player[::-1], tickets.ticket(host, player).code)
        polls.end(host, vote)
        for ended in (True, True, False):  # in each two meet, and one has a bye
            event = tournaments.create(host, Format.SWISS, Opening.SHARP, 15, 3)
            for player in people:
                tournaments.join(host, event, player)
            tournaments.start(host, event)
            if ended:
                tournaments.end(host, event)
        menace.train(host, "easy", 1100, "7")
        teacher.choose(host, names_locked=True)
        teacher.pause(host)
        teacher.show(host, Wall(moves="402", at=1, values=True))
    file = folder / "tictactoe.db"
    # Names of every alphabet, and times beyond 32 bits.
    change(file, "UPDATE players SET name = 'Ünï 漢字 😀' || substr(id, 1, 9)")
    change(file, "UPDATE players SET seen_at = 99999999999")
    return file


@pytest.fixture
def settings(class_file: Path, tmp_path: Path) -> Settings:
    copies.copy(class_file, tmp_path / "tictactoe.db")
    return Settings(data=tmp_path)


def everything(settings: Settings) -> dict[str, list[tuple[Any, ...]]]:
    with closing(Database(settings)) as database, database.read() as connection:
        return {
            table.name: sorted(map(tuple, connection.execute(sa.select(table))), key=repr)
            for table in KEPT
        }


def stored(folder: Path) -> list[str]:
    """Every row as SQLite writes it, kinds of values included."""
    begins = tuple(f'INSERT INTO "{table.name}"' for table in KEPT)
    return sorted(line for line in content(folder / "tictactoe.db") if line.startswith(begins))


def test_nothing_is_lost_on_the_way_to_postgresql_and_back(
    settings: Settings, tmp_path: Path, postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.store.transfer.BATCH", 2)  # there are more rows than that
    before = everything(settings)
    assert all(len(rows) > 2 for name, rows in before.items() if name not in ("ids", "lesson"))
    (chosen,) = before["lesson"]
    assert chosen.count(None) < len(chosen) - 4, "names are locked, games paused, and a wall shown"
    dump = stored(settings.data)
    there = Settings(data=tmp_path / "unused", database_url=postgres.database())
    prepare(there)
    host = Service(there)
    teacher.show(host, Wall(moves="4"))  # which goes: the class brings its own
    host.database.close()
    counts = transfer(settings, there)
    assert counts == {name: len(rows) for name, rows in before.items()}
    assert everything(there) == before
    assert everything(settings) == before, "the source is left as it is"
    back = tmp_path / "back"
    back.mkdir()
    assert transfer(there, Settings(data=back)) == counts
    assert stored(back) == dump
    with open_site(back) as site:
        assert site.visitor().get("/class").status == 200


@pytest.fixture
def target(database_url: str | None, tmp_path: Path) -> Settings:
    return Settings(database_url=database_url or f"sqlite:///{tmp_path / 'target.db'}")


def test_only_an_empty_database_is_filled(settings: Settings, target: Settings) -> None:
    prepare(target)
    assert "holds nothing that could be copied" in refusal(lambda: transfer(target, settings))
    with open_site(settings.data) as site:
        assert site.visitor().get("/class").status == 200
        assert "A server is using" in refusal(lambda: transfer(settings, target))
    with closing(Database(target)) as database, database.write() as connection:
        insert_player(connection, "a")
    before = everything(target)
    absent = Settings(data=settings.data / "nothing")
    assert "There is no database" in refusal(lambda: transfer(absent, target))
    assert not absent.data.exists()
    for source in (settings, target):
        full = refusal(lambda: transfer(source, target))  # noqa: B023
        assert "holds players or games already" in full
    assert everything(target) == before


def test_a_row_that_the_target_refuses_moves_nothing(settings: Settings, postgres: Cluster) -> None:
    file = settings.data / "tictactoe.db"
    assert KEPT[-1].name == "menace", "the others have been copied before"
    change(file, "UPDATE menace SET games = games || char(0)")
    target = Settings(database_url=postgres.database())
    assert "Nothing was copied to" in refusal(lambda: transfer(settings, target))
    assert [name for name, rows in everything(target).items() if rows] == ["ids"], "its own"
    with closing(sqlite3.connect(file, timeout=0)) as connection:
        connection.execute("BEGIN IMMEDIATE")  # nothing is left locked


def test_nobody_writes_to_the_source_meanwhile(
    settings: Settings, target: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = settings
    if target.postgres:
        source, target = target, Settings(database_url=f"sqlite:///{tmp_path / 'target.db'}")
        transfer(settings, source)

    def try_to_write(here: sa.Connection, there: sa.Connection) -> None:
        copy_rows(here, there)
        impatient = {"options": "-c lock_timeout=50"} if source.postgres else {"timeout": 0}
        engine = sa.create_engine(source.url, connect_args=impatient)
        with engine.connect() as other, pytest.raises(sa.exc.OperationalError, match="lock"):
            other.execute(sa.text("UPDATE players SET name = 'lost'"))
        engine.dispose()

    monkeypatch.setattr("webapp.service.transfer.copy_rows", try_to_write)
    transfer(source, target)
    assert everything(target) == everything(source)
