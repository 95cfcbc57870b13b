"""Tickets: how a player goes on in another browser, and how the teacher says who uses one."""

from flask import Blueprint, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp import words
from webapp.service import teacher, tickets
from webapp.service.refusals import Unacceptable, Unknown
from webapp.web import desk, forms
from webapp.web.context import site
from webapp.web.identity import browser, player
from webapp.web.respond import page

pages = Blueprint("tickets", __name__)

handing = Blueprint("handing", __name__, url_prefix="/host")
handing.before_request(desk.let_teachers_in)


@pages.get("/ticket")
def enter() -> str:
    """Ask for a code; a script takes it from the fragment of the address, which no log sees."""
    return page("people/ticket.html", owner=None)


@pages.post("/ticket")
def show() -> ResponseReturnValue:
    """Ask whether to go on as the player whose ticket has this ``code``."""
    return of_code(forms.text(request.form, "code", ""))


def of_code(code: str) -> ResponseReturnValue:
    try:
        owner = tickets.whose(site(), code)
    except Unknown as error:
        shown = page("people/ticket.html", owner=None, typed=code, refusal=words.told(error))
        return make_response(shown, 404)
    return page("people/ticket.html", owner=owner, code=code)


@pages.post("/ticket/go-on")
def go_on() -> ResponseReturnValue:
    if not browser():
        raise Unacceptable("This browser keeps no cookies, so you cannot continue in it.")
    tickets.go_on(site(), browser(), forms.text(request.form, "code", ""))
    return redirect(url_for("lobby.class_"), 303)


@pages.post("/ticket/answer")
def answer() -> ResponseReturnValue:
    """Say whether the sender is the player whom the strip names."""
    yes = forms.flag(request.form, "yes")
    was_asked = tickets.accept(site(), browser(), player(), yes=yes)
    return redirect(url_for("lobby.class_" if yes or was_asked else "tickets.enter"), 303)


@pages.post("/you/ticket")
def own() -> str:
    """Show the viewer's own ticket, which their teacher's screen may not do by itself."""
    return page("people/own_ticket.html", ticket=tickets.ticket(site(), player()))


# --- the teacher's --------------------------------------------------------------------------------


@handing.get("/tickets")
def sheet() -> str:
    """Show the tickets of everyone who is here, and of players to come."""
    return page(
        "host/tickets.html",
        here=tickets.for_all(site(), _here()),
        waiting=tickets.waiting(site()),
        most=tickets.MOST,
    )


@handing.post("/tickets")
def make() -> ResponseReturnValue:
    """Make tickets for everyone who is here; with ``more``, for as many players to come."""
    if more := forms.number(request.form, "more", 1, tickets.MOST):
        tickets.prepare(site(), more)
    else:
        for one in _here():
            tickets.ticket(site(), one)
    return redirect(url_for("handing.sheet"), 303)


def _here() -> frozenset[str]:
    return site().live.here() - site().live.teachers()


@handing.post("/players/<int:number>/ticket")
def renew(number: int) -> ResponseReturnValue:
    tickets.ticket(site(), teacher.numbered(site(), number).id, renewed=True)
    return redirect(url_for("teacher.guest", number=number), 303)


@handing.post("/players/<int:number>/is")
def hand_over(number: int) -> ResponseReturnValue:
    """Ask at the browser of another ``player`` whether it is this player."""
    present = teacher.numbered(site(), forms.guest(request.form)).id
    tickets.hand_over(site(), present, teacher.numbered(site(), number).id)
    return redirect(url_for("teacher.guest", number=number), 303)


@handing.post("/next-class")
def next_class() -> ResponseReturnValue:
    """Ask in every browser whether it is still the same player who uses it."""
    tickets.ask_who(site())
    return desk.back("people")
