"""Another file is put in the place of the database while a server runs, and stays sound."""

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from html import unescape
from pathlib import Path

import pytest

from tests.e2e.server import Server
from tests.support.files import content, filled, insert_player
from tests.support.http import Player
from tests.support.patience import until
from tests.support.serving import served
from webapp.config import Settings
from webapp.store import Database, copies, lock

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="an open file stays there")

SENTENCE = "file was replaced while the server ran; the server must be restarted."


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


@pytest.mark.parametrize("stop", [Server.stop, Server.kill])
def test_a_replaced_database_is_told_of_and_is_sound_after_a_restart(
    mortal: Server, other: Path, stop: Callable[[Server], None]
) -> None:
    expected = content(other)
    other.replace(mortal.database)
    before = trace(mortal.database)
    assert before[1], "there is a log of the file that was there"
    check_told(mortal)
    present = mortal.workers()
    os.kill(min(present), signal.SIGKILL)  # the one in its place has never opened another file
    mortal.wait_for_workers(without=min(present))
    check_told(mortal)
    assert trace(mortal.database) == before
    stop(mortal)
    assert trace(mortal.database) == before
    kept = mortal.database.with_name("tictactoe-replaced-1.db-wal")
    with served(mortal.database.parent, says=f"the old one is kept in {kept}.") as url:
        assert kept.read_bytes() == before[1]
        assert content(mortal.database) == expected
        assert Player(url).start().status == 303
    assert copies.damage(mortal.database) == ""


def check_told(server: Server) -> None:
    """Check that whatever needs the database gets the sentence, from both workers."""
    alice = Player(server.url)
    told = [alice.get(path) for path in ("/", "/class", "/healthz") for _ in range(4)]
    told += [alice.start() for _ in range(4)]
    assert {answer.status for answer in told} == {503}
    assert all(SENTENCE in unescape(answer.text) for answer in told)


def test_a_log_stays_with_its_file_wherever_both_are_taken(tmp_path: Path) -> None:
    here, there = filled(tmp_path / "here").parent, tmp_path / "there"
    with lock.serve(Settings(data=here)), closing(Database(Settings(data=here))) as database:
        with database.write() as connection:
            insert_player(connection, "in the log")
        shutil.copytree(here, there)
        expected = content(here / "tictactoe.db")
    assert (there / "tictactoe.db-wal").stat().st_size > 0
    assert lock.settle(Settings(data=there)) is None
    assert content(there / "tictactoe.db") == expected
    assert any("in the log" in line for line in expected)
