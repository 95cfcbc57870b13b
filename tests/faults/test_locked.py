"""Another program holds the database for long: all are told, and can read meanwhile."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest
from sqlalchemy.exc import OperationalError

from tests.support.visitor import open_site
from webapp.store import sqlite
from webapp.web.errors import _PAGES


def test_a_database_that_is_locked_for_long_is_told_of_and_can_be_read_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY", 1)  # a fifth of the usual
    monkeypatch.setattr(sqlite, "_BEHIND", 0.3)
    with open_site(tmp_path) as site, ThreadPoolExecutor(8) as clicks:
        people = [site.visitor() for _ in range(8)]
        pages = [person.start("easy", "x", cell=4) for person in people]
        watcher, waiting = site.visitor(), site.visitor()
        open_game = waiting.follow(waiting.post("/challenges", {"mark": "x"})).address
        before, reads = site.dump(), set[int]()
        with closing(sqlite3.connect(site.file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            does = "again", *["moves"] * 7
            moves = [
                clicks.submit(person.try_to, what, page, {"cell": page.playable[0]})
                for person, page, what in zip(people, pages, does, strict=True)
            ]
            while not all(move.done() for move in moves):
                looks = ("/", "/class", pages[0].address, "/healthz")
                reads |= {watcher.get(path).status for path in looks}
                # That this one is here can be written down only later.
                reads.add(waiting.get(f"{open_game}?since=1.0.0.0", fragment=True).status)
            other.execute("ROLLBACK")
        for answer in (move.result() for move in moves):
            assert (answer.status, _PAGES[503][1] in answer.text) == (503, True)
            assert int(answer.headers["Retry-After"]) > 0
        assert reads <= {200, 204}
        assert site.dump() == before
        for person, page in zip(people, pages, strict=True):
            assert person.move(page, page.playable[0]).version == 2
        # The page that tells of it does not ask again, which would take as long.
        locked = sqlite3.OperationalError("database is locked")
        read = Mock(side_effect=OperationalError("SELECT", {}, locked))
        monkeypatch.setitem(vars(site.database), "read", read)
        assert [watcher.get(path).status for path in ("/", "/class", "/games/x")] == [503] * 3
        assert read.call_count == 3
