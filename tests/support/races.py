"""Several processes with several threads each, that all begin at the same moment.

What the processes run must be found by its name, so it stands here and not in a test. Each of
them has an application of its own over the same database, as the server's workers have.
"""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing.synchronize import Barrier
from typing import Any, NamedTuple, TypeAlias

from flask import Flask

from tests.support import compiled
from tests.support.patience import PATIENCE, until
from tests.support.visitor import lesson_of
from webapp.config import Settings
from webapp.live import presence
from webapp.service import seeks
from webapp.store import postgres, sqlite
from webapp.web import create_app

PROCESSES = 4

Post: TypeAlias = tuple[str, str, dict[str, str]]
"""The cookie of who sends it, the address, and the fields."""

Answer: TypeAlias = tuple[int, str]
"""Status and location."""


class Seats(NamedTuple):
    """A game that has just begun, and the cookies of its players."""

    address: str
    x: str
    o: str


class Sent(NamedTuple):
    """A request, when it was sent and when it was answered, by the clock of all processes."""

    address: str
    at: float
    answered: float
    status: int


QUIET = "0412357"
"""Moves that end no game."""

_start: Barrier
"""In a process of the race: what all of them wait at."""


@dataclass(frozen=True)
class Race:
    pool: ProcessPoolExecutor
    start: Barrier

    def run(
        self, does: Callable[[Settings, Any], list[Any]], settings: Settings, tasks: Any
    ) -> list[Any]:
        """Do something in every process at the same time; return all of their results.

        :param does: one of the functions below
        :param tasks: one for each process: none takes a second one before all have begun
        """
        assert len(tasks) == PROCESSES
        runs = [self.pool.submit(does, settings, task) for task in tasks]
        try:
            return [result for run in runs for result in run.result(PATIENCE)]
        finally:
            self.start.reset()

    def post(self, settings: Settings, *rounds: list[Post]) -> list[list[Answer]]:
        """Send the forms of each round all at once, dealt out to the processes."""
        shares = [[one[part::PROCESSES] for one in rounds] for part in range(PROCESSES)]
        answers: list[list[Answer]] = [[] for _ in rounds]
        for number, answer in self.run(post, settings, shares):
            answers[number].append(answer)
        return answers


@contextmanager
def processes() -> Iterator[Race]:
    """Start the processes, once for many races.

    Where it can be, they are forked from one that has imported this module: to import it in each of
    them takes longer than most races.
    """
    quick = "forkserver" in multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if quick else "spawn")
    context.set_forkserver_preload([__name__])
    start = context.Barrier(PROCESSES)
    with ProcessPoolExecutor(PROCESSES, context, _remember, (start,)) as pool:
        yield Race(pool, start)


def _remember(start: Barrier) -> None:
    global _start  # noqa: PLW0603 - a barrier can be handed over only when a process starts
    _start = start
    # However slow the computer is, no one is told that the database is locked, or counts as away.
    vars(sqlite)["BUSY"] = vars(sqlite)["_BEHIND"] = vars(postgres)["_PATIENCE"] = int(PATIENCE)
    vars(presence)["SETTLED_S"] = vars(seeks)["PRESENT_FOR_S"] = PATIENCE


def at_once(does: Sequence[Callable[[], Any]]) -> list[Any]:
    """Do several things in threads, none of which begins before all processes are ready."""
    results: list[Any] = []
    ready = threading.Barrier(len(does) + 1)

    def run(one: Callable[[], Any]) -> None:
        ready.wait(PATIENCE)
        results.append(one())

    threads = [threading.Thread(target=run, args=(one,)) for one in does]
    for thread in threads:
        thread.start()
    _start.wait(PATIENCE)
    ready.wait(PATIENCE)
    for thread in threads:
        thread.join(PATIENCE)
    assert len(results) == len(does)
    return results


def post(settings: Settings, rounds: list[list[Post]]) -> list[tuple[int, Answer]]:
    """Send the forms of each round all at once; return the number of the round and the answer."""
    app = _made(settings)

    def sender(cookie: str, address: str, fields: dict[str, str]) -> Callable[[], Answer]:
        return lambda: _send(app, cookie, address, fields)

    answers = [
        (number, answer)
        for number, posts in enumerate(rounds)
        for answer in at_once([sender(*one) for one in posts])
    ]
    app.extensions["site"].database.close()
    return answers


def play_and_pause(settings: Settings, task: tuple[str, list[Seats]]) -> list[Sent]:
    """Play games, a thread each, the last moves once a host has paused them all.

    :param task: the host's cookie, empty in processes that wait for the pause, and the games
    """
    app, (host, games) = _made(settings), task
    sent, played, paused = list[Sent](), threading.Event(), threading.Event()

    def send(cookie: str, address: str, fields: dict[str, str]) -> int:
        at = time.monotonic()
        status, _ = _send(app, cookie, address, fields)
        sent.append(Sent(address, at, time.monotonic(), status))
        return status

    def play(game: Seats) -> None:
        done = 0
        for number in range(len(QUIET)):
            if number > 3:
                paused.wait(PATIENCE)
            fields = {"cell": QUIET[done], "version": str(2 + done)}
            status = send(game[1 + done % 2], f"{game.address}/moves", fields)
            done += status == 303
            played.set()

    def pause() -> None:
        played.wait(PATIENCE)
        if host:
            send(host, "/host/pause", {})
        until(lambda: lesson_of(app.extensions["site"]).paused)
        paused.set()

    at_once([pause, *(partial(play, game) for game in games)])
    app.extensions["site"].database.close()
    return sent


def _made(settings: Settings) -> Flask:
    """The application, after a request that compiles: a race is about the others."""
    app = create_app(settings, prepared=True)
    app.jinja_env.bytecode_cache = compiled.TEMPLATES
    _send(app, "", "/games/nothing/hint", {"version": "1"})
    return app


def _send(app: Flask, cookie: str, address: str, fields: dict[str, str]) -> Answer:
    client = app.test_client()
    for name in ("player", "host"):  # a player's is no host's, and does no harm there
        client.set_cookie(name, cookie)
    response = client.post(address, data=fields)
    return response.status_code, response.headers.get("Location", "")
