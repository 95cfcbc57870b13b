"""The host's page: who is here, what the wall shows, and what hosts have done."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from webapp import words
from webapp.core.board import Board
from webapp.core.game import Game, boards, digits, moves_of
from webapp.core.lesson import Entry, Wall
from webapp.service.host import number
from webapp.service.lobby import LobbyView
from webapp.service.tournaments import Guest, Standing
from webapp.tournament.event import Format, State, Tournament
from webapp.web.present.lobby import (
    PairingView,
    PersonView,
    present_pairing,
    present_person,
    title_of,
    who_beat_whom,
)
from webapp.words import journal as said
from webapp.words.language import _, ngettext


class GuestView(NamedTuple):
    """A player who is here.

    :param number: by which addresses name the player
    """

    number: int
    person: PersonView


class EndedView(NamedTuple):
    """A game that has just ended, to talk about.

    :param title: who beat whom
    :param moves: the cells played, such as ``40281``
    """

    id: str
    title: str
    moves: str
    board: Board


class StepsView(NamedTuple):
    """A review on the wall, step by step.

    :param at: after how many of its moves, of which there are ``last``
    """

    moves: str
    at: int
    last: int
    values: bool
    board: Board


class WallView(NamedTuple):
    """What the wall shows.

    :param sentence: what it is
    :param game: the game that it shows, or talks about; ``steps``: if it is a review
    """

    sentence: str
    is_class: bool
    is_event: bool
    game: str | None
    steps: StepsView | None
    version: int


class EntryView(NamedTuple):
    """A line of the journal.

    :param at: when it was, for programs; the page says it in the server's own time
    """

    at: str
    time: str
    done: str


class EntrantView(NamedTuple):
    """A player of the tournament.

    :param number: by which addresses name the player
    :param remark: what the host should know of them; may be empty
    :param barred: whether the host has put them out
    """

    number: int
    name: str
    remark: str
    barred: bool


class EventView(NamedTuple):
    """The tournament.

    :param stage: how far it is, in words
    :param may_go_on: whether the next round can begin
    :param late: whether players may join while it is played
    :param joined: who plays in it
    :param absent: who of them is not here, or lets a game wait
    :param others: who is here and not in it
    """

    id: str
    state: str
    stage: str
    is_swiss: bool
    may_go_on: bool
    late: bool
    joined: tuple[EntrantView, ...]
    absent: tuple[EntrantView, ...]
    others: tuple[str, ...]
    standing: Standing


class HostView(NamedTuple):
    """The host's page.

    :param paused: since when the games are paused, if they are
    :param entrants: of a tournament that is not over; ``idle``: how many of them have not moved
    """

    paused: str
    wall: WallView
    here: tuple[GuestView, ...]
    games: tuple[PairingView, ...]
    ended: tuple[EndedView, ...]
    names_locked: bool
    journal: tuple[EntryView, ...]
    event: EventView | None
    entrants: tuple[EntrantView, ...]
    idle: int


def present_host(
    found: LobbyView, journal: list[Entry], event: Standing | None, guests: Sequence[Guest]
) -> HostView:
    """Present the class to its host.

    :param event: the latest tournament, if there is one
    :param guests: its players, if it is not over
    """
    lesson = found.lesson
    return HostView(
        "" if lesson.paused_at is None else _time(lesson.paused_at),
        _wall(lesson.wall, found),
        tuple(GuestView(number(one.player), present_person(one, found.me)) for one in found.here),
        tuple(map(present_pairing, found.games)),
        tuple(
            EndedView(one.game.id, who_beat_whom(one), digits(one.game.moves), one.game.board)
            for one in found.ended
            if one.game.moved
        ),
        lesson.names_locked,
        tuple(map(_entry, journal)),
        _event(event, found) if event else None,
        tuple(
            EntrantView(number(one.player), words.isolated(one.name), _doing(one), one.barred)
            for one in guests
        ),
        sum(one.idle and not one.barred for one in guests),
    )


def _wall(wall: Wall, found: LobbyView) -> WallView:
    steps = None
    if wall.moves:
        last = len(wall.moves)
        board = boards(moves_of(wall.moves))[wall.at]
        steps = StepsView(wall.moves, wall.at, last, wall.values, board)
        message = ngettext(
            "A review, after {at} of {last} move", "A review, after {at} of {last} moves", last
        )
        sentence = message.format(at=wall.at, last=last)
    elif wall.game:
        shown = next(
            (one for one in (*found.games, *found.ended) if one.game.id == wall.game), None
        )
        title = present_pairing(shown).title if shown else ""
        sentence = _("One game: {title}").format(title=title) if title else _("One game")
    else:
        sentence = _("The tournament") if wall.tournament else _("The class")
    is_class = not (wall.game or wall.moves or wall.tournament)
    return WallView(sentence, is_class, bool(wall.tournament), wall.game, steps, wall.version)


def _event(standing: Standing, lobby: LobbyView) -> EventView:
    found = standing.tournament
    stages = {
        State.WAITING: _("{title}: players can join."),
        State.RUNNING: _("{title}: it is being played."),
        State.OVER: _("{title}: it is over."),
    }
    return EventView(
        found.id,
        found.state.value,
        stages[found.state].format(title=title_of(found)),
        found.format is Format.SWISS,
        found.round_over is not None,
        found.late,
        *_entrants(standing, lobby),
        standing,
    )


def _entrants(
    standing: Standing, lobby: LobbyView
) -> tuple[tuple[EntrantView, ...], tuple[EntrantView, ...], tuple[str, ...]]:
    """Who has joined, who of them is missing, and who is here and has not joined."""
    here = {one.player for one in lobby.here}
    late = {_late(game, standing.tournament) for game in standing.going.values()}
    joined, absent, entered = list[EntrantView](), list[EntrantView](), set[str]()
    for one in standing.entrants:
        if not one.playing:
            continue
        entered.add(one.player)
        name = words.isolated(standing.names.get(one.player, _("A player who left")))
        is_here, waits = one.player in here, one.player in late
        remark = _("here") if is_here else _("not here")
        if waits:
            remark = _("here, but a game waits") if is_here else _("not here, and a game waits")
        joined.append(EntrantView(number(one.player), name, remark, one.barred))
        if waits or not is_here:
            absent.append(joined[-1])
    others = (words.isolated(one.name) for one in lobby.here if one.player not in entered)
    return tuple(joined), tuple(absent), tuple(others)


def _late(game: Game, event: Tournament) -> str | None:
    """The player for whom a game has waited for more than half of the time for a move."""
    waited = event.elapsed - game.moved_at
    return game.seat(game.turn) if game.turn and 2 * waited > 1000 * event.clock else None


def _doing(one: Guest) -> str:
    if one.barred:
        return _("put out")
    if not one.playing:
        return _("has left")
    return _("has not moved yet") if one.idle else ""


def _entry(entry: Entry) -> EntryView:
    moment = datetime.fromtimestamp(entry.at, UTC)
    shown = moment.astimezone().strftime("%Y-%m-%d %H:%M")
    return EntryView(moment.isoformat(), shown, said.done(entry))


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).astimezone().strftime("%H:%M")
