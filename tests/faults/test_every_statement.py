"""A worker dies before and after every statement of a request: it was done whole or not at all.

A player who got no answer sends the same once more; then all is as if nothing had happened.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import sqlalchemy as sa
from flask import Flask
from werkzeug.test import TestResponse

from tests.support import rules
from tests.support.dying import Request, Workers, workers
from webapp.config import Settings
from webapp.service import polls
from webapp.store.schema import games, metadata
from webapp.web import create_app

State: TypeAlias = dict[str, list[dict[str, Any]]]

ADA, BOB = "a" * 43, "b" * 43
"""The cookies of two people; Ada has X."""

PLAYERS = {hashlib.sha256(cookie.encode()).hexdigest() for cookie in (ADA, BOB)}

DRAWN = frozenset({"code", "start_key", "name", "name_key", "dealt", "next_id", "changed"})
TIMES = frozenset({"created_at", "updated_at", "seen_at", "since", "at"})
"""What differs from time to time, by chance or by the clock; and so do the ids of games."""


@dataclass(frozen=True)
class Stage:
    """The application, its database, and workers that die."""

    app: Flask
    workers: Workers
    known: sa.Engine

    def send(self, request: Request) -> TestResponse:
        """Send a form to a worker that lives."""
        client = self.app.test_client()
        client.set_cookie("player", request.cookie)
        return client.post(request.path, data=request.fields)

    def post(self, cookie: str, path: str, **fields: object) -> str:
        """Likewise, and return where the answer leads."""
        answer = self.send(sends(cookie, path, **fields))
        assert answer.status_code == 303
        return answer.location

    def row(self, game: str) -> Any:
        """The row of the game at this address."""
        query = sa.select(games).where(games.c.id == game.removeprefix("/games/"))
        with self.known.connect() as connection:
            return connection.execute(query).one()

    def rows(self) -> State:
        """All that is stored."""
        with self.known.connect() as connection:
            return {
                table.name: [dict(row) for row in connection.execute(sa.select(table)).mappings()]
                for table in metadata.sorted_tables
            }

    def put(self, rows: State) -> None:
        """Store this, and nothing else."""
        with self.known.begin() as connection:
            for table in metadata.sorted_tables:
                connection.execute(sa.delete(table))
                if rows.get(table.name):
                    connection.execute(sa.insert(table), rows[table.name])


def what_matters(rows: State) -> dict[str, list[str]]:
    """What is stored, without what differs from time to time."""

    def told(table: str, name: str, value: Any) -> Any:
        if name in TIMES or (table, name) == ("games", "id"):
            return None
        if name in ("x_seat", "o_seat", "opponent") and len(value or "") == 64:
            return value if value in PLAYERS else "no one"  # drawn for a player who goes
        return bool(value) if name in DRAWN else value

    return {
        table: sorted(str([told(table, *column) for column in row.items()]) for row in found)
        for table, found in rows.items()
    }


def told_once(found: dict[str, list[str]]) -> dict[str, list[str]]:
    """Without what pages wait for: news may be told once more."""
    return {table: rows for table, rows in found.items() if table != "news"}


@pytest.fixture
def stage(tmp_path: Path, database_url: str | None) -> Iterator[Stage]:
    settings = Settings(
        data=tmp_path, synchronous="NORMAL", seed="tests", database_url=database_url, limits="off"
    )
    app = create_app(settings)
    known = sa.create_engine(settings.url)
    with workers(settings) as dying:
        yield Stage(app, dying, known)
    known.dispose()
    app.extensions["site"].database.close()


# --- what is asked for --------------------------------------------------------------------------


def sends(cookie: str, path: str, **fields: object) -> Request:
    return Request(cookie, path, {name: str(value) for name, value in fields.items()})


def against_easy(stage: Stage, own_moves: int) -> str:
    """A game against Easy after so many own moves, none of which ends it."""
    game = stage.post(ADA, "/games", opponent="easy", mark="x", cell=4)
    for version in range(1, own_moves):
        board = rules.after(map(int, stage.row(game).moves))
        quiet = [cell for cell in rules.free(board) if cell not in rules.completions(board, "X")]
        stage.post(ADA, f"{game}/moves", cell=quiet[0], version=version)
    return game


def challenge(stage: Stage) -> tuple[str, str]:
    game = stage.post(ADA, "/challenges", mark="x")
    return game, f"/join/{stage.row(game).code}"


def sat_down(stage: Stage, moves: str = "") -> str:
    """A game between the two after some moves."""
    game, join = challenge(stage)
    stage.post(BOB, join)
    for ply, cell in enumerate(moves):
        stage.post((ADA, BOB)[ply % 2], f"{game}/moves", cell=cell, version=ply + 2)
    return game


def a_first_move(_: Stage) -> Request:
    return sends(ADA, "/games", opponent="easy", mark="x", cell=4, key="k")


def a_first_game_that_leaves_another(stage: Stage) -> Request:
    against_easy(stage, 2)
    return sends(ADA, "/games", opponent="easy", mark="o", key="k")


def a_move_in_mid_game(stage: Stage) -> Request:
    game = against_easy(stage, 1)
    cell = rules.free(rules.after(map(int, stage.row(game).moves)))[0]
    return sends(ADA, f"{game}/moves", cell=cell, version=1)


def the_last_move_against_an_engine(stage: Stage) -> Request:
    game, version = against_easy(stage, 1), 1
    while True:
        board = rules.after(map(int, stage.row(game).moves))
        if wins := rules.completions(board, "X"):
            return sends(ADA, f"{game}/moves", cell=min(wins), version=version)
        cell = [*rules.completions(board, "O"), *rules.free(board)][0]
        stage.post(ADA, f"{game}/moves", cell=cell, version=version)
        version += 1


def the_last_move_against_menace(stage: Stage) -> Request:
    for first in range(20):
        game, version = stage.post(ADA, "/games", opponent="menace", mark="o", key=first), 1
        while not stage.row(game).outcome:
            board = rules.after(map(int, stage.row(game).moves))
            if wins := rules.completions(board, "O"):
                return sends(ADA, f"{game}/moves", cell=min(wins), version=version)
            free = rules.free(board)
            stage.post(ADA, f"{game}/moves", cell=free[first % len(free)], version=version)
            version += 1
    raise AssertionError("it is never beaten")


def agreeing_to_a_rematch(stage: Stage) -> Request:
    game = sat_down(stage, "03142")
    stage.post(ADA, f"{game}/again")
    return sends(BOB, f"{game}/again")


def a_challenge_in_place_of_another(stage: Stage) -> Request:
    challenge(stage)
    return sends(ADA, "/challenges", mark="o")


def an_answer_to_the_class(stage: Stage) -> Request:
    asked = polls.ask(stage.app.extensions["site"], "0")
    return sends(ADA, f"/questions/{asked}/answer", cell=4)


def being_forgotten(stage: Stage) -> Request:
    sat_down(stage, "03142")
    against_easy(stage, 2)
    return sends(ADA, "/you/forget")


ACTS: dict[str, Callable[[Stage], Request]] = {
    "a first move": a_first_move,
    "a first game that leaves another": a_first_game_that_leaves_another,
    "a move in mid-game": a_move_in_mid_game,
    "the last move against an engine": the_last_move_against_an_engine,
    "the last move against MENACE": the_last_move_against_menace,
    "the last move between two": lambda stage: sends(
        ADA, f"{sat_down(stage, '0314')}/moves", cell=2, version=6
    ),
    "giving up": lambda stage: sends(BOB, f"{sat_down(stage, '0314')}/resign", version=6),
    "withdrawing": lambda stage: sends(ADA, f"{challenge(stage)[0]}/resign", version=1),
    "asking for a rematch": lambda stage: sends(ADA, f"{sat_down(stage, '03142')}/again"),
    "agreeing to a rematch": agreeing_to_a_rematch,
    "joining": lambda stage: sends(BOB, challenge(stage)[1]),
    "another challenge": a_challenge_in_place_of_another,
    "another game": lambda stage: sends(ADA, f"{against_easy(stage, 2)}/again", opponent="hard"),
    "a hint": lambda stage: sends(ADA, f"{against_easy(stage, 2)}/hint", version=2),
    "taking back": lambda stage: sends(ADA, f"{against_easy(stage, 2)}/undo", version=2),
    "an answer to the class": an_answer_to_the_class,
    "being forgotten": being_forgotten,
}


def test_a_worker_that_dies_at_any_statement_has_done_all_or_nothing(stage: Stage) -> None:
    # When a worker has answered this, all are ready, and change nothing by themselves any more.
    assert not stage.workers.answer(a_first_move(stage), dies_at=1_000)
    for what, act in ACTS.items():
        stage.put({})
        deaths = deaths_of(stage, act(stage))
        # A look, one statement that changes, and a look are the least that there can be.
        assert deaths >= 4, what


def deaths_of(stage: Stage, request: Request) -> int:
    """Let workers die at each moment of a request; return how many moments there are."""
    rows = stage.rows()
    before = what_matters(rows)
    assert stage.send(request).status_code in (200, 303)
    after = what_matters(stage.rows())
    assert before != after
    found: list[dict[str, list[str]]] = []
    died = True
    while died:
        stage.put(rows)
        died = stage.workers.answer(request, dies_at=len(found) + 1)
        found.append(what_matters(stage.rows()))
        assert found[-1] in (before, after), f"half done at {len(found)}, {request}"
        # The same once more, as a browser does whose request got no answer.
        assert stage.send(request).status_code in (200, 303, 404, 409)
        again = what_matters(stage.rows())
        assert told_once(again) == told_once(after), f"not the same at {len(found)}, {request}"
    assert found[0] == before
    assert after in found[:-1], "none died between what it did and its answer"
    return len(found) - 1
