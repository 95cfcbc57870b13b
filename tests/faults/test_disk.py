"""A disk that is full, and a data folder that cannot be used or goes away."""

import sys
from pathlib import Path

import pytest

from tests.support.class_under_fire import Noted, check_nothing_lost
from tests.support.disk import server_on_a_disk
from tests.support.files import checkpoint
from tests.support.http import Answer, Player
from tests.support.page import Page
from tests.support.visitor import open_site
from webapp.config import Settings
from webapp.web import create_app
from webapp.web.errors import _PAGES

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="mounts, limits and capabilities")


def check_told(answer: Answer | Page) -> None:
    assert (answer.status, _PAGES[503][1] in answer.text) == (503, True)
    assert int(answer.headers["Retry-After"]) > 0


def test_on_a_full_disk_games_can_be_read_and_go_on_when_there_is_room(tmp_path: Path) -> None:
    with server_on_a_disk(tmp_path / "data") as (server, room):
        alice, bob = Player(server.url), Player(server.url)
        alice.start()
        room.fill()
        starts = (bob.start() for _ in range(3000))
        check_told(next(answer for answer in starts if answer.status != 303))
        # Sooner or later a move finds no room either; what is not answered is not stored.
        assert alice.move().status in (303, 503)
        version = alice.get(alice.game).version
        for path in ("/", alice.game, "/class", "/class/board", "/you", "/learn", "/healthz"):
            assert alice.get(path).status == 200, path
        check_nothing_lost(Settings(data=server.database.parent), Noted())
        room.free()
        assert alice.move().status == 303
        assert alice.get(alice.game).version == version + 1
        assert bob.start().status == 303
        check_nothing_lost(Settings(data=server.database.parent), Noted())


def test_while_the_database_is_gone_nothing_is_answered_that_is_not_stored(tmp_path: Path) -> None:
    with open_site(tmp_path / "data") as site:
        alice = site.visitor()
        page = alice.start("easy", "x", cell=4)
        checkpoint(site.file)  # it may go without its log
        for gone in (site.file, site.file.parent):
            aside = gone.rename(tmp_path / "aside")
            for _ in range(4):
                for path in ("/", page.address, "/class"):
                    check_told(alice.get(path))
                check_told(alice.try_to("moves", page, {"cell": page.playable[0]}))
                check_told(alice.post("/games", {"opponent": "easy", "mark": "x", "cell": 4}))
            assert alice.get("/healthz").status == 503
            assert alice.get("/learn").status == 200
            # A process that comes now makes no empty database in place of the lost one.
            another = create_app(site.settings, prepared=True)
            assert another.test_client().get("/").status_code == 503
            another.extensions["site"].database.close()
            assert not gone.exists()
            aside.rename(gone)
            page = alice.move(alice.get(page.address), page.playable[0])
        assert page.version == 3
