"""A worker that dies before it answers: nginx, as the example has it, asks another one."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.deploy.conftest import Site
from tests.support import proxies
from tests.support.https import Person
from tests.support.proxies import Certificate


@contextmanager
def dying_server() -> Iterator[tuple[str, list[bytes]]]:
    """A server that reads each request and closes the connection; its address, and what it read."""
    read: list[bytes] = []

    class Dying(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            read.append(self.request.recv(65536))

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Dying) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_address[1]}", read
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("site", ["https"], indirect=True)
def test_a_request_whose_worker_dies_is_answered_by_another(
    site: Site, certificate: Certificate, tmp_path: Path
) -> None:
    port = proxies.free_port()
    with dying_server() as (dying, read):
        servers = [dying, site.server.url.removeprefix("http://")]
        text = proxies.nginx_site("nginx.conf", port, certificate, servers)
        # It notes each answer that did not come.
        with proxies.nginx(text, port, tmp_path, expected="prematurely closed connection"):
            alice = Person(f"https://localhost:{port}", certificate.chain)
            page = alice.post("/games", opponent="friend", mark="x", cell=0)
            for cell in (3, 1, 4, 2):
                page = alice.move(page, cell)
    assert page.game.get("data-outcome") == "x"
    assert {answer.status for answer in alice.answers} == {200, 303}
    methods = {request.split()[0] for request in read}
    assert methods == {b"GET", b"POST"}, "the one that dies was asked for moves as well"
