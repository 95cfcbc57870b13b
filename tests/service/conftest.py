from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE
from tests.support.visitor import Site, open_site
from webapp.service.site import Site as Service


@pytest.fixture(autouse=True)
def waits_for_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """No one who waits for another's lock gives up."""
    for limit in ("sqlite.BUSY", "sqlite._BEHIND", "postgres._PATIENCE"):
        monkeypatch.setattr(f"webapp.store.{limit}", int(PATIENCE))


@pytest.fixture
def site(tmp_path: Path, emptied_url: str | None) -> Iterator[Site]:
    """The application over an empty database, of either kind in turn."""
    with open_site(tmp_path, seed="tests", database_url=emptied_url) as site:
        yield site


@pytest.fixture
def host(site: Site) -> Service:
    found: Service = site.service
    return found
