"""A worker dies before and after every statement of a request: it was done whole or not at all.

Who got no answer sends the same once more; then all is as if nothing had happened.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.support import rules
from tests.support.dying import Request, Workers, workers
from webapp.config import Settings
from webapp.service.classroom import Classroom
from webapp.service.duels import Duels
from webapp.service.games import Games
from webapp.service.setup import Wish
from webapp.service.visits import Visit
from webapp.store.schema import games, players, records
from webapp.web import create_app

State: TypeAlias = dict[str, list[tuple[Any, ...]]]


class Person:
    """Somebody with a cookie."""

    def __init__(self) -> None:
        self.cookie = secrets.token_urlsafe(32)
        self.id = hashlib.sha256(self.cookie.encode()).hexdigest()

    def sends(self, path: str, **fields: object) -> Request:
        return Request(self.cookie, path, {name: str(value) for name, value in fields.items()})


@dataclass(frozen=True)
class Stage:
    """The application, its database, and workers that die."""

    app: Flask
    workers: Workers
    known: sa.Engine

    @property
    def games(self) -> Games:
        found: Games = self.app.extensions["games"]
        return found

    @property
    def duels(self) -> Duels:
        found: Duels = self.app.extensions["duels"]
        return found

    @property
    def classroom(self) -> Classroom:
        found: Classroom = self.app.extensions["classroom"]
        return found

    def send(self, request: Request) -> int:
        """Send a form to a worker that lives."""
        client = self.app.test_client()
        client.set_cookie("player", request.cookie)
        return client.post(request.path, data=request.fields).status_code

    def clear(self) -> None:
        """Forget everybody: a name that is taken is drawn anew, which is more statements."""
        with self.known.connect() as connection:
            for table in (records, games, players):
                connection.execute(sa.delete(table))

    def state(self, people: Sequence[Person]) -> State:
        """Read all that is stored of some people, without what differs from time to time."""
        ids = [person.id for person in people]

        def who(player: str | None) -> str | None:
            return f"person {ids.index(player)}" if player in ids else player

        with self.known.connect() as connection:
            played = connection.execute(
                sa.select(games).where(games.c.x_seat.in_(ids) | games.c.o_seat.in_(ids))
            )
            return {
                "games": sorted(
                    (
                        *(game.opponent, game.moves, game.outcome, game.version),
                        *(game.ending or "", who(game.x_seat) or "", who(game.o_seat) or ""),
                        *(game.reasons, game.hint or "", game.helped, game.rematch or ""),
                        bool(game.next_id),
                    )
                    for game in played
                ),
                "players": sorted(
                    (who(row.id), row.opponent, row.mark, row.last_mark or "", bool(row.name))
                    for row in connection.execute(sa.select(players).where(players.c.id.in_(ids)))
                ),
                "records": sorted(
                    (who(row.player), who(row.opponent), *row[2:])
                    for row in connection.execute(
                        sa.select(records).where(records.c.player.in_(ids))
                    )
                ),
            }


@pytest.fixture
def stage(tmp_path: Path, database_url: str | None) -> Iterator[Stage]:
    settings = Settings(
        data=tmp_path, synchronous="NORMAL", seed="tests", database_url=database_url, limits="off"
    )
    app = create_app(settings)
    known = sa.create_engine(settings.url, isolation_level="AUTOCOMMIT")
    with workers(settings) as dying:
        yield Stage(app, dying, known)
    known.dispose()
    app.extensions["database"].close()


# --- what is asked for --------------------------------------------------------------------------

EASY = Wish("easy", "x")


def going(stage: Stage, who: Person, own_moves: int) -> Visit:
    """A game against Easy after so many moves of a person's own, which it cannot end."""
    visit = stage.games.start(who.id, EASY, 0)
    for _ in range(own_moves - 1):
        visit = play(stage, who, visit, quiet_cell(visit))
    assert not visit.record.outcome
    return visit


def quiet_cell(visit: Visit) -> int:
    """A cell that wins nothing."""
    board = rules.after(visit.record.moves)
    return next(cell for cell in rules.free(board) if cell not in rules.completions(board, "X"))


def play(stage: Stage, who: Person, visit: Visit, cell: int) -> Visit:
    seat = stage.games.visits.seat(visit.record.id, who.id)
    return stage.games.play(seat, cell, visit.record.version, Wish())


def sat_down(stage: Stage, x: Person, o: Person, moves: str = "") -> str:
    """A game between two people after some moves; return its id."""
    game = stage.classroom.challenge(x.id, "x")
    visits = stage.games.visits
    stage.classroom.join(visits.seat(game, x.id).record.code or "", o.id)
    for ply, cell in enumerate(map(int, moves)):
        seat = visits.seat(game, (x, o)[ply % 2].id)
        stage.games.play(seat, cell, seat.record.version, Wish())
    return game


def a_first_move(_stage: Stage, x: Person, _o: Person) -> Request:
    return x.sends("/games", opponent="easy", mark="x", cell=4, key="k")


def a_first_game_that_leaves_another(stage: Stage, x: Person, _o: Person) -> Request:
    going(stage, x, 2)
    return x.sends("/games", opponent="easy", mark="o", key="k")


