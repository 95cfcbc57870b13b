"""Another file is put in the place of the database while a server runs, and stays sound."""

import shutil
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

import pytest

from tests.e2e.server import Server
from tests.support.files import content, filled
from tests.support.http import Player
from tests.support.patience import until
from tests.support.serving import served
from webapp.store import copies
from webapp.store.sqlite import Replaced

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="an open file stays there")


def has_open(process: int, file: Path) -> bool:
    """Tell whether a process has a file open, as Linux tells it."""
    links = Path(f"/proc/{process}/fd").iterdir()
    return any(link.exists() and link.samefile(file) for link in links)


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Server]:
    """A server whose log holds more than its file, and that may complain."""
    server = Server(tmp_path / "data")

    def both_have_it_open() -> bool:
        assert Player(server.url).start().status == 303
        return all(has_open(worker, server.database) for worker in server.workers())

    until(both_have_it_open)
    yield server
    server.kill_if_alive()


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A file that holds another class."""
    file = tmp_path / "other.db"
    copies.copy(filled(tmp_path / "other"), file)
    return file


def trace(file: Path) -> tuple[bytes, bytes]:
    """What is in the file, and what in the log beside it."""
    return file.read_bytes(), Path(f"{file}-wal").read_bytes()


def test_a_replaced_database_is_told_of_and_left_alone_and_can_be_restored(
    mortal: Server, other: Path
) -> None:
    new = mortal.database.with_name("new.db")
    shutil.copy(other, new)
    new.replace(mortal.database)
    before = trace(mortal.database)
    assert before[1], "there is a log of the file that was there"
    check_told(mortal)
    mortal.stop()
    assert trace(mortal.database) == before
    copies.restore(mortal.database, other, datetime.now(tz=UTC))
    assert content(mortal.database) == content(other)
    with served(mortal.database.parent) as url:
        assert Player(url).start().status == 303
    assert copies.damage(mortal.database) == ""


def check_told(server: Server) -> None:
    """Check that whatever needs the database gets the sentence each time."""
    alice = Player(server.url)
    told = [alice.get(path) for path in ("/", "/class", "/healthz") for _ in range(4)]
    told += [alice.start() for _ in range(4)]
    assert {answer.status for answer in told} == {503}
    assert all(Replaced.sentence in unescape(answer.text) for answer in told)
