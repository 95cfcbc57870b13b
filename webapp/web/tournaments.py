"""Tournaments: their pages, and what players do in them. The teacher's part is in ``desk``."""

from collections.abc import Iterator
from itertools import pairwise

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
from webapp.tournament.table import highlights
from webapp.web.beside import gone, next_in, own_in, place_in, present_after
from webapp.web.context import site
from webapp.web.errors import small_page
from webapp.web.identity import is_teacher, player
from webapp.web.podium import PLACES, podium
from webapp.web.respond import Shown, hx_redirect, part_or_page, vary_on_htmx, wants_fragment
from webapp.words.language import _, ngettext

pages = Blueprint("tournaments", __name__, url_prefix="/tournaments")


@pages.get("/<id_>")
def tournament(id_: str) -> ResponseReturnValue:
    opponent, host = lobby.opponent(site(), player()), is_teacher()
    standing = tournaments.standing(site(), id_, None if host else player())
    values = {
        "standing": standing,
        "me": player(),
        "host": host,
        "mine": mine_in(standing, player()),
        "given_up": is_given_up(standing.tournament, opponent),
    }
    return part_or_page("tournament/_tournament.html", "tournament/tournament.html", **values)


@pages.get("/<id_>/play")
def play(id_: str) -> ResponseReturnValue:
    """Go to the player's current game, or to the tournament if there is none.

    The page of a finished ``game`` asks here for what comes next; its script follows the link once
    the player looks at it.
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
    tournaments.join(site(), id_, player())
    return redirect(url_for("tournaments.tournament", id_=id_), 303)


@pages.post("/<id_>/leave")
def leave(id_: str) -> ResponseReturnValue:
    tournaments.leave(site(), id_, player())
    return redirect(url_for("tournaments.tournament", id_=id_), 303)


@pages.errorhandler(NotAllowed)
def refused(error: NotAllowed) -> Response:
    return vary_on_htmx(small_page(409, words.told(error)))


# --- what is said ---------------------------------------------------------------------------------


@pages.app_template_filter()
def title_of(tournament: Tournament) -> str:
    if tournament.format is Format.SWISS:
        message = ngettext("Swiss, {rounds} round", "Swiss, {rounds} rounds", tournament.length)
        return message.format(rounds=tournament.length)
    minutes = tournament.length // 60_000
    message = ngettext("Arena, {minutes} minute", "Arena, {minutes} minutes", minutes)
    return message.format(minutes=minutes)


@pages.app_template_filter()
def chosen_for(event: Tournament) -> str:
    """Say how its games begin, and the clock."""
    message = _("From the empty board, {seconds}\u00a0s per move")
    if event.opening is Opening.SHARP:
        message = _("Sharp openings, {seconds}\u00a0s per move")
    return message.format(seconds=event.clock)


@pages.app_template_filter()
def stage_of(standing: Standing) -> str:
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
            message = _(
                "Round {round} of {rounds} is over: the next one starts in {seconds}\u00a0s."
            )
        return message.format(round=event.round, rounds=event.length, seconds=seconds)
    if not event.left:
        return _("Time is up: the last games are being finished.")
    return _("The tournament is on.")


@pages.app_template_filter()
def ends_in(event: Tournament) -> int | None:
    """Seconds left of a running arena."""
    runs = event.format is Format.ARENA and event.state is State.RUNNING
    return event.left // 1000 if runs else None


@pages.app_template_filter()
def why_closed(event: Tournament, own: Entrant | None) -> str:
    """Say why a viewer cannot join a tournament that is not over; ``own``: if they were in it."""
    if own and own.barred:
        return _("Your teacher has taken you out of this tournament.")
    if own is None and event.state is State.RUNNING and not event.late:
        return _("This tournament has started, so no one else can join.")
    return ""


def is_given_up(event: Tournament, opponent: str | None) -> str:
    """Warn that taking part gives up a game elsewhere with ``opponent``; empty without one."""
    if opponent is None or event.state is State.OVER:
        return ""
    message = _("When the tournament starts, you give up your game with {name}.")
    if event.state is State.RUNNING:
        message = _("When your first tournament game starts, you give up your game with {name}.")
    return message.format(name=words.isolated(opponent))


def mine_in(standing: Standing, me: str) -> str:
    """Tell a player what comes next; empty for anyone else."""
    event, own = standing.tournament, own_in(standing, me)
    over = event.state is State.OVER
    closed = "" if over else why_closed(event, own)
    if closed or own is None:
        return closed
    if event.state is State.WAITING and own.playing:
        return _("You are in. Your first game opens by itself when the tournament starts.")
    if not over and not own.playing:
        return gone(own)
    said = [went_well(standing, me) if over else place_in(standing, me)]
    if game := game_in(standing, me):
        (other,) = game.players - {me}
        said.append(_("You are playing against {name}.").format(name=name_in(standing, other)))
    elif _plays_on(standing, me):
        said.append(_("Your next game opens by itself."))
    return words.sentences(*said)


def went_well(standing: Standing, me: str) -> str:
    """Say what a player has done best, and by how many places they rose if these are shown."""
    games = standing.finished.values()
    beaten, drawn, up = highlights(standing.entrants, standing.matches, games, me)
    best = _("Your best win: {name}.") if beaten else _("Your best draw: {name}.") if drawn else ""
    rose = ngettext("{number} place up since half-time.", "{number} places up since half-time.", up)
    said = words.sentences(best, rose if up > 0 and place_in(standing, me) else "")
    return said.format(name=name_in(standing, beaten or drawn), number=up)


@pages.app_template_filter()
def game_in(standing: Standing, me: str) -> Game | None:
    return next((game for game in standing.going.values() if me in game.players), None)


def _plays_on(standing: Standing, me: str) -> bool:
    """Whether a player may get another game: none after the bell, or after the last round."""
    event = standing.tournament
    if event.state is State.OVER or event.format is Format.ARENA:
        return event.state is not State.OVER and event.left > 0
    own = (match for match in standing.matches if me in match.players)
    return event.round < event.length or any(match.step is not Step.DONE for match in own)


def name_in(standing: Standing, player: str | None) -> str:
    return words.isolated(standing.people[player or ""])


@pages.app_template_filter()
def podium_of(standing: Standing) -> list[Shown]:
    """The first three places among players who have points from games."""
    return podium((line for line in standing.table if line.games), standing.people)


@pages.app_template_filter()
def tie_break_of(standing: Standing) -> str:
    """Say what decided between equal points on the podium; empty if nothing had to."""
    steps = {line.place: line for line in standing.table if line.points and line.place <= PLACES}
    equal = [
        higher.sonneborn_berger == lower.sonneborn_berger
        for higher, lower in pairwise(steps.values())
        if higher.points == lower.points
    ]
    if not equal:
        return ""
    if any(equal):
        return _(
            "If points are equal, the player who beat stronger opponents comes first, and "
            "then the player with the larger share of good moves."
        )
    return _("If points are equal, the player who beat stronger opponents comes first.")


@pages.app_template_filter()
def results_of(match: Match, standing: Standing) -> str:
    """Say how a match's finished games ended; empty while there are none."""
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


