"""The class on a projector: as much of it as fits, or what its teacher has chosen."""

from contextlib import suppress
from math import inf
from typing import TypeAlias

from flask import Blueprint, request, url_for
from flask.typing import ResponseReturnValue

from webapp import words
from webapp.analysis.review import review
from webapp.classroom import MINIMAX, NONE, RULES, THREE, Wall
from webapp.core.game import MENACE, moves_of
from webapp.names import Player
from webapp.service import games, menace, polls, tournaments
from webapp.service.lobby import NOBODY, LobbyView, overview
from webapp.service.polls import Asked, Quizzed
from webapp.service.pov import Pov
from webapp.service.ranking import Place
from webapp.service.refusals import Unknown, UnknownGame
from webapp.service.seats import Pairing
from webapp.service.tournaments import Standing
from webapp.store import topics
from webapp.web import ask, lookahead
from webapp.web.address import public
from webapp.web.context import site, takes_long
from webapp.web.games import Engines, cells, heading, name_of, plates, sentence, versus
from webapp.web.identity import player
from webapp.web.learn import on_paper
from webapp.web.lobby import MEET
from webapp.web.menace import present_menace
from webapp.web.respond import Shown, hx_redirect, part_or_page
from webapp.web.review import Step
from webapp.words.language import _, ngettext

pages = Blueprint("wall", __name__)

ADDRESS_S = 8  # seconds between two looks at the server's own address
BOARDS = 12  # games sent: six fit on the screen, the others take turns with them
SEATS = 42  # players on the benches: three of fourteen
RANKS = 100  # names sent: five at a time, all within a minute
Figure: TypeAlias = tuple[int, str]  # a large number and the words beside it


@pages.get("/class/board")
def board() -> ResponseReturnValue:
    """Show the class on a projector: large, with a QR code to join.

    The page reloads when the address that it shows, ``at``, is no longer right.
    """
    address = public(url_for("lobby.class_"))
    if request.args.get("at", address) != address:
        return hx_redirect(url_for("wall.board"))
    seen = overview(site(), NOBODY, computer=True)
    shown, event, quiz, learnt, wall = None, None, None, None, seen.lesson.wall
    if wall.tournament == MENACE:
        takes_long()
        learnt = present_menace(menace.look(site()))
    if wall.event:
        event = tournaments.standing(site(), wall.event, NOBODY)
    if wall.game and not wall.moves:
        with suppress(UnknownGame):  # unfinished games are deleted after some days
            shown = games.look(site(), wall.game, "")
    if wall.quiz:
        with suppress(Unknown):  # quizzes are deleted after some months
            quiz = polls.look_at_quiz(site(), wall.quiz, NOBODY)
    asked = polls.look(site(), seen.poll.id, player()) if seen.poll else None
    view = _view(seen, site().engines, shown=shown, event=event, asked=asked, quiz=quiz)
    moments = ADDRESS_S, seen.silent_in_s or inf, shown.changes_in_s if shown else inf
    named = topics.MENACE if learnt else None, topics.game(wall.game) if wall.game else None
    if view["shows"] == MINIMAX:
        view |= {"search": lookahead.on_the_wall(wall.at)}
    if view["shows"] == RULES:
        view |= {"rules": on_paper()}
    view |= {"menace": learnt, "again": min(moments), "topics": named}
    values = {"view": view, "engines": site().engines, "viewer": None, "calls": None}
    return part_or_page("lobby/_wall.html", "lobby/wall.html", **values)


# --- what it shows --------------------------------------------------------------------------------


def _view(
    lobby: LobbyView,
    engines: Engines,
    *,
    shown: Pov | None,
    event: Standing | None,
    asked: Asked | None,
    quiz: Quizzed | None,
) -> Shown:
    """Choose what fits on a projector: the class, or what is shown in its place.

    That is a question, the tournament, a finished quiz, a game, or a page of Learn.
    """
    wall, ranks = lobby.lesson.wall, _ranks(lobby)
    wall = wall if quiz else wall._replace(quiz=None)
    kind = wall.shows(asked=asked is not None, game=shown is not None, gathers=lobby.gathers)
    seated = [person.player for person in lobby.here] if kind == "come-in" else []
    going, ended = lobby.games or lobby.at_computer, lobby.ended
    if event:
        going, ended = (
            tuple(pairing for pairing in pairings if pairing.game.tournament == event.tournament.id)
            for pairings in (lobby.games, ended)
        )
    leads = _("Who is ahead") if ranks and ranks[0][0].place else _("Who will be first?")
    meet = 0 if lobby.lesson.places == NONE else MEET
    return {
        "shows": kind,
        "here": seated[:SEATS],
        "more_here": len(seated[SEATS:]),
        "figures": _joined(event) if event else _class(lobby),
        "boards": [*going[:BOARDS], *(pairing for pairing in ended if pairing.game.moved)],
        "ranks": ranks,
        "meet": meet,
        "leads": leads if meet else _("Here now"),
        "paused": lobby.lesson._replace(asked_at=None).paused,  # a question is shown anyway
        "stage": _question(asked, engines) if asked else _staged(lobby, shown, engines),
        "event": event,
        "quiz": quiz,
    }


