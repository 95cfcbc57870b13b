"""Processes with several threads each, that all begin at the same moment over one database."""

import multiprocessing
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from multiprocessing.synchronize import Barrier
from typing import TypeAlias

from flask import Flask

from tests.support.patience import PATIENCE
from tests.support.visitor import TEMPLATES
from webapp import live
from webapp.config import Settings
from webapp.service import wishes
from webapp.store import postgres, sqlite
from webapp.web import create_app

PROCESSES = 4

Post: TypeAlias = tuple[str, str, dict[str, str]]  # cookie, address, fields
Answer: TypeAlias = tuple[int, str]  # status, location


_start: Barrier  # what all processes of a race wait at


@dataclass(frozen=True)
class Race:
    pool: ProcessPoolExecutor
    start: Barrier

    def post(self, settings: Settings, *rounds: list[Post]) -> list[list[Answer]]:
        """Send the forms of each round at once, dealt out to the processes: one each at least."""
        shares = [[one[part::PROCESSES] for one in rounds] for part in range(PROCESSES)]
        # None takes a second share before all have begun.
        runs = [self.pool.submit(post, settings, share) for share in shares]
        try:
            answered = [run.result(PATIENCE) for run in runs]
        finally:
            self.start.reset()
        return [[*chain(*parts)] for parts in zip(*answered, strict=True)]


@contextmanager
def processes() -> Iterator[Race]:
    """Start the processes, once for many races, forked from one that has imported this module."""
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
    vars(live)["SETTLED_S"] = vars(wishes)["JUST_S"] = PATIENCE


def post(settings: Settings, rounds: list[list[Post]]) -> list[list[Answer]]:
    """Send a process's share of each round, a thread each, once all processes are ready."""
    app = create_app(settings, prepared="12345678")
    app.jinja_env.bytecode_cache = TEMPLATES
    _send(app, "", "/games/nothing/hint", {"version": "1"})  # compiles what a race is not about

    def begin() -> None:
        _start.wait(PATIENCE)

    def send(one: Post) -> Answer:
        ready.wait(PATIENCE)
        return _send(app, *one)

    answers = list[list[Answer]]()
    for posts in rounds:
        ready = threading.Barrier(len(posts), begin)
        with ThreadPoolExecutor(len(posts)) as threads:
            answers.append([*threads.map(send, posts)])
    app.extensions["site"].database.close()
    return answers


def _send(app: Flask, cookie: str, address: str, fields: dict[str, str]) -> Answer:
    client = app.test_client()
    for name in ("player", "host"):  # a player's is no host's, and does no harm there
        client.set_cookie(name, cookie)
    response = client.post(address, data=fields)
    return response.status_code, response.headers.get("Location", "")
