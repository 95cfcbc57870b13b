"""The database's file: on a full disk, gone, replaced, or locked by another program."""

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from html import unescape
from pathlib import Path
from unittest.mock import Mock

import pytest
from sqlalchemy.exc import OperationalError

from tests.e2e.server import Server
from tests.support.class_under_fire import Noted, check_nothing_lost
from tests.support.files import checkpoint, content, filled
from tests.support.http import Answer, Player
from tests.support.page import Page
from tests.support.visitor import open_site
from webapp.config import Settings
from webapp.store import copies, sqlite
from webapp.store.sqlite import Replaced
from webapp.web import create_app
from webapp.web.errors import _PAGES

linux = pytest.mark.skipif(sys.platform != "linux", reason="mounts, limits and open files")
_ROOM = 64 * 1024
"""How many bytes more a limited file may take: enough to begin, too little to go on."""


class Disk:
    """The disk of a server's data: for root a small one; for others files that cannot grow."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._filler = folder, folder / "filler"
        folder.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", str(folder)]
        self.small = not subprocess.run(mount, check=False, capture_output=True).returncode
        self.server = Server(folder)

    def fill(self) -> None:
        if self.small:
            with self._filler.open("wb") as filler:
                os.posix_fallocate(filler.fileno(), 0, shutil.disk_usage(self._folder).free)
        else:
            self._limit(max(file.stat().st_size for file in self._folder.iterdir()) + _ROOM)

    def free(self) -> None:
        if self.small:
            self._filler.unlink()
        else:
            self._limit(-1)

    def _limit(self, size: int) -> None:
        _, hard = resource.prlimit(self.server.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.server.pid, resource.RLIMIT_FSIZE, (size, hard))


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    disk = Disk(tmp_path / "data")
    try:
        yield disk
        disk.server.stop()
    finally:
        if disk.small:
            subprocess.run(["umount", "--lazy", tmp_path / "data"], check=True)


def check_told(answer: Answer | Page) -> None:
    assert (answer.status, _PAGES[503][1] in answer.text) == (503, True)
    assert int(answer.headers["Retry-After"]) > 0


@linux
def test_on_a_full_disk_games_can_be_read_and_go_on_when_there_is_room(disk: Disk) -> None:
    server = disk.server
    alice, bob = Player(server.url), Player(server.url)
    alice.start()
    disk.fill()
    starts = (bob.start() for _ in range(3000))
    check_told(next(answer for answer in starts if answer.status != 303))
    # Sooner or later a move finds no room either; what is not answered is not stored.
    assert alice.move().status in (303, 503)
    version = alice.get(alice.game).version
    for path in ("/", alice.game, "/class", "/class/board", "/you", "/learn", "/healthz"):
        assert alice.get(path).status == 200, path
    check_nothing_lost(Settings(data=server.database.parent), Noted())
    disk.free()
    assert alice.move().status == 303
    assert alice.get(alice.game).version == version + 1
    assert bob.start().status == 303
    check_nothing_lost(Settings(data=server.database.parent), Noted())


@linux
def test_while_the_database_is_gone_nothing_is_answered_that_is_not_stored(tmp_path: Path) -> None:
    with open_site(tmp_path / "data") as site:
        alice = site.visitor()
        page = alice.start("easy", "x", cell=4)
        checkpoint(site.file)  # it may go without its log
        for gone in (site.file, site.file.parent):
            aside = gone.rename(tmp_path / "aside")
            for path in ("/", page.address, "/class") * 4:  # as often as there are connections
                check_told(alice.get(path))
            check_told(alice.try_to("moves", page, {"cell": page.playable[0]}))
            check_told(alice.post("/games", {"opponent": "easy", "mark": "x", "cell": 4}))
            assert [alice.get(path).status for path in ("/healthz", "/opponents")] == [503, 200]
            # A process that comes now makes no empty database in place of the lost one.
            another = create_app(site.settings, prepared="12345678")
            assert another.test_client().get("/").status_code == 503
            another.extensions["site"].database.close()
            assert not gone.exists()
            aside.rename(gone)
            page = alice.move(alice.get(page.address), page.playable[0])
        assert page.version == 3


@linux
def test_a_replaced_database_is_left(tmp_path: Path) -> None:
    other, new = tmp_path / "other.db", tmp_path / "new.db"
    copies.copy(filled(tmp_path / "other"), other)
    with open_site(tmp_path / "data") as site:
        alice = site.visitor()
        alice.start("easy", "x", cell=4)
        shutil.copy(other, new)
        new.replace(site.file)
        assert Path(f"{site.file}-wal").stat().st_size, "there is a log of the file that was there"
        told = [alice.get(path) for path in ("/", "/class", "/healthz") for _ in range(4)]
        told += [alice.post("/games", {"opponent": "easy", "mark": "x", "cell": 4})]
        assert {answer.status for answer in told} == {503}
        assert all(Replaced.sentence in unescape(answer.text) for answer in told)
    assert site.file.read_bytes() == other.read_bytes()
    with open_site(tmp_path / "data") as site:
        assert content(site.file) == content(other)
        assert site.visitor().start("easy", "x", cell=4).version == 1
    assert copies.damage(site.file) == ""


def test_a_locked_database_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "BUSY", 1)  # a fifth of the usual
    monkeypatch.setattr(sqlite, "_BEHIND", 0.3)
    with open_site(tmp_path) as site, ThreadPoolExecutor(8) as clicks:
        people = [site.visitor() for _ in range(8)]
        pages = [person.start("easy", "x", cell=4) for person in people]
        watcher, before, reads = site.visitor(), site.dump(), set[int]()
        with closing(sqlite3.connect(site.file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            moves = [
                clicks.submit(person.try_to, "moves", page, {"cell": page.playable[0]})
                for person, page in zip(people, pages, strict=True)
            ]
            while not all(move.done() for move in moves):
                looks = ("/", "/class", pages[0].address, "/healthz")
                reads |= {watcher.get(path).status for path in looks}
            other.execute("ROLLBACK")
        for answer in (move.result() for move in moves):
            check_told(answer)
        assert reads == {200}
        assert site.dump() == before
        for person, page in zip(people, pages, strict=True):
            assert person.move(page, page.playable[0]).version == 2
        # The page that tells of it does not ask again, which would take as long.
        locked = sqlite3.OperationalError("database is locked")
        read = Mock(side_effect=OperationalError("SELECT", {}, locked))
        monkeypatch.setitem(vars(site.database), "read", read)
        assert [watcher.get(path).status for path in ("/", "/class", "/games/x")] == [503] * 3
        assert read.call_count == 3
