"""A worker that dies at any chosen statement: before it, after it, or around a commit.

It runs the real application and is killed as by ``kill -9``. A process of its own stands ready
with the application loaded, and for each death it is forked; so a death costs little.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from multiprocessing.connection import Connection
from typing import Any

import sqlalchemy as sa

from tests.support.patience import PATIENCE
from webapp.config import Settings
from webapp.web import create_app


@dataclass(frozen=True)
class Request:
    """A form that a player sends."""

    cookie: str
    path: str
    fields: Mapping[str, str]


@dataclass(frozen=True)
class Workers:
    """As many workers as there are deaths to die."""

    pipe: Connection

    def answer(self, request: Request, dies_at: int) -> bool:
        """Let a worker answer a request, and die at one of its moments; tell whether it did.

        :param dies_at: the number of the moment, from 1: a little before a statement or a commit,
            and a little after it
        """
        self.pipe.send((request, dies_at))
        assert self.pipe.poll(PATIENCE), "a worker neither answered nor died"
        ended: int = self.pipe.recv()
        assert os.WIFSIGNALED(ended) or os.waitstatus_to_exitcode(ended) == 0
        return os.WIFSIGNALED(ended)


@contextmanager
def workers(settings: Settings) -> Iterator[Workers]:
    """Make them ready, over a database that is prepared."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_stand_ready, args=(theirs, settings), daemon=True)
    process.start()
    try:
        yield Workers(ours)
    finally:
        ours.send(None)
        process.join(PATIENCE)


def _stand_ready(pipe: Connection, settings: Settings) -> None:
    app = create_app(settings, prepared=True)
    engine = app.extensions["site"].database._engine

    def send(request: Request) -> int:
        client = app.test_client()
        client.set_cookie("player", request.cookie)
        return client.post(request.path, data=request.fields).status_code

    # The first request compiles templates and statements, which no fork should do again.
    send(Request("w" * 43, "/games", {"opponent": "easy", "mark": "x", "cell": "4"}))
    # No connection may be shared between processes.
    engine.dispose()
    while (task := pipe.recv()) is not None:
        request, dies_at = task
        worker = os.fork()
        if worker == 0:
            _die_at(engine, dies_at)
            os._exit(0 if send(request) in (200, 303) else 1)
        pipe.send(os.waitpid(worker, 0)[1])


def _die_at(engine: sa.Engine, moment: int) -> None:
    numbers = count(1)

    def pass_by(*_about: Any) -> None:
        if next(numbers) == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    sa.event.listen(engine, "before_cursor_execute", pass_by)
    sa.event.listen(engine, "after_cursor_execute", pass_by)
    commit = engine.dialect.do_commit

    def pass_by_twice(connection: Any) -> None:
        pass_by()
        commit(connection)
        pass_by()

    vars(engine.dialect)["do_commit"] = pass_by_twice
