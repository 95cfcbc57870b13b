"""People who play each other, two at a game or more in a tournament, as they come to be there."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass

from playwright.sync_api import expect

from tests.e2e.plans import plan
from tests.e2e.server import Server
from tests.e2e.tab import Tab
from tests.support.patience import PATIENCE
from webapp.core.board import Mark

ROW = "03142"
"""The moves of a game that X wins by the top row."""


@dataclass(frozen=True)
class Pair:
    """The two; ``x`` moves first."""

    x: Tab
    o: Tab
    path: str

    @property
    def people(self) -> tuple[Tab, Tab]:
        return self.x, self.o

    def play(self, *cells: int, begun: int = 0) -> None:
        """Play cells by turns by clicking, and wait each time until the other board has them.

        :param begun: how many moves there were before
        """
        for ply, cell in enumerate(cells, begun):
            mover, other = self.people if ply % 2 == 0 else self.people[::-1]
            version = mover.version + 1
            mover.play(cell)
            # This looks more often than ``expect`` does.
            other.page.wait_for_function(
                "(version) => document.getElementById('game').dataset.version === version",
                arg=str(version),
            )

    def play_elsewhere(self, moves: str) -> None:
        for ply, cell in enumerate(moves):
            # Version 2 is the game that a classmate has joined.
            self.people[ply % 2].play_elsewhere(int(cell), 2 + ply, self.path)


def begin(x: Tab, o: Tab, moves: str = "") -> Pair:
    """Begin a game of two people, with these moves on the board; neither is there yet."""
    path, code = x.open_challenge_elsewhere("x")
    assert o.post(f"/join/{code}", {}).status == 303
    pair = Pair(x, o, path)
    pair.play_elsewhere(moves)
    return pair


def sit_down(x: Tab, o: Tab, moves: str = "") -> Pair:
    """Bring two people into a game with each other, with these moves on the board."""
    pair = begin(x, o, moves)
    for one in pair.people:
        one.open(pair.path)
    return pair


def let_time_pass(server: Server, path: str, seconds: int) -> None:
    """Make the last change of a game older, in the file where the server keeps it."""
    with closing(sqlite3.connect(server.database, timeout=PATIENCE)) as connection, connection:
        changed = connection.execute(
            "UPDATE games SET updated_at = updated_at - ? WHERE id = ?",
            (seconds, path.rpartition("/")[2]),
        )
        assert changed.rowcount == 1


def beat_easy(person: Tab) -> None:
    first, *more = plan("easy", Mark.X, "won").mine
    start = person.post("/games", {"opponent": "easy", "mark": "x", "cell": first, "key": "any"})
    for version, cell in enumerate(more, 1):
        person.play_elsewhere(cell, version, start.headers["location"])


def make(host: Tab, form: str = "arena") -> str:
    """Make a tournament, of one round if it is a Swiss one; return its address."""
    fields = {"opening": "empty", "clock": "30", "minutes": "15", "rounds": "1"}
    assert host.post("/host/tournaments", {"format": form, **fields}).status == 303
    address = host.open("/host").page.locator("#rare a").get_attribute("href")
    assert address
    return address


def join(address: str, *players: Tab) -> None:
    for one in players:
        assert one.post(f"{address}/join", {}).status == 303
        one.open(address)


def start(host: Tab, address: str) -> None:
    assert host.post(f"/host{address}/start", {}).status == 303


def page_of(url: str) -> str:
    """An address without its question: pages without scripts add one when they load again."""
    return url.partition("?")[0]


def at_a_board(*players: Tab, before: str = "") -> None:
    """Wait until players have been led to their game, another one than before."""
    for one in players:
        one.page.wait_for_url(lambda url: "/games/" in url and page_of(url) != before)
        expect(one.page.locator("#versus")).to_contain_text("You")


def seated(*pair: Tab) -> tuple[Tab, Tab]:
    """Wait until their game has opened by itself for both; return who has X and O."""
    at_a_board(*pair)
    own = "#versus .side:nth-child(2) .x"
    x, o = sorted(pair, key=lambda one: one.page.locator(own).count(), reverse=True)
    expect(x.heading).to_have_text("Your turn")
    return x, o


def play_out(*pair: Tab) -> str:
    """Play a game of a tournament that X wins, by mouse and by keys; return its address."""
    address = page_of(pair[0].page.url)
    x, o = seated(*pair)
    for ply, cell in enumerate(map(int, ROW)):
        mover = o if ply % 2 else x
        expect(mover.heading).to_have_text("Your turn")
        if mover.scripted and cell % 2:
            mover.press(str(cell + 1))
        else:
            mover.cell(cell).click()
    expect(o.heading).to_have_text(re.compile("wins: top row$"))
    return address
