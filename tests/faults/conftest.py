from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.server import Server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that must not complain about anything, as with a traceback."""
    server = Server(tmp_path / "data", {"TTT_LIMITS": "off"})
    yield server
    server.stop()
