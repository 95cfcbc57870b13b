"""The class: open games, games in progress, and the standings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isinf
from typing import NamedTuple, TypeAlias

from webapp import words
from webapp.core.board import Board, Mark
from webapp.core.game import Game, Kind
from webapp.core.record import Record
from webapp.engines.base import Engine
from webapp.service.lobby import LobbyView, Pairing, Person
from webapp.tournament.event import Entrant, Format, State, Tournament
from webapp.web.present.game import name_of, review_address
from webapp.words.language import _, ngettext

Review: TypeAlias = dict[str, str | None] | None
"""The values of the address where a game is reviewed; ``None`` where nothing was played."""

PEOPLE_SHOWN = 60
"""How many of the players who are here are named."""


class PairingView(NamedTuple):
    """A challenge, or a game between two people.

    :param names: the player who waits, or the two who play
    :param mark: of the free seat, ``X`` or ``O``; empty where there is none
    """

    id: str
    code: str
    names: tuple[str, ...]
    mark: str
    mine: bool
    board: Board

    @property
    def title(self) -> str:
        """The player who waits, or the two who play."""
        if len(self.names) == 1:
            return self.names[0]
        return "{} against {}".format(*self.names)


class PlaceView(NamedTuple):
    """A line of the standings.

    :param place: ``None`` where there is none yet, as is the rating
    :param me: whether it is the viewer's
    :param gap: whether places before it are left out
    """

    place: int | None
    name: str
    rating: int | None
    games: int
    me: bool
    gap: bool


class PersonView(NamedTuple):
    """A player who is here, and what they do."""

    name: str
    doing: str
    me: bool


class EventView(NamedTuple):
    """The tournament that players may join, or that is played.

    :param title: what kind it is
    :param given_up: what becomes of the viewer's game when they take part; may be empty
    :param closed: why the viewer cannot join it; empty for all who can, or are in it
    """

    id: str
    title: str
    is_in: bool
    runs: bool
    given_up: str
    closed: str


class FinderView(NamedTuple):
    """How the viewer finds an opponent.

    :param mine: the viewer's own game or challenge
    :param looking: what is said while the viewer looks for an opponent; else empty
    :param event: the tournament, if there is one that is not over
    """

    mine: PairingView | None
    looking: str
    event: EventView | None


@dataclass(frozen=True, slots=True)
class ClassView:
    """The class page.

    :param here: who is here, the first of them
    :param more_here: and how many more there are
    :param age: how old the standings are, in a sentence; empty where they are of this minute
    :param levels: the viewer's games against each engine, by its name
    :param recent: the title of each finished game of the viewer's, and where it is reviewed
    :param paused: whether the host has paused all games
    """

    finder: FinderView
    here: tuple[PersonView, ...]
    more_here: int
    challenges: tuple[PairingView, ...]
    games: tuple[PairingView, ...]
    places: tuple[PlaceView, ...]
    age: str
    levels: tuple[tuple[str, Record], ...]
    recent: tuple[tuple[str, Review], ...]
    paused: bool


def present_class(found: LobbyView, engines: Mapping[str, Engine]) -> ClassView:
    """Present the class to one of its players."""
    return ClassView(
        _finder(found),
        tuple(present_person(one, found.me) for one in found.here[:PEOPLE_SHOWN]),
        max(0, len(found.here) - PEOPLE_SHOWN),
        tuple(map(present_pairing, found.challenges)),
        tuple(map(present_pairing, found.games)),
        tuple(present_places(found)),
        present_age(found.age),
        tuple(
            (engine.name, one)
            for slug, engine in engines.items()
            for one in found.mine
            if one.opponent == slug
        ),
        tuple(_past(game, found, engines) for game in found.recent),
        found.lesson.paused_at is not None,
    )


def _finder(found: LobbyView) -> FinderView:
    looking = ""
    if found.looking:
        here, seeking = len(found.here), sum(one.looking for one in found.here)
        looking = _("Looking for an opponent: {here} here, {seeking} looking")
        looking = looking.format(here=here, seeking=seeking)
    mine = present_pairing(found.mine_now) if found.mine_now else None
    event = None
    if found.tournament and found.tournament.state is not State.OVER:
        runs = found.tournament.state is State.RUNNING
        title = title_of(found.tournament)
        is_in = found.entrant is not None and found.entrant.playing
        given_up = is_given_up(found.tournament, _opponent(found))
        closed = why_closed(found.tournament, found.entrant)
        event = EventView(found.tournament.id, title, is_in, runs, given_up, closed)
    return FinderView(mine, looking, event)


def _opponent(found: LobbyView) -> str | None:
    """The name of the viewer's opponent in a game outside of tournaments."""
    mine = found.mine_now
    if mine is None or mine.game.open or mine.game.tournament:
        return None
    (mark,) = mine.game.marks_of(found.me)
    return mine.o if mark is Mark.X else mine.x


