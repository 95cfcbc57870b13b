"""Cells, lines, reasons and outcomes as sentences, for the pages and the command line alike.

The computer says "I" and calls the player "you"; a watcher reads marks. May import ``core`` and
``engines``.
"""

from __future__ import annotations

from collections.abc import Sequence

from webapp.core import tactics
from webapp.core.board import COLUMNS, CORNERS, DIAGONALS, ROWS, Board, Line, Mark, Outcome
from webapp.core.game import Game
from webapp.engines.base import Reason

MOST_AT_ONCE = 15
"""How many words a screen reader says after a change, at the most."""

CELLS = (
    "top left",
    "top centre",
    "top right",
    "middle left",
    "centre",
    "middle right",
    "bottom left",
    "bottom centre",
    "bottom right",
)
"""The name of each cell."""

LINES: dict[Line, str] = {
    **dict(zip(ROWS, ("top row", "middle row", "bottom row"), strict=True)),
    **dict(zip(COLUMNS, ("left column", "middle column", "right column"), strict=True)),
    **dict.fromkeys(DIAGONALS, "diagonal"),
}
"""The name of each line."""


def cell_in_a_sentence(cell: int) -> str:
    """Name a cell with its article.

    >>> cell_in_a_sentence(0), cell_in_a_sentence(1)
    ('the top left corner', 'the top centre')
    """
    return f"the {CELLS[cell]}{' corner' if cell in CORNERS else ''}"


def lines(some: Sequence[Line]) -> str:
    """Name one or two lines.

    >>> lines([(0, 1, 2), (0, 4, 8)])
    'top row and diagonal'
    """
    if set(some) == set(DIAGONALS):
        return "both diagonals"
    return " and ".join(LINES[line] for line in some)


# --- the end of a game ------------------------------------------------------------------------


def result(outcome: Outcome, winner: str) -> str:
    """Say how a game ended.

    :param winner: how the sentence names the winner: ``"Medium"``, ``"X"``, or ``"You"``

    >>> result(Outcome(Mark.X, ((0, 1, 2),)), "You")
    'You win: top row'
    """
    if outcome.winner is None:
        return "A draw"
    return f"{winner} {'win' if winner == 'You' else 'wins'}: {lines(outcome.lines)}"


def defeat_of_the_engine(game: Game) -> str:
    """Say how the computer came to lose a finished game in which a person had the last move."""
    *_, before_reply, before_last, _ = game.boards
    winner = before_reply.turn.other
    open_cells = tactics.wins(before_reply, winner)
    if open_cells.bit_count() >= 2:
        return "That was a fork: I could not block both lines."
    completed = tactics.lines_completed(before_last, winner, game.moves[-1])
    return f"I left your {lines(completed)} open."


def standing(value: int, distance: int) -> str:
    """Say what a position is worth to one player, with best play on both sides.

    :param value: +1, 0 or -1 for that player
    :param distance: plies to the end

    >>> standing(1, 3), standing(0, 5), standing(-1, 0)
    ('wins in 3', 'a draw', 'lost')
    """
    if value == 0:
        return "a draw"
    over = distance == 0
    if value > 0:
        return "won" if over else f"wins in {distance}"
    return "lost" if over else f"loses in {distance}"


# --- one move ---------------------------------------------------------------------------------


