"""Several servers over one PostgreSQL behind nginx: any request may go to any of them."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.e2e.server import Server
from tests.support import proxies
from tests.support.http import newcomer, sit_down
from tests.support.postgres import Cluster
from tests.support.proxies import Certificate


@pytest.fixture
def servers(postgres: Cluster, tmp_path: Path) -> Iterator[list[Server]]:
    """Two of them, with nothing in common but the database."""
    settings = {"TTT_DATABASE_URL": postgres.database(), "TTT_TRUSTED_PROXIES": "127.0.0.1"}
    servers = []
    with ExitStack() as started:
        for name in ("first", "second"):
            servers.append(Server(tmp_path / name / "data", settings | {"TTT_WORKERS": "1"}))
            started.callback(servers[-1].stop)
        yield servers


@contextmanager
def dying_server() -> Iterator[tuple[str, list[bytes]]]:
    """A server that reads each request and closes the connection; its address, and what it read."""
    read: list[bytes] = []

    class Dying(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            read.append(self.request.recv(65536))

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Dying) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_address[1]}", read
        finally:
            server.shutdown()
            thread.join()


def test_a_game_goes_over_both_servers_while_a_third_dies_and_over_one_while_the_other_is_stopped(
    servers: list[Server], certificate: Certificate, tmp_path: Path
) -> None:
    port = proxies.free_port()
    addresses = [server.url.removeprefix("http://") for server in servers]
    # It notes each answer that did not come, as it should.
    expected = "Connection refused|prematurely closed connection"
    with dying_server() as (dying, read):
        text = proxies.nginx_site("nginx.conf", port, certificate, [*addresses, dying, dying])
        # Which ones were asked, so that the test sees that both of them were.
        text = text.replace("proxy_pass", "add_header Asked $upstream_addr always;\n proxy_pass")
        with proxies.nginx(text, port, tmp_path, expected=expected):
            url = f"https://localhost:{port}"
            alice, bob = (newcomer(url, certificate.chain) for _ in range(2))
            page = sit_down(alice, bob)
            page = alice.play(alice.get(page.url), 0)
            page = bob.play(bob.get(page.url), 3)
            for person in (alice, bob):
                answered = {one.headers["Asked"].split(", ")[-1] for one in person.answers}
                assert answered == set(addresses), "each of them met both servers"
                assert len(person.cookies) == 1
            servers[1].stop()
            page = alice.play(alice.get(page.url), 1)
            page = bob.play(bob.get(page.url), 4)
            servers[1].start()
            page = alice.play(alice.get(page.url), 2)
            outcomes = {one.outcome for one in (page, bob.get(page.url))}
    assert outcomes == {"x"}
    assert {answer.status for answer in alice.answers + bob.answers} == {200, 303}
    methods = {request.split()[0] for request in read}
    assert methods == {b"GET", b"POST"}, "the one that dies was asked for moves as well"
