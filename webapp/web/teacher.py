"""The teacher's page: signing in with the key, and what the teacher may do."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import partial
from io import TextIOWrapper
from tempfile import SpooledTemporaryFile

from flask import (
    Blueprint,
    Response,
    make_response,
    redirect,
    request,
    send_file,
    url_for,
)
from flask.typing import ResponseReturnValue

from webapp import words
from webapp.config import LOOPBACK
from webapp.core.game import NotAllowed
from webapp.service import results, sessions, teacher, tournaments
from webapp.service.refusals import Conflict, Refusal, Unacceptable, Unknown
from webapp.service.sessions import HOURS
from webapp.service.teacher import number as number_of
from webapp.service.wrong_keys import TooManyTries, WrongKey
from webapp.store import topics
from webapp.web import forms, turns
from webapp.web.context import site
from webapp.web.errors import STATUS
from webapp.web.identity import is_teacher, player, teacher_cookie
from webapp.web.networks import line
from webapp.web.present import results as spreadsheet
from webapp.web.present.lobby import Shown
from webapp.web.present.teacher import present_teacher
from webapp.web.present.tournament import rows as tournament_rows
from webapp.web.respond import hx_redirect, page, part_or_page, retargeted, wants_fragment
from webapp.web.waits import as_of, unchanged, until, watch

pages = Blueprint("teacher", __name__, url_prefix="/host")

_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP")

_IN_MEMORY = 2**20
"""How many bytes of a table are kept in memory; a larger one is a file for a moment."""


@pages.before_request
def let_teachers_in() -> ResponseReturnValue | None:
    """Refuse all but the form to sign in to anyone who is not the teacher."""
    if request.endpoint in ("teacher.host", "teacher.sign_in") or is_teacher():
        return None
    return retargeted(_form(403))


@pages.get("")
def host() -> ResponseReturnValue:
    """Show the teacher what there is to do, and anyone else the form to sign in."""
    if not is_teacher():
        return hx_redirect(url_for("teacher.host")) if wants_fragment() else _form()
    view = _view()
    return ("", 204) if unchanged(view) else _page(view)


@pages.post("")
def sign_in() -> ResponseReturnValue:
    """Sign in with the ``key``."""
    typed = forms.text(request.form, "key", "")
    trusted = (
        _at_the_server() or is_teacher()
    )  # whose tries are not counted: no pupil locks them out
    try:
        token = sessions.sign_in(site(), typed, None if trusted else line(request.remote_addr))
    except WrongKey as error:
        turns.delay(error.wait)
        return _form(403, words.told(error))
    except TooManyTries as error:
        response = _form(429, words.told(error))
        response.headers["Retry-After"] = str(error.seconds)
        return response
    response = make_response(redirect(url_for("teacher.host"), 303))
    response.set_cookie(
        teacher_cookie(),
        token,
        max_age=HOURS * 60 * 60,
        secure=request.is_secure,
        httponly=True,
        samesite="Strict",
    )
    return response


@pages.post("/leave")
def leave() -> ResponseReturnValue:
    """Sign out."""
    sessions.sign_out(site(), request.cookies[teacher_cookie()])
    response = make_response(redirect(url_for("teacher.host"), 303))
    response.delete_cookie(
        teacher_cookie(), secure=request.is_secure, httponly=True, samesite="Strict"
    )
    return response


@pages.get("/players")
def find() -> ResponseReturnValue:
    """Go to the page of the player with a ``name``."""
    found = teacher.named(site(), forms.text(request.args, "name", ""))
    return redirect(url_for("teacher.guest", number=number_of(found)), 303)


@pages.get("/players/<int:number>")
def guest(number: int, status: int = 200, refusal: str = "") -> ResponseReturnValue:
    """Show what the teacher may do with one player; ``done`` is what has just been done."""
    done = forms.text(request.args, "done", "")
    try:
        name = teacher.numbered(site(), number).name or ""
    except Unknown:
        if done != "remove":
            raise
        return page("host/removed.html")
    values = {"number": number, "name": name, "refusal": refusal, "done": done}
    return make_response(page("host/player.html", **values), status)


@pages.post("/players/<int:number>/rename")
def rename(number: int) -> ResponseReturnValue:
    """Give a player another ``name``, or a generated one where none is given.

    ``was`` is the name that the page shows: what another teacher has changed meanwhile stays.
    """
    player = teacher.numbered(site(), number).id
    was, new = (forms.text(request.form, field, "") for field in ("was", "name"))
    try:
        teacher.rename(site(), player, new, was)
    except (Unacceptable, Conflict) as error:
        return guest(number, STATUS[type(error)], words.told(error))
    return _told(number, "rename" if new else "deal")


@pages.post("/players/<int:number>/remove")
def remove(number: int) -> ResponseReturnValue:
    """Delete a player; what others have played with them stays."""
    teacher.remove(site(), teacher.numbered(site(), number).id)
    return _told(number, "remove")


@pages.post("/standings/reset")
def reset() -> ResponseReturnValue:
    """Empty the standings; games and names stay."""
    teacher.reset_standings(site())
    if wants_fragment():
        return part_or_page("host/_standings.html", "host/host.html", done="reset")
    return redirect(url_for("teacher.host", done="reset", _anchor="done"), 303)


@pages.post("/wall")
def wall() -> ResponseReturnValue:
    """Let the wall show a ``game``, a review of ``moves`` after ``at`` of them, or the class.

    With both, the review is of that game. ``version`` is that of the wall that the page shows;
    without it, whatever it shows goes.
    """
    chosen = forms.wall(request.form)
    teacher.show(site(), chosen)
    return back(f"ended-{chosen.game}" if chosen.moves and chosen.game else None)


# --- tournaments ----------------------------------------------------------------------------------


@pages.post("/tournaments")
def new_tournament() -> ResponseReturnValue:
    """Make a tournament that players can join."""
    id_ = tournaments.create(site(), *forms.tournament(request.form))
    return redirect(url_for("tournaments.tournament", id_=id_), 303)


def _put_out(id_: str) -> None:
    """Put out the ``player`` of this number; or with ``idle=1`` all who have not moved yet."""
    if forms.flag(request.form, "idle"):
        tournaments.put_out_idle(site(), id_)
    else:
        tournaments.put_out(site(), id_, _player_of(id_))


def _player_of(id_: str) -> str:
    """The ``player`` of a tournament whose number was sent."""
    event, number = tournaments.standing(site(), id_), forms.guest(request.form)
    for entrant in event.entrants:
        if number_of(entrant.player) == number and entrant.player in event.people:
            return entrant.player
    raise Unknown("This player is not in the tournament.")


_ACTS: Mapping[str, tuple[str, Callable[..., None]]] = {
    "names": (
        "/names",
        lambda: teacher.lock_names(site(), locked=forms.flag(request.form, "locked")),
    ),
    "pause": ("/pause", lambda: teacher.pause(site())),
    "resume": ("/resume", lambda: teacher.resume(site())),
    "start_tournament": ("/tournaments/<id_>/start", lambda id_: tournaments.start(site(), id_)),
    "next_round": ("/tournaments/<id_>/next", lambda id_: tournaments.next_round(site(), id_)),
    "end_tournament": ("/tournaments/<id_>/end", lambda id_: tournaments.end(site(), id_)),
    "late": (
        "/tournaments/<id_>/late",
        lambda id_: tournaments.let_late_players_in(
            site(), id_, late=forms.flag(request.form, "late")
        ),
    ),
    "put_out": ("/tournaments/<id_>/out", _put_out),
    "let_in": (
        "/tournaments/<id_>/in",
        lambda id_: tournaments.let_in(site(), id_, _player_of(id_)),
    ),
}
"""What forms do that lead back to the teacher's page: by endpoint, the address and the act."""


