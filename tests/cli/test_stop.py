import os
import signal
import socket
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import AsyncExitStack, ExitStack, closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.e2e.server import WAITS_FOR_LOCKS, Server
from tests.support.class_under_fire import Noted, a_class, check_nothing_lost
from tests.support.http import Player, run
from tests.support.patience import PATIENCE, Times, until
from webapp.config import Settings
from webapp.store import topics

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")
PAGES = 51  # how many hold a stream
PATIENT_WITH_HEADS = f"""
import webapp.server
webapp.server.SILENCE = {10 * PATIENCE:.0f}
"""
NOTES_REQUESTS = """
import os
from webapp.server import bridge
answer = bridge.answer
def noted(*request):
    with open(os.environ["NOTES"], "a") as file:
        file.write("1")
    return answer(*request)
bridge.answer = noted
"""


@contextmanager
def running(folder: Path, patch: str = "") -> Iterator[Server]:
    server = Server(folder / "games", patch=patch)
    try:
        yield server
    finally:
        server.kill_if_alive()


def send(server: Server, how: str) -> None:
    if how == "SIGTERM":
        os.kill(server.pid, signal.SIGTERM)  # as docker does
    else:
        os.killpg(server.pid, signal.SIGINT)  # as a terminal does


def idle(server: Server, sends: bytes = b"") -> socket.socket:
    address = urlsplit(server.url)
    connection = socket.create_connection((address.hostname, address.port), PATIENCE)
    connection.sendall(sends)
    return connection


def check_closed(server: Server) -> None:
    """No process had to be killed: it has closed the database."""
    left = {file.suffix for file in server.database.parent.iterdir()}
    assert left == {".db", ".lock", ""}, "all is in the file"


def check(noted: Noted, server: Server) -> None:
    assert not [error for error in noted.errors if "IncompleteRead" in error]
    check_nothing_lost(Settings(data=server.database.parent), noted)


def test_a_stop_answers_what_was_begun_and_a_start_goes_on(tmp_path: Path, times: Times) -> None:
    with running(tmp_path) as server:
        with a_class(server.url, "stop") as noted:
            for how in ("SIGTERM", "Ctrl-C") * times(1, 20):
                noted.wait_for_moves(30)
                with ExitStack() as used:  # connections that are kept open, new ones and used ones
                    for sends in (b"", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n") * 5:
                        connection = used.enter_context(idle(server, sends))
                        assert not sends or connection.recv(65536).startswith(b"HTTP/1.1 200")
                    send(server, how)
                    assert server.ends() == 0
                with pytest.raises(ConnectionError):
                    idle(server)
                assert server.complaints() == ""
                check_closed(server)
                server.start()
            noted.wait_for_moves(30)
        check(noted, server)


def test_a_move_that_waits_is_answered_at_a_stop(tmp_path: Path, aside: Executor) -> None:
    with running(tmp_path, WAITS_FOR_LOCKS + NOTES_REQUESTS) as server:
        people = [Player(server.url) for _ in range(4)]
        with closing(sqlite3.connect(server.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            answers = [aside.submit(person.start) for person in people]
            until(lambda: server.noted() == 1)
            time.sleep(0.1)  # the others have come by now, and wait for their turn
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


@pytest.mark.parametrize("how", ["SIGTERM", "Ctrl-C", "killed"])
def test_a_server_that_ends_lets_go_of_all_pages_and_of_the_port(tmp_path: Path, how: str) -> None:
    async def listen() -> None:
        async with AsyncExitStack() as streams:
            pages = [
                await streams.enter_async_context(Player(server.url).listening(topics.CLASS))
                for _ in range(PAGES)
            ]
            assert [await anext(said) for said in pages] == ["hello"] * PAGES
            if how == "killed":
                server.kill()
            else:
                send(server, how)
            for said in pages:
                with suppress(ConnectionError):
                    assert not {*[event async for event in said]} - {topics.CLASS}

    with running(tmp_path) as server:
        run(listen())
        if how != "killed":
            assert server.ends() == 0
            assert server.complaints() == ""
            check_closed(server)
        server.start()
        assert Player(server.url).get("/healthz").status == 200
