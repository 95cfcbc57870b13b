"""The teacher's desk: signing in with the key, what it shows, and what the teacher may do."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial

from flask import Blueprint, Response, g, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp import words
from webapp.analysis.lesson import Fault
from webapp.classroom import MINIMAX, RULES, Played
from webapp.config import LOOPBACK
from webapp.core.board import Board
from webapp.core.game import MENACE, NotAllowed, boards, moves_of
from webapp.names import Player
from webapp.service import players, polls, results, sessions, teacher, tournaments
from webapp.service.lobby import LobbyView
from webapp.service.refusals import Conflict, Refusal, Unacceptable, Unknown
from webapp.service.teacher import Desk
from webapp.service.teacher import number as number_of
from webapp.service.tournaments import Standing
from webapp.tournament.event import Entrant, Format, State
from webapp.web import address, forms, lessons, spreadsheets
from webapp.web.context import site
from webapp.web.errors import STATUS
from webapp.web.games import Engines, name_of, versus
from webapp.web.identity import TEACHER, is_teacher, player
from webapp.web.lessons import Act
from webapp.web.lookahead import SEARCH
from webapp.web.respond import Shown, hx_redirect, page, part_or_page, retargeted, wants_fragment
from webapp.web.spreadsheets import names_of, table
from webapp.web.tournaments import title_of
from webapp.words.language import READER, _, ngettext, pgettext

pages = Blueprint("teacher", __name__, url_prefix="/host")

_FOR_ALL = ("teacher.host", "teacher.sign_in", "teacher.link", "teacher.enter")

_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP")


@pages.before_request
def let_teachers_in() -> ResponseReturnValue | None:
    """Refuse all but the form to sign in to anyone who is not the teacher."""
    if request.endpoint in _FOR_ALL or is_teacher():
        return None
    return retargeted(_form(403))


@pages.get("")
def host() -> ResponseReturnValue:
    if not is_teacher():
        return hx_redirect(url_for("teacher.host")) if wants_fragment() else _form()
    return _page()


@pages.post("")
def sign_in() -> ResponseReturnValue:
    token = sessions.sign_in(site(), forms.text(request.form, "key", ""))
    return _signed_in(token) if token else _form(403, _("This is not the key."))


@pages.get("/enter/<token>")
def link(token: str) -> ResponseReturnValue:
    """Show the button that signs in by the link of the start, which only the button uses up."""
    if is_teacher():
        return redirect(url_for("teacher.host"), 303)
    return _form(token=token) if sessions.may_enter(site(), token) else _no_link()


@pages.post("/enter/<token>")
def enter(token: str) -> ResponseReturnValue:
    if is_teacher():
        return hx_redirect(url_for("teacher.host"))
    session = sessions.enter(site(), token)
    return _signed_in(session) if session else _no_link()


def _no_link() -> Response:
    why = _(
        "This address works once, in the ten minutes after the server starts. Sign in with the key."
    )
    return retargeted(_form(403, why))


def _signed_in(token: str) -> Response:
    response = hx_redirect(url_for("teacher.host"))
    TEACHER.keep(response, token)
    return response


@pages.post("/leave")
def leave() -> ResponseReturnValue:
    sessions.sign_out(site(), TEACHER.sent(request.environ)[0])
    g.is_teacher = False
    response = make_response(redirect(url_for("teacher.host"), 303))
    TEACHER.keep(response, "")
    return response


@pages.get("/players")
def find() -> ResponseReturnValue:
    player = teacher.named(site(), forms.text(request.args, "name", ""))
    return redirect(url_for("teacher.guest", number=number_of(player)), 303)


@pages.get("/players/<int:number>")
def guest(
    number: int, status: int = 200, refusal: str = "", gone: Player | None = None
) -> ResponseReturnValue:
    name = teacher.numbered(site(), number).name or ""
    here = [(number_of(one.id), str(one)) for one in teacher.others_here(site(), number)]
    shown = page(
        "host/player.html", number=number, name=name, here=here, refusal=refusal, gone=gone
    )
    return make_response(shown, status)


@pages.post("/players/<int:number>/rename")
def rename(number: int) -> ResponseReturnValue:
    player, new = teacher.numbered(site(), number).id, forms.text(request.form, "name", "")
    try:
        teacher.rename(site(), player, new)
    except (Unacceptable, Conflict) as error:
        gone = teacher.gone(site(), new) if isinstance(error, Conflict) else None
        return guest(number, STATUS[type(error)], words.told(error), gone)
    return redirect(url_for("teacher.guest", number=number), 303)


@pages.post("/players/<int:number>/remove")
def remove(number: int) -> ResponseReturnValue:
    players.forget(site(), teacher.numbered(site(), number).id)
    return back("people")


@pages.post("/standings/reset")
def reset() -> ResponseReturnValue:
    teacher.reset_standings(site())
    if wants_fragment():
        return part_or_page("host/_standings.html", "host/host.html", done="reset")
    return redirect(url_for("teacher.host", done="reset", _anchor="done"), 303)


@pages.post("/wall")
def wall() -> ResponseReturnValue:
    """Let the wall show a ``game``, a review of ``moves`` after ``at`` of them, or the class."""
    teacher.show(site(), forms.wall(request.form))
    return back("on-the-wall")


# --- tournaments ----------------------------------------------------------------------------------


@pages.post("/tournaments")
def new_tournament() -> ResponseReturnValue:
    id_ = tournaments.create(site(), *forms.tournament(request.form))
    return back(made=url_for("tournaments.tournament", id_=id_))


def _player_of(id_: str) -> str:
    """Return the entrant whose number was sent as ``player``."""
    event, number = tournaments.standing(site(), id_), forms.guest(request.form)
    for entrant in event.entrants:
        if number_of(entrant.player) == number and entrant.player in event.people:
            return entrant.player
    raise Unknown("This player is not in the tournament.")


_ACTS: Mapping[str, tuple[str, Callable[..., None]]] = {
    "names": (
        "/names",
        lambda: teacher.choose(site(), names_locked=forms.flag(request.form, "locked")),
    ),
    "places": ("/places", lambda: teacher.choose(site(), places=forms.places(request.form))),
    "address": ("/address", lambda: teacher.choose(site(), address=address.read(request.form))),
    "plan": ("/plan", lambda: teacher.follow(site(), lessons.chosen(request.form))),
    "pause": ("/pause", lambda: teacher.pause(site())),
    "resume": ("/resume", lambda: teacher.pause(site(), paused=False)),
    "start_tournament": ("/tournaments/<id_>/start", lambda id_: tournaments.start(site(), id_)),
    "next_round": ("/tournaments/<id_>/next", lambda id_: tournaments.next_round(site(), id_)),
    "end_tournament": ("/tournaments/<id_>/end", lambda id_: tournaments.end(site(), id_)),
    "late": (
        "/tournaments/<id_>/late",
        lambda id_: tournaments.let_late_players_in(
            site(), id_, late=forms.flag(request.form, "late")
        ),
    ),
    "put_out": (
        "/tournaments/<id_>/out",
        lambda id_: tournaments.put_out(site(), id_, _player_of(id_)),
    ),
    "let_in": (
        "/tournaments/<id_>/in",
        lambda id_: tournaments.let_in(site(), id_, _player_of(id_)),
    ),
}
"""Forms that lead back to the teacher's page: by endpoint, the address and the act."""

