from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.people import Clock, Pair, sign_in, sit_down
from tests.support.visitor import Site, Visitor, open_site
from webapp.service.key import HostKey
from webapp.service.site import Site as Service


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with open_site(tmp_path, seed="tests") as site:
        yield site


@pytest.fixture
def pair(alice: Visitor, bob: Visitor, clock: Clock) -> Pair:
    """Two at a game, in which no time passes by itself; Alice has X."""
    del clock
    return sit_down(alice, bob)


@pytest.fixture
def host(site: Site) -> Service:
    return site.service


@pytest.fixture
def teacher(site: Site) -> Visitor:
    return sign_in(site, HostKey(site.settings).ensure())
