"""A class that plays while its server is shot at: people who ask once more, and note every answer.

Anyone who gets no answer sends the very same request again, as the page does at the next click.
What was answered is held against the database in the end.
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

from tests.support import rules
from tests.support.http import Answer, Somebody

_CODE = re.compile(r'class="code">(\w+)<')
_PAUSE = 0.02
_LONGEST = 30.0
MISSING = (OSError, http.client.HTTPException)
"""What a client meets whose server dies."""


class Stopped(Exception):  # noqa: N818 - it is no error
    """The class is over."""


@dataclass(frozen=True)
class Played:
    """A move that was answered: the cell, and how many marks were on the board before."""

    game: str
    ply: int
    cell: int


@dataclass
class Noted:
    """What all of the class noted."""

    over: threading.Event = field(default_factory=threading.Event)
    played: list[Played] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    retries: int = 0
    problems: list[str] = field(default_factory=list)


class Person(Somebody):
    """A player who asks until there is an answer."""

    def __init__(self, url: str, noted: Noted) -> None:
        super().__init__(url)
        self._noted = noted

    def _send(self, method: str, path: str, body: str | None) -> Answer:
        begun = time.monotonic()
        while time.monotonic() < begun + _LONGEST:
            if self._noted.over.is_set():
                raise Stopped
            with suppress(*MISSING):
                answer = super()._send(method, path, body)
                if answer.status < 500:
                    self._noted.waits.append(time.monotonic() - begun)
                    return answer
            self._noted.retries += 1
            time.sleep(_PAUSE)
        raise AssertionError(f"no answer to {method} {path} for {_LONGEST} seconds")

    def move_anywhere(self, path: str, rng: random.Random) -> bool:
        """Play any free cell, and note the answer; tell whether the game was still going on."""
        page = self.get(path)
        if not page.playable:
            return False
        cell = rng.choice(page.playable)
        answer = self.post(f"{path}/moves", cell=cell, version=page.version)
        assert answer.status in (303, 409), answer.status
        if answer.status == 303:
            played = Played(path.removeprefix("/games/"), 9 - len(page.playable), cell)
            self._noted.played.append(played)
        return True


def against_the_computer(url: str, noted: Noted, rng: random.Random) -> None:
    """Play one game after the other, and now and then leave one."""
    me = Person(url, noted)
    opponent = rng.choice(("easy", "medium"))
    while True:
        form = {"opponent": opponent, "mark": "x", "key": secrets.token_hex(8)}
        game = me.post("/games", cell=rng.randrange(9), **form).headers["Location"]
        while rng.random() < 0.95 and me.move_anywhere(game, rng):
            pass
        if rng.random() < 0.5:
            me.post(f"{game}/again", version=me.get(game).version)


def against_each_other(url: str, noted: Noted, rng: random.Random) -> None:
    """Play games between two people, in which now and then one gives up."""
    mover, other = Person(url, noted), Person(url, noted)
    while True:
        game = mover.post("/challenges", mark="x").headers["Location"]
        code = _CODE.search(mover.get(game).text)
        assert code
        joined = other.post(f"/join/{code[1]}")
        assert (joined.status, joined.headers["Location"]) == (303, game)
        while mover.move_anywhere(game, rng):
            mover, other = other, mover
            if rng.random() < 0.03:
                mover.post(f"{game}/resign", version=mover.get(game).version)


class Class:
    """Players against the computer, and pairs who play each other, until they are told to stop."""

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
    for game in games.values():
        check_legal(game)
    results = counted(list(games.values()))
    for row in records:
        pair = row["player"], row["opponent"]
        assert [row["won"], row["drawn"], row["lost"]] == [
            results.pop((*pair, result), 0) for result in ("won", "drawn", "lost")
        ]
        assert len(row["recent"]) == min(5, row["won"] + row["drawn"] + row["lost"])
    assert not results, "finished games that are in no record"
    return sum(bool(game["outcome"]) for game in games.values())


def check_legal(game: sqlite3.Row) -> None:
    """Check that a stored game is one that can be played, with its outcome and its version."""
    moves = list(map(int, game["moves"]))
    for ply in range(len(moves)):
        assert not rules.outcome(rules.after(moves[:ply])), dict(game)
    ended = bool(game["ending"])
    over = rules.outcome(rules.after(moves))
    assert not (over and ended), dict(game)
    assert bool(game["outcome"]) == bool(over or ended), dict(game)
    assert not over or game["outcome"] == over, dict(game)
    if game["opponent"] == "classmate":
        # Opened and joined are a version each, like every move.
        joined = game["x_seat"] is not None and game["o_seat"] is not None
        assert game["version"] == 1 + joined + len(moves) + ended, dict(game)
    else:
        # The first move begins the game, and the computer's reply comes with a move.
        assert game["version"] == (len(moves) + 1) // 2 + ended, dict(game)


def counted(games: list[sqlite3.Row]) -> Counter[tuple[str, str, str]]:
    """Count the finished games once more, each once, for everybody against everybody."""
    results: Counter[tuple[str, str, str]] = Counter()
    for game in games:
        two = game["opponent"] == "classmate"
        # Between two people a game counts when both have moved; what is left early never does.
        no_result = game["outcome"] in ("", "left")
        if no_result or game["helped"] or (two and len(game["moves"]) < 2):
            continue
        for mark, seat, other in (("x", "x_seat", "o_seat"), ("o", "o_seat", "x_seat")):
            opponent = game[other] if two else game["opponent"]
            if game[seat] and opponent:
                kind = game["outcome"]
                result = "drawn" if kind == "draw" else "won" if kind == mark else "lost"
                results[game[seat], opponent, result] += 1
    return results
