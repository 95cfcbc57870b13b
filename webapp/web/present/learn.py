"""What the pages of learning show: every picture and figure on them is computed."""

from collections.abc import Sequence
from typing import Any

from webapp import words
from webapp.analysis.matchup import Proof, matchup, proof
from webapp.analysis.openings import MOST, Opening
from webapp.core import solver, tactics
from webapp.core.board import CELLS_IN, Board, Mark
from webapp.engines.perfect import HARD
from webapp.engines.three_levels import EASY, MEDIUM
from webapp.web.present.engines import Bar
from webapp.web.present.pictures import KINDS, Picture, of_game, of_values, picture
from webapp.words import figures
from webapp.words.language import _


def learning() -> dict[str, Any]:
    """Return what the page shows, by name; its proofs are those of Medium with each mark."""
    return {
        "threat": _with_wins("XX..O....", _("A threat of X")),
        "fork": _with_wins("X.X.O.X.O", _("A fork of X")),
        "empty": of_values(Board(), _("An empty board, every cell a draw for X")),
        "corner": of_values(
            Board().play(0), _("X has a corner, and for O only the centre is a draw")
        ),
        "positions": len(solver.positions()),
        "tree": Board.parse("XX.OX..OO"),
        "easy": Bar(_("Hard against Easy, moving first"), matchup(HARD, EASY).for_mark(Mark.X)),
        "medium": Bar(
            _("Hard against Medium, moving first"), matchup(HARD, MEDIUM).for_mark(Mark.X)
        ),
        "proofs": [proof(MEDIUM, mark.other) for mark in Mark],
    }


def beating_medium(proof: Proof) -> Picture:
    """The end of the shortest game that beats Medium."""
    return of_game(proof.game or (), _("{mark} beats Medium").format(mark=proof.mark.other))


def _with_wins(text: str, says: str) -> Picture:
    board = Board.parse(text)
    return picture(board, says, lit=CELLS_IN[tactics.wins(board, Mark.X)])


def kind_for_x(board: Board) -> str:
    """What a position is worth to X, as a kind of picture."""
    return KINDS[_value_for_x(board)]


def outlook(board: Board) -> str:
    """Say how a game ended, or who wins it with best play."""
    if board.outcome:
        return words.result(board.outcome, str(board.outcome.winner))
    return figures.outlook(board.turn, _value_for_x(board))


def _value_for_x(board: Board) -> int:
    return solver.evaluate(board).value * (1 if board.turn is Mark.X else -1)


# --- the openings of tournaments ---------------------------------------------------------------


def openings_lead(openings: Sequence[Opening]) -> str:
    """Say what makes a position one of them."""
    message = _(
        "{number} positions after one to three moves, without two in a row to block, in which at "
        "most {most} cells keep what the position is worth. Turned and mirrored ones count as one."
    )
    return message.format(number=len(openings), most=MOST)


def keeping(opening: Opening) -> str:
    """Say which cells keep what an opening is worth."""
    first, *rest = map(words.cell_in_a_sentence, opening.keeping)
    if rest:
        message = _("Two cells keep the value: {first} and {second}.")
        return message.format(first=first, second=rest[0])
    return _("One cell keeps the value: {first}.").format(first=first)
