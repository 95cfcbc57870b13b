from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.people import Clock, Pair, sign_in, sit_down
from tests.support.visitor import Site, Visitor, open_site
from webapp.service.key import HostKey
from webapp.service.site import Site as Service


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One site for all: people have nothing to do with each other's games."""
    with open_site(tmp_path_factory.mktemp("site"), seed="tests") as site:
        yield site


@pytest.fixture
def own_site(tmp_path: Path) -> Iterator[Site]:
    with open_site(tmp_path, seed="tests") as site:
        yield site


@pytest.fixture
def pair(alice: Visitor, bob: Visitor, clock: Clock) -> Pair:
    """Two at a game, in which no time passes by itself; Alice has X."""
    del clock
    return sit_down(alice, bob)


@pytest.fixture
def own_clock(own_site: Site) -> Clock:
    """The clock of a test's own site: it stands still until the test moves it on."""
    return Clock(own_site)


@pytest.fixture
def host(own_site: Site) -> Service:
    return own_site.service


@pytest.fixture
def teacher(own_site: Site) -> Visitor:
    return sign_in(own_site, HostKey(own_site.settings).ensure())