def is_given_up(found: Tournament, opponent: str | None) -> str:
    """Say what becomes of a game outside of a tournament when its player takes part.

    :param opponent: whom the player is playing there, if anyone
    """
    if opponent is None or found.state is State.OVER:
        return ""
    message = _("Your game with {name} is given up when the tournament begins.")
    if found.state is State.RUNNING:
        message = _("Your game with {name} is given up when your first tournament game begins.")
    return message.format(name=words.isolated(opponent))


def why_closed(found: Tournament, own: Entrant | None) -> str:
    """Say why a viewer cannot join a tournament that is not over; empty for all who can.

    :param own: the viewer, if they are or were in it
    """
    if own and own.barred:
        return _("Your teacher has put you out of this tournament.")
    if own is None and found.state is State.RUNNING and not found.late:
        return _("This tournament has begun, and no one else can join it.")
    return ""


def title_of(found: Tournament) -> str:
    """Say what kind of tournament it is."""
    if found.format is Format.SWISS:
        message = ngettext("Swiss, {rounds} round", "Swiss, {rounds} rounds", found.length)
        return message.format(rounds=found.length)
    minutes = found.length // 60_000
    message = ngettext("Arena, {minutes} minute", "Arena, {minutes} minutes", minutes)
    return message.format(minutes=minutes)


def present_person(one: Person, me: str) -> PersonView:
    """Present a player who is here, and what they do."""
    if one.playing:
        doing = _("playing {name}").format(name=words.isolated(one.playing))
    else:
        doing = _("looking for an opponent") if one.looking else _("reading")
    return PersonView(words.isolated(one.name), doing, one.player == me)


def present_pairing(pairing: Pairing) -> PairingView:
    """Present a challenge, or a game between two people."""
    game = pairing.game
    names = tuple(words.isolated(name) for name in (pairing.x, pairing.o) if name)
    free = "" if not game.open else "X" if game.x_seat is None else "O"
    return PairingView(game.id, game.code or "", names, free, pairing.mine, game.board)


def who_beat_whom(pairing: Pairing) -> str:
    """Who has beaten whom, or that there was no winner, and why."""
    x, o = present_pairing(pairing).names
    game = pairing.game
    winner = game.outcome.winner if game.outcome else None
    if game.cancelled:
        why = words.why_cancelled(in_tournament=game.tournament is not None, moved=game.moved)
        return _("{x} against {o}: cancelled ({why})").format(x=x, o=o, why=why)
    if winner is None:
        return _("{x} and {o} drew").format(x=x, o=o)
    won, lost = (x, o) if winner is Mark.X else (o, x)
    return _("{winner} beat {loser}").format(winner=won, loser=lost)


def present_places(found: LobbyView) -> Iterator[PlaceView]:
    """The standings: the places, and below them the players without one."""
    for line, (one, name) in enumerate(found.table, 1):
        me = one.player == found.me
        # A player who is not among the best comes after them.
        gap = me and one.place is not None and one.place > line
        yield PlaceView(one.place, words.isolated(name), one.rating, one.games, me, gap)


def present_age(seconds: float) -> str:
    """Say how old the standings are; empty where they are of this minute."""
    if isinf(seconds):
        return _("The standings are being worked out.")
    minutes = int(seconds // 60)
    if not minutes:
        return ""
    return ngettext(
        "These standings are from {number} minute ago.",
        "These standings are from {number} minutes ago.",
        minutes,
    ).format(number=minutes)


def _past(game: Game, found: LobbyView, engines: Mapping[str, Engine]) -> tuple[str, Review]:
    marks = game.marks_of(found.me)
    mine = next(iter(marks)) if len(marks) == 1 else None
    name = name_of(game, engines)
    if game.kind is Kind.TWO_DEVICES:
        other = game.seat(mine.other) if mine else None
        name = words.isolated(found.names.get(other or "", "a player who left"))
    winner = game.outcome.winner if game.outcome else None
    if mine is None:
        how = "Played with a friend"
    elif winner is None:
        how = f"Drawn against {name}"
    elif winner is mine:
        how = f"Won against {name}"
    else:
        how = f"Lost against {name}"
    return how, review_address(game, engines, mine) if game.moves else None
