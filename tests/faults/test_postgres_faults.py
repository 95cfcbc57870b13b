"""PostgreSQL stops, starts, cuts connections and does not answer while a class plays."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import psycopg
import pytest

from tests.e2e.server import WAITS_FOR_LOCKS, Server
from tests.support.class_under_fire import Noted, a_class, check_nothing_lost
from tests.support.http import Answer, Player, answers
from tests.support.patience import until
from tests.support.postgres import Cluster
from tests.support.relay import Relay, relay
from webapp.config import Settings

WAITS_FOR = 5.0
"""Seconds for which a server that has gone is waited for."""

SINGLES, PAIRS = 6, 2


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

    def stored(self) -> dict[str, str]:
        """The moves of every game."""
        with psycopg.connect(self.database) as connection:
            return dict(connection.execute("SELECT id, moves FROM games").fetchall())


@contextmanager
def opened(folder: Path, durable: Cluster, patch: str = "") -> Iterator[School]:
    with relay(durable.port) as between:
        database = durable.database()
        through = database.replace(f":{durable.port}/", f":{between.port}/")
        served = Server(folder / "data", {"TTT_DATABASE_URL": through}, patch=patch)
        try:
            yield School(served, durable, between, database)
        finally:
            served.stop()


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory, durable: Cluster) -> Iterator[School]:
    with opened(tmp_path_factory.mktemp("school"), durable) as school:
        yield school


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory, durable: Cluster) -> Iterator[School]:
    """One that waits for its database as long as it takes to start again."""
    with opened(tmp_path_factory.mktemp("school"), durable, WAITS_FOR_LOCKS) as school:
        yield school


def test_what_happens_to_the_database_in_mid_game_loses_no_move(
    patient: School, times: Callable[[int, int], int]
) -> None:
    for _ in range(times(1, 40)):
        with a_class(patient.server.url, "database", SINGLES, PAIRS) as noted:
            answers_for_all(noted, 12)
            patient.relay.cut()
            answers_for_all(noted, 6)
            patient.cluster.stop("immediate")  # as where its plug is pulled
            patient.cluster.start()
            answers_for_all(noted, 6)
        for person in noted.people:
            assert (person.errors, person.refused) == ([], 0)
        assert len(noted.played) >= len(noted.people)
        check_nothing_lost(Settings(database_url=patient.database), noted)


def answers_for_all(noted: Noted, more: int) -> None:
    """Wait until everybody has got so many more answers that are no errors."""
    enough = [(person, person.answered + more) for person in noted.people]
    until(lambda: all(person.answered >= number for person, number in enough))


Move: TypeAlias = Callable[[], Future[Answer]]


def cut_off_before(school: School, move: Move) -> Future[Answer]:
    """Cut a move off that waits for a lock."""
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
    with suppress(psycopg.OperationalError), psycopg.connect(school.database) as other:
        other.execute("LOCK TABLE games IN EXCLUSIVE MODE")
        answer = move()
        until(lambda: other.execute(waiting).fetchone() != (0,))
        school.cluster.cut()
    return answer


def cut_off_after(school: School, move: Move) -> Future[Answer]:
    """Cut a move off that is stored, before the server knows it."""
    before, school.relay.delay = school.stored(), 0.5
    answer = move()
    until(lambda: school.stored() != before)
    assert not answer.done()
    school.relay.cut()
    school.relay.delay = 0
    return answer


@pytest.mark.parametrize("cut_off", [cut_off_before, cut_off_after])
def test_a_move_that_is_cut_off_is_made_once_and_answered(
    patient: School, cut_off: Callable[[School, Move], Future[Answer]]
) -> None:
    alice = Player(patient.server.url)
    alice.start()
    with ThreadPoolExecutor(1) as visitor:
        answer = cut_off(patient, lambda: visitor.submit(alice.move))
        assert answer.result().status == 303
    assert alice.get(alice.game).version == 2


def test_without_its_database_the_server_says_so_and_workers_that_die_are_replaced(
    school: School,
) -> None:
    school.cluster.stop()
    try:
        with ThreadPoolExecutor(16) as visitors:  # so many that both workers get some
            found = list(visitors.map(lambda _: school.statuses("/"), range(16)))
        assert found == [[503]] * 16
        began = time.monotonic()
        paths = ("/", "/class", "/healthz", "/learn", "/static/app.css")
        for _ in range(4):
            assert school.statuses(*paths) == [503, 503, 503, 200, 200]
        assert time.monotonic() - began < 12 * WAITS_FOR, "it has waited for none of them again"
        dead = school.server.workers()
        assert len(dead) == 2
        for worker in dead:
            os.kill(worker, signal.SIGKILL)
        until(lambda: answers(school.server.url, "/static/app.css"))
        # The new ones have not met the database, and do not wait for it.
        assert not {*dead} & {*school.server.workers()}
        assert school.statuses("/") == [503]
    finally:
        school.cluster.start()
    assert school.statuses("/", "/class", "/healthz") == [200, 200, 200]


def test_a_database_that_does_not_answer_is_given_up(school: School) -> None:
    # A new connection has to come about within five seconds, and takes two answers.
    school.relay.cut()
    school.relay.delay = 4.0
    try:
        assert school.statuses("/") == [503]
    finally:
        school.relay.delay = 0
    assert school.statuses("/", "/healthz") == [200, 200]