_AT = {
    "names": "people",
    "places": "people",
    "address": "on-the-wall",
    "plan": "plan",
    **dict.fromkeys(("late", "put_out", "let_in"), "entrants-now"),
}
"""Anchors of the forms that do not stand at the top of the page."""


def _acts(endpoint: str, act: Callable[..., None], **values: str) -> ResponseReturnValue:
    act(**values)
    return back(_AT.get(endpoint, "now"))


for _endpoint, (_address, _act) in _ACTS.items():
    pages.add_url_rule(_address, _endpoint, partial(_acts, _endpoint, _act), methods=["POST"])


# --- the results ----------------------------------------------------------------------------------


@pages.get("/lesson")
def lesson() -> str:
    event, since = tournaments.latest(site()), site().clock.today()
    played = event and event.state is State.OVER and event.ticked_at >= 1000 * since
    quizzes = [
        (at, polls.look_at_quiz(site(), id_, player())) for id_, at in polls.ended_today(site())
    ]
    return page(
        "host/lesson.html",
        engines=site().engines,
        date=datetime.fromtimestamp(since, UTC).astimezone().date(),
        today=results.today(site()),
        event=event,
        standing=tournaments.standing(site(), event.id) if event and played else None,
        quizzes=quizzes,
    )


@pages.get("/players.<any(csv, xlsx):kind>")
def players_table(kind: str) -> ResponseReturnValue:
    return table(kind, "players", spreadsheets.standings(results.standings(site())))


@pages.get("/games.<any(csv, xlsx):kind>")
def games_table(kind: str) -> ResponseReturnValue:
    return table(kind, "games", spreadsheets.games(results.games(site()), site().engines))


