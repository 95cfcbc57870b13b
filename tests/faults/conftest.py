from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor

import pytest

from tests.bench.patience import another_process
from tests.e2e.server import WAITS_FOR_LOCKS, Server
from tests.support.postgres import Cluster, cluster
from tests.support.programs import needs


@pytest.fixture(scope="session")
def kept_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for many tests, which waits for its database as long as it takes."""
    server = Server(tmp_path_factory.mktemp("kept") / "data", patch=WAITS_FOR_LOCKS)
    yield server
    server.stop()


@pytest.fixture
def server(kept_server: Server) -> Iterator[Server]:
    """A server that must not complain about anything, as with a traceback; others were here."""
    yield kept_server
    assert kept_server.complaints() == ""


@pytest.fixture(scope="session")
def durable() -> Iterator[Cluster]:
    """A PostgreSQL server that forces its writes to the disk; each test leaves it running."""
    needs("initdb")
    with cluster(durable=True) as server:
        yield server


@pytest.fixture(scope="session")
def attacker() -> Iterator[Executor]:
    with another_process() as aside:
        yield aside
