"""Playing: the front page, the games, what a player can do in them, and what stands beside."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial, wraps
from typing import TypeAlias

from flask import (
    Blueprint,
    Response,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue
from markupsafe import Markup, escape

from webapp import words
from webapp.analysis.worth import worth
from webapp.core.game import ABSENT_AFTER, MENACE, Game, Kind
from webapp.core.options import FRIEND
from webapp.core.record import Record
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES, LEVELS, LITERATURE
from webapp.engines.rules import PREFIX
from webapp.service import games, wishes
from webapp.service.pov import PHASES, Pov, Unfinished
from webapp.service.refusals import NotYourGame, Unacceptable, UnknownGame
from webapp.store import topics
from webapp.tournament.event import State
from webapp.web import forms
from webapp.web.beside import present_after
from webapp.web.context import SEAT, site
from webapp.web.errors import REFUSALS, STATUS
from webapp.web.games import Engines, heading, name_of, opponent_of, person_name, sentence
from webapp.web.identity import is_teacher, player, returning
from webapp.web.respond import Shown, calls, hx_redirect, vary_on_htmx, wants_fragment
from webapp.words.language import N_, _, ngettext

pages = Blueprint("play", __name__)


NO_COOKIES = N_(
    "This browser keeps no cookies, so this site cannot tell who plays. Allow cookies for it, "
    "and load the page again."
)

View: TypeAlias = Callable[..., ResponseReturnValue]


def shows_the_board(view: View) -> View:
    """Let a view that is refused show the game as it stands, and why."""

    @wraps(view)
    def shown(game_id: str = "") -> ResponseReturnValue:
        try:
            return view(game_id) if game_id else view()
        except UnknownGame:
            raise
        except REFUSALS as error:
            pov = _look(game_id) if game_id else games.front(site(), player(), _meant())
            called = None if wants_fragment() or not pov.question else calls()
            if called and called.question:  # a page with scripts is led by itself
                return hx_redirect(url_for("polls.question", id_=called.question))
            unknown = isinstance(error, NotYourGame) and returning() is None
            refusal = _(NO_COOKIES) if unknown else words.told(error)
            return show(pov, STATUS[type(error)], refusal=refusal)

    return shown


def _look(game_id: str) -> Pov:
    return (games.look if wants_fragment() else games.page)(site(), game_id, player())


def _meant() -> dict[str, str]:
    """The options of a request that is refused, if they can be read."""
    with suppress(Unacceptable):
        return forms.options(request.values, site().engines)
    return {}


@pages.get("/")
@shows_the_board
def front() -> ResponseReturnValue:
    """Show an empty board, ready to play; ``opponent`` and ``mark`` may prepare it."""
    return show(games.front(site(), player(), forms.options(request.args, site().engines)))


@pages.post("/games")
@shows_the_board
def start() -> ResponseReturnValue:
    """Start a game, with the player's first move or the engine's; ``moves`` are there already."""
    chosen, given = forms.all_options(request.form, site().engines), forms.moves(request.form)
    cell = forms.cell(request.form) if "cell" in request.form else None
    key = request.form.get("key") or secrets.token_urlsafe()
    return game_response(games.start(site(), player(), chosen, cell, key=key, given=given))


@pages.get("/games/<game_id>")
@shows_the_board
def game(game_id: str) -> ResponseReturnValue:
    """Show a game, to its player or to a watcher; of one that has yet to begin, the invitation."""
    try:
        pov = _look(game_id)
    except UnknownGame:
        if code := wishes.code_of(site(), game_id):
            return hx_redirect(url_for("lobby.invitation", code=code))
        raise
    if pov.marks:
        request.environ[SEAT] = game_id
    elif "seat" in request.args:  # of a player whom the teacher has removed since
        return hx_redirect(url_for("lobby.class_"))
    if pov.live and pov.game.next_id and wants_fragment():
        return hx_redirect(url_for("play.game", game_id=pov.game.next_id))
    return show(pov)


@pages.post("/games/<game_id>/moves")
@shows_the_board
def move(game_id: str) -> ResponseReturnValue:
    cell, version = forms.cell(request.form), forms.version(request.form)
    return game_response(games.play(site(), game_id, player(), cell, version))


@pages.post("/games/<game_id>/undo")
@shows_the_board
def undo(game_id: str) -> ResponseReturnValue:
    pov = games.undo(site(), game_id, player(), forms.version(request.form))
    return game_response(pov, notice=_("Move taken back."))


@pages.post("/games/<game_id>/again")
@shows_the_board
def again(game_id: str) -> ResponseReturnValue:
    """Go on to the next game; between two devices, once both have asked."""
    chosen = forms.options(request.form, site().engines)
    return game_response(games.again(site(), game_id, player(), chosen))


def _act(act: Callable[..., Pov], game_id: str) -> ResponseReturnValue:
    return game_response(act(site(), game_id, player(), forms.version(request.form)))


for _name, _does in {"hint": games.hint, "resign": games.resign, "claim": games.claim}.items():
    _view = shows_the_board(partial(_act, _does))
    pages.add_url_rule(f"/games/<game_id>/{_name}", _name, _view, methods=["POST"])


# --- how a game is shown --------------------------------------------------------------------------


def show(
    pov: Pov, status: int = 200, *, refusal: str = "", notice: str = "", begins: bool = False
) -> Response:
    """Answer with the board: as a fragment to htmx, else as the page.

    :param refusal: with ``notice``: see :func:`announcement`
    :param begins: whether a new game begins, and perhaps its player gets a name
    """
    ended = pov.standing if pov.game.outcome else None
    after = present_after(ended, pov) if ended else None
    lead = ""
    if after and not after.waits and wants_fragment():  # the last game has ended before their eyes
        lead = url_for("tournaments.tournament", id_=after.id)
    values: dict[str, object] = {
        "pov": pov,
        "asked": None if is_teacher() else pov.question,
        "engines": site().engines,
        "address": url_for("play.game", game_id=pov.game.id) if pov.game.id else "",
        "viewer": pov.viewer,
        "refusal": refusal,
        "notice": after.gained if after else notice,
        "looks": request.method == "GET",
        "still": bool(notice),
        "versus": pov.standing,
        "after": after,
        "lead": lead,
    }
    if wants_fragment():
        found = calls(pov.game.id if pov.live else "") if begins else None
        shown = render_template("play/_answer.html", begins=begins, calls=found, **values)
    else:
        leads_by_itself = pov.standing and (after is None or after.waits)
        found = None if leads_by_itself else calls(pov.game.id if pov.live else "")
        lines = opponents(pov, site().engines)
        shown = render_template("play/play.html", opponents=lines, calls=found, **values)
    return vary_on_htmx(make_response(shown, status))


def game_response(pov: Pov, notice: str = "") -> Response:
    """Answer a POST that succeeded: 303 to the game, or to htmx the board itself."""
    game = pov.game
    if pov.marks:
        request.environ[SEAT] = game.id
    if wants_fragment() and (request.view_args or {}).get("game_id") == game.id:
        return show(pov, notice=notice)
    address = url_for("play.game", game_id=game.id) if game.version else url_for("play.front")
    if not wants_fragment():
        return vary_on_htmx(make_response(redirect(address, 303)))
    response = show(pov, notice=notice, begins=True)
    response.headers["HX-Push-Url"] = address
    return response


# --- what is said ---------------------------------------------------------------------------------


@pages.app_template_filter()
def announcement(
    pov: Pov, engines: Engines, refusal: str = "", notice: str = "", *, looks: bool = False
) -> str:
    """What a screen reader says after a change, in few words.

    :param refusal: why the last request was refused
    :param notice: what was done, if the board does not say it
    :param looks: whether the page asked for news, which time alone may have brought
    """
    head, said, besides = heading(pov, engines), sentence(pov), asides(pov)
    closed = words.as_sentence(head)
    if refusal:
        return refusal
    if pov.paused:
        return said
    if pov.at_stake:
        return words.sentences(unfinished(pov.at_stake, engines), head)
    if notice:
        return words.sentences(notice, closed)
    if besides and (pov.game.outcome or looks):
        # A page that asks for news may not have said yet how the game ended.
        return words.sentences(*((closed, *besides) if pov.game.outcome else besides))
    if not pov.game.outcome:
        return words.sentences(said, closed)
    both = words.sentences(closed, said)
    return both if words.is_short(both) else closed


@pages.app_template_filter()
def unfinished(unfinished_game: Unfinished, engines: Engines) -> str:
    """Name a game that the front page leads back to."""
    game = unfinished_game.game
    if game.kind is Kind.TWO_DEVICES:
        return _("Continue your game with a classmate")
    if game.kind is Kind.ONE_DEVICE:
        return _("Continue your game with a friend")
    if unfinished_game.lost_by_another:
        message = _("Your game against {engine} is waiting.")
    else:
        message = _("Continue your game against {engine}")
    return message.format(engine=name_of(game, engines))


@pages.app_template_filter()
def opponent(pov: Pov, engines: Engines) -> str:
    return opponent_of(pov) or name_of(pov.game, engines)


@pages.app_template_filter()
def uncounted(game: Game) -> str:
    """Why a game counts nowhere, or not as it stands, where a score is kept."""
    if game.rated or game.tournament or game.kind is Kind.ONE_DEVICE:
        return ""
    if game.kind is Kind.TWO_DEVICES:
        if game.cancelled or not game.outcome:
            return ""
        return _("Not counted: it ended before both had moved.")
    if game.given:
        return _("Not counted: it did not start from an empty board.")
    if game.assisted:
        return _("You used a hint or undo, so now only a loss counts.")
    return _("Not counted: you left it early.")


@pages.app_template_filter()
def asides(pov: Pov) -> tuple[str, ...]:
    """What else there is to say: whether the player to move is here, a rematch."""
    game, other = pov.game, opponent_of(pov)
    if game.tournament:
        return ()
    seconds = claimable_in(pov)
    if seconds is not None:
        if pov.marks:
            message = _("{name} seems to be away. You can claim the win in {seconds}\u00a0s.")
        else:
            message = _("{name} seems to be away. The win can be claimed in {seconds}\u00a0s.")
        return (message.format(name=person_name(pov, game.board.turn), seconds=seconds),)
    if pov.claimable:
        message = _("{opponent} has not moved for a minute: you can claim the win.")
        return (message.format(opponent=other),)
    if game.outcome and game.rematch and pov.marks and not game.next_id:
        if game.rematch in pov.marks:
            message = _("You asked for a rematch: {opponent} has to accept.")
        else:
            message = _("{opponent} wants a rematch.")
        return (message.format(opponent=other),)
    return ()


@pages.app_template_filter()
def claimable_in(pov: Pov) -> int | None:
    """After how many seconds the game can be claimed from a player who is away."""
    return ABSENT_AFTER - pov.idle if pov.away and pov.idle < ABSENT_AFTER else None


@pages.app_template_filter()
def ladder(pov: Pov) -> Iterator[tuple[Engine, str, str]]:
    """The three levels: each with its stamp, and what is reached or to be reached.

    The stamp is the best result, ``w`` or ``d``, or empty.
    """
    for level in LEVELS:
        record = _record(pov, level.slug) or Record(pov.viewer.id, level.slug)
        said = _("can be drawn") if worth(level).unbeatable else _("not beaten yet")
        if record.best == "d":
            said = _("held to a draw")
        elif record.best == "w":
            times = ngettext("beaten once", "beaten {number} times", record.won)
            said = times.format(number=record.won) if record.won else _("beaten")
        yield level, record.best, said


@pages.app_template_filter()
def first_win(pov: Pov, engines: Engines) -> str:
    """The event that a first win against an engine is; empty where the game has not brought it."""
    record, outcome = _record(pov, pov.game.engine), pov.game.outcome
    if not (record and outcome and pov.game.rated and outcome.winner in pov.marks):
        return ""
    first = record.won == 1 and record.earlier != "w"
    message = _("First win against {engine}")
    return message.format(engine=name_of(pov.game, engines)) if first else ""


@pages.app_template_filter()
def news(pov: Pov, engines: Engines) -> str:
    """A first draw that the game has ended with; else the run of wins, if it is one."""
    outcome, engine = pov.game.outcome, name_of(pov.game, engines)
    record = _record(pov, pov.game.engine)
    if record is None or outcome is None:
        return ""
    drawn = outcome.winner is None and record.drawn == 1 and not record.earlier
    if pov.game.rated and drawn:
        return _("Your first draw against {engine}").format(engine=engine)
    if record.run < 2:
        return ""
    return ngettext(
        "{number} win in a row against {engine}",
        "{number} wins in a row against {engine}",
        record.run,
    ).format(number=record.run, engine=engine)


def _record(pov: Pov, opponent: str | None) -> Record | None:
    return next((one for one in pov.records or () if one.opponent == opponent), None)


# --- what is pressed, and what changes ------------------------------------------------------------


def _button(name: str, text: str, **more: object) -> Shown:
    """One button beside the board.

    ``name`` is the end of the address that it posts to below the game's; ``asks`` the question to
    confirm first; ``leaves`` is for the front page, which asks, as the game would count as lost;
    ``seeks`` for another opponent.
    """
    how = {"possible": True, "primary": False, "asks": "", "leaves": False, "seeks": False}
    return {"name": name, "id": name, "text": text, **how, **more}


@pages.app_template_filter()
def actions(pov: Pov) -> tuple[Shown, ...]:
    game = pov.game
    if not pov.marks:
        return ()
    if pov.live:
        return _actions_between_two(pov)
    if not game.id:
        return ()
    if game.outcome:
        return (_button("again", _("Play again"), primary=True),)
    may_hint = pov.may_play and game.kind is Kind.ENGINE and game.version > 0
    return (
        _button("hint", _("Hint"), possible=may_hint),
        _button("undo", _("Undo"), possible=pov.may_play and game.undoable),
        _button("again", _("New game"), leaves=game.forfeits_if_left, id="new"),
    )


def _actions_between_two(pov: Pov) -> tuple[Shown, ...]:
    game = pov.game
    if pov.paused:
        return (_button("resign", _("Give up"), possible=False),)
    if not game.outcome:
        claim = (_button("claim", _("Claim the win"), primary=True),) if pov.claimable else ()
        if game.rated or game.tournament:
            question = _("Give up this game? It counts as lost.")
        else:
            question = _("Give up this game? It does not count for either player.")
        return (_button("resign", _("Give up"), asks=question), *claim)
    if game.tournament or (pov.event and pov.event.state is State.RUNNING):
        return ()
    asks = None if game.next_id else game.rematch
    accepts = asks and asks not in pov.marks
    text = _("Accept") if accepts else _("Rematch")
    possible = all(player.name for player in pov.people.values()) and (not asks or bool(accepts))
    rematch = _button("again", text, possible=possible, primary=True)
    seek = (_button("seek", _("Next opponent"), seeks=True),) if pov.may_seek else ()
    return (rematch, *seek)


def opponents(pov: Pov, engines: Engines) -> dict[str, list[tuple[str, str, Markup, str]]]:
    """The lines of the dropdown by the label of their group.

    Each is a slug, a name, the name with what it does, and the viewer's best result. It reads
    whole as text: "Medium: wins and blocks". A list of rules is there while it is the player's
    choice.
    """
    groups = {"": LEVELS, _("From the literature"): (*LITERATURE, engines[MENACE])}
    if own := tuple(engine for slug, engine in engines.items() if slug not in ENGINES):
        groups[_("Written by the class")] = own
    if pov.options.opponent.startswith(PREFIX):
        groups[_("Your own")] = (engines[pov.options.opponent],)
    best = {record.opponent: record.best for record in pov.records or ()}
    message = Markup(escape(_("{engine}: {what_it_does}")))  # noqa: S704 - all that fills it is escaped

    def line(slug: str, name: str, does: str) -> tuple[str, str, Markup, str]:
        parts = Markup("<b>{}</b>").format(name), Markup("<small>{}</small>").format(does)
        said = message.format(engine=parts[0], what_it_does=parts[1])
        return slug, name, said, best.get(slug, "")

    lines = {
        label: [line(one.slug, words.named(one), _(one.brief)) for one in some]
        for label, some in groups.items()
    }
    return {**lines, FRIEND: [line(FRIEND, _("A friend"), _("beside you"))]}


@pages.app_template_filter()
def waits(pov: Pov) -> bool:
    """Tell whether the page may change without its player: another player or a pause changes it."""
    game = pov.game
    if not pov.live:
        return not game.outcome and not pov.at_stake
    if game.tournament:
        return not game.outcome
    return not game.outcome or (pov.phase < len(PHASES) and not game.next_id)


@pages.app_template_filter()
def topics_of(pov: Pov) -> list[str]:
    game = pov.game
    own = [topics.game(game.id), *map(topics.player, sorted(game.players))] if game.id else []
    return own if game.outcome else [*own, topics.PAUSE]
