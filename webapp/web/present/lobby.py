"""The class: open games, games in progress, and the standings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, TypeAlias

from webapp import words
from webapp.core.game import Game, Kind
from webapp.core.record import Record
from webapp.engines.base import Engine
from webapp.service.lobby import LobbyView, Pairing
from webapp.web.present.game import name_of, review_address

Review: TypeAlias = dict[str, str | None] | None
"""The values of the address where a game is reviewed; ``None`` where nothing was played."""

# The stylesheet makes the letters on a projector so large that this many lines fill it.
CHALLENGES_ON_THE_WALL = 6
GAMES_ON_THE_WALL = 9
PLACES_ON_THE_WALL = 10


class PairingView(NamedTuple):
    """A challenge, or a game between two people.

    :param names: the player who waits, or the two who play
    :param mark: of the free seat, ``X`` or ``O``; empty where there is none
    """

    id: str
    code: str
    names: tuple[str, ...]
    mark: str
    mine: bool

    @property
    def title(self) -> str:
        """The player who waits, or the two who play."""
        if len(self.names) == 1:
            return self.names[0]
        return "{} against {}".format(*self.names)


class PlaceView(NamedTuple):
    """A line of the standings.

    :param place: ``None`` where there is none yet, as is the rating
    :param me: whether it is the viewer's
    :param gap: whether places before it are left out
    """

    place: int | None
    name: str
    rating: int | None
    games: int
    me: bool
    gap: bool


@dataclass(frozen=True, slots=True)
class ClassView:
    """The class page.

    :param levels: the viewer's games against each engine, by its name
    :param recent: the title of each finished game of the viewer's, and where it is reviewed
    :param counter: the number of the class's counter that the page shows
    """

    challenges: tuple[PairingView, ...]
    games: tuple[PairingView, ...]
    places: tuple[PlaceView, ...]
    levels: tuple[tuple[str, Record], ...]
    recent: tuple[tuple[str, Review], ...]
    counter: int


class WallView(NamedTuple):
    """As much of the class as fits on a projector, without scrolling; and how much is left out.

    :param counter: the number of the class's counter that the page shows
    """

    challenges: tuple[PairingView, ...]
    more_challenges: int
    games: tuple[PairingView, ...]
    more_games: int
    places: tuple[PlaceView, ...]
    counter: int


def present_class(found: LobbyView, engines: Mapping[str, Engine]) -> ClassView:
    """Present the class to one of its players."""
    return ClassView(
        tuple(map(present_pairing, found.challenges)),
        tuple(map(present_pairing, found.games)),
        tuple(_places(found)),
        tuple(
            (engine.name, one)
            for slug, engine in engines.items()
            for one in found.mine
            if one.opponent == slug
        ),
        tuple(_past(game, found, engines) for game in found.recent),
        found.counter,
    )


def present_wall(found: LobbyView) -> WallView:
    """Present as much of the class as fits on a projector."""
    return WallView(
        *_excerpt(found.challenges, CHALLENGES_ON_THE_WALL),
        *_excerpt(found.games, GAMES_ON_THE_WALL),
        tuple(one for one in islice(_places(found), PLACES_ON_THE_WALL) if one.place),
        found.counter,
    )


def present_pairing(pairing: Pairing) -> PairingView:
    """Present a challenge, or a game between two people."""
    game = pairing.game
    names = tuple(words.isolated(name) for name in (pairing.x, pairing.o) if name)
    free = "" if not game.open else "X" if game.x_seat is None else "O"
    return PairingView(game.id, game.code or "", names, free, pairing.mine)


def _excerpt(pairings: tuple[Pairing, ...], lines: int) -> tuple[tuple[PairingView, ...], int]:
    """As many as there are lines; where they do not fit, the last line says how many more."""
    shown = pairings if len(pairings) <= lines else pairings[: lines - 1]
    return tuple(map(present_pairing, shown)), len(pairings) - len(shown)


def _places(found: LobbyView) -> Iterator[PlaceView]:
    """The standings: the places, and below them the players without one."""
    for line, (one, name) in enumerate(found.table, 1):
        me = one.player == found.me
        # A player who is not among the best comes after them.
        gap = me and one.place is not None and one.place > line
        yield PlaceView(one.place, words.isolated(name), one.rating, one.games, me, gap)


def _past(game: Game, found: LobbyView, engines: Mapping[str, Engine]) -> tuple[str, Review]:
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
    elif winner is mine:
        how = f"Won against {name}"
    else:
        how = f"Lost against {name}"
    return how, review_address(game, engines, mine) if game.moves else None
