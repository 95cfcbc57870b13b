"""How a view answers: a whole page, or to htmx the part of it that changed."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from flask import (
    Response,
    current_app,
    g,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)

from webapp.core.game import Game
from webapp.service.games import Games
from webapp.service.lobby import Calls, Lobby
from webapp.service.players import Players
from webapp.service.pov import Pov
from webapp.service.seeks import Seeks
from webapp.service.tournaments import Tournaments
from webapp.store import topics
from webapp.web.identity import player, returning
from webapp.web.present.beside import AfterView, VersusView, present_after, present_versus
from webapp.web.present.calls import CallsView, present_calls
from webapp.web.present.game import noticed, opponents, present_game
from webapp.web.present.views import PlayView
from webapp.web.waits import CALLS, watch, watch_also

_Service = TypeVar("_Service")


def service(kind: type[_Service]) -> _Service:
    """Return what this server has of a kind of service."""
    found: _Service = current_app.extensions[kind.__name__.lower()]
    return found


games = partial(service, Games)
players = partial(service, Players)
lobby = partial(service, Lobby)
seeks = partial(service, Seeks)
tournaments = partial(service, Tournaments)


def wants_fragment() -> bool:
    """Tell whether htmx asks for a part of the page; it asks for whole pages too."""
    headers = request.headers
    return (
        headers.get("HX-Request") == "true"
        and headers.get("HX-Request-Type") != "full"
        and "HX-History-Restore-Request" not in headers
    )


def page(template: str, **values: object) -> str:
    """Render a whole page, with the viewer's name and calls at its top unless they are given."""
    if "my_name" not in values:
        values["my_name"] = None if "out_of_reach" in g else players().name(player())
    return render_template(template, **{"calls": calls(), **values})


def calls(at: str = "") -> CallsView | None:
    """What calls the viewer from this page, if anything may.

    :param at: the id of the game whose page it is
    """
    if "out_of_reach" in g or returning() is None:
        return None
    return watched_calls(lobby().calls_beside, at)


def watched_calls(find: Callable[[str, str], Calls | None], at: str) -> CallsView | None:
    """The same for a page that is about these calls alone.

    :param find: returns what may call a player on a page
    """
    watch(topics.calls(player()), topics.NAMES, of=CALLS)
    found = find(player(), at)
    if found and found.event:
        watch_also(topics.tournament(found.event.id), of=CALLS)
    return present_calls(found, at) if found else None


def retargeted(response: Response) -> Response:
    """Let htmx, which asked for a part of a page, put another page in its place."""
    if wants_fragment():
        response.headers["HX-Retarget"] = "body"
        response.headers["HX-Reswap"] = "innerHTML"
    return vary_on_htmx(response)


def part_or_page(part: str, whole: str, **values: object) -> Response:
    """Answer with a part of a page to htmx, else with all of it."""
    if wants_fragment():
        return vary_on_htmx(make_response(render_template(part, **values)))
    return vary_on_htmx(make_response(page(whole, **values)))


def show(view: PlayView, status: int = 200, *, begins: bool = False, says: bool = True) -> Response:
    """Answer with the board: as a fragment to htmx, else as the page.

    :param begins: whether another game begins with it, and with a player's first game a name
    :param says: whether there is anything to announce
    """
    versus, after = _beside(view)
    lead = ""
    if after:
        view = replace(view, notice=after.gained)
        if not after.waits and wants_fragment():  # the last game has ended before their eyes
            lead = url_for("tournaments.tournament", id_=after.id)
    values = {
        "versus": versus,
        "after": after,
        "lead": lead,
        "view": view,
        "address": url_for("play.game", game_id=view.id) if view.id else "",
        "my_name": view.pov.name,
    }
    if wants_fragment():
        elsewhere = view.pov.event and view.outcome and not versus
        found = calls(view.id) if elsewhere else None
        shown = render_template(
            "play/_answer.html", begins=begins, says=says, calls=found, **values
        )
    else:
        lines = opponents(games().engines, view.pov.options.opponent)
        leads_by_itself = versus and (after is None or after.waits)
        found = None if leads_by_itself else calls(view.id if view.live else "")
        shown = render_template("play/play.html", opponents=lines, calls=found, **values)
    return vary_on_htmx(make_response(shown, status))


def _beside(view: PlayView) -> tuple[VersusView | None, AfterView | None]:
    """What a player sees of a tournament beside a game of it.

    Nothing with a move in the middle of a game, which changes none of it and is answered quickly.
    """
    game, pov = view.pov.game, view.pov
    if not game.tournament or not pov.marks or (wants_fragment() and not game.outcome):
        return None, None
    found = tournaments().beside(game.tournament, game.id, player())
    return present_versus(found, pov), present_after(found, pov) if game.outcome else None


def game_response(pov: Pov, notice: str = "") -> Response:
    """Answer a POST that succeeded: 303 to the game, or to htmx the board itself.

    :param notice: one sentence about what was done, where the board does not say it
    """
    if not wants_fragment():
        return vary_on_htmx(make_response(redirect(_address(pov.game), 303)))
    view = present_game(pov, games().engines)
    elsewhere = (request.view_args or {}).get("game_id") != pov.game.id
    response = show(noticed(view, notice) if notice else view, begins=elsewhere)
    if elsewhere:
        response.headers["HX-Push-Url"] = _address(pov.game)
    return response


def hx_redirect(address: str) -> Response:
    """Send the browser to another page, whole, whether htmx asks or the browser itself."""
    if not wants_fragment():
        return vary_on_htmx(make_response(redirect(address, 303)))
    response = vary_on_htmx(make_response("", 200))
    response.headers["HX-Redirect"] = address
    return response


def vary_on_htmx(response: Response) -> Response:
    """Say in an answer that it depends on what htmx asks for."""
    response.headers["Vary"] = "HX-Request, HX-Request-Type, HX-History-Restore-Request"
    return response


def _address(game: Game) -> str:
    return url_for("play.game", game_id=game.id) if game.version else url_for("play.front")
