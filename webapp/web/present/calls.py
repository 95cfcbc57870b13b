"""What calls a player to a game from another page."""

from typing import NamedTuple

from webapp import words
from webapp.core.game import Game
from webapp.service.lobby import Calls
from webapp.words.language import _


class CallView(NamedTuple):
    """A call to a game: what it says, and as short as a title."""

    game_id: str
    text: str
    title: str


class CallsView(NamedTuple):
    """The strip at the top of a page, and what the page waits for.

    :param at: the id of the game whose page it is
    """

    at: str
    call: CallView | None


def present_calls(found: Calls, at: str) -> CallsView:
    """Present what calls a player to a game."""
    playing = any(not game.open and not game.outcome for game in found.games)
    calling = (_call(game, found, playing=playing) for game in found.games)
    return CallsView(at, next(filter(None, calling), None))


def _call(game: Game, found: Calls, *, playing: bool) -> CallView | None:
    """Present the call to one game, if it calls.

    :param playing: whether the player has a game going on, and so no time for a rematch
    """
    if game.open:
        return None
    (mine,) = game.marks_of(found.me)
    name = words.isolated(found.names.get(game.seat(mine.other) or "", _("A player who left")))
    if game.outcome:
        if playing or game.rematch is not mine.other:
            return None
        text = _("{name} asks for a rematch: go to your game")
        title = _("{name} asks for a rematch")
    elif not game.moves:
        text, title = _("{name} is here: go to your game"), _("{name} is here")
    elif game.turn is mine:
        text, title = _("{name} has moved: go to your game"), _("{name} has moved")
    else:
        return None
    return CallView(game.id, text.format(name=name), title.format(name=name))