# What each reason sounds like: from the engine that did it, as a hint to the player, and in the
# list of moves. The names in braces are the reason's lines, as ``_told`` fills them in.
_PHRASES = {
    "win": (" to win", "it completes {the}", "wins"),
    "block": (" to block {your}", "it blocks {my}", "blocks {the}"),
    "fork": (" to threaten two lines at once", "it threatens two lines at once", "a fork"),
    "force": (": from here I can force a win", "from there you can force a win", "forces a win"),
    "only": (": every other cell loses", "every other cell loses", "the only cell that holds"),
    "chance": (": safe, and my best chance", "safe, and your best chance", "the best safe chance"),
    "level": (": it keeps the draw", "it keeps the draw", "keeps the draw"),
    "delay": (" to hold out longest", "it holds out longest", "holds out longest"),
    "last": (": no other cell was free", "no other cell is free", "the last free cell"),
    "random": (" at random", "any cell will do", "a random free cell"),
    "threat": (" to threaten {the}", "it threatens {the}", "threatens {the}"),
    "block-fork": (" to stop your fork", "it stops a fork of mine", "stops a fork"),
    "force-answer": (" to force your answer", "it forces my answer", "forces an answer"),
    "centre": (": my rules want the centre", "it is the centre", "its rules want the centre"),
    "corner": (": my rules want a corner", "it is a corner", "its rules want a corner"),
    "edge": (": my rules want an edge", "it is an edge", "its rules want an edge"),
    "opposite-corner": (", opposite to your corner", "it is opposite to my corner", "opposite"),
    "edge-against-forks": (": you had two forks", "I have two forks", "against two forks"),
    "scenario": (": I know this opening", "it is a known opening", "knows this opening"),
    "value-win": (": from here I can force a win", "you can force a win", "forces a win"),
    "value-draw": (": it keeps the draw", "it keeps the draw", "keeps the draw"),
    "value-loss": (": every cell loses now", "every cell loses", "loses like every cell"),
    "slip": (" by mistake", "any cell will do", "a slip, at random"),
    "function": (": my function says so", "the function says so", "its function's choice"),
}


def _told(phrase: str, reason: Reason) -> str:
    if len(reason.lines) > 1:
        return phrase.format(the="two lines", your="two lines at once", my="two of my lines")
    line = lines(reason.lines)
    return phrase.format(the=f"the {line}", your=f"your {line}", my=f"my {line}")


def engine_move(cell: int, reason: Reason) -> str:
    """Say what the computer did and why, in its own voice.

    >>> engine_move(8, Reason("block", ((0, 4, 8),)))
    'I took the bottom right corner to block your diagonal.'
    """
    return f"I took {cell_in_a_sentence(cell)}{_told(_PHRASES[reason.rule][0], reason)}."


def hint(cell: int, reason: Reason) -> str:
    """Suggest a cell to the player and say why."""
    return f"Try {cell_in_a_sentence(cell)}: {_told(_PHRASES[reason.rule][1], reason)}."


def engine_caption(reason: Reason) -> str:
    """Say in a few words, for the list of moves, why an engine made a move."""
    return _told(_PHRASES[reason.rule][2], reason)


def person_did(board: Board, cell: int) -> tuple[str, ...]:
    """Say in a few words, for the list of moves, what a person's move did; the chief thing first.

    :param board: the board before the move
    :return: up to two things; none where the move did nothing at once

    >>> person_did(Board.parse("XX..O...."), 2)
    ('blocks the top row', 'threatens the diagonal')
    """
    me, after = board.turn, board.play(cell)
    if after.outcome and after.outcome.winner is me:
        return ("wins",)
    done = []
    if blocked := tactics.lines_completed(board, me.other, cell):
        done.append(engine_caption(Reason("block", blocked)))
    if tactics.wins(after, me).bit_count() >= 2:
        done.append("a fork")
    elif threatened := tactics.lines_threatened(board, me, cell):
        done.append(f"threatens the {lines(threatened)}")
    return tuple(done)


def watched_move(mark: Mark, cell: int, done: str) -> str:
    """Say what one of two people did, or a player whom one watches.

    :param done: the chief thing that the move did; may be empty

    >>> watched_move(Mark.X, 4, "wins")
    'X took the centre: wins.'
    """
    return f"{mark} took {cell_in_a_sentence(cell)}{f': {done}' if done else ''}."


def cell_label(cell: int, mark: Mark | None, *, winning: bool = False, hinted: bool = False) -> str:
    """Name a cell for those who hear the board.

    >>> cell_label(0, None), cell_label(4, Mark.O, winning=True)
    ('Top left, empty', 'Centre, O, winning line')
    """
    label = f"{CELLS[cell].capitalize()}, {mark or 'empty'}"
    if winning:
        label += ", winning line"
    if hinted:
        label += ", suggested"
    return label
