"""The class: who waits, who plays, who is good."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from webapp import words
from webapp.core.board import Mark
from webapp.engines.base import Engine
from webapp.service.classroom import Class, Encounter
from webapp.store.games import CLASSMATE, FRIEND, GameRecord

# The stylesheet makes the letters on a projector so large that this many lines fill it.
CHALLENGES_ON_THE_WALL = 6
GAMES_ON_THE_WALL = 9
PLACES_ON_THE_WALL = 10


class EncounterView(NamedTuple):
    """A challenge, or a game between two people.

    :param names: who it is, or who against whom
    :param mark: of the free seat, ``X`` or ``O``; empty where there is none
    """

    id: str
    code: str
    names: tuple[str, ...]
    mark: str
    mine: bool

    @property
    def title(self) -> str:
        """Who it is, or who against whom."""
        return " against ".join(self.names)


class PlaceView(NamedTuple):
    """A line of the standings.

    :param gap: whether places before it are left out
    """

    place: int
    name: str
    points: str
    opponents: int
    me: bool
    gap: bool


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
    """The class page."""

    challenges: tuple[EncounterView, ...]
    games: tuple[EncounterView, ...]
    places: tuple[PlaceView, ...]
    levels: tuple[LevelView, ...]
    recent: tuple[PastView, ...]


class ExcerptView(NamedTuple):
    """As much of a list as there is room for.

    :param more: how many are left out
    """

    shown: tuple[EncounterView, ...]
    more: int


class WallView(NamedTuple):
    """The class on the wall, where nobody scrolls."""

    challenges: ExcerptView
    games: ExcerptView
    places: tuple[PlaceView, ...]


def present_class(found: Class, engines: Mapping[str, Engine]) -> ClassView:
    """Present the class to one of it."""
    return ClassView(
        tuple(map(present_encounter, found.challenges)),
        tuple(map(present_encounter, found.games)),
        tuple(_places(found)),
        tuple(
            LevelView(engines[one.opponent].name, one.won, one.drawn, one.lost, one.best_run)
            for slug in engines
            for one in found.mine
            if one.opponent == slug
        ),
        tuple(_past(game, found, engines) for game in found.recent),
    )


def present_wall(found: Class) -> WallView:
    """Present as much of the class as fits on the wall."""
    return WallView(
        _excerpt(found.challenges, CHALLENGES_ON_THE_WALL),
        _excerpt(found.games, GAMES_ON_THE_WALL),
        tuple(islice(_places(found), PLACES_ON_THE_WALL)),
    )


def present_encounter(encounter: Encounter) -> EncounterView:
    """Present a challenge, or a game between two people."""
    record = encounter.record
    names = tuple(words.isolated(name) for name in (encounter.x, encounter.o) if name)
    free = "" if not record.open else "X" if record.x_seat is None else "O"
    return EncounterView(record.id, record.code or "", names, free, encounter.mine)


def _excerpt(encounters: tuple[Encounter, ...], lines: int) -> ExcerptView:
    """As many as there are lines; where they do not fit, the last line says how many more."""
    shown = encounters if len(encounters) <= lines else encounters[: lines - 1]
    return ExcerptView(tuple(map(present_encounter, shown)), len(encounters) - len(shown))


def _places(found: Class) -> Iterator[PlaceView]:
    """The standings, without those for whom nothing counts yet."""
    counting = ((one, name) for one, name in found.table if one.opponents)
    for line, (one, name) in enumerate(counting, 1):
        me = one.player == found.me
        yield PlaceView(
            one.place,
            words.isolated(name),
            f"{one.points:.1f}",
            one.opponents,
            me,
            # Whoever is not among the best comes after them.
            gap=me and one.place > line,
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
        how = f"{'Won' if game.outcome == mine.slug else 'Lost'} against {name}"
    known = game.opponent in engines or game.opponent == FRIEND
    return PastView(
        how,
        "".join(map(str, game.moves)),
        game.opponent if known else None,
        mine.slug if mine else None,
    )
