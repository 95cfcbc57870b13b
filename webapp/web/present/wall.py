"""The class on a projector: as much of it as fits, or what its host has chosen."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from webapp import words
from webapp.analysis.review import Review
from webapp.core.board import Outcome
from webapp.core.lesson import Wall
from webapp.service.lobby import LobbyView
from webapp.service.pov import Pov
from webapp.service.tournaments import Standing
from webapp.web.present import game, live
from webapp.web.present.game import Engines
from webapp.web.present.lobby import (
    PairingView,
    PlaceView,
    present_age,
    present_pairing,
    present_places,
    who_beat_whom,
)
from webapp.web.present.review import Step
from webapp.web.present.views import CellView
from webapp.words.language import _

_One = TypeVar("_One")

# The stylesheet makes the letters on a projector so large that this many lines fill it.
WAITING_ON_THE_WALL = 6
GAMES_ON_THE_WALL = 6
GAMES_AND_RESULTS = 8


class StageView(NamedTuple):
    """One board, large.

    :param title: who plays; empty in a review
    :param heading: whose turn it is, or the last move; may be empty
    :param sentence: what there is to say about it; may be empty
    """

    title: str
    heading: str
    sentence: str
    cells: tuple[CellView, ...]
    outcome: Outcome | None


class WallView(NamedTuple):
    """As much of the class as fits on a projector, without scrolling; and how much is left out.

    :param here: how many players are here
    :param waiting: the names of the players who wait for an opponent
    :param ended: who has just beaten whom
    :param age: how old the places are, in a sentence; empty where they are of this minute
    :param paused: whether the host has paused all games
    :param stage: what is shown instead, if the host has chosen it; ``event``: the tournament
    """

    here: int
    waiting: tuple[str, ...]
    more_waiting: int
    games: tuple[PairingView, ...]
    more_games: int
    ended: tuple[str, ...]
    places: tuple[PlaceView, ...]
    age: str
    paused: bool
    stage: StageView | None
    event: Standing | None


def present_wall(
    found: LobbyView,
    shown: Pov | None,
    review: Review | None,
    event: Standing | None,
    engines: Engines,
) -> WallView:
    """Present as much of the class as fits on a projector, or what its host has chosen.

    :param shown: the game that is to be shown
    """
    stage = (
        _game(shown, engines) if shown else _review(review, found.lesson.wall) if review else None
    )
    waiting = [name for one in found.challenges for name in present_pairing(one).names]
    waiting += [words.isolated(one.name) for one in found.here if one.looking]
    games, more_games = _excerpt(found.games, GAMES_ON_THE_WALL)
    results = GAMES_AND_RESULTS - len(games) - bool(more_games)
    return WallView(
        len(found.here),
        *_excerpt(waiting, WAITING_ON_THE_WALL),
        tuple(map(present_pairing, games)),
        more_games,
        tuple(map(who_beat_whom, found.ended[:results])),
        tuple(one for one in present_places(found) if one.place and not one.gap),
        present_age(found.age),
        found.lesson.paused_at is not None,
        stage,
        event,
    )


def _game(pov: Pov, engines: Engines) -> StageView:
    people, cells, outcome = live.people(pov), game.cells(pov), pov.game.outcome
    if pov.paused:  # which the wall says of all games
        return StageView(people, "", "", cells, outcome)
    return StageView(people, game.heading(pov, engines), game.sentence(pov), cells, outcome)


def _review(found: Review, wall: Wall) -> StageView:
    """A position to talk about: what it is worth is shown only if the host wants it."""
    view, outcome = Step(found, wall.at, wall.values), found.game.boards[wall.at].outcome
    if wall.values:
        return StageView("", view.heading, f"{view.sentence} {view.aside}", view.cells(), outcome)
    if outcome:
        sentence = words.result(outcome, str(outcome.winner))
    else:
        sentence = _("{mark} to move. Where would you play?").format(mark=view.board.turn)
    return StageView("", view.heading, sentence, view.cells(better=False), outcome)


def _excerpt(some: Sequence[_One], lines: int) -> tuple[tuple[_One, ...], int]:
    """As many as there are lines; where they do not fit, the last line says how many more."""
    shown = some if len(some) <= lines else some[: lines - 1]
    return tuple(shown), len(some) - len(shown)