def _acts(act: Callable[..., None], **values: str) -> ResponseReturnValue:
    act(**values)
    return back()


for _endpoint, (_address, _act) in _ACTS.items():
    pages.add_url_rule(_address, _endpoint, partial(_acts, _act), methods=["POST"])


# --- the results ----------------------------------------------------------------------------------


@pages.get("/lesson")
def lesson() -> str:
    """Show what has been played today, as a page to print."""
    values = {"today": results.today(site()), "event": tournaments.latest(site())}
    return page("host/lesson.html", engines=site().engines, **values)


@pages.get("/players.csv")
def players_csv() -> ResponseReturnValue:
    """Send a table of the players."""
    return table("players", spreadsheet.standings(results.standings(site())))


@pages.get("/games.csv")
def games_csv() -> ResponseReturnValue:
    """Send a table of the games that are over."""
    return table("games", spreadsheet.games(results.games(site()), site().engines))


@pages.get("/results.csv")
def results_csv() -> ResponseReturnValue:
    """Send the table of the latest tournament."""
    found = tournaments.latest(site())
    if found is None:
        raise Unknown("There has been no tournament yet.")
    return table("results", tournament_rows(tournaments.standing(site(), found.id)))


def table(name: str, rows: Iterable[spreadsheet.Row]) -> Response:
    """Send a table as a file that is named with the date.

    It is complete before it is sent: a slow line keeps no statement of the database open.
    """
    made = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed when it has been sent
    text = TextIOWrapper(made, "utf-8-sig", newline="")
    spreadsheet.write(text, rows)
    text.detach()
    length = made.tell()
    made.seek(0)
    today = datetime.now(UTC).astimezone().date()
    response = send_file(made, "text/csv", as_attachment=True, download_name=f"{name}-{today}.csv")
    response.content_length = length
    response.headers["Cache-Control"] = "no-store"
    return response


