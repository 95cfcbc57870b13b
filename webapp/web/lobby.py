"""The class: who plays whom, joining by a code, and standings."""

from functools import lru_cache

import segno
from flask import Blueprint, Response, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from webapp import words
from webapp.core.game import NotAllowed
from webapp.service import lobby, players, polls, puzzles, teacher, wishes
from webapp.service.lobby import LobbyView
from webapp.service.refusals import Refusal, Unknown
from webapp.service.seats import AlreadyPlaying
from webapp.web import forms, respond
from webapp.web.context import site
from webapp.web.errors import STATUS
from webapp.web.identity import is_teacher, player, returning
from webapp.web.present.calls import present_calls
from webapp.web.present.lobby import present_class
from webapp.web.respond import hx_redirect, page, part_or_page, retargeted, wants_fragment

pages = Blueprint("lobby", __name__)


@pages.app_template_global()
def again() -> str:
    """The address of the page that is shown, at which a page without scripts asks again."""
    values = request.args.to_dict() | (request.view_args or {}) | {"here": 1}
    return url_for(request.endpoint or "lobby.class_", **values)


@pages.get("/class")
def class_() -> ResponseReturnValue:
    """Show who is here, the games that go on, and the standings.

    A page whose viewer was waiting for an opponent is led to the game that has begun meanwhile.
    """
    asked = None if is_teacher() else polls.going(site())
    if asked and asked.calls:
        return hx_redirect(url_for("polls.question", id_=asked.id))
    found = lobby.overview(site(), player())
    waited = forms.flag(request.args, "looking") and not found.wish
    if waited and (game_id := lobby.begun(site(), player())):
        return hx_redirect(url_for("play.game", game_id=game_id))
    return _shown(found)


@pages.post("/class/come-in")
def come_in() -> ResponseReturnValue:
    """Count a player as here, with a name; a page that is seen sends this by itself.

    Not the teacher, and no browser that has yet to show that it keeps its cookie.
    """
    if returning() and not is_teacher():
        site().live.asked(player())
        players.welcome(site(), player())
    if not wants_fragment():
        return redirect(url_for("lobby.class_"), 303)
    return _shown(lobby.overview(site(), player()), came=True)


@pages.get("/calls")
def calls() -> ResponseReturnValue:
    """Show what calls the player to a game; ``at`` is the id of the game whose page it is."""
    at = request.args.get("at", "")
    view = present_calls(lobby.calls(site(), player(), at), at, asks=is_teacher())
    return part_or_page("_calls.html", "calls.html", calls=view)


@pages.app_template_global()
@lru_cache(maxsize=64)
def qr_drawn(address: str) -> Markup:
    """A QR code within a page: dark on light by day and by night."""
    drawn = segno.make_qr(address)
    return Markup(drawn.svg_inline(border=3, omitsize=True, dark="#14201b", light="#fffdf8"))  # noqa: S704


@pages.post("/challenges")
def challenge() -> ResponseReturnValue:
    """Open a game for a classmate to join; or, with ``to``, ask that one player for a game."""
    give_up = forms.flag(request.form, "give_up")
    if "to" in request.form:
        return _ask(give_up=give_up)
    mark = forms.challenge_mark(request.form)
    site().live.asked(player())
    wishes.invite(site(), player(), mark, give_up=give_up)
    return _to_the_class()


def _ask(*, give_up: bool) -> ResponseReturnValue:
    """Ask a player for a game; where that cannot be, say why on the page of the class."""
    try:
        asked, accept = forms.asked(request.form), forms.flag(request.form, "accept")
        site().live.asked(player())
        asked_id = teacher.numbered(site(), asked).id
        game_id = wishes.ask(site(), player(), asked_id, accept=accept, give_up=give_up)
    except AlreadyPlaying:
        raise
    except (NotAllowed, Refusal) as error:
        found = lobby.overview(site(), player())
        return make_response(_shown(found, said=words.told(error)), STATUS[type(error)])
    return hx_redirect(url_for("play.game", game_id=game_id)) if game_id else _to_the_class()


@pages.post("/challenges/<int:number>/decline")
def decline(number: int) -> ResponseReturnValue:
    """Decline to play with the player of this number, who asks for a game."""
    wishes.decline(site(), player(), teacher.numbered(site(), number).id)
    return calls() if wants_fragment() else redirect(url_for("lobby.class_"), 303)


