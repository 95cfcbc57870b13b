"""What calls a player to a game from another page, and what leads to a tournament's."""

from typing import NamedTuple

from webapp import words
from webapp.names import Player
from webapp.service.lobby import Calls
from webapp.service.seats import Pairing
from webapp.tournament.event import Format, State, Tournament
from webapp.words.language import _


class CallView(NamedTuple):
    """A line of the strip at the top of a page.

    :param id: of the tournament that it is about, of the game, or of the player who asks for one
    :param game_id: of the game that it leads to, if any
    :param title: as short as a title; empty where no game calls
    :param asks: whether a game is asked for, which can be accepted at once
    """

    id: str
    game_id: str
    text: str
    title: str
    asks: bool = False


class CallsView(NamedTuple):
    """The strip at the top of the viewer's page.

    :param at: the id of the game whose page it is
    :param event: what a player who has joined a tournament is told on every page
    :param question: the id of what the class is asked, if anything
    :param who: whom the strip asks for, and ``elsewhere`` whether another browser has come
    """

    me: str
    at: str
    call: CallView | None
    event: CallView | None
    question: str | None
    who: Player | None
    elsewhere: bool


def present_calls(calls: Calls, at: str, *, asks: bool) -> CallsView:
    """Present what calls a player; ``asks``: the teacher, who has asked the class."""
    calls = calls._replace(question=None) if asks else calls
    event = _event(calls.event, calls.games) if calls.event else None
    runs = calls.event is not None and calls.event.state is State.RUNNING
    calling = (_call(pairing, calls.me, playing=calls.playing or runs) for pairing in calls.games)
    leads = calls.question or (event and event.game_id)
    call = None if leads else next(filter(None, (_ask(calls), *calling)), None)
    return CallsView(calls.me, at, call, event, calls.question, calls.who, calls.elsewhere)


def _ask(calls: Calls) -> CallView | None:
    """Present a player who asks for a game."""
    if calls.asker is None:
        return None
    text = _("{name} wants to play you").format(name=words.isolated(calls.asker))
    return CallView(id=calls.asker.id, game_id="", text=text, title=text, asks=True)


def _event(event: Tournament, games: tuple[Pairing, ...]) -> CallView:
    own = (one.game for one in games if one.game.tournament == event.id and not one.game.outcome)
    if game := next(own, None):
        title = _("Your tournament game has started")
        if game.moved:
            title = _("Your tournament game is waiting")
        return CallView(id=event.id, game_id=game.id, text=words.as_sentence(title), title=title)
    if event.state is State.WAITING:
        text = _("Your first tournament game opens by itself.")
    elif event.format is Format.ARENA and not event.left:
        text = _("Tournament: time is up, and the last games are being played.")
    elif event.format is Format.SWISS and event.round == event.length:
        text = _("Tournament: the last round is being played.")
    else:
        text = _("Your next tournament game opens by itself.")
    return CallView(id=event.id, game_id="", text=text, title="")


def _call(pairing: Pairing, me: str, *, playing: bool) -> CallView | None:
    """Present the call to one game, if it calls; ``playing``: there is no time for a rematch."""
    game = pairing.game
    (mine,) = game.marks_of(me)
    if game.outcome:
        if playing or game.rematch is not mine.other:
            return None
        text = title = _("{name} wants a rematch")
    elif not game.moved:
        text, title = _("{name} is here: go to your game"), _("{name} is here")
    elif game.turn is mine:
        text, title = _("{name} has moved: go to your game"), _("{name} has moved")
    else:
        return None
    name = words.isolated(pairing.player(mine.other))
    return CallView(
        id=game.id,
        game_id=game.id,
        text=text.format(name=name),
        title=title.format(name=name),
        asks=game.outcome is not None,
    )
