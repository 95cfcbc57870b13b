"""What the learning page shows: every picture and figure on it is computed."""

from typing import NamedTuple

from webapp import words
from webapp.analysis.matchup import Proof, matchup, proof
from webapp.core import solver, tactics
from webapp.core.board import CELLS_IN, Board, Mark
from webapp.engines.perfect import HARD
from webapp.engines.three_levels import EASY, MEDIUM
from webapp.web.present.engines import BarView, bar
from webapp.web.present.pictures import KINDS, Picture, of_game, of_values, picture
from webapp.words import figures
from webapp.words.language import _


class TreeView(NamedTuple):
    """A position of the game tree, with what it is worth to X, and those that follow it."""

    picture: Picture
    kind: str
    text: str
    below: tuple["TreeView", ...]


class LearnView(NamedTuple):
    """The learning page; ``beat_medium`` holds games that do, for a person with either mark."""

    threat: Picture
    fork: Picture
    empty: Picture
    corner: Picture
    positions: int
    tree: TreeView
    easy: BarView
    medium: BarView
    beat_medium: tuple[tuple[Proof, Picture], ...]


def present_learn() -> LearnView:
    """Present the page."""
    message = _("{mark} beats Medium")
    proofs = [proof(MEDIUM, mark.other) for mark in Mark]
    return LearnView(
        threat=_with_wins("XX..O....", _("A threat of X")),
        fork=_with_wins("X.X.O.X.O", _("A fork of X")),
        empty=of_values(Board(), _("An empty board, every cell a draw for X")),
        corner=of_values(Board().play(0), _("X has a corner, and for O only the centre is a draw")),
        positions=len(solver.positions()),
        tree=_tree(Board.parse("XX.OX..OO")),
        easy=bar(_("Hard against Easy, moving first"), matchup(HARD, EASY)),
        medium=bar(_("Hard against Medium, moving first"), matchup(HARD, MEDIUM)),
        beat_medium=tuple(
            (found, of_game(found.game or (), message.format(mark=found.mark.other)))
            for found in proofs
        ),
    )


def _with_wins(text: str, says: str) -> Picture:
    board = Board.parse(text)
    return picture(board, says, lit=CELLS_IN[tactics.wins(board, Mark.X)])


def _tree(board: Board) -> TreeView:
    """The whole tree below a position."""
    value = solver.evaluate(board).value * (1 if board.turn is Mark.X else -1)
    if board.outcome:
        text = words.result(board.outcome, str(board.outcome.winner))
    else:
        text = figures.outlook(board.turn, value)
    below = tuple(_tree(board.play(cell)) for cell in board.legal_moves)
    return TreeView(picture(board), KINDS[value], text, below)
