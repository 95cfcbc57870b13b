"""A class that plays while its server is shot at: people who ask once more, and note every answer.

Whoever gets no answer sends the very same request again, as the page does at the next click. What
was answered is held against the database in the end.
"""

from __future__ import annotations

import http.client
import random
import re
import secrets
import sqlite3
import threading
import time
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests.support import rules

_GAME = re.compile(r'data-game="([\w-]+)" data-version="(\d+)" data-outcome="(\w*)"')
_PLAYABLE = re.compile(r'name="cell" value="(\d)"(?! type)')
_CODE = re.compile(r'class="code">(\w+)<')
_COOKIE = re.compile(r"player=([\w-]+)")
_PAUSE = 0.02
_LONGEST = 30.0
MISSING = (OSError, http.client.HTTPException)
"""What a client meets whose server dies."""


class Stopped(Exception):  # noqa: N818 - it is no error
    """The class is over."""


@dataclass(frozen=True)
class Board:
    """A game as a page shows it."""

    game: str
    version: int
    outcome: str
    playable: list[int]

    @classmethod
    def read(cls, text: str) -> Board:
        found = _GAME.search(text)
        assert found, f"an answer without a board: {text[:200]}"
        return cls(found[1], int(found[2]), found[3], list(map(int, _PLAYABLE.findall(text))))


@dataclass(frozen=True)
class Played:
    """A move that was answered: the cell, and how many marks were on the board before."""

    game: str
    ply: int
    cell: int
    version: int


@dataclass
class Noted:
    """What all of the class noted."""

    over: threading.Event = field(default_factory=threading.Event)
    played: list[Played] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    retries: int = 0
    problems: list[str] = field(default_factory=list)
    people: list[Person] = field(default_factory=list)


class Person:
    """Somebody with a cookie and a connection that is kept as long as it lasts."""

    def __init__(self, url: str, noted: Noted) -> None:
        self._host = urlsplit(url).netloc
        self._noted = noted
        self._connection: http.client.HTTPConnection | None = None
        self._cookie = secrets.token_urlsafe(32)
        noted.people.append(self)

    def ask(self, method: str, path: str, **form: object) -> tuple[int, str, str]:
        """Ask until there is an answer; return status, where it leads, and the text."""
        begun = time.monotonic()
        while time.monotonic() < begun + _LONGEST:
            if self._noted.over.is_set():
                raise Stopped
            try:
                answer = self._once(method, path, form)
            except MISSING:
                answer = (503, "", "")
                self.hang_up()
            if answer[0] < 500:
                self._noted.waits.append(time.monotonic() - begun)
                return answer
            self._noted.retries += 1
            time.sleep(_PAUSE)
        raise AssertionError(f"no answer to {method} {path} for {_LONGEST} seconds")

    def board(self, method: str, path: str, **form: object) -> tuple[int, Board]:
        """Ask for something that is answered by a board."""
        status, _, text = self.ask(method, path, **form)
        return status, Board.read(text)

    def move(self, board: Board, cell: int) -> Board:
        """Play a cell, and note the answer."""
        path = f"/games/{board.game}/moves"
        status, now = self.board("POST", path, cell=cell, version=board.version)
        assert status in (200, 409), status
        if status == 200:
            self._noted.played.append(
                Played(board.game, 9 - len(board.playable), cell, now.version)
            )
        return now

    def hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _once(self, method: str, path: str, form: dict[str, object]) -> tuple[int, str, str]:
        if self._connection is None:
            self._connection = http.client.HTTPConnection(self._host, timeout=_LONGEST)
        headers = {"Cookie": f"player={self._cookie}"}
        if path.startswith("/games"):
            headers |= {"HX-Request": "true", "HX-Request-Type": "partial"}
        body = None
        if method == "POST":
            body = urlencode(form)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        text = answer.read().decode()
        return answer.status, answer.headers.get("Location", ""), text


def against_the_computer(url: str, noted: Noted, rng: random.Random) -> None:
    """Play one game after the other, and now and then leave one."""
    me, board = Person(url, noted), None
    opponent = rng.choice(("easy", "medium"))
    while True:
        if board is None or rng.random() < 0.5:
            form = {"opponent": opponent, "mark": "x", "key": secrets.token_hex(8)}
            _, board = me.board("POST", "/games", cell=rng.randrange(9), **form)
        else:
            _, board = me.board("POST", f"/games/{board.game}/again", version=board.version)
        while not board.outcome and rng.random() < 0.95:
            board = me.move(board, rng.choice(board.playable))


