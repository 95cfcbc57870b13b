"""How a view answers: a whole page, or to htmx the part of it that changed."""

from flask import Response, g, make_response, redirect, render_template, request, url_for

from webapp.classroom import ASKED
from webapp.service import lobby, players, polls, puzzles, tournaments
from webapp.service.pov import Pov
from webapp.service.tournaments import Standing
from webapp.web.context import SEAT, site
from webapp.web.identity import is_teacher, player, returning
from webapp.web.present.beside import AfterView, present_after
from webapp.web.present.calls import CallsView, present_calls
from webapp.web.present.game import opponents


def wants_fragment() -> bool:
    """Tell whether htmx asks for a part of the page; it asks for whole pages too."""
    headers = request.headers
    return (
        headers.get("HX-Request") == "true"
        and headers.get("HX-Request-Type") != "full"
        and "HX-History-Restore-Request" not in headers
    )


def page(template: str, **values: object) -> str:
    """Render a whole page, with the viewer and their calls at its top unless they are given."""
    if "viewer" not in values:
        values["viewer"] = None if "out_of_reach" in g else players.known(site(), player())
    if "calls" not in values:
        values["calls"] = calls()
    return render_template(template, **values)


def calls(at: str = "") -> CallsView | None:
    """What calls the viewer from this page, if anything may.

    :param at: the id of the game whose page it is
    """
    unknown = "out_of_reach" in g or returning() is None
    found = None if unknown else lobby.calls_beside(site(), player(), at)
    return present_calls(found, at, asks=is_teacher()) if found else None


def retargeted(response: Response) -> Response:
    """Let htmx, which asked for a part of a page, put another page in its place."""
    if wants_fragment():
        response.headers["HX-Retarget"] = "body"
        response.headers["HX-Reswap"] = "innerHTML"
    return vary_on_htmx(response)


def part_or_page(part: str, whole: str, **values: object) -> Response:
    """Answer with a part of a page to htmx, else with all of it."""
    shown = render_template(part, **values) if wants_fragment() else page(whole, **values)
    return vary_on_htmx(make_response(shown))


def show(
    pov: Pov, status: int = 200, *, refusal: str = "", notice: str = "", begins: bool = False
) -> Response:
    """Answer with the board: as a fragment to htmx, else as the page.

    :param refusal: with ``notice``, as announced: see ``present.game.announcement``
    :param begins: whether another game begins with it, and with a player's first game a name
    """
    versus, after = _beside(pov)
    lead = ""
    if after and not after.waits and wants_fragment():  # the last game has ended before their eyes
        lead = url_for("tournaments.tournament", id_=after.id)
    asked = polls.going(site()) if pov.paused == ASKED and pov.marks and not is_teacher() else None
    values: dict[str, object] = {
        "pov": pov,
        "asked": asked and asked.id,
        "engines": site().engines,
        "address": url_for("play.game", game_id=pov.game.id) if pov.game.id else "",
        "viewer": pov.viewer,
        "refusal": refusal,
        "notice": after.gained if after else notice,
        "looks": request.method == "GET",
        "still": bool(notice),
        "versus": versus,
        "after": after,
        "lead": lead,
    }
    if not pov.game.id:
        others, faces = lobby.others_here(site(), player())
        values |= {"others": others, "faces": faces, "puzzle": puzzles.todays(site())}
    if wants_fragment():
        found = calls(pov.game.id if pov.live else "") if begins else None
        shown = render_template("play/_answer.html", begins=begins, calls=found, **values)
    else:
        leads_by_itself = versus and (after is None or after.waits)
        found = None if leads_by_itself else calls(pov.game.id if pov.live else "")
        lines = opponents(pov, site().engines)
        shown = render_template("play/play.html", opponents=lines, calls=found, **values)
    return vary_on_htmx(make_response(shown, status))


def _beside(pov: Pov) -> tuple[Standing | None, AfterView | None]:
    """The tournament that a player sees beside a game of it, and what a finished one has brought.

    Nothing with a move in the middle of a game, which changes none of it and is answered quickly.
    """
    game = pov.game
    if not game.tournament or not pov.marks or (wants_fragment() and not game.outcome):
        return None, None
    standing = tournaments.standing(site(), game.tournament)
    return standing, present_after(standing, pov) if game.outcome else None


def game_response(pov: Pov, notice: str = "") -> Response:
    """Answer a POST that succeeded: 303 to the game, or to htmx the board itself."""
    game = pov.game
    if pov.marks:
        request.environ[SEAT] = game.id
    address = url_for("play.game", game_id=game.id) if game.version else url_for("play.front")
    if not wants_fragment():
        return vary_on_htmx(make_response(redirect(address, 303)))
    elsewhere = (request.view_args or {}).get("game_id") != game.id
    response = show(pov, notice=notice, begins=elsewhere)
    if elsewhere:
        response.headers["HX-Push-Url"] = address
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
