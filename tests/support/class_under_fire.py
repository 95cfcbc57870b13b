"""A class that plays while its server is shot at: people who ask once more, and note every answer.

Anyone who gets no answer sends the very same request again, as the page does at the next click.
What was answered is held against the database in the end.
"""

from __future__ import annotations

import random
import secrets
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import sqlalchemy as sa

from tests.support import played
from tests.support.http import MISSING, Answer, Player, sit_down
from tests.support.patience import PATIENCE, until
from webapp.config import Settings
from webapp.core.game import Kind
from webapp.store import schema

_PAUSE = 0.02


class Stopped(Exception):  # noqa: N818 - it is no error
    """The class is over."""


class Played(NamedTuple):
    """A move that was answered: the cell, and how many marks were on the board before."""

    game: str
    ply: int
    cell: int


@dataclass
class Noted:
    """What all of the class noted."""

    over: threading.Event = field(default_factory=threading.Event)
    people: list[Person] = field(default_factory=list)
    played: list[Played] = field(default_factory=list)

    @property
    def retries(self) -> int:
        """How often a request had to be sent again."""
        return sum(len(person.errors) for person in self.people)

    def wait_for_moves(self, more: int) -> None:
        """Wait until so many more moves have been answered."""
        aim = len(self.played) + more
        until(lambda: len(self.played) >= aim, "nobody moves")


class Person(Player):
    """A player who asks until there is an answer.

    :ivar answered: how many requests were
    :ivar errors: what came instead
    :ivar refused: how many moves came to a board that had changed already
    """

    def __init__(self, url: str, noted: Noted) -> None:
        super().__init__(url)
        self.answered = self.refused = 0
        self.errors: list[str] = []
        self._noted = noted
        noted.people.append(self)

    def send(self, method: str, where: str, *more: Any, **named: Any) -> Answer:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self._noted.over.is_set():
                raise Stopped
            pause = _PAUSE
            try:
                answer = super().send(method, where, *more, **named)
            except MISSING as error:
                self.errors.append(f"{where}: {error!r}")
            else:
                if answer.status < 500:
                    self.answered += 1
                    return answer
                self.errors.append(f"{where}: {answer.status}")
                pause = float(answer.headers.get("Retry-After", _PAUSE))
            self._noted.over.wait(pause)
        raise AssertionError(f"no answer to {method} {where} for {PATIENCE} seconds")

    def move_anywhere(self, path: str, rng: random.Random) -> bool:
        """Play any free cell, and note the answer; tell whether the game was still going on."""
        page = self.get(path)
        if not page.playable:
            return False
        cell = rng.choice(page.playable)
        answer = self.post(f"{path}/moves", cell=cell, version=page.version)
        assert answer.status in (303, 409), answer.status
        self.refused += answer.status == 409
        if answer.status == 303:
            move = Played(path.removeprefix("/games/"), 9 - len(page.playable), cell)
            self._noted.played.append(move)
        return True


def against_the_computer(me: Person, rng: random.Random) -> None:
    """Play one game after the other, and now and then leave one."""
    opponent = rng.choice(("easy", "medium"))
    while True:
        form = {"opponent": opponent, "mark": "x", "key": secrets.token_hex(8)}
        game = me.post("/games", cell=rng.randrange(9), **form).headers["Location"]
        while rng.random() < 0.95 and me.move_anywhere(game, rng):
            pass
        if rng.random() < 0.5:
            me.post(f"{game}/again", version=me.get(game).version)


def against_each_other(mover: Person, other: Person, rng: random.Random) -> None:
    """Play games between two people, in which now and then one gives up."""
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
    plays = [
        *(partial(against_the_computer, Person(url, noted)) for _ in range(3)),
        *(partial(against_each_other, Person(url, noted), Person(url, noted)) for _ in range(2)),
    ]

    def play(number: int) -> None:
        with suppress(Stopped):
            plays[number](random.Random(f"{seed}{number}"))

    with ThreadPoolExecutor(len(plays)) as threads:
        playing = [threads.submit(play, number) for number in range(len(plays))]
        try:
            yield noted
        finally:
            noted.over.set()
    for one in playing:
        one.result()


def check_nothing_lost(settings: Settings, noted: Noted) -> int:
    """Check that every answered move is stored, and that all that is stored fits together.

    :return: how many games are finished
    """
    engine = sa.create_engine(settings.url)
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        games, records, players = (
            [dict(row) for row in connection.execute(sa.select(table)).mappings()]
            for table in (schema.games, schema.records, schema.players)
        )
    engine.dispose()
    by_id = {game["id"]: game for game in games}
    for move in noted.played:
        moves = by_id[move.game]["moves"]
        assert moves[move.ply : move.ply + 1] == str(move.cell), (move, moves)
    for game in games:
        check_legal(game)
    seats = {seat for game in games for seat in played.seats(game)} - {None}
    assert seats <= {player["id"] for player in players}
    results = Counter(one for game in games for one in played.results(game, game))
    for row in records:
        pair = row["player"], row["opponent"]
        assert [row["won"], row["drawn"], row["lost"]] == [
            results.pop((*pair, result), 0) for result in "wdl"
        ]
        assert len(row["recent"]) == min(5, row["won"] + row["drawn"] + row["lost"])
    assert not results, "finished games that are in no record"
    return sum(bool(game["outcome"]) for game in games)


def check_legal(game: played.Row) -> None:
    """Check that a stored game is one that can be played, with its outcome and its version."""
    played.check_moves(game)
    ended, moves = bool(game["ending"]), len(game["moves"])
    if game["kind"] is Kind.TWO_DEVICES:
        # Opened and joined are a version each, like every move.
        assert game["version"] == 1 + (None not in played.seats(game)) + moves + ended, game
    else:
        # The first move begins the game, and the computer's reply comes with a move.
        assert game["version"] == (moves + 1) // 2 + ended, game