def against_each_other(url: str, noted: Noted, rng: random.Random) -> None:
    """Two who play each other, and now and then give up."""
    x, o = Person(url, noted), Person(url, noted)
    while True:
        _, path, _ = x.ask("POST", "/challenges", mark="x")
        code = _CODE.search(x.ask("GET", path)[2])
        assert code
        status, joined, _ = o.ask("POST", f"/join/{code[1]}")
        assert (status, joined) == (303, path)
        mover, other = x, o
        board = mover.board("GET", path)[1]
        while not board.outcome:
            if rng.random() < 0.03:
                _, board = mover.board("POST", f"{path}/resign", version=board.version)
                continue
            board = mover.move(board, rng.choice(board.playable))
            mover, other = other, mover
            board = mover.board("GET", path)[1]


class Class:
    """Some who play the computer, and pairs who play each other, until they are told to stop."""

    def __init__(self, url: str, seed: str, alone: int = 3, pairs: int = 2) -> None:
        self.noted = Noted()
        kinds = [against_the_computer] * alone + [against_each_other] * pairs
        self._threads = [
            threading.Thread(target=self._run, args=(kind, url, random.Random(f"{seed}{number}")))
            for number, kind in enumerate(kinds)
        ]
        for thread in self._threads:
            thread.start()

    def _run(self, kind: Any, url: str, rng: random.Random) -> None:
        try:
            with suppress(Stopped):
                kind(url, self.noted, rng)
        except Exception as error:  # noqa: BLE001 - a thread tells nobody else
            self.noted.problems.append(repr(error))

    def stop(self) -> Noted:
        """End the class; return what it noted."""
        self.noted.over.set()
        for thread in self._threads:
            thread.join(2 * _LONGEST)
        for person in self.noted.people:
            person.hang_up()
        assert self.noted.problems == []
        return self.noted


# --- what must be true of the database afterwards ------------------------------------------------


def check_nothing_lost(file: Path, noted: Noted) -> int:
    """Check that every answered move is stored, and that all that is stored fits together.

    :return: how many games are finished
    """
    with closing(sqlite3.connect(file)) as connection:
        connection.row_factory = sqlite3.Row
        games = {row["id"]: row for row in connection.execute("SELECT * FROM games")}
        records = list(connection.execute("SELECT * FROM records"))
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    for move in noted.played:
        game = games[move.game]
        assert game["moves"][move.ply : move.ply + 1] == str(move.cell), (move, dict(game))
        assert game["version"] >= move.version
    for game in games.values():
        check_legal(game)
    kept = {(row["player"], row["opponent"]): row for row in records}
    assert {pair: (row["won"], row["drawn"], row["lost"]) for pair, row in kept.items()} == counted(
        list(games.values())
    )
    for row in records:
        assert len(row["recent"]) == min(5, row["won"] + row["drawn"] + row["lost"])
    return sum(bool(game["outcome"]) for game in games.values())


def check_legal(game: sqlite3.Row) -> None:
    """Check that a stored game is one that can be played, with its outcome and its version."""
    moves = list(map(int, game["moves"]))
    for ply in range(len(moves)):
        assert not rules.outcome(rules.after(moves[:ply])), dict(game)
    ended = bool(game["ending"])
    over = rules.outcome(rules.after(moves))
    assert bool(over) + ended <= 1, dict(game)
    assert bool(game["outcome"]) == bool(over) + ended, dict(game)
    if over:
        assert game["outcome"] == over
    if game["opponent"] == "classmate":
        # Opened and joined are a version each, like every move.
        joined = game["x_seat"] is not None and game["o_seat"] is not None
        assert game["version"] == 1 + joined + len(moves) + ended, dict(game)
    else:
        # The first move begins the game; without one it begins empty, as after "Play again".
        mine = (len(moves) + 1) // 2
        assert game["version"] - ended in (mine, mine + 1), dict(game)


def counted(games: list[sqlite3.Row]) -> dict[tuple[str, str], tuple[int, int, int]]:
    """Count the finished games anew, each once, for everybody against everybody."""
    results: Counter[tuple[str, str, str]] = Counter()
    for game in games:
        if not game["outcome"] or game["helped"]:
            continue
        if game["opponent"] == "classmate" and len(game["moves"]) < 2:
            continue  # one of the two has not moved
        for mark, seat, other in (("x", "x_seat", "o_seat"), ("o", "o_seat", "x_seat")):
            opponent = game[other] if game["opponent"] == "classmate" else game["opponent"]
            if game[seat] and opponent:
                kind = game["outcome"]
                result = "drawn" if kind == "draw" else "won" if kind == mark else "lost"
                results[game[seat], opponent, result] += 1
    pairs = {(player, opponent) for player, opponent, _ in results}
    return {
        pair: (results[*pair, "won"], results[*pair, "drawn"], results[*pair, "lost"])
        for pair in pairs
    }
