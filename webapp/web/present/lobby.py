"""The class: what its page shows, and sentences about its people, games and tournaments."""

from collections.abc import Mapping
from math import isinf
from typing import TypeAlias

from webapp import words
from webapp.core.board import Mark
from webapp.core.game import Kind
from webapp.engines.base import Engine
from webapp.names import Player
from webapp.service.lobby import LobbyView, Pairing, Person
from webapp.tournament.event import Entrant, Format, State, Tournament
from webapp.web.present.game import name_of, review_address
from webapp.words.language import _, ngettext

Shown: TypeAlias = dict[str, object]
"""What a page shows, by the names that its template has for it; the page's stamp is made of it."""

PEOPLE_SHOWN = 60
"""How many of the players who are here are named."""


def present_class(lobby: LobbyView, engines: Mapping[str, Engine]) -> Shown:
    """Choose what one of the players sees of the class on its page."""
    return {
        "me": lobby.me,
        "mine": lobby.mine_now,
        "looking": _looking(lobby),
        "event": _event(lobby),
        "paused": lobby.lesson.paused,
        "here": lobby.here[:PEOPLE_SHOWN],
        "more_here": max(0, len(lobby.here) - PEOPLE_SHOWN),
        "challenges": lobby.challenges,
        "games": lobby.games,
        "places": lobby.table,
        "age": present_age(lobby.age),
        "levels": [
            (engine.name, record)
            for slug, engine in engines.items()
            for record in lobby.records
            if record.opponent == slug
        ],
        "recent": [_past(pairing, lobby.me, engines) for pairing in lobby.recent],
    }


def _looking(lobby: LobbyView) -> str:
    """What is said while the viewer looks for an opponent; else empty."""
    if not lobby.looking:
        return ""
    here, seeking = len(lobby.here), sum(person.looking for person in lobby.here)
    message = _("Looking for an opponent: {here} here, {seeking} looking")
    return message.format(here=here, seeking=seeking)


def _event(lobby: LobbyView) -> Shown | None:
    """The tournament that players may join, or that is played."""
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
    """The name of the viewer's opponent in a game outside of tournaments."""
    mine = lobby.mine_now
    if mine is None or mine.game.open or mine.game.tournament:
        return None
    (mark,) = mine.game.marks_of(lobby.me.id)
    return str(mine.player(mark.other))


def is_given_up(event: Tournament, opponent: str | None) -> str:
    """Say what becomes of a game outside of a tournament when its player takes part.

    :param opponent: whom the player is playing there, if anyone
    """
    if opponent is None or event.state is State.OVER:
        return ""
    message = _("Your game with {name} is given up when the tournament begins.")
    if event.state is State.RUNNING:
        message = _("Your game with {name} is given up when your first tournament game begins.")
    return message.format(name=words.isolated(opponent))


def why_closed(event: Tournament, own: Entrant | None) -> str:
    """Say why a viewer cannot join a tournament that is not over; empty for all who can.

    :param own: the viewer, if they are or were in it
    """
    if own and own.barred:
        return _("Your teacher has put you out of this tournament.")
    if own is None and event.state is State.RUNNING and not event.late:
        return _("This tournament has begun, and no one else can join it.")
    return ""


def title_of(tournament: Tournament) -> str:
    """Say what kind of tournament it is."""
    if tournament.format is Format.SWISS:
        message = ngettext("Swiss, {rounds} round", "Swiss, {rounds} rounds", tournament.length)
        return message.format(rounds=tournament.length)
    minutes = tournament.length // 60_000
    message = ngettext("Arena, {minutes} minute", "Arena, {minutes} minutes", minutes)
    return message.format(minutes=minutes)


def doing(person: Person) -> str:
    """Say what a player who is here does."""
    if person.playing:
        return _("playing {name}").format(name=words.isolated(person.playing))
    return _("looking for an opponent") if person.looking else _("reading")


def versus(pairing: Pairing) -> str:
    """Name the player who waits, or the two who play."""
    x, o = map(words.isolated, (pairing.x or pairing.o, pairing.o))
    return x if pairing.game.open else _("{x} against {o}").format(x=x, o=o)


def who_beat_whom(pairing: Pairing) -> str:
    """Say who has beaten whom, or that there was no winner, and why."""
    game, x, o = pairing.game, words.isolated(pairing.x), words.isolated(pairing.o)
    winner = game.outcome.winner if game.outcome else None
    if game.cancelled:
        why = words.why_cancelled(in_tournament=game.tournament is not None, moved=game.moved)
        return _("{x} against {o}: cancelled ({why})").format(x=x, o=o, why=why)
    if winner is None:
        return _("{x} and {o} drew").format(x=x, o=o)
    won, lost = (x, o) if winner is Mark.X else (o, x)
    return _("{winner} beat {loser}").format(winner=won, loser=lost)


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


def _past(
    pairing: Pairing, me: Player, engines: Mapping[str, Engine]
) -> tuple[str, dict[str, str | None] | None]:
    """A finished game of the viewer's in a sentence, and where it is reviewed, if it has moves."""
    game, marks = pairing.game, pairing.game.marks_of(me.id)
    mine = next(iter(marks)) if len(marks) == 1 else None
    winner = game.outcome.winner if game.outcome else None
    name = name_of(game, engines)
    if game.kind is Kind.TWO_DEVICES and mine:
        other = pairing.player(mine.other)
        name = words.isolated(other) if other and other.name else _("a player who left")
    if mine is None:
        message = _("Played with a friend")
    elif winner is None:
        message = _("Drawn against {name}")
    else:
        message = _("Won against {name}") if winner is mine else _("Lost against {name}")
    address = review_address(game, engines, mine) if game.moves else None
    return message.format(name=name), address
