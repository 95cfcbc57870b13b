"""A disk that is full, and a data folder that cannot be used or goes away."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.server import Server
from tests.support.class_under_fire import Noted, check_nothing_lost
from tests.support.disk import Disk, disk, heeding_permissions, server_on_a_disk
from tests.support.files import checkpoint
from tests.support.http import Answer, Player
from tests.support.page import Page
from tests.support.patience import PATIENCE
from tests.support.visitor import open_site
from webapp.config import Settings
from webapp.web import create_app
from webapp.web.errors import _PAGES

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="mounts, limits and capabilities")

SENTENCE = _PAGES[503][1]
MANY = 3000


@pytest.fixture
def small(tmp_path: Path) -> Iterator[tuple[Server, Disk]]:
    """A server on a disk that can be filled."""
    with server_on_a_disk(tmp_path / "data") as both:
        yield both


def check_told(answer: Answer | Page) -> None:
    assert answer.status == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert SENTENCE in answer.text


def test_on_a_full_disk_games_can_be_read_and_go_on_when_there_is_room(
    small: tuple[Server, Disk],
) -> None:
    server, room = small
    alice, bob = Player(server.url), Player(server.url)
    alice.start()
    room.fill()
    starts = (bob.start() for _ in range(MANY))
    check_told(next(answer for answer in starts if answer.status != 303))
    # Sooner or later a move finds no room either; what is not answered is not stored.
    refused = alice.move()
    assert refused.status in (303, 503)
    version = alice.get(alice.game).version
    for path in ("/", alice.game, "/class", "/class/board", "/you", "/learn", "/healthz"):
        assert alice.get(path).status == 200, path
    check_nothing_lost(Settings(data=server.database.parent), Noted())
    room.free()
    assert alice.move().status == 303
    assert alice.get(alice.game).version == version + 1
    assert bob.start().status == 303
    check_nothing_lost(Settings(data=server.database.parent), Noted())


# --- a folder that goes away ----------------------------------------------------------------------


@pytest.mark.parametrize("what", ["folder", "file"])
def test_while_the_database_is_gone_nothing_is_answered_that_is_not_stored(
    tmp_path: Path, what: str
) -> None:
    with open_site(tmp_path / "data") as site:
        alice = site.visitor()
        page = alice.start("easy", "x", cell=4)
        gone = site.file
        if what == "folder":
            gone = gone.parent
        else:
            checkpoint(gone)  # it goes alone, without its log
        aside = gone.rename(tmp_path / "aside")
        for _ in range(4):
            for path in ("/", page.address, "/class"):
                check_told(alice.get(path))
            check_told(alice.try_to("moves", page, {"cell": page.playable[0]}))
            check_told(alice.post("/games", {"opponent": "easy", "mark": "x", "cell": 4}))
        assert alice.get("/healthz").status == 503
        for path in ("/learn", "/opponents", "/review/40281"):
            assert alice.get(path).status == 200, path
        # A process that comes now makes no empty database in place of the lost one.
        another = create_app(site.settings, prepared=True)
        assert another.test_client().get("/").status_code == 503
        another.extensions["site"].database.close()
        assert not gone.exists()
        aside.rename(gone)
        assert alice.get(page.address).version == 1
        assert alice.move(page, page.playable[0]).version == 2


# --- permissions ----------------------------------------------------------------------------------

MENDED = """
import sqlite3, sys
from pathlib import Path
import sqlalchemy as sa
from tests.support.files import insert_player, players
from webapp.config import Settings
from webapp.store import Database, prepare
settings = Settings(data=Path(sys.argv[1]))
files = [settings.data / f"tictactoe.db{end}" for end in ("", "-wal", "-shm")]
prepare(settings)
with sqlite3.connect(files[0]) as other:
    other.execute("SELECT count(*) FROM players")
    database = Database(settings)
    for file in files:
        file.chmod(0o400)
    with database.read() as one, database.read() as two:
        assert players(one) == players(two) == []
    for _ in range(2):
        try:
            with database.write() as connection:
                insert_player(connection, "early")
            raise AssertionError
        except sa.exc.OperationalError:
            pass
    for file in files:
        file.chmod(0o600)
    with database.write() as one, database.read() as two:
        insert_player(one, "late")
        assert players(two) == []
    with database.write() as connection:
        assert players(connection) == ["late"]
"""


def test_once_permissions_are_mended_the_next_write_works(tmp_path: Path) -> None:
    command = heeding_permissions([sys.executable, "-c", MENDED, str(tmp_path)])
    subprocess.run(command, timeout=PATIENCE, check=True)


# --- refused at the start -------------------------------------------------------------------------


def test_a_disk_that_is_full_from_the_start_is_a_sentence(tmp_path: Path) -> None:
    with disk(tmp_path / "data") as small:
        small.fill()
        folder = str(small.folder)
        command = [sys.executable, "-m", "webapp.cli", "serve", "--port", "0", "--data", folder]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        small.free()
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    said = f"tictactoe: the data folder {re.escape(folder)} cannot be written to: [^\\n]*\\.\\n"
    assert re.fullmatch(said, done.stderr)
