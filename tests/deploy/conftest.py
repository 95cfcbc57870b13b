"""A server that is run for real: behind nginx or Caddy, as the examples in ``deploy/`` have it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.server import Server
from tests.support import proxies
from tests.support.http import Player, newcomer

# Debian's programs, systemd's tools, and more than one loopback address.
collect_ignore_glob = [] if sys.platform == "linux" else ["test_*.py"]
TELLS_WHO = """
import webapp.web
from flask import request
create_app = webapp.web.create_app
def with_one_page_more(*given, **options):
    app = create_app(*given, **options)
    who = lambda: f"{request.remote_addr} {request.scheme}"
    app.add_url_rule(f"{app.config['BASE_PATH']}/who", view_func=who)
    return app
webapp.web.create_app = with_one_page_more
"""
"""A patch: a page says whom the application takes the visitor for."""


class Site(NamedTuple):
    """A server as people reach it: by HTTPS, below a path or not."""

    origin: str
    path: str
    certificate: Path
    server: Server

    @property
    def url(self) -> str:
        return self.origin + self.path

    def person(self, source: str = "127.0.0.1") -> Player:
        return newcomer(self.url, self.certificate, source)


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return proxies.throw_away_certificate(tmp_path_factory.mktemp("certificate"))


LONG = [
    pytest.param(one, marks=pytest.mark.long) for one in ("nginx-subpath.conf", "Caddyfile.single")
]


@pytest.fixture(scope="package", params=["nginx.conf", *LONG])
def site(
    request: pytest.FixtureRequest, certificate: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    folder, path = tmp_path_factory.mktemp("site"), "/games" * ("subpath" in request.param)
    settings = {"TTT_TRUSTED_PROXIES": "127.0.0.1", "TTT_BASE_PATH": path}
    server = Server(folder / "data", settings, patch=TELLS_WHO)
    port, address = proxies.free_port(), server.url.removeprefix("http://")
    try:
        with proxies.run_example(request.param, port, certificate, address, folder):
            yield Site(f"https://localhost:{port}", path, certificate, server)
    finally:
        server.stop()
