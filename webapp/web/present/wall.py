"""The class on a projector: as much of it as fits, or what its host has chosen."""

from collections.abc import Sequence
from typing import TypeVar

from webapp import words
from webapp.analysis.review import review
from webapp.core.board import Mark
from webapp.core.lesson import Wall
from webapp.service.lobby import LobbyView
from webapp.web.present.lobby import Shown, present_age
from webapp.web.present.review import present_review
from webapp.web.present.tournament import TournamentView
from webapp.web.present.views import CellView, PlayView
from webapp.words.language import _

_One = TypeVar("_One")

# The stylesheet makes the letters on a projector so large that this many lines fill it.
WAITING_ON_THE_WALL = 6
GAMES_ON_THE_WALL = 6
GAMES_AND_RESULTS = 8


def present_wall(found: LobbyView, game: PlayView | None, event: TournamentView | None) -> Shown:
    """Choose as much of the class as fits on a projector, or the game or tournament to show."""
    wall = found.lesson.wall
    waiting = [pairing.x or pairing.o for pairing in found.challenges]
    waiting += [person.player for person in found.here if person.looking]
    names, more_waiting = _excerpt(waiting, WAITING_ON_THE_WALL)
    games, more_games = _excerpt(found.games, GAMES_ON_THE_WALL)
    return {
        "here": len(found.here),
        "waiting": names,
        "more_waiting": more_waiting,
        "games": games,
        "more_games": more_games,
        "ended": found.ended[: GAMES_AND_RESULTS - len(games) - bool(more_games)],
        "places": [
            {"place": place.place, "name": player.name, "rating": place.rating}
            for line, (place, player) in enumerate(found.table, 1)
            if place.place and place.place <= line  # one further down is the viewer's own
        ],
        "age": present_age(found.age),
        "paused": found.lesson.paused,
        "stage": _game(game) if game else _review(wall, wall.moves) if wall.moves else None,
        "event": event,
    }


def _game(game: PlayView) -> Shown:
    said = not game.pov.paused  # which the wall says of all games
    return {
        "title": game.people,
        "heading": game.heading if said else "",
        "sentence": game.sentence if said else "",
        "cells": game.cells,
        "outcome": game.outcome,
    }


def _review(wall: Wall, moves: str) -> Shown:
    """A position to talk about: what it is worth is shown only if the host wants it."""
    found = review(tuple(map(int, moves)))
    view = present_review(found, wall.at, values=wall.values, opponent=None, mark=None, engines={})
    sentence, cells = f"{view.sentence} {view.aside}", view.cells
    if not wall.values:
        sentence = _("{mark} to move. Where would you play?")
        sentence = sentence.format(mark=tuple(Mark)[wall.at % len(Mark)])
        cells = tuple(map(_unhinted, cells))
        if view.outcome:
            sentence = words.result(view.outcome, str(view.outcome.winner))
    return {
        "title": "",
        "heading": view.heading,
        "sentence": sentence,
        "cells": cells,
        "outcome": view.outcome,
    }


def _unhinted(cell: CellView) -> CellView:
    if not cell.hinted:
        return cell
    return cell._replace(hinted=False, label=words.cell_label(cell.number, None))


def _excerpt(some: Sequence[_One], lines: int) -> tuple[Sequence[_One], int]:
    """As many as there are lines; where they do not fit, the last line says how many more."""
    shown = some if len(some) <= lines else some[: lines - 1]
    return shown, len(some) - len(shown)
