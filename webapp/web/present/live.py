"""A game between two people at two devices: what each is called, and what each can do.

And which pages of games may change by themselves, those of other games among them.
"""

from typing import NamedTuple

from webapp import words
from webapp.core.board import Mark
from webapp.core.game import ABSENT_AFTER
from webapp.names import Player
from webapp.service.pov import PHASES, Pov
from webapp.store import topics
from webapp.tournament.event import State
from webapp.web.present.views import ActionView
from webapp.words import played
from webapp.words.language import _


def waits(pov: Pov) -> bool:
    """Tell whether the page may change by itself.

    That of a game against the computer does with a pause and its end; else with its player alone.
    """
    game = pov.game
    if not pov.live:
        return not game.outcome and not pov.at_stake
    if game.tournament:
        return not game.outcome
    return not game.outcome or (pov.phase < len(PHASES) and not game.next_id)


def topics_of(pov: Pov) -> list[str]:
    """Name what changes the page: the same as long as its game goes on."""
    game = pov.game
    own = [topics.game(game.id), *map(topics.player, sorted(game.players))] if game.id else []
    return own if game.outcome else [*own, topics.PAUSE]


def _name(pov: Pov, mark: Mark) -> str | None:
    """The name of one of two people; ``None`` for the viewer."""
    if mark in pov.marks:
        return None
    return words.isolated(pov.people[mark])


def opponent_of(pov: Pov) -> str:
    """The name of the opponent, for a player in a game between two people."""
    others = [mark for mark in pov.people if mark not in pov.marks]
    return _name(pov, others[0]) or "" if pov.marks and others else ""


class Plate(NamedTuple):
    """One side of a game between two devices.

    :param player: ``None`` for the viewer who has yet to join
    :param says: its mark, or that its player is away
    :param moves: whether it is its turn
    """

    mark: Mark
    player: Player | None
    name: str
    says: str
    moves: bool


def plates(pov: Pov) -> list[Plate]:
    """The two sides, the viewer's first."""
    return [_plate(pov, mark) for mark in sorted(Mark, key=lambda mark: mark not in pov.marks)]


def _plate(pov: Pov, mark: Mark) -> Plate:
    player, moves = pov.people[mark], pov.game.turn is mark and not pov.paused
    message = _("you play {mark}") if mark in pov.marks else _("plays {mark}")
    says = _("away") if moves and pov.away else message.format(mark=mark)
    name = _("You") if mark in pov.marks else words.who(player)
    return Plate(mark, player, name, says, moves)


def seats(chosen: str, host: Player) -> list[Plate]:
    """The two sides of a game that a player has opened, for someone who has its code.

    :param chosen: the host's mark, ``"x"`` or ``"o"``
    """
    mark = Mark(chosen.upper())
    theirs, mine = _("plays {mark}"), _("you play {mark}")
    return [
        Plate(mark, host, words.who(host), theirs.format(mark=mark), moves=False),
        Plate(mark.other, None, _("You"), mine.format(mark=mark.other), moves=False),
    ]


def heading(pov: Pov) -> str:
    """Whose turn it is, or how the game ended."""
    game, outcome = pov.game, pov.game.outcome
    if not outcome:
        if pov.turn:
            return _("Your turn")
        message = _("{name} to move") if pov.away else _("{name} is thinking")
        return message.format(name=_name(pov, game.board.turn))
    if game.cancelled:
        return words.cancelled(in_tournament=game.tournament is not None, moved=game.moved)
    winner = _name(pov, outcome.winner) if outcome.winner else None
    if outcome.ending and outcome.winner:
        return words.gave_up(outcome.ending, winner, _name(pov, outcome.winner.other))
    return words.result(outcome, winner)


def sentence(pov: Pov) -> str:
    """What happened last."""
    game = pov.game
    if game.cancelled:
        return _("It counts for neither player.")
    running = pov.event is not None and pov.event.state is State.RUNNING
    if game.outcome and game.outcome.ending and running and not game.tournament:
        return _("The tournament has begun.")
    if game.outcome and not game.moved:
        return _("Neither player made a move.")
    if not game.moves:
        if pov.turn:
            message = _("{opponent} is here. You have X: choose any cell.")
            return message.format(opponent=opponent_of(pov))
        return _("{name} has X and moves first.").format(name=_name(pov, Mark.X))
    if len(game.moves) == game.given:
        return _opening(pov)
    *_rest, before, _now = game.boards
    return played.person_moved(_name(pov, before.turn), before, game.moves[-1])


def _opening(pov: Pov) -> str:
    """Who has which mark in a game that begins from a position."""
    if pov.marks:
        (mine,) = pov.marks
        return _("The game begins from here, and you have {mark}.").format(mark=mine)
    x, o = (_name(pov, mark) for mark in Mark)
    return _("The game begins from here: {x} has X, and {o} has O.").format(x=x, o=o)


def claimable_in(pov: Pov) -> int | None:
    """After how many seconds the game can be claimed from a player who is away."""
    return ABSENT_AFTER - pov.idle if pov.away and pov.idle < ABSENT_AFTER else None


def asides(pov: Pov) -> tuple[str, ...]:
    """What else there is to say: whether the player to move is here, a rematch."""
    game, other = pov.game, opponent_of(pov)
    if game.tournament:
        return ()
    seconds = claimable_in(pov)
    if seconds is not None:
        if pov.marks:
            message = _("{name} seems to be away. You can claim the game in {seconds} s.")
        else:
            message = _("{name} seems to be away. The game can be claimed in {seconds} s.")
        return (message.format(name=_name(pov, game.board.turn), seconds=seconds),)
    if pov.claimable:
        message = _("{opponent} has not moved for a minute: you can claim the game.")
        return (message.format(opponent=other),)
    if game.outcome and game.rematch and pov.marks and not game.next_id:
        if game.rematch in pov.marks:
            message = _("Rematch asked for: {opponent} has to accept.")
        else:
            message = _("{opponent} asks for a rematch.")
        return (message.format(opponent=other),)
    return ()


def actions(pov: Pov) -> tuple[ActionView, ...]:
    """The buttons of a player; none for a watcher."""
    game = pov.game
    if not pov.marks:
        return ()
    if pov.paused:
        return (ActionView("resign", _("Give up"), possible=False),)
    if not game.outcome:
        claim = (ActionView("claim", _("Claim the game"), primary=True),) if pov.claimable else ()
        if game.rated or game.tournament:
            question = _("Give up this game? It counts as lost.")
        else:
            question = _("Give up this game? It counts for neither player.")
        return (ActionView("resign", _("Give up"), asks=question), *claim)
    if game.tournament or (pov.event and pov.event.state is State.RUNNING):
        return ()
    asks = None if game.next_id else game.rematch
    accepts = asks and asks not in pov.marks
    text = _("Accept") if accepts else _("Rematch")
    possible = all(player.name for player in pov.people.values()) and (not asks or bool(accepts))
    rematch = ActionView("again", text, possible=possible, primary=True)
    seek = (ActionView("seek", _("Next opponent"), on=True),) if pov.may_seek else ()
    return (rematch, *seek)
