"""The class: who waits, who plays, who is good."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from webapp import words
from webapp.core.board import Mark
from webapp.engines.base import Engine
from webapp.service.classroom import Class, Encounter
from webapp.store.games import CLASSMATE, FRIEND, GameRecord


class EncounterView(NamedTuple):
    """A challenge, or a game between two people.

    :param title: who it is, or who against whom
    :param mark: of the free seat, ``X`` or ``O``; empty where there is none
    """

    id: str
    code: str
    title: str
    mark: str
    mine: bool


class PlaceView(NamedTuple):
    """A line of the standings."""

    place: int
    name: str
    points: str
    opponents: int
    me: bool


class LevelView(NamedTuple):
    """One's own games against one opponent."""

    name: str
    won: int
    drawn: int
    lost: int
    best_run: int


class PastView(NamedTuple):
    """A finished game of one's own, to be reviewed."""

    title: str
    played: str
    opponent: str | None
    mark: str | None


@dataclass(frozen=True, slots=True)
class ClassView:
    """The class page, and the view for the wall."""

    challenges: tuple[EncounterView, ...]
    games: tuple[EncounterView, ...]
    places: tuple[PlaceView, ...]
    levels: tuple[LevelView, ...]
    recent: tuple[PastView, ...]


def present_class(found: Class, engines: Mapping[str, Engine]) -> ClassView:
    """Present the class to one of it."""
    return ClassView(
        tuple(map(_encounter, found.challenges)),
        tuple(map(_encounter, found.games)),
        tuple(
            PlaceView(
                one.place,
                words.isolated(name),
                f"{one.points:.1f}",
                one.opponents,
                one.player == found.me,
            )
            for one, name in found.table
            if one.opponents
        ),
        tuple(
            LevelView(engines[one.opponent].name, one.won, one.drawn, one.lost, one.best_run)
            for slug in engines
            for one in found.mine
            if one.opponent == slug
        ),
        tuple(_past(game, found, engines) for game in found.recent),
    )


def present_invitation(encounter: Encounter) -> EncounterView:
    """Present a challenge to one who may join."""
    return _encounter(encounter)


def _encounter(encounter: Encounter) -> EncounterView:
    record = encounter.record
    names = [words.isolated(name) for name in (encounter.x, encounter.o) if name]
    free = "" if not record.open else "X" if record.x_seat is None else "O"
    return EncounterView(
        record.id, record.code or "", " against ".join(names), free, encounter.mine
    )


def _past(game: GameRecord, found: Class, engines: Mapping[str, Engine]) -> PastView:
    marks = game.marks_of(found.me)
    mine = next(iter(marks)) if len(marks) == 1 else None
    if game.opponent == CLASSMATE:
        other = game.o_seat if mine is Mark.X else game.x_seat
        name = words.isolated(found.names.get(other or "", "a classmate"))
    elif game.opponent == FRIEND:
        name = "a friend"
    else:
        engine = engines.get(game.opponent)
        name = engine.name if engine else game.opponent
    if mine is None:
        how = f"Played with {name}"
    elif game.outcome == "draw":
        how = f"Drawn against {name}"
    else:
        how = f"{'Won' if game.outcome == str(mine).lower() else 'Lost'} against {name}"
    known = game.opponent in engines or game.opponent == FRIEND
    return PastView(
        how,
        "".join(map(str, game.moves)),
        game.opponent if known else None,
        str(mine).lower() if mine else None,
    )
