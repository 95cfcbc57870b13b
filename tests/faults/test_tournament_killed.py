"""``kill -9`` of processes that serve, and of all, in the middle of a tournament."""

from __future__ import annotations

import os
import random
import re
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.e2e.server import NO_MOVE_IS_LATE, Server
from tests.support.class_under_fire import Noted, Person, Stopped
from tests.support.http import Player
from tests.support.patience import until
from tests.support.recompute import Row, Stored, check_matches, recomputed, stored
from tests.support.visitor import opened
from webapp.config import Settings
from webapp.service import tournaments
from webapp.service.site import Site as Service
from webapp.tournament.event import State

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

KEY = "quiet-violet-lantern-27"
CLOCK = 10
PLAYERS = 6
_GAME = re.compile(r'data-game="([\w-]+)" data-version="(\d+)" data-outcome="(\w*)"')
_REFRESH = 0.15
SHORT_RESTS = """
webapp.tournament.due.REST_MS = 500
webapp.tournament.due.BREAK_MS = 1_500
"""
"""A patch: little time in which there is no game that a killed server could lose."""


@dataclass
class Pupils:
    """Players of a tournament by HTTP, who move at once, until it is over."""

    url: str
    id: str
    noted: Noted = field(default_factory=Noted)

    def play(self, number: int) -> None:
        """Go to one's game, and move in it, again and again."""
        me, rng = Person(self.url, self.noted), random.Random(number)
        with suppress(Stopped):
            assert me.post(f"/tournaments/{self.id}/join").status == 303
            while True:
                answer = me.get(f"/tournaments/{self.id}/play")
                found = answer.headers.get("Location", "")
                if found.startswith("/games/"):
                    while self._moves(me, found, rng):
                        pass
                self.noted.over.wait(_REFRESH)
                if self.noted.over.is_set():
                    return

    def _moves(self, me: Person, game: str, rng: random.Random) -> bool:
        """Move if it is one's turn; tell whether the game goes on."""
        page = me.get(game)
        shown = _GAME.search(page.text)
        if shown is None or shown[3]:
            return False
        if page.playable:
            me.move_anywhere(game, rng)
        self.noted.over.wait(rng.uniform(0.02, _REFRESH))
        return not self.noted.over.is_set()


@dataclass
class Watch:
    """Looks all the time whether anyone is in two games at once."""

    read: Callable[[], Stored]
    over: threading.Event = field(default_factory=threading.Event)
    looks: int = 0

    def run(self) -> None:
        while not self.over.wait(0.2):
            check_matches(self.read())
            self.looks += 1


def test_a_tournament_comes_to_its_end_however_often_it_is_killed(
    tmp_path: Path, database_url: str | None, times: Callable[[int, int], int]
) -> None:
    rng = random.Random("tournament")
    data = tmp_path / "data"
    variables = {"TTT_LIMITS": "off", "TTT_HOST_KEY": KEY, "MALLOC_ARENA_MAX": "1"}
    if database_url:
        variables["TTT_DATABASE_URL"] = database_url
    server = Server(data, variables, patch=NO_MOVE_IS_LATE + SHORT_RESTS)
    settings = Settings(data=data, database_url=database_url)
    try:
        with opened(settings) as host, ThreadPoolExecutor(PLAYERS + 1) as threads:
            teacher = Player(server.url)
            teacher.signs_in(KEY)
            fields = {"format": "swiss", "opening": "sharp", "clock": CLOCK}
            made = teacher.post("/host/tournaments", rounds=times(3, 15), **fields)
            id_ = made.headers["Location"].removeprefix("/tournaments/")
            pupils = Pupils(server.url, id_)
            watch = Watch(lambda: stored(database_url or server.database, id_))
            done = [threads.submit(pupils.play, number) for number in range(PLAYERS)]
            try:
                until(lambda: len(tournaments.standing(host, id_).entrants) == PLAYERS)
                assert teacher.post(f"/host/tournaments/{id_}/start").status == 303
                done.append(threads.submit(watch.run))
                kills = keeps_killing(server, rng, times(4, 60), host)
                while state(host) is not State.OVER:
                    before = len(pupils.noted.played)
                    until(
                        lambda: (
                            len(pupils.noted.played) > before  # noqa: B023 - it waits here
                            or state(host) is State.OVER
                        ),
                        "no one moves",
                    )
            finally:
                pupils.noted.over.set()
                watch.over.set()
            for one in done:
                one.result()
            found, standing = watch.read(), tournaments.standing(host, id_)
    finally:
        server.kill()
    check_matches(found)
    assert sorted(Row(*line) for line in standing.table) == sorted(recomputed(found))
    print(f"kills {kills}, games {len(found.games)}, asked again {pupils.noted.retries}")
    assert kills >= 3
    assert watch.looks > 10
    assert pupils.noted.retries, "no one noticed that anything was killed"
    endings = [game["ending"] for game in found.games.values()]
    assert endings == [None] * len(endings), "a player who moved in time has lost by it"
    assert all(one["playing"] for one in found.entrants)
    assert len(found.matches) == found.tournament["length"] * PLAYERS // 2
    assert len(found.games) == 2 * len(found.matches)
    for move in pupils.noted.played:
        moves = found.games[move.game]["moves"]
        assert moves[move.ply] == str(move.cell), "an answered move is not there"


def state(host: Service) -> State:
    latest = tournaments.latest(host)
    assert latest
    return latest.state


def keeps_killing(server: Server, rng: random.Random, most: int, host: Service) -> int:
    """Kill a process that serves every second or so, and the third time all; tell how often."""
    kills = 0
    while kills < most and state(host) is not State.OVER:
        time.sleep(rng.uniform(0.5, 1.5))
        server.wait_for_workers()
        if kills == 2:
            server.kill()
            server.start()
        else:
            os.kill(rng.choice(sorted(server.workers())), signal.SIGKILL)
        kills += 1
    return kills
