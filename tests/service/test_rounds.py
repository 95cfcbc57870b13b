"""A hundred requests at once for one game, from four processes, again and again."""

from __future__ import annotations

import hashlib
import secrets
from collections import Counter
from collections.abc import Callable

from tests.support import races
from tests.support.visitor import Site
from webapp.core.board import Mark
from webapp.service.classroom import Classroom
from webapp.service.games import Games
from webapp.service.setup import Wish

REQUESTS = 100
AT_A_TIME = 25
"""Rounds between which the processes are asked whether they still live."""


def player_of(cookie: str) -> str:
    return hashlib.sha256(cookie.encode()).hexdigest()


def run(race: races.Race, site: Site, rounds: list[list[races.PostAs]]) -> None:
    """Send them, and see that of each round one request was accepted and all others refused."""
    shares = [[one[part :: races.PROCESSES] for one in rounds] for part in range(races.PROCESSES)]
    answers = Counter(race.run(races.post_in_rounds, site.settings, shares))
    for number in range(len(rounds)):
        assert (answers[number, 303], answers[number, 409]) == (1, REQUESTS - 1)
    assert answers.total() == REQUESTS * len(rounds)


def batches(rounds: int) -> list[int]:
    """So many rounds, in portions."""
    return [min(AT_A_TIME, rounds - done) for done in range(0, rounds, AT_A_TIME)]


def test_of_a_hundred_moves_at_once_one_is_played_in_every_round(
    race: races.Race, site: Site, times: Callable[[int, int], int]
) -> None:
    games: Games = site.app.extensions["games"]
    cookie = secrets.token_urlsafe(32)
    alice = player_of(cookie)
    for rounds in batches(times(4, 1000)):
        ids = [games.start(alice, Wish("medium", "x")).record.id for _ in range(rounds)]
        moves: list[list[races.PostAs]] = [
            [
                (cookie, f"/games/{game}/moves", {"cell": str(number % 9), "version": "1"})
                for number in range(REQUESTS)
            ]
            for game in ids
        ]
        run(race, site, moves)
        for game in ids:
            record = games.visit(game, alice, Wish()).record
            assert (record.version, len({*record.moves})) == (2, 2)


def test_of_a_hundred_who_want_the_last_seat_one_sits_in_every_round(
    race: races.Race, site: Site, times: Callable[[int, int], int]
) -> None:
    classroom: Classroom = site.app.extensions["classroom"]
    games: Games = site.app.extensions["games"]
    pupils = [secrets.token_urlsafe(32) for _ in range(REQUESTS)]
    before = 0
    for rounds in batches(times(4, 1000)):
        # Whoever waits has one challenge, so each is somebody else's.
        hosts = [player_of(secrets.token_urlsafe(32)) for _ in range(rounds)]
        ids = [classroom.challenge(host, "x") for host in hosts]
        codes = [games.visit(game, "", Wish()).record.code for game in ids]
        run(race, site, [[(pupil, f"/join/{code}", {}) for pupil in pupils] for code in codes])
        for game, host in zip(ids, hosts, strict=True):
            record = games.visit(game, host, Wish()).record
            assert record.marks_of(host) == {Mark.X}
            assert record.o_seat in {player_of(pupil) for pupil in pupils}
            assert record.version == 2
        before += rounds
        assert len(site.dump()["games"]) == before
