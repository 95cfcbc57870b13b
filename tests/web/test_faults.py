"""When something breaks: no traceback, nothing lost; and ``GET /healthz`` says how it is."""

from unittest.mock import Mock

import pytest

from tests.support.page import Page
from tests.support.visitor import Site, Visitor
from webapp import __version__


def check_friendly(answer: Page, *statuses: int) -> None:
    assert answer.status in statuses
    assert (answer.has_board, answer.links["Play a game"]) == (False, "/")
    assert not any(word in answer.text for word in ("Traceback", "secret", "sqlite"))
    assert answer.status != 503 or int(answer.headers["Retry-After"]) > 0


def test_an_error_is_a_friendly_page(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site.app.logger, "disabled", True)  # all sites share it
    site.app.view_functions["play.front"] = Mock(side_effect=RuntimeError("the secret reason"))
    for fragment in (False, True):
        check_friendly(site.visitor().get("/", fragment=fragment), 500)


def test_while_nothing_can_be_written_the_answer_is_503(site: Site, alice: Visitor) -> None:
    def do(statement: str) -> None:
        with site.database.read() as connection:
            connection.exec_driver_sql(statement)

    page, before = alice.start("easy", "x", cell=4), site.dump()
    for fault, mended, fragment in (
        ("PRAGMA query_only=1", "PRAGMA query_only=0", False),
        ("ALTER TABLE games RENAME TO gone", "ALTER TABLE gone RENAME TO games", True),
    ):
        do(fault)
        for what in ("moves", "again", "hint"):
            fields = {"cell": page.playable[0]}
            check_friendly(alice.try_to(what, page, fields, fragment=fragment), 503)
        start = {"opponent": "easy", "mark": "x", "cell": 4}
        check_friendly(alice.post("/games", start, fragment=fragment), 503)
        if fragment:
            check_friendly(alice.get("/", fragment=True), 503)
        else:
            assert alice.get(page.address).board == page.board
        assert alice.get("/static/app.css").status == 200
        do(mended)
        assert site.dump() == before
    assert alice.move(page, page.playable[0]).version == 2


def test_a_database_that_is_broken_is_said(site: Site, alice: Visitor) -> None:
    answer = alice.get("/healthz")
    assert (answer.status, "Set-Cookie" in answer.headers) == (200, False)
    assert answer.response.get_json() == {"status": "ok", "version": __version__, "database": True}
    site.database.close()
    for file in site.file.parent.glob("tictactoe.db*"):
        file.unlink()
    site.file.write_bytes(b"this is no database, but it is quite long" * 100)
    answer = alice.get("/healthz")
    assert (answer.status, answer.response.get_json()["database"]) == (503, False)
    assert answer.response.get_json()["status"] != "ok"
    for fragment in (False, True):
        check_friendly(alice.get("/", fragment=fragment), 500, 503)
