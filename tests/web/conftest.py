from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.people import Clock, Pair, sign_in, sit_down
from tests.support.postgres import Cluster
from tests.support.visitor import Site, Visitor, open_site
from webapp.service.key import HostKey
from webapp.service.site import Site as Service
from webapp.web import turns

ON_BOTH = frozenset({"test_calls", "test_class", "test_results"})
"""The files whose tests run on PostgreSQL as well: those whose pages ask the database the most."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    file = Path(str(metafunc.module.__file__)).stem
    if "database_kind" in metafunc.fixturenames and file in ON_BOTH:
        metafunc.parametrize(
            "database_kind", ["sqlite", "postgres"], indirect=True, scope="session"
        )


@pytest.fixture(scope="session")
def database_kind(request: pytest.FixtureRequest) -> str:
    """Which database a site is over."""
    return getattr(request, "param", "sqlite")


@pytest.fixture(autouse=True)
def nobody_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal comes at once."""
    monkeypatch.setattr(turns, "PAUSE", 0)


def server_of(kind: str, request: pytest.FixtureRequest) -> Cluster | None:
    """The PostgreSQL for that kind of database, started where it is needed only."""
    return request.getfixturevalue("postgres") if kind == "postgres" else None


@pytest.fixture(scope="session")
def site(
    tmp_path_factory: pytest.TempPathFactory, database_kind: str, request: pytest.FixtureRequest
) -> Iterator[Site]:
    """One site for all: people have nothing to do with each other's games."""
    server = server_of(database_kind, request)
    url = server.database() if server else None
    with open_site(tmp_path_factory.mktemp("site"), seed="tests", database_url=url) as site:
        yield site


@pytest.fixture
def own_site(tmp_path: Path, database_kind: str, request: pytest.FixtureRequest) -> Iterator[Site]:
    """A site that a test may break."""
    server = server_of(database_kind, request)
    url = server.emptied() if server else None
    with open_site(tmp_path, seed="tests", database_url=url) as site:
        yield site


@pytest.fixture
def pair(alice: Visitor, bob: Visitor) -> Pair:
    """Two at a game; Alice has X."""
    return sit_down(alice, bob)


@pytest.fixture
def own_clock(own_site: Site) -> Clock:
    """The clock of a test's own site: it stands still until the test moves it on."""
    return Clock(own_site)


@pytest.fixture
def host(own_site: Site) -> Service:
    """What a host can do."""
    found: Service = own_site.service
    return found


@pytest.fixture
def teacher(own_site: Site) -> Visitor:
    """A host who has signed in."""
    return sign_in(own_site, HostKey(own_site.settings).ensure())
