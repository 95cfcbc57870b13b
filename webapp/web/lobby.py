"""The class: challenges, joining, standings, and the view for the wall."""

from functools import lru_cache
from urllib.parse import urlsplit

import segno
from flask import Blueprint, current_app, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from webapp.config import LOOPBACK
from webapp.core.game import NotAllowed
from webapp.service.lobby import as_code
from webapp.web import forms
from webapp.web.answers import games, lobby, page, part_or_page
from webapp.web.identity import player
from webapp.web.present.lobby import present_class, present_pairing, present_wall

pages = Blueprint("lobby", __name__)


@pages.app_template_global()
def public(path: str) -> str:
    """The address by which others know a page of this server."""
    known_as = current_app.config["PUBLIC_URL"]
    if known_as is None:
        return f"{request.host_url.rstrip('/')}{path}"
    return f"{known_as}{path.removeprefix(current_app.config['BASE_PATH'])}"


@pages.app_template_test()
def for_others(address: str) -> bool:
    """Tell whether other computers may reach an address, as far as one can see from it."""
    return urlsplit(address).hostname not in LOOPBACK


# Drawing one takes longer than a whole page, and a waiting page shows the same again and again.
@pages.app_template_global()
@lru_cache(maxsize=512)
def qr_code(address: str) -> Markup:
    """A QR code of an address, black on white in every light, as cameras want it."""
    drawn = segno.make_qr(address).svg_inline(border=2, omitsize=True, dark="#000", light="#fff")
    named = drawn.replace("<svg", '<svg role="img" aria-label="QR code of this address"', 1)
    return Markup(named)  # noqa: S704 - it is made of numbers


@pages.get("/class")
def class_() -> ResponseReturnValue:
    """Show challenges, games in progress, standings, and the viewer's own games."""
    found = lobby().overview(player())
    view = present_class(found, games().engines)
    return part_or_page("lobby/_class.html", "lobby/class.html", view=view, my_name=found.name)


@pages.get("/class/board")
def board() -> ResponseReturnValue:
    """Show as much of it as fits on a wall: large, with the way in as a QR code."""
    view = present_wall(lobby().overview(player()))
    return part_or_page("lobby/_wall.html", "lobby/wall.html", view=view, my_name=None)


@pages.post("/challenges")
def challenge() -> ResponseReturnValue:
    """Open a game for a classmate to join."""
    game_id = lobby().challenge(player(), forms.challenge_mark(request.form))
    return redirect(url_for("play.game", game_id=game_id), 303)


@pages.get("/join")
def find() -> ResponseReturnValue:
    """Go to the challenge with a typed ``code``."""
    code = as_code(request.args.get("code", ""))
    return redirect(url_for("lobby.invitation", code=code or "-"), 303)


@pages.get("/join/<code>")
def invitation(code: str) -> ResponseReturnValue:
    """Show whose challenge it is; looking takes no seat."""
    return _invitation(code)


@pages.post("/join/<code>")
def join(code: str) -> ResponseReturnValue:
    """Take the free seat."""
    try:
        game_id = lobby().join(code, player())
    except NotAllowed as error:
        return make_response(_invitation(code, str(error)), 409)
    return redirect(url_for("play.game", game_id=game_id), 303)


def _invitation(code: str, refusal: str = "") -> str:
    view = present_pairing(lobby().invitation(code, player()))
    return page("lobby/join.html", view=view, refusal=refusal)
