from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.visitor import Site, Visitor, open_site


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One site for all: people have nothing to do with each other's games."""
    with open_site(tmp_path_factory.mktemp("site"), seed="tests") as site:
        yield site


@pytest.fixture
def own_site(tmp_path: Path) -> Iterator[Site]:
    """A site that a test may break."""
    with open_site(tmp_path, seed="tests") as site:
        yield site


@pytest.fixture
def alice(site: Site) -> Visitor:
    """Somebody who has never been here."""
    return site.visitor()


@pytest.fixture
def bob(site: Site) -> Visitor:
    """Somebody else."""
    return site.visitor()
