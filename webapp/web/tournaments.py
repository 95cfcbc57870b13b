"""Tournaments: their pages, and what players do in them. The teacher's part is in ``teacher``."""

from flask import Blueprint, Response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp import words
from webapp.core.game import NotAllowed
from webapp.service import games, lobby, tournaments
from webapp.web.context import site
from webapp.web.errors import small_page
from webapp.web.identity import player
from webapp.web.present.beside import present_after
from webapp.web.present.lobby import is_given_up
from webapp.web.present.tournament import mine_in
from webapp.web.respond import hx_redirect, part_or_page, vary_on_htmx, wants_fragment

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
    if pov.game.tournament != id_ or not pov.marks or not pov.game.outcome:
        return hx_redirect(lead)
    view = present_after(tournaments.standing(site(), id_), pov)
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
