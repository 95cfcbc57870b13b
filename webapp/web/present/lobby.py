"""The class: who waits, who plays, who is good."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from webapp import words
from webapp.core.game import Game, Kind
from webapp.engines.base import Engine
from webapp.service.lobby import LobbyView, Pairing
from webapp.web.present.game import name_of, review_address

# The stylesheet makes the letters on a projector so large that this many lines fill it.
CHALLENGES_ON_THE_WALL = 6
GAMES_ON_THE_WALL = 9
PLACES_ON_THE_WALL = 10


class PairingView(NamedTuple):
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
    """The viewer's games against one opponent."""

    name: str
    won: int
    drawn: int
    lost: int
    best_run: int


class PastView(NamedTuple):
    """A finished game of the viewer's, and where it is reviewed."""

    title: str
    review: dict[str, str | None] | None


@dataclass(frozen=True, slots=True)
class ClassView:
    """The class page."""

    challenges: tuple[PairingView, ...]
    games: tuple[PairingView, ...]
    places: tuple[PlaceView, ...]
    levels: tuple[LevelView, ...]
    recent: tuple[PastView, ...]


class ExcerptView(NamedTuple):
    """As much of a list as there is room for.

    :param more: how many are left out
    """

    shown: tuple[PairingView, ...]
    more: int


class WallView(NamedTuple):
    """The class on the wall, where nobody scrolls."""

    challenges: ExcerptView
    games: ExcerptView
    places: tuple[PlaceView, ...]


def present_class(found: LobbyView, engines: Mapping[str, Engine]) -> ClassView:
    """Present the class to one of its players."""
    return ClassView(
        tuple(map(present_pairing, found.challenges)),
        tuple(map(present_pairing, found.games)),
        tuple(_places(found)),
        tuple(
            LevelView(engines[one.opponent].name, one.won, one.drawn, one.lost, one.best_run)
            for slug in engines
            for one in found.mine
            if one.opponent == slug
        ),
        tuple(_past(game, found, engines) for game in found.recent),
    )


def present_wall(found: LobbyView) -> WallView:
    """Present as much of the class as fits on the wall."""
    return WallView(
        _excerpt(found.challenges, CHALLENGES_ON_THE_WALL),
        _excerpt(found.games, GAMES_ON_THE_WALL),
        tuple(islice(_places(found), PLACES_ON_THE_WALL)),
    )


def present_pairing(pairing: Pairing) -> PairingView:
    """Present a challenge, or a game between two people."""
    game = pairing.game
    names = tuple(words.isolated(name) for name in (pairing.x, pairing.o) if name)
    free = "" if not game.open else "X" if game.x_seat is None else "O"
    return PairingView(game.id, game.code or "", names, free, pairing.mine)


def _excerpt(pairings: tuple[Pairing, ...], lines: int) -> ExcerptView:
    """As many as there are lines; where they do not fit, the last line says how many more."""
    shown = pairings if len(pairings) <= lines else pairings[: lines - 1]
    return ExcerptView(tuple(map(present_pairing, shown)), len(pairings) - len(shown))


def _places(found: LobbyView) -> Iterator[PlaceView]:
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
            # A player who is not among the best comes after them.
            gap=me and one.place > line,
        )


def _past(game: Game, found: LobbyView, engines: Mapping[str, Engine]) -> PastView:
    marks = game.marks_of(found.me)
    mine = next(iter(marks)) if len(marks) == 1 else None
    name = name_of(game, engines)
    if game.kind is Kind.TWO_DEVICES:
        other = game.seat(mine.other) if mine else None
        name = words.isolated(found.names.get(other or "", "a classmate"))
    winner = game.outcome.winner if game.outcome else None
    if mine is None:
        how = "Played with a friend"
    elif winner is None:
        how = f"Drawn against {name}"
    else:
        how = f"{'Won' if winner is mine else 'Lost'} against {name}"
    return PastView(how, review_address(game, engines, mine) if game.moves else None)
