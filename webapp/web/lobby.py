"""The class: who plays whom, joining by a code, and standings."""

from functools import lru_cache
from typing import TypeAlias

import segno
from flask import Blueprint, Response, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from webapp import words
from webapp.analysis.ratings import OTHERS
from webapp.classroom import NONE
from webapp.core.board import Mark
from webapp.core.game import NotAllowed
from webapp.names import Player
from webapp.service import lobby, players, puzzles, teacher, tickets, wishes
from webapp.service.lobby import Ask, LobbyView, Person
from webapp.service.ranking import Place
from webapp.service.refusals import Refusal, Unknown
from webapp.service.seats import AlreadyPlaying, Pairing
from webapp.tournament.event import State
from webapp.web import forms, respond
from webapp.web.calls import present_calls
from webapp.web.context import site
from webapp.web.errors import STATUS
from webapp.web.games import who_beat_whom
from webapp.web.identity import browser, is_teacher, player, returning
from webapp.web.respond import (
    Shown,
    hx_redirect,
    page,
    part_or_page,
    retargeted,
    wants_fragment,
)
from webapp.web.tickets import of_code
from webapp.web.tournaments import is_given_up, title_of, why_closed
from webapp.words.language import _, ngettext, pgettext

pages = Blueprint("lobby", __name__)

Line: TypeAlias = tuple[Place, Player]
"""A line of the standings."""

PEOPLE_SHOWN = 60
"""How many of the players who are here are named."""

BEST, AROUND, IN_SIGHT = 3, 2, 8
"""How many of the first places are shown, how many above and below the viewer's, and in all."""

JUST_FINISHED = 3

MEET = OTHERS + 1
"""How many classmates two players must have met for their games to count."""


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
    view = lobby.overview(site(), player())
    if view.poll and view.poll.calls and not is_teacher():
        return hx_redirect(url_for("polls.question", id_=view.poll.id))
    waited, mine = forms.flag(request.args, "looking") and not view.wish, view.mine_now
    if waited and mine and len(mine.game.moves) < len(Mark):
        return hx_redirect(url_for("play.game", game_id=mine.game.id))
    return _shown(view)


