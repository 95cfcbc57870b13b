"""When something breaks: no traceback, nothing lost; and ``GET /healthz`` says how it is."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from unittest.mock import Mock

import pytest

from tests.support.page import Page
from tests.support.visitor import Site
from webapp import __version__

BOTH_WAYS = pytest.mark.parametrize("fragment", [False, True])


def check_friendly(answer: Page, status: int) -> None:
    """Check that a page says in plain words that something is wrong."""
    assert answer.status == status
    assert not answer.has_board
    assert answer.links["Play a game"] == "/"
    for word in ("Traceback", "secret", "sqlite"):
        assert word not in answer.text
    assert status != 503 or int(answer.headers["Retry-After"]) > 0


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
    own_site: Site, fragment: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_site.app.logger, "disabled", True)  # all sites share it
    own_site.app.view_functions["play.front"] = Mock(side_effect=RuntimeError("the secret reason"))
    check_friendly(own_site.visitor().get("/", fragment=fragment), 500)


@BOTH_WAYS
@pytest.mark.parametrize(
    "on,off",
    [("query_only=1", "query_only=0"), ("max_page_count=1", "max_page_count=1000000")],
)
def test_while_nothing_can_be_written_the_answer_is_503_and_nothing_is_lost(
    own_site: Site, on: str, off: str, fragment: bool
) -> None:
    alice = own_site.visitor()
    page = alice.start("easy", "x", cell=4)
    before, refused = own_site.dump(), []
    with pragma(own_site, on, off):
        if on == "query_only=1":
            for what in ("moves", "again", "hint"):
                fields = {"cell": page.playable[0]}
                refused.append(alice.try_to(what, page, fields, fragment=fragment))
        for _ in range(200):  # a page of the file has room for some games
            start = {"opponent": "easy", "mark": "x", "cell": 4}
            answer = alice.post("/games", start, fragment=fragment)
            if answer.status not in (200, 303):
                refused.append(answer)
                break
        assert alice.get(page.address).board == page.board
    assert refused
    for answer in refused:
        check_friendly(answer, 503)
    assert own_site.dump() == before or on != "query_only=1"
    assert alice.move(page, page.playable[0]).version == 2


@BOTH_WAYS
def test_without_its_tables_the_site_asks_for_patience(own_site: Site, fragment: bool) -> None:
    alice = own_site.visitor()
    game = alice.start("easy", "x", cell=4)
    with closing(sqlite3.connect(own_site.file)) as connection:
        connection.execute("ALTER TABLE games RENAME TO gone")
    for answer in (
        alice.get("/", fragment=fragment),
        alice.get(game.address, fragment=fragment),
        alice.post(f"{game.address}/hint", {"version": 1}, fragment=fragment),
        alice.post("/games", {"opponent": "easy", "mark": "x"}, fragment=fragment),
    ):
        check_friendly(answer, 503)
    assert alice.get("/static/app.css").status == 200
    with closing(sqlite3.connect(own_site.file)) as connection:
        connection.execute("ALTER TABLE gone RENAME TO games")
    assert alice.get(game.address).board == game.board


# --- healthz ----------------------------------------------------------------------------------


def test_healthz_says_that_all_is_well_and_stores_nothing(own_site: Site) -> None:
    before = own_site.dump()
    answer = own_site.visitor().get("/healthz")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/json")
    assert answer.json == {"status": "ok", "version": __version__, "database": True}
    assert "Set-Cookie" not in answer.headers
    assert own_site.dump() == before


@pytest.mark.parametrize("content", [None, b"this is no database, but it is quite long" * 100])
def test_a_database_that_is_gone_or_broken_is_told_of(
    own_site: Site, content: bytes | None
) -> None:
    own_site.database.close()
    for file in own_site.file.parent.glob("tictactoe.db*"):
        file.unlink()
    if content:
        own_site.file.write_bytes(content)
    visitor = own_site.visitor()
    answer = visitor.get("/healthz")
    assert answer.status == 503
    assert answer.json == {**answer.json, "version": __version__, "database": False}
    assert answer.json["status"] != "ok"
    for fragment in (False, True):
        page = visitor.get("/", fragment=fragment)
        check_friendly(page, page.status)
        assert page.status >= 500
