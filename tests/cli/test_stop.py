"""Stopping the server in the midst of a lesson: nothing that was begun is lost."""

import os
import signal
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.e2e.server import WAITS_FOR_EVER, WAITS_FOR_LOCKS, Server
from tests.support.class_under_fire import Noted, a_class, check_nothing_lost
from tests.support.http import FRAGMENT, Player, begin
from tests.support.patience import PATIENCE, until
from webapp.config import Settings

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")

HELD = 51
"""How many pages wait."""

PATIENT_WITH_HEADS = f"""
import webapp.server
webapp.server.SILENCE = {10 * PATIENCE:.0f}
"""

NOTES_REQUESTS = """
import os
from flask import Flask
answer = Flask.__call__
def noted(*request):
    with open(os.environ["NOTES"], "a") as file:
        file.write("1")
    return answer(*request)
Flask.__call__ = noted
"""


@contextmanager
def running(folder: Path, patch: str = "") -> Iterator[Server]:
    server = Server(folder / "games", patch=patch)
    try:
        yield server
    finally:
        server.kill_if_alive()


def send(server: Server, how: str) -> None:
    """Stop a server without waiting for it."""
    if how == "SIGTERM":
        os.kill(server.pid, signal.SIGTERM)  # as docker does
    else:
        os.killpg(server.pid, signal.SIGINT)  # as a terminal does


def idle(server: Server, sends: bytes = b"") -> socket.socket:
    """A connection that is open and asks for nothing."""
    address = urlsplit(server.url)
    connection = socket.create_connection((address.hostname, address.port), PATIENCE)
    connection.sendall(sends)
    return connection


@contextmanager
def idlers(server: Server) -> Iterator[None]:
    """Connections that are kept open: new ones, and ones that were used."""
    with ExitStack() as connections:
        for sends in (b"", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n") * 5:
            connection = connections.enter_context(idle(server, sends))
            assert not sends or connection.recv(65536).startswith(b"HTTP/1.1 200")
        yield


def check_closed(server: Server) -> None:
    """No process had to be killed: it has closed the database."""
    left = {file.suffix for file in server.database.parent.iterdir()}
    assert left == {".db", ".lock", ""}, "all is in the file"


def check(noted: Noted, server: Server) -> None:
    """What was answered is stored, and no answer has broken off."""
    assert not [error for error in noted.errors if "IncompleteRead" in error]
    check_nothing_lost(Settings(data=server.database.parent), noted)


def test_a_stop_in_mid_lesson_answers_what_was_begun_and_the_next_start_goes_on(
    tmp_path: Path, times: Callable[[int, int], int]
) -> None:
    with running(tmp_path) as server:
        with a_class(server.url, "stop") as noted:
            for how in ("SIGTERM", "Ctrl-C") * times(1, 20):
                noted.wait_for_moves(30)
                with idlers(server):
                    send(server, how)
                    assert server.ends() == 0
                with pytest.raises(ConnectionError):
                    idle(server)
                assert server.complaints() == ""
                check_closed(server)
                server.start()
            noted.wait_for_moves(30)
        check(noted, server)


def test_a_move_that_waits_for_the_database_is_stored_and_answered_although_the_server_stops(
    tmp_path: Path, aside: ThreadPoolExecutor
) -> None:
    with running(tmp_path, WAITS_FOR_LOCKS + NOTES_REQUESTS) as server:
        people = [Player(server.url) for _ in range(4)]
        with closing(sqlite3.connect(server.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            answers = [aside.submit(person.start) for person in people]
            until(lambda: server.noted() == 4)
            send(server, "SIGTERM")
            time.sleep(0.1)
            assert not any(answer.done() for answer in answers)
            other.execute("ROLLBACK")
            server.wait()
            assert [answer.result().status for answer in answers] == [303] * 4
            stored = other.execute("SELECT '/games/' || id FROM games")
            assert {game for (game,) in stored} == {person.game for person in people}


def test_a_request_that_never_ends_does_not_hold_up_a_stop_for_ever(tmp_path: Path) -> None:
    with running(tmp_path, PATIENT_WITH_HEADS) as server, idle(server, b"GET /class HTT"):
        with a_class(server.url, "never ends") as noted:
            noted.wait_for_moves(20)
            send(server, "SIGTERM")
            server.wait()
        check(noted, server)


@pytest.mark.parametrize("killed", [False, True])
def test_a_server_that_is_stopped_or_killed_lets_all_pages_go_that_wait_for_news_and_the_port(
    tmp_path: Path, *, killed: bool
) -> None:
    with running(tmp_path, WAITS_FOR_EVER) as server:
        player = Player(server.url)
        player.start()
        addresses = f"{player.game}?since=1.0.0.0", "/?since=0.0.0.0"
        pages = [
            begin(Player(server.url, **FRAGMENT).ask("GET", addresses[number % 2]))
            for number in range(HELD)
        ]
        until(lambda: server.noted() == HELD)
        if killed:
            server.kill_parent()
        else:
            os.killpg(server.pid, signal.SIGTERM)  # as systemd does
        for page in pages:
            with suppress(ConnectionError):
                answer = page.result(PATIENCE)
                assert (answer.status, answer.held) == (204, False)
        if not killed:
            assert server.ends() == 0
            assert server.complaints() == ""
            check_closed(server)
        server.start()
        assert Player(server.url).get("/healthz").status == 200