def _joined(event: Standing) -> list[Figure]:
    number = sum(entrant.playing for entrant in event.entrants)
    return [(number, ngettext("player has joined", "players have joined", number))]


def _class(lobby: LobbyView) -> list[Figure]:
    here, today, alone = len(lobby.here), lobby.today, len(lobby.at_computer)
    figures = [
        # Translators: after a large figure, the number of players
        (here, ngettext("is here", "are here", here)),
        (today, ngettext("game today", "games today", today)),
    ]
    if alone:
        # Translators: after a large figure, the number of players
        figures.append((alone, ngettext("plays the computer", "play the computer", alone)))
    return figures


def _ranks(lobby: LobbyView) -> list[tuple[Place, Player]]:
    """Everyone in the class: the ranked, players without a place, and newcomers."""
    placed = [line for line in lobby.table if line[0].place]
    if lobby.lesson.places == THREE and len(placed) >= 3:
        return placed
    others = [line for line in lobby.table if not line[0].place]
    known = {player.id for _place, player in lobby.table}
    new = [person.player for person in lobby.here if person.player.id not in known]
    return [*placed, *others, *((Place(player.id), player) for player in new)][:RANKS]


@pages.app_template_filter()
def how_it_ended(pairing: Pairing) -> str:
    """Say how a game ended, naming marks; empty while it goes on."""
    game, outcome = pairing.game, pairing.game.outcome
    if not outcome:
        return ""
    if game.cancelled:
        return words.cancelled(in_tournament=game.tournament is not None, moved=game.moved)
    if outcome.ending and outcome.winner:
        return words.gave_up(outcome.ending, str(outcome.winner), str(outcome.winner.other))
    return words.result(outcome, str(outcome.winner))


def _staged(lobby: LobbyView, shown: Pov | None, engines: Engines) -> Shown | None:
    """A single large board: a game, or the teacher's review; ``None`` for the class."""
    wall = lobby.lesson.wall
    if shown:
        titles = (
            versus(pairing, name_of(pairing.game, engines))
            for pairing in lobby.at_computer
            if pairing.game.id == shown.game.id
        )
        return _game(shown, engines) | {"title": next(titles, "")}
    return _review(wall, wall.moves) if wall.moves else None


def _question(asked: Asked, engines: Engines) -> Shown:
    """A question: how many have answered, with which cells, and what is right."""
    said = [ask.said_before(asked), ask.answers_sentence(asked)]
    if asked.revealed:
        voted = asked.round and asked.round.engine
        said = [ask.elected_sentence(asked) if voted else ask.right_sentence(asked.poll)]
    return {
        "plates": [],
        "title": ask.position_sentence(asked),
        "heading": ask.poll_heading(asked, engines),
        "sentence": words.sentences(*said),
        "cells": ask.poll_cells(asked._replace(mine=None)),
        "outcome": None,
        "asked": asked,
    }


def _game(pov: Pov, engines: Engines) -> Shown:
    said = not pov.paused  # the wall shows that for all games
    return {
        "plates": plates(pov) if pov.live else [],
        "heading": heading(pov, engines) if said else "",
        "sentence": sentence(pov) if said else "",
        "cells": cells(pov),
        "outcome": pov.game.outcome,
        "asked": None,
    }


def _review(wall: Wall, moves: str) -> Shown:
    """A position to talk about; its values show only if the teacher wants them."""
    step = Step(review(moves_of(moves)), wall.at, wall.values)
    outcome = step.board.outcome
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
        "cells": [cell._replace(hinted=False) for cell in step.cells],
        "outcome": outcome,
        "asked": None,
    }
