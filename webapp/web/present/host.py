"""The host's page: who is here, what the host has chosen, and what hosts have done."""

from datetime import UTC, datetime
from typing import NamedTuple

from webapp.core.lesson import Entry, Lesson
from webapp.service.host import number
from webapp.service.lobby import LobbyView
from webapp.web.present.lobby import PersonView, present_person
from webapp.words import journal as said


class GuestView(NamedTuple):
    """A player who is here.

    :param number: by which addresses name the player
    """

    number: int
    person: PersonView


class LineView(NamedTuple):
    """A line of the journal.

    :param at: when it was, for programs; the page says it in the viewer's own way
    """

    at: str
    time: str
    what: str


class HostView(NamedTuple):
    """The host's page."""

    here: tuple[GuestView, ...]
    names_locked: bool
    journal: tuple[LineView, ...]


def present_host(found: LobbyView, lesson: Lesson, journal: list[Entry]) -> HostView:
    """Present the class to its host."""
    return HostView(
        tuple(GuestView(number(one.player), present_person(one, found.me)) for one in found.here),
        lesson.names_locked,
        tuple(map(_line, journal)),
    )


def _line(entry: Entry) -> LineView:
    moment = datetime.fromtimestamp(entry.at, UTC)
    shown = moment.astimezone().strftime("%H:%M")
    return LineView(moment.isoformat(), shown, said.done(entry))
