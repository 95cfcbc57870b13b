from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.visitor import Site, open_site


@pytest.fixture
def site(tmp_path: Path, emptied_url: str | None) -> Iterator[Site]:
    """The application over an empty database, of either kind in turn."""
    with open_site(tmp_path, seed="tests", database_url=emptied_url) as site:
        yield site
