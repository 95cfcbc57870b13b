"""What a death before and after every statement of a request leaves: all of it, or nothing.

A server that is killed leaves what another connection sees at that moment.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.support import played, rules
from tests.support.people import Clock
from tests.support.played import Row, Stored
from tests.support.visitor import Site
from webapp.config import Settings
from webapp.polls import Life
from webapp.service import games as play
from webapp.service import polls, tournaments
from webapp.tournament.due import REST_MS
from webapp.tournament.event import Format, Opening
from webapp.web import create_app

ADA, BOB = "a" * 43, "b" * 43  # the cookies of two people; Ada has X
PLAYERS = {hashlib.sha256(cookie.encode()).hexdigest() for cookie in (ADA, BOB)}
DRAWN = {"code", "start_key", "name", "name_key", "dealt", "next_id", "changed"}
TIMES = {"created_at", "updated_at", "seen_at", "since", "at"}
"""What differs from time to time, by chance or by the clock; and so do the ids of games."""


@dataclass(frozen=True)
class Stage:
    """The application, in this process and as in another one, which sees what is stored."""

    app: Flask
    another: Flask

    def watch(self, act: Callable[[], object], what: str) -> None:
        engine, found = self.app.extensions["site"].database._engine, [self.rows()]

        def look(*_about: Any) -> None:
            found.append(self.rows())

        sa.event.listen(engine, "before_cursor_execute", look)
        act()
        sa.event.remove(engine, "before_cursor_execute", look)
        look()
        before, *moments, after = map(what_matters, found)
        assert before != after, what
        assert len(moments) >= 2, what
        assert all(moment in (before, after) for moment in moments), f"{what} was half done"

    def post(self, cookie: str, path: str, **fields: object) -> str:
        """Send a form, and send it again; return where it leads."""
        answers = list[tuple[int, str]]()
        self.watch(lambda: answers.append(send(self.app, cookie, path, fields)), path)
        once, (_, location) = what_matters(self.rows()), answers[0]
        answers.append(send(self.another, cookie, path, fields))
        assert what_matters(self.rows()) == once, f"{path}: not the same sent again"
        assert answers[0][0] == 303
        assert answers[1][0] in (303, 404, 409), path
        return answers[1][1] or location

    def row(self, game: str) -> Row:
        return self.rows()["games"][(game.removeprefix("/games/"),)]

    def rows(self) -> Stored:
        return played.rows(self.another.extensions["site"].database)


def send(app: Flask, cookie: str, path: str, fields: dict[str, object]) -> tuple[int, str]:
    client = app.test_client()
    client.set_cookie("player", cookie)
    answer = client.post(path, data=fields)
    return answer.status_code, answer.headers.get("Location", "")


def what_matters(stored: Stored) -> dict[str, list[str]]:
    def told(table: str, name: str, value: Any) -> Any:
        if name in TIMES or (table, name) in (("games", "id"), ("wishes", "game")):
            return None
        if name in ("x_seat", "o_seat", "opponent") and len(value or "") == 64:
            return value if value in PLAYERS else "no one"  # drawn for a player who goes
        return bool(value) if name in DRAWN else value

    return {
        table: sorted(str([told(table, *pair) for pair in row.items()]) for row in found.values())
        for table, found in stored.items()
    }


@pytest.fixture
def stage(tmp_path: Path, emptied_url: str | None) -> Iterator[Stage]:
    settings = Settings(
        data=tmp_path, synchronous="NORMAL", seed="tests", database_url=emptied_url, limits="off"
    )
    apps = create_app(settings), create_app(settings, prepared="12345678")
    yield Stage(*apps)
    for app in apps:
        app.extensions["site"].database.close()


def test_a_death_at_any_statement_leaves_all_or_nothing(stage: Stage) -> None:
    game = stage.post(ADA, "/games", opponent="menace", mark="o", key="menace")
    while not (row := stage.row(game))["outcome"]:
        free = rules.free(rules.after(map(int, row["moves"])))
        stage.post(ADA, f"{game}/moves", cell=free[0], version=row["version"])
    game = stage.post(ADA, "/games", opponent="hard", mark="o", key="left")
    stage.post(ADA, f"{game}/again", opponent="easy")
    stage.post(ADA, "/challenges", mark="o")
    stage.post(ADA, "/challenges", mark="x")
    (wish,) = stage.rows()["wishes"].values()
    game = stage.post(BOB, f"/join/{wish['code']}")
    for ply, cell in enumerate("0314"):
        fields = {"cell": cell, "version": ply + 1}
        assert send(stage.app, (ADA, BOB)[ply % 2], f"{game}/moves", fields)[0] == 303
    stage.post(ADA, f"{game}/moves", cell=2, version=5)
    stage.post(ADA, f"{game}/again")
    rematch = stage.post(BOB, f"{game}/again")
    stage.post(BOB, f"{rematch}/resign", version=stage.row(rematch)["version"])
    site = stage.app.extensions["site"]
    asked = polls.ask(site, "0")
    stage.post(ADA, f"/questions/{asked}/answer", cell=4)
    polls.advance(site, asked, Life.DONE)
    clock = Clock(Site(stage.app, site.settings))
    event = tournaments.create(site, Format.SWISS, Opening.EMPTY, 10, 2)
    for player in PLAYERS:
        tournaments.join(site, event, player)
    stage.watch(lambda: tournaments.start(site, event), "start")
    (going,) = tournaments.standing(site, event).going.values()
    play.resign(site, going.id, going.x_seat or "", going.version)
    for step in ("end of the first game", "second game"):
        clock.goes_on(REST_MS / 1000)
        for player in PLAYERS:
            site.live.asked(player)
        stage.watch(lambda: tournaments.tick(site), step)
    stage.post(ADA, "/you/forget")
