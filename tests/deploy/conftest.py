"""A server that is run for real: behind nginx or Caddy, as the examples in ``deploy/`` have it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.server import NOTES_WAITS, Server
from tests.support import proxies
from tests.support.http import Player, newcomer
from tests.support.proxies import Certificate

# Debian's programs, systemd's tools, and more than one loopback address.
collect_ignore_glob = [] if sys.platform == "linux" else ["test_*.py"]

WAYS = ("plain", "subpath", "https", "caddy")
"""nginx without HTTPS, below a path with it, at the root with it; and Caddy with it."""


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


@pytest.fixture(scope="package")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Server]]:
    """A server at the root of its host, and one below a path: by that path."""

    def start(path: str) -> Server:
        settings = {"TTT_TRUSTED_PROXIES": "127.0.0.1", "TTT_BASE_PATH": path}
        server = Server(tmp_path_factory.mktemp("server") / "data", settings, patch=NOTES_WAITS)
        started.callback(server.stop)
        return server

    paths = ("", "/games")
    with ExitStack() as started, ThreadPoolExecutor(len(paths)) as at_once:
        yield dict(zip(paths, at_once.map(start, paths), strict=True))


@pytest.fixture(scope="package")
def sites(
    servers: dict[str, Server],
    certificate: Certificate,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Mapping[str, Site]]:
    """All the ways at once."""
    with ExitStack() as opened:
        yield {
            way: opened.enter_context(
                _open(way, servers, certificate, tmp_path_factory.mktemp(way))
            )
            for way in WAYS
        }


@pytest.fixture(params=WAYS)
def site(request: pytest.FixtureRequest, sites: Mapping[str, Site]) -> Site:
    """Each of the ways in turn."""
    return sites[request.param]


@contextmanager
def _open(
    way: str, servers: dict[str, Server], certificate: Certificate, folder: Path
) -> Iterator[Site]:
    path = "/games" if way == "subpath" else ""
    server = servers[path]
    address = server.url.removeprefix("http://")
    port = proxies.free_port()
    scheme = "http" if way == "plain" else "https"
    site = Site(f"{scheme}://localhost:{port}{path}", path, certificate, server)
    example = {"subpath": "nginx-subpath.conf", "caddy": "Caddyfile.single"}.get(way, "nginx.conf")
    with proxies.run_example(example, port, certificate if site.secure else None, address, folder):
        yield site
