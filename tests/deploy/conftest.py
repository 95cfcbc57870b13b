"""A server that is run for real: behind nginx or Caddy, as the examples in ``deploy/`` have it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.e2e.server import NOTES_WAITS, Server
from tests.support import proxies
from tests.support.http import Player, newcomer
from tests.support.proxies import Certificate

# Debian's programs, systemd's tools, and more than one loopback address.
collect_ignore_glob = [] if sys.platform == "linux" else ["test_*.py"]

EXAMPLES = {
    "https": "nginx.conf",
    "plain": "nginx.conf",
    "subpath": "nginx-subpath.conf",
    "caddy": "Caddyfile.single",
}
"""nginx with HTTPS and without it, and below a path; and Caddy."""


@dataclass(frozen=True)
class Site:
    """A server as people reach it.

    :param url: where it begins for them, without a slash at the end
    :param path: where it begins below its host
    :param server: what stands behind the proxy
    """

    url: str
    path: str
    certificate: Certificate
    server: Server

    @property
    def secure(self) -> bool:
        """Whether people come by HTTPS."""
        return self.url.startswith("https:")

    @property
    def origin(self) -> str:
        """Scheme and host, as browsers name them."""
        return self.url.removesuffix(self.path)

    def person(self) -> Player:
        """A visitor who has never been here."""
        return newcomer(self.url, self.certificate.chain if self.secure else None)


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """What HTTPS needs."""
    return proxies.throw_away_certificate(tmp_path_factory.mktemp("certificate"))


@pytest.fixture(
    scope="package",
    params=["https", *(pytest.param(way, marks=pytest.mark.long) for way in [*EXAMPLES][1:])],
)
def site(
    request: pytest.FixtureRequest,
    certificate: Certificate,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Site]:
    """Each of the ways in turn, with ``--long``."""
    way, folder = request.param, tmp_path_factory.mktemp("site")
    path, scheme = "/games" * (way == "subpath"), "http" if way == "plain" else "https"
    settings = {"TTT_TRUSTED_PROXIES": "127.0.0.1", "TTT_BASE_PATH": path}
    server, port = Server(folder / "data", settings, patch=NOTES_WAITS), proxies.free_port()
    believed, address = certificate if scheme == "https" else None, server.url[len("http://") :]
    with proxies.run_example(EXAMPLES[way], port, believed, address, folder):
        yield Site(f"{scheme}://localhost:{port}{path}", path, certificate, server)
    server.stop()
