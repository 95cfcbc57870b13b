"""Two servers over one PostgreSQL behind nginx: any request may go to either."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.e2e.server import Server
from tests.support import proxies
from tests.support.https import Person, sit_down
from tests.support.postgres import Cluster
from tests.support.proxies import Certificate


@pytest.fixture(scope="module")
def servers(postgres: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    """Two of them, with nothing in common but the database."""
    settings = {
        "TTT_DATABASE_URL": postgres.database(),
        "TTT_TRUSTED_PROXIES": "127.0.0.1",
        "TTT_WORKERS": "1",
    }
    folder = tmp_path_factory.mktemp("servers")
    with ExitStack() as started:
        servers = []
        for name in ("first", "second"):
            servers.append(Server(folder / name, settings))
            started.callback(servers[-1].stop)
        yield servers


def test_a_game_goes_over_both_servers_and_over_one_while_the_other_is_stopped(
    servers: list[Server], certificate: Certificate, tmp_path: Path
) -> None:
    port = proxies.free_port()
    addresses = [server.url.removeprefix("http://") for server in servers]
    text = proxies.nginx_site("nginx.conf", port, certificate, addresses)
    # Which one answered, so that the test sees that both of them did.
    text = text.replace("proxy_pass", "add_header Served-By $upstream_addr always;\n proxy_pass")
    # It complains of the one that does not answer, as it should.
    with proxies.nginx(text, port, tmp_path, expected="Connection refused"):
        url = f"https://localhost:{port}"
        alice, bob = Person(url, certificate.chain), Person(url, certificate.chain)
        page = sit_down(alice, bob)
        page = alice.move(alice.get(page.url), 0)
        page = bob.move(bob.get(page.url), 3)
        for person in (alice, bob):
            by = {answer.headers["Served-By"] for answer in person.answers}
            assert by == set(addresses), "each of them met both servers"
            assert len(person.cookies) == 1
        servers[1].stop()
        page = alice.move(alice.get(page.url), 1)
        page = bob.move(bob.get(page.url), 4)
        servers[1].start()
        page = alice.move(alice.get(page.url), 2)
        assert page.game.get("data-outcome") == bob.get(page.url).game.get("data-outcome") == "x"
        assert {answer.status for answer in alice.answers + bob.answers} == {200, 303}
