"""The class: what its page shows, and sentences about its people, games and tournaments."""

from typing import TypeAlias

from webapp import words
from webapp.analysis.ratings import OTHERS
from webapp.core.board import Mark
from webapp.names import Player
from webapp.service.lobby import Ask, LobbyView, Person
from webapp.service.ranking import Place
from webapp.service.seats import Pairing
from webapp.tournament.event import Entrant, Format, State, Tournament
from webapp.words.language import _, ngettext, pgettext

Shown: TypeAlias = dict[str, object]
"""What a page shows, by the names that its template has for it."""

Line: TypeAlias = tuple[Place, Player]
"""A line of the standings."""

PEOPLE_SHOWN = 60
"""How many of the players who are here are named."""

BEST, AROUND, IN_SIGHT = 3, 2, 8
"""How many of the first places are shown, how many above and below the viewer's, and in all."""

JUST_FINISHED = 3

MEET = OTHERS + 1
"""How many classmates two players must have met for their games to count."""


def present_class(lobby: LobbyView, *, comes: bool = False) -> Shown:
    """Choose what one of the players sees of the class on its page.

    :param comes: whether the viewer is a newcomer, who has yet to come in
    """
    others = [person for person in lobby.here if person.player.id != lobby.me.id]
    others.sort(key=lambda person: person.playing is not None)
    free = [one for one in others if not one.playing]
    placed = [line for line in lobby.table if line[0].place]
    unplaced = [line for line in lobby.table if not line[0].place]
    listed = any(place.player == lobby.me.id for place, _player in unplaced)
    if lobby.me.name and not (placed or listed):
        unplaced.append((Place(lobby.me.id), lobby.me))
    ended = [one for one in lobby.ended if one.game.moved and not one.game.cancelled]
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
        "in_sight": _in_sight(placed or unplaced, lobby.me),
        "meet": MEET,
        "begun": bool(lobby.games or lobby.today or placed),
        "ended": [(_winner(pairing), who_beat_whom(pairing)) for pairing in ended[:JUST_FINISHED]],
    }


def _looking(free: list[Person]) -> str:
    """Say who may become the opponent that the viewer looks for."""
    message = ngettext(
        "{number} is free and sees that you are looking.",
        "{number} are free and see that you are looking.",
        len(free),
    )
    return message.format(number=len(free)) if free else _("No one else is free yet.")


def _seeking(others: list[Person]) -> str:
    """Say how many look for an opponent, if any do."""
    number = sum(person.looking for person in others)
    message = ngettext("{number} is looking now.", "{number} are looking now.", number)
    return message.format(number=number) if number else ""


def _counts(others: list[Person]) -> str:
    """Say how many are free, and how many play."""
    playing = sum(person.playing is not None for person in others)
    message = _("{free} free, {playing} playing ·")
    return message.format(free=len(others) - playing, playing=playing)


def _in_sight(lines: list[Line], me: Player) -> list[tuple[Place, Player, bool]]:
    """The first lines and those around the viewer's, and whether others are left out before."""
    own = next((n for n, (_place, player) in enumerate(lines) if player == me), 0)
    start = max(BEST, min(own - AROUND, len(lines) - (IN_SIGHT - BEST)))
    shown = [*range(BEST), *range(start, start + IN_SIGHT - BEST)]
    return [
        (*lines[n], n == start > BEST or (lines[n][0].place or 0) > n + 1)
        for n in shown
        if n < len(lines)
    ]


def missing(place: Place) -> str:
    """Say how many more classmates a player has to meet for a place."""
    more = max(0, MEET - place.met)
    return ngettext("{number} to go", "{number} to go", more).format(number=more) if more else ""


def _winner(pairing: Pairing) -> Player:
    """The winner of a game; of one that was drawn, the player of X."""
    winner = pairing.game.outcome and pairing.game.outcome.winner
    return pairing.player(winner or Mark.X) or Player("", None)


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
    if mine is None or mine.game.tournament:
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
    """Say what a player who is here does, and what is between them and the viewer."""
    if person.ask in (Ask.ASKED, Ask.ASKS):
        # Translators: below a player's name, as are "asks you", "is busy", "looking" (for an
        # opponent) and "free"; pressing it takes the request back
        return _("asked · undo") if person.ask is Ask.ASKED else _("asks you")
    if person.playing:
        # Translators: of a player, in a game with a classmate
        return _("playing")
    if person.ask:
        return _("is busy")
    if person.wish:
        return _("looking") if person.looking else _("open game")
    alone = pgettext("below a player's name", "plays the computer")
    return alone if person.at_computer else _("free")


def versus(pairing: Pairing, engine: str = "") -> str:
    """Name the two who play.

    :param engine: what an engine is called that is one of them
    """
    x, o = map(words.isolated, (pairing.x or engine, pairing.o or engine))
    return _("{x} against {o}").format(x=x, o=o)


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
