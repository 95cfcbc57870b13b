"""PostgreSQL stops, starts, cuts connections and does not answer while a class plays."""

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import psycopg
import pytest

from tests.e2e.server import WAITS_FOR_LOCKS, Server
from tests.support.class_under_fire import a_class, check_nothing_lost
from tests.support.http import Player, answers
from tests.support.patience import until
from tests.support.postgres import Cluster, cluster
from tests.support.programs import needs
from tests.support.relay import Relay, relay
from webapp.config import Settings

SOON_GIVEN_UP = "import webapp.store.postgres\nwebapp.store.postgres._PATIENCE = 2\n"
"""A patch: the database is waited for two fifths as long."""


@dataclass(frozen=True)
class School:
    """A server with two workers, and its database at the other end of a relay."""

    server: Server
    cluster: Cluster
    relay: Relay
    database: str

    def statuses(self, *paths: str) -> list[int]:
        """What the server answers to these, one after the other."""
        return [Player(self.server.url).get(path).status for path in paths]


@pytest.fixture(scope="module")
def durable() -> Iterator[Cluster]:
    """A PostgreSQL server that forces its writes to the disk; each test leaves it running."""
    needs("initdb")
    with cluster(durable=True) as server:
        yield server


@pytest.fixture(scope="module")
def school(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, durable: Cluster
) -> Iterator[School]:
    """One that waits for its database as long as it takes, unless a test patches it."""
    folder, patch = tmp_path_factory.mktemp("school"), getattr(request, "param", WAITS_FOR_LOCKS)
    with relay(durable.port) as between:
        database = durable.database()
        through = database.replace(f":{durable.port}/", f":{between.port}/")
        served = Server(folder / "data", {"TTT_DATABASE_URL": through}, patch=patch)
        try:
            yield School(served, durable, between, database)
        finally:
            served.stop()


def test_what_happens_to_the_database_in_mid_game_loses_no_move(
    school: School, times: Callable[[int, int], int]
) -> None:
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
        for person in noted.people:
            assert (person.errors, person.refused) == ([], 0)
        assert len(noted.played) >= len(noted.people)
        check_nothing_lost(Settings(database_url=school.database), noted)


def test_a_move_that_is_cut_off_once_it_is_stored_is_made_once_and_answered(
    school: School,
) -> None:
    alice = Player(school.server.url)
    alice.start()
    # With its COMMIT goes what tells the others of it: no other transaction is about this game.
    school.relay.last = alice.game.replace("/games/", "game:").encode()
    with ThreadPoolExecutor(1) as visitor, psycopg.connect(school.database, autocommit=True) as db:
        moves = "SELECT moves FROM games WHERE id = %s", (alice.game.removeprefix("/games/"),)
        before = db.execute(*moves).fetchone()
        answer = visitor.submit(alice.move)
        until(lambda: db.execute(*moves).fetchone() != before)
        assert not answer.done()
        school.relay.last = b""
        school.relay.cut()
        school.relay.answers.set()
        assert answer.result().status == 303
    assert alice.get(alice.game).version == 2


@pytest.mark.parametrize("school", [SOON_GIVEN_UP], ids=["soon given up"], indirect=True)
def test_without_its_database_the_server_says_so_and_workers_that_die_are_replaced(
    school: School,
) -> None:
    school.relay.cut()
    school.relay.answers.clear()  # it does not answer, and is given up
    try:
        assert school.statuses("/") == [503]
    finally:
        school.relay.answers.set()
    until(lambda: school.statuses("/", "/healthz") == [200, 200])
    school.cluster.stop()
    try:
        with ThreadPoolExecutor(16) as visitors:  # so many that both workers get some
            found = list(visitors.map(lambda _: school.statuses("/"), range(16)))
        assert found == [[503]] * 16
        paths = ("/", "/class", "/healthz", "/learn", "/static/app.css")
        assert school.statuses(*paths) == [503, 503, 503, 200, 200]
        dead = school.server.workers()
        assert len(dead) == 2
        for worker in dead:
            os.kill(worker, signal.SIGKILL)
        until(lambda: answers(school.server.url, "/static/app.css"))
        # The new ones have not met the database, and do not wait for it.
        assert not dead & school.server.workers()
        assert school.statuses("/") == [503]
    finally:
        school.cluster.start()
    until(lambda: school.statuses("/", "/class", "/healthz") == [200, 200, 200])