# --- what is shown --------------------------------------------------------------------------------


@pages.errorhandler(NotAllowed)
@pages.errorhandler(Refusal)
def refused(error: Refusal | NotAllowed) -> Response:
    """Say why it was not done: on the page, or on the form to anyone who is not the teacher."""
    answer = partial(_page, None) if is_teacher() else _form
    return answer(STATUS[type(error)], words.told(error))


def back(at: str | None = None) -> ResponseReturnValue:
    """Show the teacher's page; to a browser that loads it, from the part with this id."""
    if wants_fragment():
        return _page()
    return redirect(url_for("teacher.host", _anchor=at), 303)


def _told(number: int, done: str) -> ResponseReturnValue:
    """Show the page of a player, which says beside the button what has been done."""
    return redirect(url_for("teacher.guest", number=number, done=done, _anchor="done"), 303)


def _view() -> Shown:
    """What the teacher sees: the class, and the tournament that is not over."""
    watch(topics.CLASS, topics.BOARDS, topics.WALL, topics.POLLS, topics.ANSWERS)
    desk = teacher.desk(site(), player())
    if desk.asked and desk.asked.left is not None:
        until(desk.asked.left)
    as_of(desk.lobby.read)
    return present_teacher(desk)


def _page(view: Shown | None = None, status: int = 200, refusal: str = "") -> Response:
    values = {"view": view or _view(), "refusal": refusal, "done": request.args.get("done", "")}
    values["engines"] = site().engines
    response = part_or_page("host/_host.html", "host/host.html", **values)
    response.status_code = status
    return response


def _at_the_server() -> bool:
    """Tell whether the request comes from the server's own computer, with no proxy between."""
    forwarded = any(map(request.headers.get, _FORWARDED))
    return request.remote_addr in LOOPBACK and not forwarded


def _form(status: int = 200, refusal: str = "") -> Response:
    """The form to sign in."""
    return make_response(
        page("host/sign_in.html", refusal=refusal, safe=request.is_secure or _at_the_server()),
        status,
    )
