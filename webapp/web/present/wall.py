"""The class on a projector: as much of it as fits, or what its host has chosen."""

from collections.abc import Sequence
from typing import TypeVar

from webapp import words
from webapp.analysis.review import review
from webapp.classroom import Wall
from webapp.core.game import moves_of
from webapp.polls import Form
from webapp.service.lobby import LobbyView
from webapp.service.polls import Asked
from webapp.service.pov import Pov
from webapp.service.tournaments import Standing
from webapp.web.present import game, live, polls
from webapp.web.present.game import Engines
from webapp.web.present.lobby import Shown, present_age
from webapp.web.present.review import Step
from webapp.words.language import _

_One = TypeVar("_One")

# The stylesheet makes the letters on a projector so large that this many lines fill it.
WAITING_ON_THE_WALL = 6
GAMES_ON_THE_WALL = 6
GAMES_AND_RESULTS = 8


def present_wall(
    lobby: LobbyView,
    shown: Pov | None,
    event: Standing | None,
    asked: Asked | None,
    engines: Engines,
) -> Shown:
    """Choose as much of the class as fits on a projector, or what is shown in its place.

    That is what the class is asked, or the tournament, or the game to show.
    """
    wall = lobby.lesson.wall
    waiting = [pairing.x or pairing.o for pairing in lobby.challenges]
    waiting += [person.player for person in lobby.here if person.looking]
    names, more_waiting = _excerpt(waiting, WAITING_ON_THE_WALL)
    games, more_games = _excerpt(lobby.games, GAMES_ON_THE_WALL)
    return {
        "here": len(lobby.here),
        "waiting": names,
        "more_waiting": more_waiting,
        "games": games,
        "more_games": more_games,
        "ended": lobby.ended[: GAMES_AND_RESULTS - len(games) - bool(more_games)],
        "places": [
            {"place": place.place, "name": player.name, "rating": place.rating}
            for line, (place, player) in enumerate(lobby.table, 1)
            if place.place and place.place <= line  # one further down is the viewer's own
        ],
        "age": present_age(lobby.age),
        "paused": lobby.lesson.paused,
        "blank": wall.blank,
        "stage": _question(asked, engines) if asked else _staged(wall, shown, engines),
        "event": event,
    }


def _staged(wall: Wall, shown: Pov | None, engines: Engines) -> Shown | None:
    """One board, large: the game, or the review that the teacher leads; ``None`` for the class."""
    if shown:
        return _game(shown, engines)
    return _review(wall, wall.moves) if wall.moves else None


def _question(asked: Asked, engines: Engines) -> Shown:
    """What the class is asked: how many have answered, with which cells, and what is right."""
    sentences = [polls.said_before(asked), polls.answers_sentence(asked)]
    if asked.revealed:
        voted = asked.round is not None and asked.round.form is Form.VOTE
        sentences = [polls.elected_sentence(asked) if voted else polls.right_sentence(asked.poll)]
    return {
        "title": polls.position_sentence(asked),
        "heading": polls.poll_heading(asked, engines),
        "sentence": " ".join(filter(None, sentences)),
        "cells": polls.poll_cells(asked._replace(mine=None)),
        "outcome": None,
        "asked": asked,
    }


def _game(pov: Pov, engines: Engines) -> Shown:
    said = not pov.paused  # which the wall says of all games
    return {
        "title": live.people(pov),
        "heading": game.heading(pov, engines) if said else "",
        "sentence": game.sentence(pov, engines) if said else "",
        "cells": game.cells(pov),
        "outcome": pov.game.outcome,
        "asked": None,
    }


def _review(wall: Wall, moves: str) -> Shown:
    """A position to talk about: what it is worth is shown only if the teacher wants it."""
    found = review(moves_of(moves))
    step, outcome = Step(found, wall.at, wall.values), found.game.boards[wall.at].outcome
    if wall.values:
        sentence = f"{step.sentence} {step.aside}"
    elif outcome:
        sentence = words.result(outcome, str(outcome.winner))
    else:
        sentence = _("{mark} to move. Where would you play?").format(mark=step.board.turn)
    return {
        "title": "",
        "heading": step.heading,
        "sentence": sentence,
        "cells": step.cells() if wall.values else step.cells(better=False),
        "outcome": outcome,
        "asked": None,
    }


def _excerpt(some: Sequence[_One], lines: int) -> tuple[Sequence[_One], int]:
    """As many as there are lines; where they do not fit, the last line says how many more."""
    shown = some if len(some) <= lines else some[: lines - 1]
    return shown, len(some) - len(shown)
