"""PostgreSQL stops, starts, cuts connections and does not answer while a class plays."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import psycopg
import pytest

from tests.e2e.server import WAITS_FOR_LOCKS, Server
from tests.support.class_under_fire import a_class, check_nothing_lost
from tests.support.http import Player, run
from tests.support.patience import PATIENCE, Times, until
from tests.support.postgres import Cluster, cluster
from tests.support.programs import needs
from tests.support.relay import Relay
from webapp.config import Settings
from webapp.live import sealed
from webapp.store import topics

SOON_GIVEN_UP = "import webapp.store.postgres\nwebapp.store.postgres._PATIENCE = 2\n"
"""A patch: the database is waited for two fifths as long."""


@dataclass(frozen=True)
class School:
    """A server, and its database at the other end of a relay."""

    server: Server
    cluster: Cluster
    relay: Relay
    database: str

    def statuses(self, *paths: str) -> list[int]:
        return [Player(self.server.url).get(path).status for path in paths]

    def hears(self) -> bool:
        """Tell whether it listens to the database, as it does a moment after it finds it."""
        path = f"/events?topic={sealed(topics.WALL)}"
        return run(Player(self.server.url).ask("HEAD", path)).status == 204


@pytest.fixture(scope="module")
def durable() -> Iterator[Cluster]:
    needs("initdb")
    with cluster(durable=True) as server:
        yield server


@pytest.fixture(scope="module")
def school(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, durable: Cluster
) -> Iterator[School]:
    """One that waits for its database as long as it takes, unless a test patches it."""
    with Relay(durable.port) as relay:
        threading.Thread(target=relay.serve_forever).start()
        database, patch = durable.database(), getattr(request, "param", WAITS_FOR_LOCKS)
        through = database.replace(f":{durable.port}/", f":{relay.server_address[1]}/")
        folder = tmp_path_factory.mktemp("school")
        try:
            served = Server(folder / "data", {"TTT_DATABASE_URL": through}, patch=patch)
            try:
                yield School(served, durable, relay, database)
            finally:
                served.stop()
        finally:
            relay.shutdown()


def test_what_happens_to_the_database_loses_no_move(school: School, times: Times) -> None:
    def all_go_on() -> None:
        enough = [(person, person.answered + 3) for person in noted.people]
        until(lambda: all(person.answered >= number for person, number in enough))

    for _ in range(times(1, 40)):
        with a_class(school.server.url, "database") as noted:
            all_go_on()
            school.relay.cut()
            all_go_on()
            school.cluster.stop("immediate")  # as where its plug is pulled
            school.cluster.start()
            all_go_on()
        assert len(noted.played) >= len(noted.people)
        # No one is told anything worse than to try again.
        assert {error.rpartition(": ")[2] for error in noted.errors} <= {"503"}
        check_nothing_lost(Settings(database_url=school.database), noted)


def test_a_move_that_is_cut_off_once_it_is_stored_is_made_once(school: School) -> None:
    alice = Player(school.server.url)
    alice.start()
    page = alice.get(alice.game)
    move = f"{alice.game}/moves", {"cell": page.playable[0], "version": page.version}
    # With its COMMIT goes what tells the others of it: no other transaction is about this game.
    school.relay.last = alice.game.replace("/games/", "game:").encode()
    with ThreadPoolExecutor(1) as visitor, psycopg.connect(school.database, autocommit=True) as db:
        moves = "SELECT moves FROM games WHERE id = %s", (alice.game.removeprefix("/games/"),)
        before = db.execute(*moves).fetchone()
        answer = visitor.submit(alice.post, move[0], **move[1])
        until(lambda: db.execute(*moves).fetchone() != before)
        assert not answer.done()
        school.relay.last = b""
        school.relay.cut()
        school.relay.answers.set()
        assert answer.result().status == 503
        stored = db.execute(*moves).fetchone()
        # The page asks to try again, and its player presses the same cell.
        assert alice.post(move[0], **move[1]).status in (303, 409)
        assert db.execute(*moves).fetchone() == stored
    assert alice.get(alice.game).version == 2


def test_streams_end_where_what_another_server_changes_may_have_been_missed(school: School) -> None:
    async def listen() -> None:
        async with Player(school.server.url).listening(topics.WALL) as said:
            assert await anext(said) == "hello"
            await asyncio.to_thread(school.relay.cut)
            assert "hello" not in [event async for event in said]

    until(school.hears)
    run(asyncio.wait_for(listen(), PATIENCE))


@pytest.mark.parametrize("school", [SOON_GIVEN_UP], ids=["soon given up"], indirect=True)
def test_without_its_database_the_server_says_so_and_later_goes_on(school: School) -> None:
    school.relay.cut()
    school.relay.answers.clear()  # it does not answer, and is given up
    try:
        assert school.statuses("/") == [503]
    finally:
        school.relay.answers.set()
    until(lambda: school.statuses("/", "/healthz") == [200, 200])
    school.cluster.stop()
    try:
        paths = ("/", "/class", "/healthz", "/opponents", "/static/app.css")
        assert school.statuses(*paths) == [503, 503, 503, 200, 200]
    finally:
        school.cluster.start()
    until(lambda: school.statuses("/", "/class", "/healthz") == [200, 200, 200])
