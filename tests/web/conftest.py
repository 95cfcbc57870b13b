from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.postgres import Cluster
from tests.support.visitor import Site, Visitor, open_site

ON_BOTH = frozenset(
    f"test_{name}" for name in ("again", "class", "live", "score", "sequences", "start")
)
"""The files whose tests run on PostgreSQL as well: those whose pages ask the database the most."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    file = Path(str(metafunc.module.__file__)).stem
    if "kind" in metafunc.fixturenames and file in ON_BOTH:
        metafunc.parametrize("kind", ["sqlite", "postgres"], indirect=True, scope="session")


@pytest.fixture(scope="session")
def kind(request: pytest.FixtureRequest) -> str:
    """Which database a site is over."""
    return getattr(request, "param", "sqlite")


@pytest.fixture(scope="session")
def site(
    tmp_path_factory: pytest.TempPathFactory, kind: str, request: pytest.FixtureRequest
) -> Iterator[Site]:
    """One site for all: people have nothing to do with each other's games."""
    server: Cluster | None = request.getfixturevalue("postgres") if kind == "postgres" else None
    url = server.database() if server else None
    with open_site(tmp_path_factory.mktemp("site"), seed="tests", database_url=url) as site:
        yield site


@pytest.fixture
def own_site(tmp_path: Path, kind: str, request: pytest.FixtureRequest) -> Iterator[Site]:
    """A site that a test may break."""
    server: Cluster | None = request.getfixturevalue("postgres") if kind == "postgres" else None
    url = server.emptied() if server else None
    with open_site(tmp_path, seed="tests", database_url=url) as site:
        yield site


@pytest.fixture
def alice(site: Site) -> Visitor:
    """Somebody who has never been here."""
    return site.visitor()


@pytest.fixture
def bob(site: Site) -> Visitor:
    """Somebody else."""
    return site.visitor()