@pages.post("/class/come-in")
def come_in() -> ResponseReturnValue:
    """Count a player as here, and give them a name; a page that is seen sends this by itself.

    The teacher does not count, nor a browser that may keep no cookie.
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
    view = present_calls(lobby.calls(site(), player(), browser(), at), at, asks=is_teacher())
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
        view = lobby.overview(site(), player())
        return make_response(_shown(view, said=words.told(error)), STATUS[type(error)])
    return hx_redirect(url_for("play.game", game_id=game_id)) if game_id else _to_the_class()


@pages.post("/challenges/<int:number>/decline")
def decline(number: int) -> ResponseReturnValue:
    wishes.decline(site(), player(), teacher.numbered(site(), number).id)
    return calls() if wants_fragment() else redirect(url_for("lobby.class_"), 303)


@pages.post("/seeks")
def seek() -> ResponseReturnValue:
    """Sit down with a player who looks for an opponent, or begin to look for one."""
    try:
        game_id = wishes.seek(site(), player(), give_up=forms.flag(request.form, "give_up"))
    except AlreadyPlaying as error:
        # A second press, or another player was quicker.
        game_id = lobby.begun(site(), player())
        if game_id is None and wants_fragment():
            game_id = error.pairing.game.id
        if game_id is None:
            raise
    return hx_redirect(url_for("play.game", game_id=game_id)) if game_id else _to_the_class()


@pages.post("/seeks/cancel")
def cancel() -> ResponseReturnValue:
    wishes.cancel(site(), player())
    return _to_the_class()


def _to_the_class() -> ResponseReturnValue:
    """Lead to a game that has begun, or to the class, or show it on a page that has it already."""
    on_class = request.headers.get("HX-Target", "").endswith("#class")
    if not (on_class and wants_fragment()):
        return hx_redirect(url_for("lobby.class_"))
    view = lobby.overview(site(), player())
    if view.mine_now and not view.wish:
        return hx_redirect(url_for("play.game", game_id=view.mine_now.game.id))
    return _shown(view)


@pages.post("/join")
def find() -> ResponseReturnValue:
    """Go to the game with a typed ``code``, or to the ticket; or ask for it again if there is none.

    No address holds it: a ticket's is a secret.
    """
    typed = forms.text(request.form, "code", "").strip()
    if not typed:
        return redirect(url_for("lobby.class_"), 303)
    if len(wishes.as_code(typed)) == tickets.LENGTH:
        return of_code(typed)
    try:
        wish, _host = wishes.invitation(site(), typed)
    except Unknown as error:
        view = lobby.overview(site(), player())
        return make_response(_shown(view, typed=typed, refusal=words.told(error)), 404)
    return redirect(url_for("lobby.invitation", code=wish.code), 303)


@pages.get("/join/<code>")
def invitation(code: str, refusal: str = "") -> ResponseReturnValue:
    """Show who opened the game; joining is a POST."""
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
    """Lead a player to their own game, whose code leads nowhere once both sit."""
    if game_id := lobby.begun(site(), player(), just=False):
        return redirect(url_for("play.game", game_id=game_id), 303)
    raise error


def _shown(
    lobby: LobbyView, typed: str = "", refusal: str = "", said: str = "", *, came: bool = False
) -> Response:
    """Show the class; ``typed`` is a code of no game, ``said`` why a player could not be asked."""
    view = present_class(lobby, comes=lobby.me.name is None and not is_teacher())
    if not view["begun"]:
        view["puzzle"] = puzzles.todays(site()).board
    values: dict[str, object] = {"typed": typed, "refusal": refusal, "said": said, "came": came}
    if wants_fragment():
        # A page in which nothing calls yet does not ask for calls itself.
        called = view["called"] or site().browsers.calls(browser(), player(), site().now())
        values["calls"] = respond.calls() if called else None
    return part_or_page(
        "lobby/_class_answer.html", "lobby/class.html", view=view, viewer=lobby.me, **values
    )


@pages.errorhandler(AlreadyPlaying)
def already_playing(error: AlreadyPlaying) -> Response:
    """Ask whether to give up the game that the player is in, with the form that does it."""
    return retargeted(make_response(page("lobby/already_playing.html", pairing=error.pairing), 409))


# --- what is shown --------------------------------------------------------------------------------


def present_class(lobby: LobbyView, *, comes: bool = False) -> Shown:
    """Choose what a player sees of the class; ``comes``: a newcomer who has yet to come in."""
    others = [person for person in lobby.here if person.player.id != lobby.me.id]
    others.sort(key=lambda person: person.playing is not None)
    free = [person for person in others if not person.playing]
    placed = [line for line in lobby.table if line[0].place]
    unplaced = [line for line in lobby.table if not line[0].place]
    listed = any(place.player == lobby.me.id for place, _player in unplaced)
    if lobby.me.name and not (placed or listed):
        unplaced.append((Place(lobby.me.id), lobby.me))
    ended = [each for each in lobby.ended if each.game.moved and not each.game.cancelled]
    return {
        "me": lobby.me,
        "comes": comes,
        "mine": lobby.mine_now,
        "looking": _looking(free) if lobby.wish and lobby.wish.for_anyone else "",
        "free": [person.player for person in free],
        "free_in_s": lobby.free_in_s,
        "seeking": _seeking(others),
        "code": lobby.wish and lobby.wish.code,
        "waits": lobby.wish is not None,
        "called": any(person.ask is Ask.ASKS for person in others),
        "event": _event(lobby),
        "paused": lobby.lesson.paused,
        "here": others[:PEOPLE_SHOWN],
        "more_here": max(0, len(others) - PEOPLE_SHOWN),
        "counts": _counts(others),
        "games": lobby.games,
        "places": placed,
        "unplaced": unplaced,
        "in_sight": _in_sight([*placed, *unplaced], lobby.me),
        "meet": MEET,
        "begun": lobby.lesson.places != NONE and bool(lobby.games or lobby.today or placed),
        "ended": [(_winner(pairing), who_beat_whom(pairing)) for pairing in ended[:JUST_FINISHED]],
    }


def _looking(free: list[Person]) -> str:
    message = ngettext(
        "{number} is free and sees that you are looking.",
        "{number} are free and see that you are looking.",
        len(free),
    )
    return message.format(number=len(free)) if free else _("No one else is free yet.")


def _seeking(others: list[Person]) -> str:
    number = sum(person.looking for person in others)
    message = ngettext("{number} is looking now.", "{number} are looking now.", number)
    return message.format(number=number) if number else ""


def _counts(others: list[Person]) -> str:
    playing = sum(person.playing is not None for person in others)
    message = _("{free} free, {playing} playing ·")
    return message.format(free=len(others) - playing, playing=playing)


def _in_sight(lines: list[Line], me: Player) -> list[tuple[Place, Player, bool]]:
    """The first lines and those around the viewer's, each with whether there is a gap before it."""
    own = next((n for n, (_place, player) in enumerate(lines) if player == me), 0)
    start = max(BEST, min(own - AROUND, len(lines) - (IN_SIGHT - BEST)))
    shown = [*range(BEST), *range(start, start + IN_SIGHT - BEST)]
    return [
        (*lines[n], n == start > BEST or (lines[n][0].place or 0) > n + 1)
        for n in shown
        if n < len(lines)
    ]


@pages.app_template_filter()
def missing(place: Place) -> str:
    more = max(0, MEET - place.met)
    return ngettext("{number} to go", "{number} to go", more).format(number=more) if more else ""


def _winner(pairing: Pairing) -> Player:
    """The winner; of a draw, the player of X."""
    winner = pairing.game.outcome and pairing.game.outcome.winner
    return pairing.player(winner or Mark.X) or Player("", None)


def _event(lobby: LobbyView) -> Shown | None:
    event, own = lobby.tournament, lobby.entrant
    if event is None or event.state is State.OVER:
        return None
    return {
        "id": event.id,
        "title": title_of(event),
        "is_in": own is not None and own.playing,
        "runs": event.state is State.RUNNING,
        "given_up": is_given_up(event, _opponent(lobby)),
        "closed": why_closed(event, own),
    }


def _opponent(lobby: LobbyView) -> str | None:
    mine = lobby.mine_now
    if mine is None or mine.game.tournament:
        return None
    (mark,) = mine.game.marks_of(lobby.me.id)
    return str(mine.player(mark.other))


@pages.app_template_filter()
def doing(person: Person) -> str:
    """Say what a player who is here does, or wants of the viewer."""
    if person.ask in (Ask.ASKED, Ask.ASKS):
        # Translators: below a player's name, as are "invites you", "is busy", "looking" (for an
        # opponent) and "free"; pressing it takes the request back
        return _("invited · cancel") if person.ask is Ask.ASKED else _("invites you")
    if person.playing:
        # Translators: of a player, in a game with a classmate
        return _("playing")
    if person.ask:
        return _("is busy")
    if person.wish:
        return _("looking") if person.looking else _("open game")
    alone = pgettext("below a player's name", "plays the computer")
    return alone if person.at_computer else _("free")
