"""Another program holds the database for long: all are told, and can read meanwhile."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from tests.e2e.server import Server
from tests.support.http import Player
from tests.support.visitor import open_site
from webapp.store import Database
from webapp.web.errors import _PAGES

CLICKING = 8
"""More than there are threads in the process."""

SOON_GIVEN_UP = """
import webapp.store.sqlite
webapp.store.sqlite.BUSY, webapp.store.sqlite._BEHIND = 2, 0.6
"""
"""A patch: a locked database is waited for two fifths as long."""


def stored(file: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return sorted(connection.execute("SELECT id, moves, version FROM games"))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that must not complain about anything."""
    server = Server(tmp_path / "data", patch=SOON_GIVEN_UP)
    yield server
    server.stop()


def test_a_database_that_is_locked_for_long_is_told_of_and_can_be_read_meanwhile(
    server: Server,
) -> None:
    people = [Player(server.url) for _ in range(CLICKING)]
    for person in people:
        assert person.start().status == 303
    waiting, watcher = Player(server.url), Player(server.url)
    challenge = waiting.post("/challenges", mark="x").headers["Location"]
    before = stored(server.database)
    with (
        ThreadPoolExecutor(CLICKING + 1) as clicks,
        closing(sqlite3.connect(server.database, isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        moves = [clicks.submit(person.move) for person in people[1:]]
        moves.append(clicks.submit(people[0].post, f"{people[0].game}/again"))
        pages = ("/", "/class", people[0].game, f"{people[0].game}?since=1.0.0.0", "/healthz")
        reads = []
        while not all(move.done() for move in moves):
            reads += [watcher.get(page) for page in pages]
            # That this one is here can be written down only later.
            reads.append(waiting.get(f"{challenge}?since=1.0.0.0"))
        other.execute("ROLLBACK")
    for answer in (move.result() for move in moves):
        assert answer.status == 503
        assert int(answer.headers["Retry-After"]) > 0
        assert _PAGES[503][1] in answer.text
    assert {read.status for read in reads} == {200, 204}
    assert stored(server.database) == before
    assert [person.move().status for person in people] == [303] * CLICKING


def test_the_page_that_tells_of_it_does_not_ask_the_database_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def locked_for_too_long(_database: Database) -> None:
        asked.append(1)
        raise OperationalError("SELECT", {}, sqlite3.OperationalError("database is locked"))

    with open_site(tmp_path) as site:
        alice = site.visitor()
        alice.get("/")
        monkeypatch.setattr(Database, "read", locked_for_too_long)
        for path in ("/", "/class", "/games/x"):
            asked.clear()
            assert alice.get(path).status == 503
            assert asked == [1], "each time one would wait for as long again"
