"""Tournaments: their pages, and what players do in them. The teacher's part is in ``desk``."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from flask import Blueprint, Response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp import words
from webapp.analysis.review import review
from webapp.core.board import Board, Mark
from webapp.core.game import Game, NotAllowed, boards, moves_of
from webapp.names import Player
from webapp.service import games, lobby, tournaments
from webapp.service.tournaments import Standing
from webapp.tournament.event import (
    Entrant,
    Finished,
    Format,
    Match,
    Opening,
    State,
    Step,
    Tournament,
)
from webapp.web.beside import gone, next_in, own_in, place, present_after
from webapp.web.context import site
from webapp.web.errors import small_page
from webapp.web.identity import player
from webapp.web.podium import StepView, podium
from webapp.web.respond import hx_redirect, part_or_page, vary_on_htmx, wants_fragment
from webapp.words.language import _, ngettext

pages = Blueprint("tournaments", __name__, url_prefix="/tournaments")


@pages.get("/<id_>")
def tournament(id_: str) -> ResponseReturnValue:
    """Show a tournament: the table, and to its players what comes next."""
    standing, opponent = tournaments.standing(site(), id_), lobby.opponent(site(), player())
    values = {
        "standing": standing,
        "me": player(),
        "mine": mine_in(standing, player()),
        "given_up": is_given_up(standing.tournament, opponent),
    }
    return part_or_page("tournament/_tournament.html", "tournament/tournament.html", **values)


@pages.get("/<id_>/play")
def play(id_: str) -> ResponseReturnValue:
    """Go to the player's present game; while there is none, to the tournament.

    The page of a finished ``game`` waits for the next one, and is told what comes: it goes there
    by itself once its player looks at it.
    """
    present = tournaments.present_game(site(), id_, player())
    tournament = url_for("tournaments.tournament", id_=id_)
    lead = url_for("play.game", game_id=present) if present else tournament
    after = request.args.get("game", "")
    if not wants_fragment() or not after:
        return hx_redirect(lead)
    pov = games.look(site(), after, player())
    if pov.game.tournament != id_ or not pov.standing or not pov.game.outcome:
        return hx_redirect(lead)
    view = present_after(pov.standing, pov)
    lead = "" if view.waits and not present else lead
    part = "tournament/_onward.html"
    engines = site().engines
    return part_or_page(part, part, pov=pov, engines=engines, after=view, lead=lead)


@pages.post("/<id_>/join")
def join(id_: str) -> ResponseReturnValue:
    """Take part, from now on."""
    tournaments.join(site(), id_, player())
    return redirect(url_for("tournaments.tournament", id_=id_), 303)


@pages.post("/<id_>/leave")
def leave(id_: str) -> ResponseReturnValue:
    """Play no more in it, until the player joins again."""
    tournaments.leave(site(), id_, player())
    return redirect(url_for("tournaments.tournament", id_=id_), 303)


@pages.errorhandler(NotAllowed)
def refused(error: NotAllowed) -> Response:
    """Say why it was not done."""
    return vary_on_htmx(small_page(409, words.told(error)))


# --- what is said ---------------------------------------------------------------------------------


@pages.app_template_filter()
def title_of(tournament: Tournament) -> str:
    """Say what kind of tournament it is."""
    if tournament.format is Format.SWISS:
        message = ngettext("Swiss, {rounds} round", "Swiss, {rounds} rounds", tournament.length)
        return message.format(rounds=tournament.length)
    minutes = tournament.length // 60_000
    message = ngettext("Arena, {minutes} minute", "Arena, {minutes} minutes", minutes)
    return message.format(minutes=minutes)


@pages.app_template_filter()
def chosen_for(event: Tournament) -> str:
    """Say what its games begin from, and the clock."""
    message = _("From the empty board, {seconds} s for a move")
    if event.opening is Opening.SHARP:
        message = _("Sharp openings, {seconds} s for a move")
    return message.format(seconds=event.clock)


@pages.app_template_filter()
def stage_of(standing: Standing) -> str:
    """Say how far a tournament is."""
    event = standing.tournament
    if event.state is State.WAITING:
        number = sum(entrant.playing for entrant in standing.entrants)
        message = ngettext("{number} player has joined.", "{number} players have joined.", number)
        return message.format(number=number)
    if event.state is State.OVER:
        return _("The tournament is over.")
    if event.format is Format.SWISS:
        message, seconds = _("Round {round} of {rounds}"), next_in(event)
        if seconds is not None:
            message = _("Round {round} of {rounds} is over: the next one begins in {seconds} s.")
        return message.format(round=event.round, rounds=event.length, seconds=seconds)
    if not event.left:
        return _("Time is up: the last games are played to their end.")
    return _("The tournament is on.")


@pages.app_template_filter()
def ends_in(event: Tournament) -> int | None:
    """Return the seconds that an arena goes on, while it runs."""
    runs = event.format is Format.ARENA and event.state is State.RUNNING
    return event.left // 1000 if runs else None


@pages.app_template_filter()
def why_closed(event: Tournament, own: Entrant | None) -> str:
    """Say why a viewer cannot join a tournament that is not over; empty for all who can.

    :param own: the viewer, if they are or were in it
    """
    if own and own.barred:
        return _("Your teacher has put you out of this tournament.")
    if own is None and event.state is State.RUNNING and not event.late:
        return _("This tournament has begun, and no one else can join it.")
    return ""


def is_given_up(event: Tournament, opponent: str | None) -> str:
    """Say what becomes of a game outside of a tournament when its player takes part.

    :param opponent: whom the player is playing there, if anyone
    """
    if opponent is None or event.state is State.OVER:
        return ""
    message = _("Your game with {name} is given up when the tournament begins.")
    if event.state is State.RUNNING:
        message = _("Your game with {name} is given up when your first tournament game begins.")
    return message.format(name=words.isolated(opponent))


def mine_in(standing: Standing, me: str) -> str:
    """Say to a player what comes next; empty for others."""
    event, own = standing.tournament, own_in(standing, me)
    over = event.state is State.OVER
    closed = "" if over else why_closed(event, own)
    if closed or own is None:
        return closed
    if event.state is State.WAITING and own.playing:
        return _("You are in. Your first game opens by itself when the tournament begins.")
    if not over and not own.playing:
        return gone(own)
    said = [place(next(line.place for line in standing.table if line.player == me))]
    if game := game_in(standing, me):
        (other,) = game.players - {me}
        said.append(_("You are playing against {name}.").format(name=name_in(standing, other)))
    elif _plays_on(standing, me):
        said.append(_("Your next game opens by itself."))
    return words.sentences(*said)


@pages.app_template_filter()
def game_in(standing: Standing, me: str) -> Game | None:
    """Return the viewer's game that goes on."""
    return next((game for game in standing.going.values() if me in game.players), None)


