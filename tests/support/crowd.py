"""Many at a real server at once, who note of every request what became of it."""

import hashlib
import http.client
import secrets
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from tests.support.patience import PATIENCE, until
from tests.support.visitor import FRAGMENT

Fate = Literal["answered", "torn", "unanswered", "not connected"]

_FORM = {"Content-Type": "application/x-www-form-urlencoded"}
_REST = 0.02
"""Seconds between two tries of a player who gets no answer."""


@dataclass(frozen=True)
class Asked:
    """A game that a new player wanted to start, and what came of it.

    :param fate: ``torn`` is an answer that breaks off, ``unanswered`` a connection without a byte
    """

    player: str
    fate: Fate
    status: int


@dataclass
class Crowd:
    """People who start one game after the other, each game as a new player.

    Half of them keep their connection, as browsers do; the others take a new one for each request.
    """

    url: str
    asked: list[Asked] = field(default_factory=list)
    _home: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def at_play(self, people: int, games: int = sys.maxsize) -> Iterator[None]:
        """Let them play so many games each, or until it ends."""
        threads = [
            threading.Thread(target=self._play, args=(number % 2 == 0, games))
            for number in range(people)
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._home.set()
            for thread in threads:
                thread.join(PATIENCE)

    def wait_for_answers(self, more: int) -> None:
        """Wait until so many more have been answered."""
        aim = len(self.of("answered")) + more
        until(lambda: len(self.of("answered")) >= aim, "nobody is answered")

    def of(self, fate: Fate) -> list[Asked]:
        """Those requests that this became of."""
        return [one for one in self.asked if one.fate == fate]

    def _play(self, stays: bool, games: int) -> None:
        connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=PATIENCE)
        while games and not self._home.is_set():
            games -= 1
            token = secrets.token_urlsafe(32)
            headers = {**_FORM, **FRAGMENT, "Cookie": f"player={token}"}
            fate, status = _ask(connection, headers)
            player = hashlib.sha256(token.encode()).hexdigest()
            self.asked.append(Asked(player, fate, status))
            if fate != "answered" or not stays:
                connection.close()
            if fate != "answered":
                self._home.wait(_REST)
        connection.close()


def _ask(connection: http.client.HTTPConnection, headers: dict[str, str]) -> tuple[Fate, int]:
    """Start a game."""
    fate: Fate = "not connected"
    status = 0
    try:
        if connection.sock is None:
            connection.connect()
        fate = "unanswered"
        connection.request("POST", "/games", "opponent=medium&mark=x&cell=4", headers)
        answer = connection.getresponse()
        fate, status = "torn", answer.status
        if b"data-game" in answer.read():
            fate = "answered"
    except http.client.RemoteDisconnected:
        pass
    except http.client.HTTPException:
        fate = "torn"
    except OSError:
        pass
    return fate, status


def stored_players(file: Path) -> set[str]:
    """Everybody who has a game."""
    with closing(sqlite3.connect(file)) as connection:
        return {player for (player,) in connection.execute("SELECT x_seat FROM games")}