@pages.post("/seeks")
def seek() -> ResponseReturnValue:
    """Sit down with a player who looks for an opponent, or begin to look for one."""
    try:
        game_id = wishes.seek(site(), player(), give_up=forms.flag(request.form, "give_up"))
    except AlreadyPlaying as error:
        # Pressed once more, or found by someone else meanwhile.
        game_id = lobby.begun(site(), player())
        if game_id is None and wants_fragment():
            game_id = error.pairing.game.id
        if game_id is None:
            raise
    return hx_redirect(url_for("play.game", game_id=game_id)) if game_id else _to_the_class()


@pages.post("/seeks/cancel")
def cancel() -> ResponseReturnValue:
    """Wait for no opponent any more."""
    wishes.cancel(site(), player())
    return _to_the_class()


def _to_the_class() -> ResponseReturnValue:
    """Lead to the class, or show it to a page that has it already; or to a game that has begun."""
    on_class = request.headers.get("HX-Target", "").endswith("#class")
    if not (on_class and wants_fragment()):
        return hx_redirect(url_for("lobby.class_"))
    found = lobby.overview(site(), player())
    mine = found.mine_now
    if mine and not found.wish:
        return hx_redirect(url_for("play.game", game_id=mine.game.id))
    return _shown(found)


@pages.get("/join")
def find() -> ResponseReturnValue:
    """Go to the game with a typed ``code``, or ask for the code again if there is none."""
    typed = request.args.get("code", "").strip()
    if not typed:
        return redirect(url_for("lobby.class_"), 303)
    try:
        wish, _host = wishes.invitation(site(), typed)
    except Unknown as error:
        found = lobby.overview(site(), player())
        return make_response(_shown(found, typed=typed, refusal=words.told(error)), 404)
    return redirect(url_for("lobby.invitation", code=wish.code), 303)


@pages.get("/join/<code>")
def invitation(code: str, refusal: str = "") -> ResponseReturnValue:
    """Show who opened the game, who sees the code on the page of the class; no one sits by this."""
    try:
        wish, host = wishes.invitation(site(), code)
    except Unknown as error:
        return _to_own_game(error)
    if host.id == player():
        return hx_redirect(url_for("lobby.class_"))
    return page("lobby/join.html", wish=wish, host=host, refusal=refusal)


@pages.post("/join/<code>")
def join(code: str) -> ResponseReturnValue:
    """Begin the game with the player who has opened it."""
    try:
        game_id = wishes.join(site(), code, player(), give_up=forms.flag(request.form, "give_up"))
    except AlreadyPlaying:
        raise
    except NotAllowed as error:
        return make_response(invitation(code, words.told(error)), 409)
    except Unknown as error:
        return _to_own_game(error)
    lead = url_for("play.game", game_id=game_id) if game_id else url_for("lobby.class_")
    return redirect(lead, 303)


def _to_own_game(error: Unknown) -> ResponseReturnValue:
    """Lead a player who sits in a game to it: its code leads nowhere once two sit."""
    if game_id := lobby.begun(site(), player(), just=False):
        return redirect(url_for("play.game", game_id=game_id), 303)
    raise error


def _shown(
    lobby: LobbyView, typed: str = "", refusal: str = "", said: str = "", *, came: bool = False
) -> Response:
    """Show the class.

    :param typed: a code that leads to no game, and ``refusal`` why
    :param said: why a player could not be asked for a game
    :param came: whether the viewer has just come in
    """
    view = present_class(lobby, comes=lobby.me.name is None and not is_teacher())
    if not view["begun"]:
        view["puzzle"] = puzzles.todays(site()).board
    values: dict[str, object] = {"typed": typed, "refusal": refusal, "said": said, "came": came}
    if wants_fragment():
        # A page in which nothing calls yet does not ask for calls itself.
        values["calls"] = respond.calls() if view["called"] else None
    return part_or_page(
        "lobby/_class_answer.html", "lobby/class.html", view=view, viewer=lobby.me, **values
    )


@pages.errorhandler(AlreadyPlaying)
def already_playing(error: AlreadyPlaying) -> Response:
    """Ask whether to give up the game that the player is in, with the form that does it."""
    return retargeted(make_response(page("lobby/already_playing.html", pairing=error.pairing), 409))