@pages.app_template_filter()
def past_of(standing: Standing, me: str) -> Iterator[Shown]:
    for game in standing.finished.values():
        if me in (game.x, game.o):
            mine, other = (Mark.X, game.o) if game.x == me else (Mark.O, game.x)
            yield _past(game, mine, standing.people[other or ""])


def _past(game: Finished, mine: Mark, other: Player) -> Shown:
    """A finished game of a player's.

    Its review opens ``at`` a move; ``decided`` says what decided it, and may be empty.
    """
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
    return {
        "title": title.format(name=name),
        "player": other,
        "board": board_after(game.moves),
        "moves": game.moves if game.moved else "",
        "mark": mine.slug,
        "at": at,
        "decided": decided.format(name=name),
    }


def _decided(number: int, game: Finished, mine: Mark) -> str:
    """Say which move decided a game, or that the opening had."""
    if number <= game.given:
        return _("The opening had decided it.")
    if tuple(Mark)[(number - 1) % 2] is mine:
        message = _("Your move, number {number}, decided it.")
    else:
        message = _("Your opponent's move, number {number}, decided it.")
    return message.format(number=number)


@pages.app_template_filter()
def board_after(moves: str) -> Board:
    """The board after moves such as ``402``."""
    return boards(moves_of(moves))[-1]
