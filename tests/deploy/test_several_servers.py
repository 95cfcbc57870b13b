"""Several servers over one PostgreSQL behind nginx: any request may go to any of them."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.e2e.server import Server
from tests.support import proxies
from tests.support.http import newcomer, sit_down
from tests.support.postgres import Cluster


@pytest.mark.long
def test_either_server_plays_a_game(postgres: Cluster, certificate: Path, tmp_path: Path) -> None:
    settings = {"TTT_DATABASE_URL": postgres.database(), "TTT_TRUSTED_PROXIES": "127.0.0.1"}
    with ExitStack() as started:
        servers = [Server(tmp_path / name / "data", settings) for name in ("first", "second")]
        for server in servers:
            started.callback(server.stop)
        port, addresses = proxies.free_port(), [one.url.removeprefix("http://") for one in servers]
        text = proxies.nginx_site("nginx.conf", port, certificate, addresses)
        # Which ones were asked, so that the test sees that both of them were.
        text = text.replace("proxy_pass", "add_header Asked $upstream_addr always;\n proxy_pass")
        complains = "refused|prematurely closed"
        started.enter_context(proxies.nginx(text, port, tmp_path, expected=complains))
        url = f"https://localhost:{port}"
        alice, bob = (newcomer(url, certificate) for _ in range(2))
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
        assert {one.outcome for one in (page, bob.get(page.url))} == {"x"}
        assert {answer.status for answer in alice.answers + bob.answers} == {200, 303}