def a_move_in_mid_game(stage: Stage, x: Person, _o: Person) -> Request:
    record = going(stage, x, 1).record
    cell = quiet_cell(stage.games.visit(record.id, x.id, Wish()))
    return x.sends(f"/games/{record.id}/moves", cell=cell, version=record.version)


def a_move_and_another_opponent_for_later(stage: Stage, x: Person, o: Person) -> Request:
    request = a_move_in_mid_game(stage, x, o)
    return x.sends(request.path, **request.fields, opponent="hard", mark="alternate")


def the_last_move_against_an_engine(stage: Stage, x: Person, _o: Person) -> Request:
    visit = stage.games.start(x.id, EASY, 0)
    while not (wins := rules.completions(rules.after(visit.record.moves), "X")):
        board = rules.after(visit.record.moves)
        blocks = rules.completions(board, "O")
        visit = play(stage, x, visit, next(iter([*blocks, *rules.free(board)])))
    record = visit.record
    return x.sends(f"/games/{record.id}/moves", cell=min(wins), version=record.version)


def the_last_move_between_two(stage: Stage, x: Person, o: Person) -> Request:
    game = sat_down(stage, x, o, "0314")
    return x.sends(f"/games/{game}/moves", cell=2, version=6)


def giving_up(stage: Stage, x: Person, o: Person) -> Request:
    return o.sends(f"/games/{sat_down(stage, x, o, '0314')}/resign", version=6)


def withdrawing_a_challenge(stage: Stage, x: Person, _o: Person) -> Request:
    game = stage.classroom.challenge(x.id, "x")
    return x.sends(f"/games/{game}/resign", version=1)


def asking_for_a_rematch(stage: Stage, x: Person, o: Person) -> Request:
    return x.sends(f"/games/{sat_down(stage, x, o, '03142')}/again")


def agreeing_to_a_rematch(stage: Stage, x: Person, o: Person) -> Request:
    game = sat_down(stage, x, o, "03142")
    stage.duels.rematch(stage.games.visits.seat(game, x.id))
    return o.sends(f"/games/{game}/again")


def joining(stage: Stage, x: Person, o: Person) -> Request:
    game = stage.classroom.challenge(x.id, "x")
    return o.sends(f"/join/{stage.games.visits.seat(game, x.id).record.code}")


def a_challenge_in_place_of_another(stage: Stage, x: Person, _o: Person) -> Request:
    stage.classroom.challenge(x.id, "x")
    return x.sends("/challenges", mark="o")


def playing_again_instead_of_on(stage: Stage, x: Person, _o: Person) -> Request:
    return x.sends(f"/games/{going(stage, x, 2).record.id}/again", opponent="hard")


def a_hint(stage: Stage, x: Person, _o: Person) -> Request:
    return x.sends(f"/games/{going(stage, x, 2).record.id}/hint", version=2)


def taking_back(stage: Stage, x: Person, _o: Person) -> Request:
    return x.sends(f"/games/{going(stage, x, 2).record.id}/undo", version=2)


def being_forgotten(stage: Stage, x: Person, o: Person) -> Request:
    sat_down(stage, x, o, "03142")
    going(stage, x, 2)
    return x.sends("/you/forget")


ACTS: list[Callable[[Stage, Person, Person], Request]] = [
    a_first_move,
    a_first_game_that_leaves_another,
    a_move_in_mid_game,
    a_move_and_another_opponent_for_later,
    the_last_move_against_an_engine,
    the_last_move_between_two,
    giving_up,
    withdrawing_a_challenge,
    asking_for_a_rematch,
    agreeing_to_a_rematch,
    joining,
    a_challenge_in_place_of_another,
    playing_again_instead_of_on,
    a_hint,
    taking_back,
    being_forgotten,
]


def test_who_dies_at_any_statement_has_done_all_or_nothing(stage: Stage) -> None:
    deaths = {act.__name__: deaths_of(stage, act) for act in ACTS}
    print(f"{sum(deaths.values())} deaths of {len(deaths)} kinds of requests: {deaths}")
    # A move in mid-game is a look, one statement that changes, and a look: so few are the least.
    assert min(deaths.values()) >= 6, deaths
    assert max(deaths.values()) >= 20, deaths


def deaths_of(stage: Stage, act: Callable[[Stage, Person, Person], Request]) -> int:
    """Let workers die at each moment of a request; return how many moments there are."""
    people = Person(), Person()
    request = act(stage, *people)
    before = stage.state(people)
    assert stage.send(request) in (200, 303)
    after = stage.state(people)
    assert before != after
    found: list[State] = []
    while True:
        stage.clear()
        people = Person(), Person()
        request = act(stage, *people)
        assert stage.state(people) == before
        died = stage.workers.answer(request, dies_at=len(found) + 1)
        found.append(stage.state(people))
        assert found[-1] in (before, after), f"half done at {len(found)}, {act.__name__}"
        # The same once more, as a browser does whose request got no answer.
        assert stage.send(request) in (200, 303, 404, 409)
        assert stage.state(people) == after, f"not the same at {len(found)}, {act.__name__}"
        if not died:
            break
    assert found[0] == before
    assert after in found[:-1], "none died between what it did and its answer"
    return len(found) - 1
