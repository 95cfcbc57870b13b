"""What calls a player to a game from another page, and what leads to a tournament's."""

from typing import NamedTuple

from webapp import words
from webapp.core.game import Game
from webapp.service.lobby import Calls
from webapp.tournament.event import Format, State, Tournament
from webapp.words.language import _


class CallView(NamedTuple):
    """A call to a game: what it says, and as short as a title.

    :param asks: whether it asks for a rematch, which can be accepted at once
    """

    game_id: str
    text: str
    title: str
    asks: bool


class EventLineView(NamedTuple):
    """What a player who has joined a tournament is told on every page.

    :param id: of the tournament
    :param game_id: of the player's game that goes on in it; empty while there is none
    :param title: as short as a title, where there is a game
    """

    id: str
    game_id: str
    text: str
    title: str


class CallsView(NamedTuple):
    """The strip at the top of a page, and what the page waits for.

    :param at: the id of the game whose page it is
    """

    at: str
    call: CallView | None
    event: EventLineView | None


def present_calls(found: Calls, at: str) -> CallsView:
    """Present what calls a player to a game."""
    event = _event(found.event, found.games) if found.event else None
    playing = any(not game.open and not game.outcome for game in found.games)
    runs = found.event is not None and found.event.state is State.RUNNING
    calling = (_call(game, found, playing=playing or runs) for game in found.games)
    call = None if event and event.game_id else next(filter(None, calling), None)
    return CallsView(at, call, event)


def _event(found: Tournament, games: tuple[Game, ...]) -> EventLineView:
    game = next((one for one in games if one.tournament == found.id and not one.outcome), None)
    title = ""
    if game:
        title = _("Your tournament game has begun")
        if len(game.moves) > game.given:
            title = _("Your tournament game goes on")
        text = f"{title}."
    elif found.state is State.WAITING:
        text = _("Your first tournament game opens by itself.")
    elif found.format is Format.ARENA and not found.left:
        text = _("Tournament: time is up, and the last games are being played.")
    elif found.format is Format.SWISS and found.round == found.length:
        text = _("Tournament: the last round is being played.")
    else:
        text = _("Your next tournament game opens by itself.")
    return EventLineView(found.id, game.id if game else "", text, title)


def _call(game: Game, found: Calls, *, playing: bool) -> CallView | None:
    """Present the call to one game, if it calls.

    :param playing: whether the player has no time for a rematch: a game or a tournament goes on
    """
    if game.open:
        return None
    (mine,) = game.marks_of(found.me)
    name = words.isolated(found.names.get(game.seat(mine.other) or "", _("A player who left")))
    if game.outcome:
        if playing or game.rematch is not mine.other:
            return None
        text = title = _("{name} asks for a rematch")
    elif len(game.moves) == game.given:
        text, title = _("{name} is here: go to your game"), _("{name} is here")
    elif game.turn is mine:
        text, title = _("{name} has moved: go to your game"), _("{name} has moved")
    else:
        return None
    asks = game.outcome is not None
    return CallView(game.id, text.format(name=name), title.format(name=name), asks)
