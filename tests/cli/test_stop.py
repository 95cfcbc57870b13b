"""Stopping the server in the midst of a lesson: nothing that was begun is lost."""

from __future__ import annotations

import os
import select
import signal
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.e2e.server import Server
from tests.support import pace
from tests.support.crowd import PATIENCE, Crowd, stored_players
from tests.support.http import Player
from tests.support.waiting import cookies, read, request

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")

PEOPLE = 16
BY_FORCE = 5.0
"""Seconds after which the server kills a worker that still waits for a client."""

HELD = 51
LETS_GO = 0.5
"""Seconds after which no page waits any more."""

Times = Callable[[int, int], int]


@contextmanager
def running(folder: Path) -> Iterator[Server]:
    server = Server(folder / "games")
    try:
        yield server
    finally:
        server.kill_if_alive()


def send(server: Server, how: str) -> None:
    """Stop a server without waiting for it."""
    if how == "SIGTERM":
        os.kill(server.pid, signal.SIGTERM)  # as docker does
    elif how == "SIGTERM to all":
        os.killpg(server.pid, signal.SIGTERM)  # as systemd does
    else:
        os.killpg(server.pid, signal.SIGINT)  # as a terminal does


def idle(server: Server, sends: bytes = b"") -> socket.socket:
    """A connection that is open and asks for nothing."""
    address = urlsplit(server.url)
    connection = socket.create_connection((address.hostname, address.port), PATIENCE)
    connection.sendall(sends)
    return connection


def listens(server: Server) -> bool:
    """Whether connections are taken where the server was."""
    address = urlsplit(server.url)
    with socket.socket() as probe:
        return probe.connect_ex((address.hostname, address.port)) == 0


@contextmanager
def idlers(server: Server) -> Iterator[None]:
    """Connections that are kept open: new ones, and ones that were used."""
    with ExitStack() as connections:
        for sends in (b"", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"):
            for _ in range(5):
                connection = connections.enter_context(idle(server, sends))
                if sends:
                    assert connection.recv(65536).startswith(b"HTTP/1.1 200")
        yield


def check(crowd: Crowd, server: Server) -> None:
    """All who were answered have a game, and nobody else."""
    assert crowd.of("torn") == []
    answered = crowd.of("answered")
    assert {one.status for one in answered} == {200}
    assert stored_players(server.database) == {one.player for one in answered}


@pytest.mark.parametrize("how", ["SIGTERM", "SIGTERM to all", "Ctrl-C"])
def test_a_stop_in_mid_lesson_answers_what_was_begun_and_the_next_start_goes_on(
    how: str, tmp_path: Path, times: Times
) -> None:
    with running(tmp_path) as server:
        crowd = Crowd(server.url)
        away = []
        with crowd.at_play(PEOPLE):
            for _ in range(times(1, 20)):
                crowd.wait_for_answers(50)
                with idlers(server):
                    stopped = time.monotonic()
                    send(server, how)
                    assert server.ends() == 0
                assert time.monotonic() - stopped < BY_FORCE * pace.slowness()
                assert not listens(server)
                assert server.complaints() == ""
                left = {file.suffix for file in server.database.parent.iterdir()}
                assert left == {".db", ".lock", ".turn", ""}, "all is in the file"
                server.start()
                away.append(crowd.wait_for_answers(50) - stopped)
        print("seconds without service:", *(f"{seconds:.2f}" for seconds in away))  # with -s
        assert max(away) < 10 * pace.slowness()
        check(crowd, server)


def test_a_move_that_waits_for_the_database_is_stored_and_answered_although_the_server_stops(
    tmp_path: Path,
) -> None:
    with running(tmp_path) as server:
        crowd = Crowd(server.url)
        with closing(sqlite3.connect(server.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with crowd.at_play(4, games=1):
                # Nothing tells from outside that a request was begun, but that it is not answered.
                # Together far less than the second and a half that three of them have patience.
                time.sleep(0.4 * pace.slowness())
                assert crowd.asked == []
                send(server, "SIGTERM")
                time.sleep(0.1)
                other.execute("ROLLBACK")
                server.wait()
        assert len(crowd.of("answered")) == 4
        check(crowd, server)


def test_a_request_that_never_ends_holds_up_a_stop_for_five_seconds_at_most(
    tmp_path: Path,
) -> None:
    with running(tmp_path) as server, idle(server, b"GET /class HTT"):
        crowd = Crowd(server.url)
        with crowd.at_play(4):
            crowd.wait_for_answers(20)
            stopped = time.monotonic()
            send(server, "SIGTERM")
            server.wait()
            took = time.monotonic() - stopped
        assert took < BY_FORCE + 2 * pace.slowness()
        check(crowd, server)


@contextmanager
def waiting(server: Server) -> Iterator[list[socket.socket]]:
    """Pages that wait for what will not come: of a game, of the class, and elsewhere."""
    player = Player(server.url)
    player.start()
    addresses = f"{player.game}?since=1.0.0", "/class?since=999999", "/calls?since=999999"
    with ExitStack() as connections:
        waiting = [
            connections.enter_context(idle(server, request(addresses[number % 3], cookie)))
            for number, cookie in enumerate(cookies(HELD))
        ]
        # What is not held is answered by then.
        assert select.select(waiting, [], [], pace.slowness()) == ([], [], [])
        yield waiting


def until_let_go(waiting: list[socket.socket]) -> list[float]:
    """Return when each of them was answered, or closed."""
    ends, left = [], list(waiting)
    while left:
        ready, _, _ = select.select(left, [], [], PATIENCE)
        assert ready, "some wait on"
        for one in ready:
            answer = read(one.recv(65536))
            assert answer in ((204, True), (0, False))
            ends.append(time.monotonic())
            left.remove(one)
    return ends


@pytest.mark.parametrize("how", ["SIGTERM", "SIGTERM to all", "Ctrl-C"])
def test_a_stop_lets_all_pages_go_that_wait_for_news(how: str, tmp_path: Path) -> None:
    with running(tmp_path) as server, waiting(server) as pages:
        stopped = time.monotonic()
        send(server, how)
        let_go = max(until_let_go(pages)) - stopped
        assert server.ends() == 0
        ended = time.monotonic() - stopped
        assert server.complaints() == ""
    print(f"{HELD} pages let go after {let_go:.2f} s, ended after {ended:.2f} s")  # with -s
    assert let_go < LETS_GO * pace.slowness()
    assert ended < 2 * LETS_GO * pace.slowness()


def test_workers_whose_server_is_killed_let_all_pages_go_and_the_port(tmp_path: Path) -> None:
    with running(tmp_path) as server, waiting(server) as pages:
        killed = time.monotonic()
        server.kill_parent()
        assert max(until_let_go(pages)) - killed < 2 * LETS_GO * pace.slowness()
        assert time.monotonic() - killed < 4 * LETS_GO * pace.slowness()
        server.start()
        assert Player(server.url).get("/healthz").status == 200
