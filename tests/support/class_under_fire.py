"""A class that plays while its server is shot at: who gets no answer sends the same again.

What was answered is held against the database in the end.
"""

from __future__ import annotations

import random
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from tests.support import played
from tests.support.http import MISSING, Answer, Player, sit_down
from tests.support.patience import PATIENCE, until
from webapp.config import Settings
from webapp.store import Database

_PAUSE = 0.02


@dataclass
class Noted:
    """What the class noted; of each move the game, how many marks were there, and the cell."""

    over: threading.Event = field(default_factory=threading.Event)
    people: list[Person] = field(default_factory=list)
    played: list[tuple[str, int, int]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def wait_for_moves(self, more: int) -> None:
        aim = len(self.played) + more
        until(lambda: len(self.played) >= aim, "nobody moves")


class Person(Player):
    """A player who asks until there is an answer; ``refused`` counts moves that came too late."""

    def __init__(self, url: str, noted: Noted) -> None:
        super().__init__(url)
        self.answered = self.refused = 0
        self._noted = noted
        noted.people.append(self)

    def send(self, method: str, where: str, *more: Any, **named: Any) -> Answer:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self._noted.over.is_set():
                raise CancelledError
            try:
                answer = super().send(method, where, *more, **named)
                if answer.status < 500:
                    self.answered += 1
                    return answer
                error, pause = str(answer.status), float(answer.headers.get("Retry-After", _PAUSE))
            except MISSING as missing:
                error, pause = repr(missing), _PAUSE
            self._noted.errors.append(f"{where}: {error}")
            self._noted.over.wait(pause)
        raise AssertionError(f"no answer to {method} {where} for {PATIENCE} seconds")

    def move_anywhere(self, path: str, rng: random.Random) -> bool:
        """Play any free cell, and note the answer; tell whether the game was still going on."""
        page = self.get(path)
        if not page.playable:
            return False
        cell = rng.choice(page.playable)
        status = self.post(f"{path}/moves", cell=cell, version=page.version).status
        assert status in (303, 409), status
        if status == 303:
            self._noted.played.append((path.removeprefix("/games/"), 9 - len(page.playable), cell))
        self.refused += status == 409
        return True


def against_the_computer(me: Person, rng: random.Random) -> None:
    opponent = rng.choice(("easy", "medium"))
    while True:
        form = {"opponent": opponent, "mark": "x", "key": secrets.token_hex(8)}
        game = me.post("/games", cell=rng.randrange(9), **form).headers["Location"]
        while rng.random() < 0.95 and me.move_anywhere(game, rng):
            pass
        if rng.random() < 0.5:
            me.post(f"{game}/again", version=me.get(game).version)


def against_each_other(mover: Person, other: Person, rng: random.Random) -> None:
    while True:
        game = urlsplit(sit_down(mover, other).url).path
        while mover.move_anywhere(game, rng):
            mover, other = other, mover
            if rng.random() < 0.03:
                mover.post(f"{game}/resign", version=mover.get(game).version)


@contextmanager
def a_class(url: str, seed: str) -> Iterator[Noted]:
    """Let three play the computer, and two pairs each other, until the end of the block."""
    noted = Noted()
    plays: list[Callable[[random.Random], None]] = [
        *(partial(against_the_computer, Person(url, noted)) for _ in range(3)),
        *(partial(against_each_other, Person(url, noted), Person(url, noted)) for _ in range(2)),
    ]
    with ThreadPoolExecutor(len(plays)) as threads:
        chances = (random.Random(f"{seed}{number}") for number in range(len(plays)))
        playing = [*map(threads.submit, plays, chances)]
        try:
            yield noted
        finally:
            noted.over.set()
    for one in playing:
        with suppress(CancelledError):
            one.result()


def check_nothing_lost(settings: Settings, noted: Noted) -> int:
    """Check that every answered move is stored and all fits; return how many games are finished."""
    database = Database(settings)
    stored = played.rows(database)
    if not settings.postgres:
        with database.read() as connection:
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    database.close()
    for game, ply, cell in noted.played:
        moves = stored["games"][game,]["moves"]
        assert moves[ply : ply + 1] == str(cell), (game, ply, cell, moves)
    games = stored["games"].values()
    for row in games:
        played.check_moves(row)
        # The first move begins a game with the computer, whose reply comes with a move.
        version = (len(row["moves"]) + 1) // 2
        if row["kind"] is played.LIVE:  # the beginning is a version, like every move
            version = 1 + len(row["moves"])
        assert row["version"] == version + bool(row["ending"]), row
    seats = {(seat,) for row in games for seat in played.seats(row) if seat}
    assert seats <= stored["players"].keys()
    results = Counter(one for row in games for one in played.results(row, row))
    for row in stored["records"].values():
        counted = [results.pop((row["player"], row["opponent"], how), 0) for how in "wdl"]
        assert [row["won"], row["drawn"], row["lost"]] == counted
        assert len(row["recent"]) == min(5, sum(counted))
    assert not results, "finished games that are in no record"
    return sum(bool(row["outcome"]) for row in games)
