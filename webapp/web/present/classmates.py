"""A game between two people at two devices: who is called what, and what either may do."""

from __future__ import annotations

from webapp import words
from webapp.core.board import Mark, Outcome
from webapp.service.visits import PHASES, Visit
from webapp.store.games import CLASSMATE
from webapp.web.present.views import ActionView, MoveView


def pace(visit: Visit) -> int | None:
    """Return after how many seconds the page asks for news; ``None`` if it need not."""
    record = visit.record
    if record.opponent != CLASSMATE:
        return None if visit.marks or record.outcome else 2
    settled = record.outcome and (visit.phase == len(PHASES) or record.next_id)
    if visit.turn or settled:
        return None
    return 1 if visit.phase < 2 else 5


def _name(visit: Visit, mark: Mark) -> str | None:
    """The name of one of two people; ``None`` for the one who looks."""
    if mark in visit.marks:
        return None
    return words.isolated(visit.names.get(mark, "A classmate"))


def _who(visit: Visit, mark: Mark) -> str:
    """How one of two people is called by the one who looks."""
    return _name(visit, mark) or "You"


def opponent_of(visit: Visit) -> str:
    """The name of the other one, for a player in a game between two people."""
    others = [mark for mark in visit.names if mark not in visit.marks]
    return _who(visit, others[0]) if visit.marks and others else ""


def people(visit: Visit) -> str:
    """Who plays which mark; nothing before the first move, when the sentence says it."""
    if not visit.record.moves or len(visit.names) < len(Mark):
        return ""
    if visit.marks:
        (mine,) = visit.marks
        return f"You play {mine} against {opponent_of(visit)}."
    return " and ".join(f"{_who(visit, mark)} plays {mark}" for mark in Mark) + "."


def heading(visit: Visit) -> str:
    """Whose turn it is, or how the game ended."""
    record, game = visit.record, visit.game
    if record.open:
        return "Waiting for a classmate"
    if not record.outcome:
        return "Your turn" if visit.turn else f"{_who(visit, game.board.turn)} to move"
    winner = None if record.outcome == "draw" else Mark(record.outcome.upper())
    if record.ending and winner:
        return words.gave_up(record.ending, _name(visit, winner), _name(visit, winner.other))
    return words.result(game.outcome or Outcome(None), _name(visit, winner) if winner else None)


def sentence(visit: Visit, moves: tuple[MoveView, ...]) -> str:
    """What happened last."""
    record, game = visit.record, visit.game
    if record.open:
        return (
            "Whoever takes the free seat plays against you." if visit.marks else "A seat is free."
        )
    if not moves and record.outcome:
        return "No move was played."
    if not moves:
        if visit.turn:
            return f"{opponent_of(visit)} is here. You have X: choose any cell."
        return f"{_who(visit, Mark.X)} has X and moves first."
    done = () if game.outcome else moves[-1].done
    return words.person_moved(
        _who(visit, game.board.turn.other), record.moves[-1], next(iter(done), "")
    )


def asides(visit: Visit) -> tuple[str, ...]:
    """What else is to be said: an absence, a rematch."""
    record, other = visit.record, opponent_of(visit)
    if visit.claimable:
        return (f"{other} has not moved for a minute: you may claim the game.",)
    if record.outcome and record.rematch and visit.marks and not record.next_id:
        asked = Mark(record.rematch.upper())
        if asked in visit.marks:
            return (f"You asked for a rematch. {other} has to agree.",)
        return (f"{other} asks for a rematch.",)
    return ()


def actions(visit: Visit) -> tuple[ActionView, ...]:
    """The buttons of one who has a seat."""
    record = visit.record
    if record.open:
        return (ActionView("resign", "Withdraw"),)
    if not record.outcome:
        claim = (ActionView("claim", "Claim the game", primary=True),) if visit.claimable else ()
        return (*claim, ActionView("resign", "Resign", asks="Give this game up?"))
    if record.rematch and Mark(record.rematch.upper()) in visit.marks and not record.next_id:
        return (ActionView("again", "Rematch", possible=False),)
    text = "Rematch, swapped" if record.rematch else "Ask for a rematch"
    return (ActionView("again", "To the rematch" if record.next_id else text, primary=True),)
