"""The class on a projector: as much of it as fits, or what its teacher has chosen."""

from typing import TypeAlias

from webapp import words
from webapp.analysis.review import review
from webapp.classroom import COME_IN, Wall
from webapp.core.game import moves_of
from webapp.names import Player
from webapp.service.lobby import LobbyView, Pairing
from webapp.service.polls import Asked, Quizzed
from webapp.service.pov import Pov
from webapp.service.ranking import Place
from webapp.service.tournaments import Standing
from webapp.web.present import game, live, polls
from webapp.web.present.game import Engines
from webapp.web.present.lobby import MEET, Shown, versus
from webapp.web.present.review import Step
from webapp.words.language import _, ngettext

BOARDS = 12
"""How many games that go on are sent: six boards have room, and the others wait for it."""

SEATS = 42
"""How many of those who have come in sit on the wall's benches, each with room for fourteen."""

RANKS = 100
"""How many names are sent: all of them are shown within a minute, five at a time."""

Figure: TypeAlias = tuple[int, str]
"""A number that is drawn, and the words beside it."""


def shows(wall: Wall, *, asked: bool, game: bool, gathers: bool) -> str:
    """What the wall shows: a question of the class comes before all that the teacher has chosen.

    The desk says the same.

    :param game: whether the wall's game is still stored
    :param gathers: whether the class has yet to begin to play
    :return: ``question``, ``review``, ``game``, ``menace``, ``tournament``, ``quiz``, ``come-in``
        or ``class``
    """
    if asked:
        return "question"
    if wall.moves:
        return "review"
    if wall.game and game:
        return "game"
    if wall.event:
        return "tournament"
    if wall.quiz:
        return "quiz"
    if wall.tournament:
        return "come-in" if wall.tournament == COME_IN else wall.tournament
    return "come-in" if gathers else "class"


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
    wall = wall if quiz else wall._replace(quiz=None)
    kind = shows(wall, asked=asked is not None, game=shown is not None, gathers=lobby.gathers)
    seated = [person.player for person in lobby.here] if kind == "come-in" else []
    games, ended = (
        [one for one in some if event is None or one.game.tournament == event.tournament.id]
        for some in (lobby.games, lobby.ended)
    )
    if not (games or event):
        games = [*lobby.at_computer]
    return {
        "shows": kind,
        "here": seated[:SEATS],
        "more_here": len(seated[SEATS:]),
        "figures": _joined(event) if event else _class(lobby),
        "boards": [*games[:BOARDS], *(one for one in ended if one.game.moved)],
        "ranks": ranks,
        "meet": MEET,
        "anyone_leads": any(place.place for place, _player in ranks),
        "paused": lobby.lesson._replace(asked_at=None).paused,  # a question it shows large
        "stage": _question(asked, engines) if asked else _staged(lobby, shown, engines),
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
        *at_computer(lobby),
    ]


def at_computer(lobby: LobbyView) -> list[Figure]:
    """How many play the computer, if anyone does."""
    if not lobby.at_computer:
        return []
    number = len(lobby.at_computer)
    # Translators: after a large figure, the number of players
    return [(number, ngettext("plays the computer", "play the computer", number))]


def _ranks(lobby: LobbyView) -> list[tuple[Place, Player]]:
    """The places, the players without one, and all others who are here: the whole class."""
    placed = [line for line in lobby.table if line[0].place]
    others = [line for line in lobby.table if not line[0].place]
    known = {player.id for _place, player in lobby.table}
    new = [person.player for person in lobby.here if person.player.id not in known]
    return [*placed, *others, *((Place(player.id), player) for player in new)][:RANKS]


def how_it_ended(pairing: Pairing) -> str:
    """Say by its marks how a game has ended; empty while it goes on."""
    game, outcome = pairing.game, pairing.game.outcome
    if not outcome:
        return ""
    if game.cancelled:
        return words.cancelled(in_tournament=game.tournament is not None, moved=game.moved)
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


def _staged(lobby: LobbyView, shown: Pov | None, engines: Engines) -> Shown | None:
    """One board, large: the game, or the review that the teacher leads; ``None`` for the class."""
    wall = lobby.lesson.wall
    if shown:
        found = (one for one in lobby.at_computer if one.game.id == shown.game.id)
        titles = (versus(one, game.name_of(one.game, engines)) for one in found)
        return _game(shown, engines) | {"title": next(titles, "")}
    return _review(wall, wall.moves) if wall.moves else None


def _question(asked: Asked, engines: Engines) -> Shown:
    """What the class is asked: how many have answered, with which cells, and what is right."""
    said = [polls.said_before(asked), polls.answers_sentence(asked)]
    if asked.revealed:
        voted = asked.round and asked.round.engine
        said = [polls.elected_sentence(asked) if voted else polls.right_sentence(asked.poll)]
    return {
        "plates": [],
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
        "plates": live.plates(pov) if pov.live else [],
        "heading": game.heading(pov, engines) if said else "",
        "sentence": game.sentence(pov) if said else "",
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
        "plates": [],
        "title": "",
        "heading": step.heading,
        "sentence": sentence,
        "cells": step.cells() if wall.values else step.cells(better=False),
        "outcome": outcome,
        "asked": None,
    }