@pages.get("/results.<any(csv, xlsx):kind>")
def results_table(kind: str) -> ResponseReturnValue:
    event = tournaments.latest(site())
    if event is None:
        raise Unknown("There has been no tournament yet.")
    return table(kind, "results", spreadsheets.results(tournaments.standing(site(), event.id)))


# --- what is shown --------------------------------------------------------------------------------


@pages.errorhandler(NotAllowed)
@pages.errorhandler(Refusal)
def refused(error: Refusal | NotAllowed) -> Response:
    """Say why it was not done: on the page, or on the form to anyone who is not the teacher."""
    answer = _page if is_teacher() else _form
    return answer(STATUS[type(error)], words.told(error))


def back(at: str = "now", made: str = "") -> ResponseReturnValue:
    """Show the teacher's page from the part ``at``; ``made`` is a new address, for programs."""
    response = _page() if wants_fragment() else redirect(url_for("teacher.host", _anchor=at), 303)
    if made:
        response.headers["Content-Location"] = made
    return response


def _page(status: int = 200, refusal: str = "") -> Response:
    desk, engines = teacher.desk(site(), player()), site().engines
    view = _view(desk, engines) | {"address": address.choice(desk.lobby.lesson.address)}
    values = {"refusal": refusal, "done": request.args.get("done", "")}
    response = part_or_page(
        "host/_host.html", "host/host.html", view=view, engines=engines, **values
    )
    response.status_code = status
    return response


def _form(status: int = 200, refusal: str = "", token: str = "") -> Response:
    """The form to sign in: with the key, or by the ``token`` of the start's link."""
    forwarded = any(map(request.headers.get, _FORWARDED))
    safe = request.is_secure or (request.remote_addr in LOOPBACK and not forwarded)
    shown = page("host/sign_in.html", refusal=refusal, safe=safe, token=token)
    return make_response(shown, status)


# --- the class -----------------------------------------------------------------------------------


def _view(desk: Desk, engines: Engines) -> Shown:
    lobby, event = desk.lobby, desk.event
    lesson, wall = lobby.lesson, lobby.lesson.wall
    asked, game = desk.asked is not None, desk.shown is not None
    shown = wall.shows(asked=asked, game=game, gathers=lobby.gathers)
    games = lobby.games or lobby.at_computer
    going = [(pairing.game, pairing.x, pairing.o) for pairing in games]
    if event and event.tournament.state is State.RUNNING:
        seated = [(game, game.x_seat or "", game.o_seat or "") for game in event.going.values()]
        going = [(game, event.people[x], event.people[o]) for game, x, o in seated]
    return {
        "paused_at": lesson.paused_at,
        "wall": wall,
        "shows": shown,
        "gathers": lobby.gathers,
        "on_the_wall": _on_the_wall(shown, desk, engines),
        "board": _board(shown, desk),
        "here": lobby.here,
        "elsewhere": {
            person.player.id
            for person in lobby.here
            if site().live.pages(person.player.id) > 1
            and site().browsers.has_news(person.player.id, site().now())
        },
        "silent_in_s": lobby.silent_in_s,
        "playing": sum(bool(person.playing or person.at_computer) for person in lobby.here),
        "going": going,
        "classmates": len(lobby.games),
        "at_computer": len(lobby.at_computer),
        "games": games,
        "ended": [pairing for pairing in lobby.ended if pairing.game.moved],
        "names_locked": lesson.names_locked,
        "places": lesson.places,
        "event": _event(event, lobby) if event else None,
        "asked": desk.asked,
        "last": forms.MOST_STEPS if shown == MINIMAX else len(wall.moves or ""),
        "plan": _plan(desk, shown),
        "plans": lessons.TITLES,
        "entrants": _entrants(event) if event else [],
    }


def _plan(desk: Desk, shown: str) -> Shown | None:
    """The step that the lesson is at, if one is on: what to say, and what its button does."""
    at = lessons.step_of(desk.lobby.lesson.plan)
    if at is None:
        return None
    (slug, number), language = at, "de" if READER.get() == "de" else "en"
    step = lessons.STEPS[slug][number - 1]
    return {
        "slug": slug,
        "number": number,
        "total": len(lessons.STEPS[slug]),
        "step": step,
        "language": language,
        "says": lessons.said(language)[slug][number - 1],
        "undo": step.act and _undo(step.act, desk, shown),
    }


