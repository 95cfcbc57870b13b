from collections.abc import Iterator
from pathlib import Path

import pytest

from webapp.config import Settings
from webapp.store import Database, prepare


@pytest.fixture
def settings(tmp_path: Path, emptied_url: str | None) -> Settings:
    return Settings(data=tmp_path, database_url=emptied_url, synchronous="NORMAL")


@pytest.fixture
def database(settings: Settings) -> Iterator[Database]:
    prepare(settings)
    database = Database(settings)
    yield database
    database.close()
