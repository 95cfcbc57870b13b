"""A game between two people at two devices: who is called what, and what either may do."""

from webapp import words
from webapp.core.board import Mark
from webapp.core.game import Kind
from webapp.service.pov import PHASES, Pov
from webapp.web.present.views import ActionView, MoveView


def pace(pov: Pov) -> int | None:
    """Return after how many seconds the page asks for news; ``None`` if it need not."""
    game = pov.game
    if game.kind is not Kind.TWO_DEVICES:
        return None if pov.marks or game.outcome else 2
    settled = game.outcome and (pov.phase == len(PHASES) or game.next_id)
    if pov.turn or settled:
        return None
    return 1 if pov.phase < 2 else 5


def _name(pov: Pov, mark: Mark) -> str | None:
    """The name of one of two people; ``None`` for the viewer."""
    if mark in pov.marks:
        return None
    return words.isolated(pov.names.get(mark, "A classmate"))


def _who(pov: Pov, mark: Mark) -> str:
    """How the viewer calls one of two people."""
    return _name(pov, mark) or "You"


def opponent_of(pov: Pov) -> str:
    """The name of the opponent, for a player in a game between two people."""
    others = [mark for mark in pov.names if mark not in pov.marks]
    return _who(pov, others[0]) if pov.marks and others else ""


def people(pov: Pov) -> str:
    """Who plays which mark; nothing before the first move, when the sentence says it."""
    if not pov.game.moves or len(pov.names) < len(Mark):
        return ""
    if pov.marks:
        (mine,) = pov.marks
        return f"You play {mine} against {opponent_of(pov)}."
    return " and ".join(f"{_who(pov, mark)} plays {mark}" for mark in Mark) + "."


def heading(pov: Pov) -> str:
    """Whose turn it is, or how the game ended."""
    game, outcome = pov.game, pov.game.outcome
    if game.open:
        return "Waiting for a classmate"
    if not outcome:
        return "Your turn" if pov.turn else f"{_who(pov, game.board.turn)} to move"
    winner = _name(pov, outcome.winner) if outcome.winner else None
    if outcome.ending and outcome.winner:
        return words.gave_up(outcome.ending, winner, _name(pov, outcome.winner.other))
    return words.result(outcome, winner)


def sentence(pov: Pov, moves: tuple[MoveView, ...]) -> str:
    """What happened last."""
    game = pov.game
    if game.open:
        return "Whoever takes the free seat plays against you." if pov.marks else "A seat is free."
    if not moves and game.outcome:
        return "No move was played."
    if not moves:
        if pov.turn:
            return f"{opponent_of(pov)} is here. You have X: choose any cell."
        return f"{_who(pov, Mark.X)} has X and moves first."
    done = () if game.board.outcome else moves[-1].done
    return words.person_moved(
        _who(pov, game.board.turn.other), game.moves[-1], next(iter(done), "")
    )


def asides(pov: Pov) -> tuple[str, ...]:
    """What else is to be said: an absence, a rematch."""
    game, other = pov.game, opponent_of(pov)
    if pov.claimable:
        return (f"{other} has not moved for a minute: you may claim the game.",)
    if game.outcome and game.rematch and pov.marks and not game.next_id:
        if game.rematch in pov.marks:
            return (f"You asked for a rematch. {other} has to agree.",)
        return (f"{other} asks for a rematch.",)
    return ()


def actions(pov: Pov) -> tuple[ActionView, ...]:
    """The buttons of a player; none for a watcher."""
    game = pov.game
    if not pov.marks:
        return ()
    if game.open:
        return (ActionView("resign", "Withdraw"),)
    if not game.outcome:
        claim = (ActionView("claim", "Claim the game", primary=True),) if pov.claimable else ()
        return (*claim, ActionView("resign", "Resign", asks="Give this game up?"))
    if game.rematch in pov.marks and not game.next_id:
        return (ActionView("again", "Rematch", possible=False),)
    text = "Rematch, swapped" if game.rematch else "Ask for a rematch"
    return (ActionView("again", "To the rematch" if game.next_id else text, primary=True),)
