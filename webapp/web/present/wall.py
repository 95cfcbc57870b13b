"""The class on a projector: as much of it as fits, or what its host has chosen."""

from typing import TypeAlias

from webapp import words
from webapp.analysis.review import review
from webapp.classroom import Wall
from webapp.core.game import moves_of
from webapp.names import Player
from webapp.polls import Form
from webapp.service.lobby import LobbyView, Pairing
from webapp.service.polls import Asked, Quizzed
from webapp.service.pov import Pov
from webapp.service.ranking import Place
from webapp.service.tournaments import Standing
from webapp.web.present import game, live, polls
from webapp.web.present.game import Engines
from webapp.web.present.lobby import MEET, Shown, present_age
from webapp.web.present.review import Step
from webapp.words.language import _, ngettext

BOARDS = 12
"""How many games that go on are sent: six boards have room, and the others wait for it."""

RANKS = 100
"""How many names are sent: all of them are shown within a minute, five at a time."""

Figure: TypeAlias = tuple[int, str]
"""A number that is drawn, and the words beside it."""


def present_wall(
    lobby: LobbyView,
    shown: Pov | None,
    event: Standing | None,
    asked: Asked | None,
    engines: Engines,
    *,
    quiz: Quizzed | None,
) -> Shown:
    """Choose as much of the class as fits on a projector, or what is shown in its place.

    That is what the class is asked, or the tournament, a quiz that is over, or the game to show.
    """
    wall, ranks = lobby.lesson.wall, _ranks(lobby)
    games, ended = (
        [one for one in some if event is None or one.game.tournament == event.tournament.id]
        for some in (lobby.games, lobby.ended)
    )
    return {
        "figures": _joined(event) if event else _class(lobby),
        "boards": [*games[:BOARDS], *(one for one in ended if one.game.moved)],
        "ranks": ranks,
        "meet": MEET,
        "anyone_leads": any(place.place for place, _player in ranks),
        "age": present_age(lobby.age),
        "paused": lobby.lesson.paused,
        "blank": wall.blank,
        "stage": _question(asked, engines) if asked else _staged(wall, shown, engines),
        "event": event,
        "quiz": quiz,
    }


def _joined(event: Standing) -> list[Figure]:
    """How many have joined a tournament."""
    number = sum(entrant.playing for entrant in event.entrants)
    return [(number, ngettext("player has joined", "players have joined", number))]


def _class(lobby: LobbyView) -> list[Figure]:
    """How many are here, and how much they have played today."""
    here, today = len(lobby.here), lobby.today
    return [
        # Translators: after a large figure, the number of players
        (here, ngettext("is here", "are here", here)),
        (today, ngettext("game today", "games today", today)),
    ]


def _ranks(lobby: LobbyView) -> list[tuple[Place, Player]]:
    """The places, the players without one, and all others who are here: the whole class."""
    placed = [line for line in lobby.table if line[0].place]
    # One further down than in its line is the viewer's own.
    best = [line for number, line in enumerate(placed, 1) if (line[0].place or 0) <= number]
    others = [line for line in lobby.table if not line[0].place]
    known = {player.id for _place, player in lobby.table}
    new = [person.player for person in lobby.here if person.player.id not in known]
    return [*best, *others, *((Place(player.id), player) for player in new)][:RANKS]


def how_it_ended(pairing: Pairing) -> str:
    """Say by its marks how a game has ended; empty while it goes on."""
    outcome = pairing.game.outcome
    if not outcome:
        return ""
    if pairing.game.cancelled:
        return words.cancelled(pairing.game)
    if outcome.ending and outcome.winner:
        return words.gave_up(outcome.ending, str(outcome.winner), str(outcome.winner.other))
    return words.result(outcome, str(outcome.winner))


def games_of(standing: Standing) -> str:
    """Say how many games of a tournament are over, and how many go on."""
    over, going = len(standing.finished), len(standing.going)
    message = ngettext(
        "{number} game played, {going} going on", "{number} games played, {going} going on", over
    )
    return message.format(number=over, going=going)


def _staged(wall: Wall, shown: Pov | None, engines: Engines) -> Shown | None:
    """One board, large: the game, or the review that the teacher leads; ``None`` for the class."""
    if shown:
        return _game(shown, engines)
    return _review(wall, wall.moves) if wall.moves else None


def _question(asked: Asked, engines: Engines) -> Shown:
    """What the class is asked: how many have answered, with which cells, and what is right."""
    said = [polls.said_before(asked), polls.answers_sentence(asked)]
    if asked.revealed:
        voted = asked.round is not None and asked.round.form is Form.VOTE
        said = [polls.elected_sentence(asked) if voted else polls.right_sentence(asked.poll)]
    return {
        "title": polls.position_sentence(asked),
        "heading": polls.poll_heading(asked, engines),
        "sentence": words.sentences(*said),
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
        sentence = words.sentences(step.sentence, step.aside)
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
