"""When something breaks: no traceback, nothing lost; and ``GET /healthz`` says how it is."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from sqlalchemy.exc import OperationalError

from tests.support.visitor import Site
from webapp import __version__
from webapp.service.games import Games
from webapp.service.refusals import UnknownGame

BOTH_WAYS = pytest.mark.parametrize("fragment", [False, True])


@contextmanager
def pragma(site: Site, on: str, off: str) -> Iterator[None]:
    """Make the one connection of the site's pool fail."""
    with site.database.read() as connection:
        connection.exec_driver_sql(f"PRAGMA {on}")
    yield
    with site.database.read() as connection:
        connection.exec_driver_sql(f"PRAGMA {off}")


@BOTH_WAYS
def test_an_internal_error_shows_a_friendly_page(
    own_site: Site,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fragment: bool,
) -> None:
    alice = own_site.visitor()
    page = alice.start("easy", "x", cell=4)
    before = own_site.dump()

    def broken(*_args: object) -> None:
        raise RuntimeError("the secret reason")

    monkeypatch.setattr(Games, "play", broken)
    with caplog.at_level(logging.CRITICAL, logger=own_site.app.logger.name):
        answer = alice.try_to("moves", page, {"cell": page.playable[0]}, fragment=fragment)
    assert answer.status == 500
    assert not answer.has_board
    assert answer.links["Play a game"] == "/"
    assert "Traceback" not in answer.text
    assert "secret" not in answer.text
    assert answer.headers["Content-Security-Policy"]
    assert own_site.dump() == before


@BOTH_WAYS
@pytest.mark.parametrize("how", ["query_only=1", "max_page_count=1"])
def test_while_nothing_can_be_written_the_answer_is_503_and_nothing_is_lost(
    own_site: Site, how: str, fragment: bool
) -> None:
    alice = own_site.visitor()
    page = alice.start("easy", "x", cell=4)
    before = own_site.dump()
    off = {"query_only=1": "query_only=0", "max_page_count=1": "max_page_count=1000000"}[how]
    refused = []
    with pragma(own_site, how, off):
        if how == "query_only=1":
            refused.append(
                alice.try_to("moves", page, {"cell": page.playable[0]}, fragment=fragment)
            )
            refused.append(alice.try_to("again", page, fragment=fragment))
            refused.append(alice.try_to("hint", page, fragment=fragment))
        for _ in range(200):  # a page of the file has room for some games
            answer = alice.post("/games", {"opponent": "easy", "mark": "x"}, fragment=fragment)
            if answer.status not in (200, 303):
                refused.append(answer)
                break
        looked = alice.get(page.address)
    for answer in refused:
        assert answer.status == 503
        assert int(answer.headers["Retry-After"]) > 0
        assert not answer.has_board
        assert "sqlite" not in answer.text.lower()
        assert "Traceback" not in answer.text
    assert refused
    assert looked.board == page.board
    if how == "query_only=1":
        assert own_site.dump() == before
    page = alice.move(page, page.playable[0])
    assert page.version == 2


@BOTH_WAYS
def test_without_its_tables_the_site_asks_for_patience(own_site: Site, fragment: bool) -> None:
    alice = own_site.visitor()
    game = alice.start("easy", "x", cell=4)
    with closing(sqlite3.connect(own_site.file)) as connection:
        connection.execute("ALTER TABLE games RENAME TO gone")
    for page in (
        alice.get("/", fragment=fragment),
        alice.get(game.address, fragment=fragment),
        alice.post(f"{game.address}/hint", {"version": 1}, fragment=fragment),
        alice.post("/games", {"opponent": "easy", "mark": "x"}, fragment=fragment),
    ):
        assert page.status == 503
        assert "Retry-After" in page.headers
        assert not page.has_board
    assert alice.get("/static/app.css").status == 200
    with closing(sqlite3.connect(own_site.file)) as connection:
        connection.execute("ALTER TABLE gone RENAME TO games")
    assert alice.get(game.address).board == game.board


@pytest.mark.parametrize(
    "fault,status",
    [
        (OperationalError("SELECT", {}, Exception("the secret reason")), 503),
        (UnknownGame("There is no game at this address."), 404),
    ],
)
def test_a_board_that_cannot_be_shown_with_a_refusal_is_no_error_of_its_own(
    own_site: Site, monkeypatch: pytest.MonkeyPatch, fault: Exception, status: int
) -> None:
    alice = own_site.visitor()
    page = alice.start("easy", "x", cell=4)

    def broken(*_args: object) -> None:
        raise fault

    monkeypatch.setattr(Games, "visit", broken)
    answer = alice.post(f"{page.address}/moves", {"cell": page.playable[0], "version": 9})
    assert answer.status == status
    assert not answer.has_board
    assert "secret" not in answer.text


# --- healthz ----------------------------------------------------------------------------------


def test_healthz_says_that_all_is_well(own_site: Site) -> None:
    answer = own_site.visitor().get("/healthz")
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.json == {"status": "ok", "version": __version__, "database": True}


def test_healthz_says_when_the_database_is_gone(own_site: Site) -> None:
    own_site.database.close()
    for file in own_site.file.parent.glob("tictactoe.db*"):
        file.unlink()
    answer = own_site.visitor().get("/healthz")
    assert answer.status == 503
    assert answer.json["database"] is False
    assert answer.json["status"] != "ok"
    assert answer.json["version"] == __version__


def test_healthz_says_when_the_database_is_broken(own_site: Site) -> None:
    own_site.database.close()
    for file in own_site.file.parent.glob("tictactoe.db*"):
        file.unlink()
    own_site.file.write_bytes(b"this is no database, but it is quite long" * 100)
    answer = own_site.visitor().get("/healthz")
    assert (answer.status, answer.json["database"]) == (503, False)


@BOTH_WAYS
def test_a_broken_database_shows_a_friendly_page(own_site: Site, fragment: bool) -> None:
    own_site.database.close()
    for file in own_site.file.parent.glob("tictactoe.db*"):
        file.unlink()
    own_site.file.write_bytes(b"this is no database, but it is quite long" * 100)
    page = own_site.visitor().get("/", fragment=fragment)
    assert page.status in (500, 503)
    assert not page.has_board
    assert "sqlite" not in page.text.lower()


def test_healthz_gives_nobody_a_cookie_and_stores_nothing(own_site: Site) -> None:
    before = own_site.dump()
    visitor = own_site.visitor()
    answer = visitor.get("/healthz")
    assert "Set-Cookie" not in answer.headers
    assert answer.headers["Cache-Control"] == "no-store"
    assert own_site.dump() == before