def _plays_on(standing: Standing, me: str) -> bool:
    """Whether another game of a player's may come: not after the bell, nor after the last round."""
    event = standing.tournament
    if event.state is State.OVER or event.format is Format.ARENA:
        return event.state is not State.OVER and event.left > 0
    own = (match for match in standing.matches if me in match.players)
    return event.round < event.length or any(match.step is not Step.DONE for match in own)


def name_in(standing: Standing, player: str | None) -> str:
    """Name a player of a tournament."""
    return words.isolated(standing.people[player or ""])


@pages.app_template_filter()
def podium_of(standing: Standing) -> list[StepView]:
    """Return the first three who have points from games."""
    return podium((line for line in standing.table if line.games), standing.people)


@pages.app_template_filter()
def tie_break_of(standing: Standing) -> str:
    """Say why places on the podium differ where points are equal; empty if none do."""
    lines = {line.place: line for line in standing.table}
    steps = [lines[step.place] for step in podium_of(standing)]
    equal = [
        one.sonneborn_berger == other.sonneborn_berger
        for one, other in pairwise(steps)
        if one.points == other.points
    ]
    if not equal:
        return ""
    if any(equal):
        return _(
            "Where points are equal, the player who beat stronger opponents comes first, and then "
            "the player with the larger share of moves that kept what the position was worth."
        )
    return _("Where points are equal, the player who beat stronger opponents comes first.")


@pages.app_template_filter()
def results_of(match: Match, standing: Standing) -> str:
    """Say what came of a match's games that are over; empty while there are none."""
    over = (standing.finished[id_] for id_ in match.games if id_ in standing.finished)
    return words.listed(_result(game, standing) for game in over)


def _result(game: Finished, standing: Standing) -> str:
    if game.outcome == "cancelled":
        why = words.why_cancelled(in_tournament=True, moved=game.moved)
        return _("cancelled ({why})").format(why=why)
    if game.outcome == "draw":
        return _("a draw")
    winner = game.x if game.outcome == "x" else game.o
    return _("{name} won").format(name=name_in(standing, winner))


# --- the viewer's own games -----------------------------------------------------------------------


class PastView(NamedTuple):
    """A finished game of the viewer's.

    :param player: the opponent
    :param moves: as the address of its review has them, which shows it after ``at`` of them; empty
        where neither player has made one
    :param decided: what decided it; may be empty
    """

    title: str
    player: Player
    board: Board
    moves: str
    mark: str
    at: int | None
    decided: str


@pages.app_template_filter()
def past_of(standing: Standing, me: str) -> Iterator[PastView]:
    """Return the viewer's games that are over."""
    for game in standing.finished.values():
        if me in (game.x, game.o):
            mine, other = (Mark.X, game.o) if game.x == me else (Mark.O, game.x)
            yield _past(game, mine, standing.people[other or ""])


def _past(game: Finished, mine: Mark, other: Player) -> PastView:
    name, decided, at = words.isolated(other), "", None
    title = _("Lost against {name}")
    won = game.outcome == mine.slug
    if won:
        title = _("Won against {name}")
    if game.outcome == "draw":
        title = _("Drawn against {name}")
    elif game.outcome == "cancelled":
        title = _("No result against {name}")
        decided = words.as_sentence(words.cancelled(in_tournament=True, moved=game.moved))
    elif game.ending == "time":
        decided = _("{name} ran out of time.") if won else _("You ran out of time.")
    elif game.ending:
        decided = _("{name} gave up.") if won else _("You gave up.")
    elif (turning := review(game.cells).turning_point) is not None:
        at = turning + 1
        decided = _decided(at, game, mine)
    return PastView(
        title=title.format(name=name),
        player=other,
        board=board_after(game.moves),
        moves=game.moves if game.moved else "",
        mark=mine.slug,
        at=at,
        decided=decided.format(name=name),
    )


def _decided(number: int, game: Finished, mine: Mark) -> str:
    """Say which move decided a game, or that it was won from its beginning."""
    if number <= game.given:
        return _("The opening had decided it.")
    if tuple(Mark)[(number - 1) % 2] is mine:
        message = _("Your move, number {number}, decided it.")
    else:
        message = _("Your opponent's move, number {number}, decided it.")
    return message.format(number=number)


@pages.app_template_filter()
def board_after(moves: str) -> Board:
    """Return the board after moves, such as ``402``."""
    return boards(moves_of(moves))[-1]