def _undo(act: Act, desk: Desk, shown: str) -> tuple[str, dict[str, str]] | None:
    """How to take back what the button of a step does, if it is done: endpoint and values."""
    asked, event = desk.asked, desk.event and desk.event.tournament
    if act.endpoint == "teacher.wall":
        return ("teacher.wall", {}) if shown == act.fields["tournament"] else None
    if act.endpoint == "teacher.new_tournament":
        going = event and event.state is not State.OVER
        return ("teacher.end_tournament", {"id_": event.id}) if event and going else None
    return ("asking.take_back", {"id_": asked.poll.id}) if asked else None


def _board(shown: str, desk: Desk) -> Board | None:
    wall = desk.lobby.lesson.wall
    if shown == MINIMAX:
        return SEARCH.root
    if shown == "review":
        return boards(moves_of(wall.moves or ""))[wall.at]
    if shown == "question" and desk.asked:
        return desk.asked.poll.board
    return desk.shown.board if shown == "game" and desk.shown else None


def _on_the_wall(shown: str, desk: Desk, engines: Engines) -> str:
    """Say what the wall shows; the template adds which question of a quiz it is."""
    wall, lobby = desk.lobby.lesson.wall, desk.lobby
    if desk.asked:
        return _("Class against computer") if desk.asked.round else _("A question to the class")
    if shown == "review":
        last = len(wall.moves or "")
        message = ngettext(
            "A review, after {at} of {last} move", "A review, after {at} of {last} moves", last
        )
        return message.format(at=wall.at, last=last)
    if shown == "game":
        known = (*lobby.games, *lobby.ended, *lobby.at_computer)
        pairing = next((pairing for pairing in known if pairing.game.id == wall.game), None)
        if pairing is None:
            return _("One game")
        title = versus(pairing, name_of(pairing.game, engines))
        return _("One game: {title}").format(title=title)
    return {
        "come-in": pgettext("on the wall", "Come in"),
        MENACE: "MENACE",
        RULES: _("Seven rules"),
        MINIMAX: _("Look ahead"),
        "quiz": _("The end of the quiz"),
        "tournament": _("The tournament"),
        "class": _("The class"),
    }[shown]


def _event(standing: Standing, lobby: LobbyView) -> Shown:
    """The tournament as the desk shows it, with entrants who are not here, and others who are."""
    event = standing.tournament
    here = {person.player.id for person in lobby.here}
    playing = [entrant.player for entrant in standing.entrants if entrant.playing]
    joined = [
        (standing.people[player], _("here") if player in here else _("not here"))
        for player in playing
    ]
    others = [
        (person.player, _("not taking part"))
        for person in lobby.here
        if person.player.id not in playing
    ]
    runs = event.state is State.RUNNING
    absent = [line for line in joined if runs and line[0].id not in here]
    return {
        "id": event.id,
        "state": event.state.value,
        "title": title_of(event),
        "going": len(standing.going),
        "finished": sum(
            game in standing.finished
            for match in standing.matches
            for game in match.games
            if match.round == event.round
        ),
        "is_swiss": event.format is Format.SWISS,
        "may_go_on": event.round_over is not None,
        "late": event.late,
        "joined": joined,
        "all": len(joined) + len(others),
        "missing": [*absent, *others],
        "standing": standing,
    }


def _entrants(standing: Standing) -> list[Entrant]:
    """Everyone who is or was in a tournament, by name; not players who have deleted their data."""
    named = [entrant for entrant in standing.entrants if entrant.player in standing.people]
    return sorted(named, key=lambda entrant: str(standing.people[entrant.player]).casefold())


# --- after the lesson -----------------------------------------------------------------------------


@pages.app_template_filter()
def title_of_played(game: Played, engines: Engines) -> str:
    x, o = (words.isolated(name or "") for name in names_of(game, engines))
    won, lost = (x, o) if game.outcome == "x" else (o, x)
    message = _("{x} and {o} drew") if game.outcome == "draw" else _("{winner} beat {loser}")
    return message.format(x=x, o=o, winner=won, loser=lost)


@pages.app_template_filter()
def wrong(fault: Fault) -> str:
    """Say how often a position was answered wrongly, with which cells, and which are better."""
    message = ngettext(
        "{mark} to move, {faced} time, {wrong} wrong. Chosen: {chosen}. Better: {better}.",
        "{mark} to move, {faced} times, {wrong} wrong. Chosen: {chosen}. Better: {better}.",
        fault.faced,
    )
    counted = [f"{words.cell_name(cell)} ({number})" for cell, number in fault.chosen]
    chosen, better = words.listed(counted), words.listed(map(words.cell_name, fault.better))
    known = {"mark": fault.board.turn, "faced": fault.faced, "chosen": chosen, "better": better}
    return message.format(wrong=sum(number for _cell, number in fault.chosen), **known)
