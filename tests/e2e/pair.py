"""Two people who play each other, each at a device of their own."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass

from playwright.sync_api import expect

from tests.e2e.plans import plan
from tests.e2e.server import Server
from tests.e2e.tab import Tab
from tests.support.patience import PATIENCE
from webapp.core.board import Mark


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
        """Play cells by turns as from other tabs of the two."""
        for ply, cell in enumerate(moves):
            # Version 2 is the game that a classmate has joined.
            self.people[ply % 2].play_elsewhere(int(cell), 2 + ply, self.path)

    def settle(self) -> None:
        """Wait until both pages know that both are here: at once only in a game that begins."""
        for one in self.people:
            expect(one.seconds_left).to_have_count(0)


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


def count_tenfold(server: Server) -> None:
    """Let each game so far have been ten, which is enough for a place in the table; only once.

    The server hears of it with the next result.
    """
    with closing(sqlite3.connect(server.database, timeout=PATIENCE)) as connection, connection:
        connection.execute(
            "UPDATE records SET won = 10 * won, drawn = 10 * drawn, lost = 10 * lost "
            "WHERE won + drawn + lost < 10"
        )


def let_time_pass(server: Server, path: str, seconds: int) -> None:
    """Make the last change of a game older, in the file where the server keeps it."""
    with closing(sqlite3.connect(server.database, timeout=PATIENCE)) as connection, connection:
        changed = connection.execute(
            "UPDATE games SET updated_at = updated_at - ? WHERE id = ?",
            (seconds, path.rpartition("/")[2]),
        )
        assert changed.rowcount == 1


def beat_easy(person: Tab) -> None:
    """Win a game against Easy, but not in this tab."""
    first, *more = plan("easy", Mark.X, "won").mine
    start = person.post("/games", {"opponent": "easy", "mark": "x", "cell": first, "key": "any"})
    for version, cell in enumerate(more, 1):
        person.play_elsewhere(cell, version, start.headers["location"])
