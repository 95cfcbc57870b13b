"""Stopping the server in the midst of a lesson: nothing that was begun is lost."""

from __future__ import annotations

import os
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

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")

PEOPLE = 16
BY_FORCE = 5.0
"""Seconds after which the server kills a worker that still waits for a client."""

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
                assert left == {".db", ".lock", ".turn"}, "all is in the file"
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
