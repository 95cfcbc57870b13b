"""The viewer's own pages: the record and the name, starting over, and deleting everything."""

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp import words
from webapp.analysis.review import review
from webapp.analysis.worth import worth
from webapp.core.game import Game, Kind, NotAllowed
from webapp.core.record import Record
from webapp.engines.registry import ENGINES
from webapp.names import Player
from webapp.service import players
from webapp.service.players import You
from webapp.service.refusals import Conflict, Unacceptable
from webapp.web import identity
from webapp.web.context import site
from webapp.web.errors import STATUS
from webapp.web.games import Engines, name_of, review_address
from webapp.web.identity import player
from webapp.web.respond import page
from webapp.words.language import N_, _, ngettext

pages = Blueprint("people", __name__)


@pages.get("/you")
def you(refusal: str = "") -> str:
    own_names, seen = players.may_choose_names(site()), players.look(site(), player())
    shown = {"you": seen, "engines": site().engines}
    return page("people/you.html", viewer=seen.me, refusal=refusal, own_names=own_names, **shown)


@pages.post("/you/name")
def name() -> ResponseReturnValue:
    """Give the player another name: a dealt one, or the ``name`` typed, where allowed."""
    try:
        players.rename(site(), player(), request.form.get("name"))
    except (Unacceptable, Conflict, NotAllowed) as error:
        return you(words.told(error)), STATUS[type(error)]
    return redirect(url_for("people.you"), 303)


@pages.post("/you/new")
def new() -> ResponseReturnValue:
    identity.start_over()
    return redirect(url_for("play.front"), 303)


@pages.get("/privacy")
def privacy() -> ResponseReturnValue:
    return page("people/privacy.html", forgotten="forgotten" in request.args)


@pages.post("/you/forget")
def forget() -> ResponseReturnValue:
    players.forget(site(), player())
    identity.start_over()
    return redirect(url_for("people.privacy", forgotten=1), 303)


# --- what is shown --------------------------------------------------------------------------------

_ENDINGS = {
    # Translators: they: the one opponent, a pupil
    "resign": (N_("they gave up"), N_("you gave up")),
    "claim": (N_("they did not come back"), N_("you did not come back")),
    "time": (N_("they ran out of time"), N_("you ran out of time")),
    "left": (N_("they left"), N_("you left")),
}
"""How a game ended off the board, for a viewer who won it and one who lost."""


@pages.app_template_filter()
def earned(record: Record, name: object) -> str:
    """Say what a stamp stands for, or how to get it."""
    if record.best == "w":
        said = [_("You have beaten {name}.")]
    elif record.opponent in ENGINES and worth(ENGINES[record.opponent]).unbeatable:
        said = [_("{name} never loses: a draw is the best you can get.")]
    else:
        said = [_("Beat {name} once to get this stamp.")]
    if record.won + record.drawn + record.lost:
        said.append(_("So far: {won} won, {drawn} drawn, {lost} lost."))
    if record.best_run > 1:
        run = ngettext("Best run: {best_run} win.", "Best run: {best_run} wins.", record.best_run)
        said.append(run)
    counts = {count: getattr(record, count) for count in ("won", "drawn", "lost", "best_run")}
    return words.sentences(*said).format(name=words.isolated(name), **counts)


@pages.app_template_filter()
def told(
    game: Game, you: You, engines: Engines
) -> tuple[Player | None, str, str, dict[str, str | int | None] | None]:
    """A game of the viewer's: the classmate, two short lines, and its review's address, if over.

    The review opens at the move that decided it.
    """
    outcome, marks, name = game.outcome, game.marks_of(you.me.id), name_of(game, engines)
    other = next((you.people[player] for player in game.players - {you.me.id}), None)
    if other:
        name = words.isolated(other) if other.name else _("a player who left")
    friend = _("With a friend at one device") if game.kind is Kind.ONE_DEVICE else ""
    if outcome is None:
        title = friend or _("Against {name}")
        how = _("your turn") if game.turn in marks else _("their turn")
        return other, title.format(name=name), how, None
    mine = None if friend else next(iter(marks))
    title, how = friend or _("Drew with {name}"), _("board full")
    if mine and outcome.winner:
        title = _("You beat {name}") if outcome.winner is mine else _("Lost to {name}")
    if outcome.lines:
        how = words.lines(outcome.lines)
    elif outcome.ending:
        how = _(_ENDINGS[outcome.ending][outcome.winner is not mine])
    if mine:
        how = _("as {mark} · {how}").format(mark=mine, how=how)
    turning = None if outcome.ending else review(game.moves).turning_point
    at = None if turning is None else turning + 1
    address = {**review_address(game, engines, mine), "at": at} if game.moved else None
    return other, title.format(name=name), how, address
