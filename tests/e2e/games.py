"""Games whose end a test knows, and the people who play them, as they come to be there."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Literal

from playwright.sync_api import expect

from tests.e2e.server import SEED, Server
from tests.e2e.tab import Tab
from tests.support.patience import PATIENCE
from webapp.core.board import Mark, Outcome
from webapp.core.game import Game
from webapp.engines.registry import ENGINES

Level = Literal["easy", "medium", "hard"]
Result = Literal["won", "drawn", "lost"]
ROW = "03142"  # the moves of a game that X wins by the top row


@dataclass(frozen=True)
class Plan:
    """A whole game against an engine, as the seeded server will play it; a person has the mark."""

    mark: Mark
    moves: tuple[int, ...]

    @property
    def outcome(self) -> Outcome:
        outcome = Game(self.moves).outcome
        assert outcome is not None
        return outcome

    @property
    def winning(self) -> tuple[int, ...]:
        return tuple(cell for line in self.outcome.lines for cell in line)

    @property
    def mine(self) -> tuple[int, ...]:
        return self.moves[0 if self.mark is Mark.X else 1 :: 2]

    def board(self, plies: int = 9) -> str:
        return str(Game(self.moves[:plies]).board)


@cache
def plan(level: Level, mark: Mark, result: Result, *, plies: int = 5) -> Plan:
    """Return a game with this end: the first with at most one line, and as many moves at least."""
    winner = {"won": mark, "drawn": None, "lost": mark.other}[result]
    for moves in _games(level, mark, ()):
        game = Plan(mark, moves)
        if game.outcome.winner is winner and len(game.winning) <= 3 and len(moves) >= plies:
            return game
    raise AssertionError(f"with the seed {SEED!r} no such game against {level} exists")


def _games(level: Level, mark: Mark, moves: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    board = Game(moves).board
    if board.outcome:
        yield moves
    elif board.turn is mark:
        for cell in board.legal_moves:
            yield from _games(level, mark, (*moves, cell))
    else:
        choice = ENGINES[level].choose(board, Random(f"{SEED}:{moves}"))
        yield from _games(level, mark, (*moves, choice.cell))


WON = plan("medium", Mark.X, "won")
DRAWN = plan("medium", Mark.X, "drawn")
LOST = plan("medium", Mark.X, "lost")


@dataclass(frozen=True)
class Pair:
    """Two people at a game: ``x`` moves first."""

    x: Tab
    o: Tab
    path: str

    @property
    def people(self) -> tuple[Tab, Tab]:
        return self.x, self.o

    def play(self, *cells: int, begun: int = 0) -> None:
        """Play cells by turns, after so many moves; wait each time for the other board."""
        for ply, cell in enumerate(cells, begun):
            mover, other = self.people if ply % 2 == 0 else self.people[::-1]
            version = mover.version + 1
            mover.play(cell)
            other.expect_version(version)

    def play_elsewhere(self, moves: str) -> None:
        for ply, cell in enumerate(moves):
            self.people[ply % 2].play_elsewhere(int(cell), 1 + ply, self.path)


def begin(x: Tab, o: Tab, moves: str = "") -> Pair:
    """Begin a game of two people, with these moves on the board; neither is there yet."""
    pair = Pair(x, o, o.do(f"/join/{x.open_challenge_elsewhere()}"))
    pair.play_elsewhere(moves)
    return pair


def sit_down(x: Tab, o: Tab, moves: str = "") -> Pair:
    pair = begin(x, o, moves)
    for one in pair.people:
        one.open(pair.path)
    return pair


def let_time_pass(server: Server, path: str, seconds: int) -> None:
    with closing(sqlite3.connect(server.database, timeout=PATIENCE)) as connection, connection:
        changed = connection.execute(
            "UPDATE games SET updated_at = updated_at - ? WHERE id = ?",
            (seconds, path.rpartition("/")[2]),
        )
        assert changed.rowcount == 1


def beat_easy(person: Tab) -> None:
    first, *more = plan("easy", Mark.X, "won").mine
    path = person.do("/games", opponent="easy", mark="x", cell=first, key="any")
    for version, cell in enumerate(more, 1):
        person.play_elsewhere(cell, version, path)


def make(host: Tab, form: str = "arena") -> str:
    """Make a tournament, of one round if it is a Swiss one; return its address."""
    host.do("/host/tournaments", format=form, opening="empty", clock=30, minutes=15, rounds=1)
    address = host.open("/host").page.locator("#rare a").get_attribute("href")
    assert address
    return address


def join(address: str, *players: Tab) -> None:
    for one in players:
        one.do(f"{address}/join")
        one.open(address)


def start(host: Tab, address: str) -> None:
    host.do(f"/host{address}/start")


def at_a_board(*players: Tab, before: str = "") -> None:
    for one in players:
        one.page.wait_for_url(lambda url: "/games/" in url and (not before or before not in url))
        expect(one.page.locator("#versus")).to_contain_text("You")
